/** The trigger on a search, as n8n runs it, against the sandbox. */
import type { INodeParameters } from 'n8n-workflow';
import type { Poller, PollerOptions, PollOptions } from '../harness/poll';
import type { Fault } from '../sandbox/faults/kinds';
import { startService, type Service } from './service';
import { type Clock, startClock, triggerOn } from './trigger';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Everybody in the sandbox matches it. */
const EVERYBODY = { total_experience_months: [{ gte: 0 }] };

let clock: Clock;
beforeEach(() => {
	clock = startClock('2026-11-18T12:00:00Z');
});

const start = async (people: number) => await startService({ now: clock.now, people });

const watching = (
	service: Service,
	parameters: INodeParameters = {},
	options: Partial<PollerOptions> = {},
) => triggerOn(service, { triggerOn: 'newProspect', filters: EVERYBODY, ...parameters }, options);

/** What the check a minute later outputs. */
async function nextCheck(poller: Poller, options?: PollOptions) {
	// After a failed check, the next one comes within an hour.
	clock.pass(60 * MINUTE);
	return (await poller.poll(options)).items;
}

const namesIn = (items: ReadonlyArray<{ json: Record<string, unknown> }> | null) =>
	(items ?? []).map(({ json }) => json.prospect_id);

/** The pages requested. */
const pagesIn = (service: Service) =>
	service.log.entries.map(({ body }) => (body as { page: number }).page);

describe.each([
	['by default', false],
	['with durable cursors', true],
])('%s', (_, durable) => {
	test('the first check takes everybody as known; those who come are output once, also after a restart', async () => {
		const service = await start(250);
		const { world } = service;
		for (const index of [3, 120, 249]) world.unlisted.add(index);
		const name = `restart ${String(durable)}`;
		const poller = watching(service, {}, { durable, name });

		expect((await poller.poll({ activation: 'activate' })).items).toBeNull();
		expect(await nextCheck(poller)).toBeNull();
		expect(pagesIn(service)).toEqual([1, 2, 3, 1, 2, 3]);

		world.unlisted.delete(120);
		expect(namesIn(await nextCheck(poller))).toEqual([world.prospectId(120)]);
		world.unlisted.clear();
		clock.pass(24 * HOUR);
		const restarted = watching(service, {}, { durable, name, staticData: poller.saved });
		expect(namesIn(await nextCheck(restarted, { activation: 'init' }))).toEqual(
			[3, 249].map((index) => world.prospectId(index)),
		);
		expect(await nextCheck(restarted)).toBeNull();
	});

	test.each<Fault>([
		{ kind: 'status', status: 503 },
		{ kind: 'tooMany', retryAfter: 3600 },
		{ kind: 'status', status: 200, body: { status: 'maintenance' } },
	])('while the service fails with %j, nobody is missed', async (fault) => {
		const service = await start(250);
		service.world.unlisted.add(3);
		const options = { maxWait: 0 };
		const poller = watching(service, { options }, { durable });
		const broken = service.fault({ times: 'always', do: fault });
		expect((await poller.poll({ activation: 'activate' })).items).toBeNull();
		await expect(nextCheck(poller)).rejects.toThrow('The first check is not complete yet');
		broken.remove();
		expect(await nextCheck(poller)).toBeNull();

		const again = service.fault({ times: 'always', do: fault });
		service.world.unlisted.clear();
		await expect(nextCheck(poller)).rejects.toThrow('No one is missed');
		expect((await poller.poll({ activation: 'init' })).items).toBeNull();
		again.remove();

		expect(namesIn(await nextCheck(poller))).toEqual([service.world.prospectId(3)]);
	});
});

test.each<[what: string, parameters: INodeParameters, message: string]>([
	[
		'there is no filter',
		{ filters: {} },
		'Filters: add at least one filter. Without one, the trigger would watch everyone.',
	],
	[
		'a filter is empty',
		{ filters: { country_code: [{ value: '' }] } },
		'Person Country is empty. Fill it in, or remove the filter.',
	],
	[
		'Max Prospects is too large',
		{ options: { maxProspects: 20_001 } },
		'Max Prospects: "20001" must be at most 20000',
	],
])('Fetch Test Event fails when %s', async (_what, parameters, message) => {
	const poller = watching(await start(20), parameters);

	await expect(poller.poll({ mode: 'manual' })).rejects.toThrow(message);
});

test('people are output as Get Many does; without Simplify with the context', async () => {
	const service = await start(20);
	service.world.unlisted.add(3);
	const pollers = [true, false].map((simplify) => watching(service, { simplify }));
	for (const poller of pollers) await poller.poll({ activation: 'activate' });
	service.world.unlisted.clear();

	for (const [index, poller] of pollers.entries()) {
		const { main } = await service.run({
			resource: 'prospect',
			operation: 'getAll',
			simplify: index === 0,
			filters: { prospect_id: [{ value: service.world.prospectId(3) }] },
		});
		const [person] = (await nextCheck(poller)) ?? [];
		const { response_context: context, ...columns } = person?.json ?? {};
		const { response_context: expected, ...others } = main[0]?.json ?? {};
		expect(columns).toEqual(others);
		expect(Object.keys(context ?? {})).toEqual(Object.keys(expected ?? {}));
	}
});
