/** Nothing of a run is left behind in n8n's process when it is over. */
import { type IExecuteFunctions, sleep } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { searchList } from '../harness/listSearch';
import { abortListeners, watchTimers } from '../harness/process.cjs';
import { startService } from './service';

/** Seconds; no other wait in a run is as long. */
const RESET = 47;
const USED_UP = {
	'x-ratelimit-remaining': '0',
	'x-ratelimit-reset': String(RESET),
};

/** A service whose answers say that the rate limit is used up: the client holds back. */
async function exhausted() {
	const service = await startService();
	service.fault({
		times: 'always',
		do: { kind: 'status', status: 200, headers: USED_UP, body: { data: [] } },
	});
	return service;
}

/** The waits for the reset. */
const watchWaits = () => watchTimers((ms = 0) => ms > (RESET - 5) * 1000 && ms <= RESET * 1000);

/** Timers that stay: up to n8n-workflow 2.33.2 `sleep` ignores its signal, and its timer runs out by itself. */
const left = async (): Promise<number> =>
	await sleep(1, AbortSignal.abort()).then(
		() => 1,
		() => 0,
	);

describe('a wait for the rate limit ends with', () => {
	test('the run', async () => {
		const service = await exhausted();
		const timers = watchWaits();

		await service.run({
			resource: 'prospect',
			operation: 'enrich',
			prospectIds: service.world.prospectId(1),
		});

		expect(timers.begun()).toBe(1);
		expect(timers.stop()).toBe(await left());
	});

	test('the list that was loaded', async () => {
		const service = await exhausted();
		const timers = watchWaits();

		await searchList({
			node: new BusinessProspectData(),
			method: 'search_country',
			credentials: { baseUrl: service.url, apiKey: service.apiKey },
			credentialType: new BusinessProspectDataApi(),
		});

		expect(timers.begun()).toBe(1);
		expect(timers.stop()).toBe(await left());
	});
});

test('a run does not go on listening for the end of its execution', async () => {
	const service = await startService();
	const node = new BusinessProspectData();
	const { execute } = node;
	let signal: AbortSignal | undefined;
	let before = -1;
	node.execute = async function (this: IExecuteFunctions) {
		signal = this.getExecutionCancelSignal();
		before = signal === undefined ? -1 : abortListeners(signal);
		return await execute.call(this);
	};

	const run = await service.run(
		{ resource: 'prospect', operation: 'enrich', prospectIds: service.world.prospectId(1) },
		[{}],
		{ node },
	);

	expect(run.failure).toBeUndefined();
	expect(before).toBeGreaterThanOrEqual(0);
	expect(abortListeners(signal as AbortSignal)).toBe(before);
});
