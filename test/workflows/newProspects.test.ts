/** The trigger on a search, as n8n runs it, against the sandbox. */
import type { INodeParameters } from 'n8n-workflow';
import type { Poller, PollerOptions, PollOptions } from '../harness/poll';
import type { Fault } from '../sandbox/faults/kinds';
import { startService, type Service } from './service';
import { type Clock, startClock, triggerOn } from './trigger';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NO_RETRIES = { maxTries: 1, maxWait: 0 };

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
	clock.pass(MINUTE);
	return (await poller.poll(options)).items;
}

const namesIn = (items: ReadonlyArray<{ json: Record<string, unknown> }> | null) =>
	(items ?? []).map(({ json }) => json.prospect_id);

/** The pages requested, with their sizes. */
const pagesIn = (service: Service, from = 0) =>
	service.log.entries.slice(from).map(({ body }) => {
		const { page, page_size } = body as { page: number; page_size: number };
		return [page, page_size];
	});

const pageIs = (page: number) => (body: unknown) => (body as { page: number }).page === page;

describe.each([
	['by default', false],
	['with durable cursors', true],
])('%s', (_, durable) => {
	test('the first check takes everybody as known; those who come are output once', async () => {
		const service = await start(250);
		const { world } = service;
		for (const index of [3, 120, 249]) world.unlisted.add(index);
		const poller = watching(service, {}, { durable });

		expect((await poller.poll({ activation: 'activate' })).items).toBeNull();
		expect(pagesIn(service)).toEqual([
			[1, 100],
			[2, 100],
			[3, 100],
		]);
		expect(await nextCheck(poller)).toBeNull();
		expect(pagesIn(service, 3)).toHaveLength(3);

		world.unlisted.clear();
		world.unlisted.add(7);
		expect(namesIn(await nextCheck(poller))).toEqual(
			[3, 120, 249].map((index) => world.prospectId(index)),
		);
		world.unlisted.clear();
		expect(await nextCheck(poller)).toBeNull();
	});

	test('a restart changes nothing: whoever came meanwhile is output', async () => {
		const service = await start(250);
		service.world.unlisted.add(3);
		const name = `restart ${String(durable)}`;
		const before = watching(service, {}, { durable, name });
		await before.poll({ activation: 'activate' });
		await nextCheck(before);
		service.world.unlisted.clear();
		clock.pass(24 * HOUR);

		const restarted = watching(service, {}, { durable, name, staticData: before.saved });

		expect(namesIn((await restarted.poll({ activation: 'init' })).items)).toEqual([
			service.world.prospectId(3),
		]);
	});

	test('edited filters take those who match as known again', async () => {
		const service = await start(250);
		const { world } = service;
		const filters = { has_email: [{ value: true }] };
		const name = `edited ${String(durable)}`;
		const before = watching(service, { filters }, { durable, name });
		await before.poll({ activation: 'activate' });
		await nextCheck(before);
		world.unlisted.add(7);

		const after = watching(service, {}, { durable, name, staticData: before.saved });
		expect(await nextCheck(after, { activation: 'update' })).toBeNull();
		expect(await nextCheck(after)).toBeNull();
		world.unlisted.clear();

		expect(namesIn(await nextCheck(after))).toEqual([world.prospectId(7)]);
	});

	test('filters that match too many people change nothing: whoever came meanwhile is output once they are undone', async () => {
		const service = await start(250);
		const { world } = service;
		world.unlisted.add(7);
		const name = `too many ${String(durable)}`;
		const options = { maxProspects: 240 };
		const few = { filters: { has_email: [{ value: true }] }, options };
		const before = watching(service, few, { durable, name });
		await before.poll({ activation: 'activate' });
		clock.pass(MINUTE);
		world.unlisted.clear();

		const state = { durable, name, staticData: before.saved };
		const refused = watching(service, { options }, state);
		await expect(refused.poll({ activation: 'update' })).rejects.toThrow(
			'Max Prospects allows 240',
		);
		clock.pass(MINUTE);
		const undone = watching(service, few, state);

		expect(namesIn((await undone.poll({ activation: 'update' })).items)).toEqual([
			world.prospectId(7),
		]);
	});

	test('a large search takes several checks within Requests per Poll', async () => {
		const service = await start(1_000);
		service.world.unlisted.add(999);
		const options = { requests: { requestsPerPoll: 4 } };
		const poller = watching(service, { options }, { durable });
		await poller.poll({ activation: 'activate' });
		service.world.unlisted.clear();
		const before = service.log.entries.length;

		const polls = [];
		for (let poll = 0; poll < 4; poll++) {
			polls.push(namesIn(await nextCheck(poller)));
		}

		expect(before).toBe(10);
		expect(pagesIn(service, before).map(([page]) => page)).toEqual([
			...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
			...[1, 2, 3, 4],
		]);
		expect(polls).toEqual([[], [], [service.world.prospectId(999)], []]);
	});

	test.each<[string, Fault]>(
		(
			[
				{ kind: 'status', status: 503 },
				{ kind: 'status', status: 401 },
				{ kind: 'tooMany', retryAfter: 3600 },
				{ kind: 'html' },
				{ kind: 'drop' },
				{ kind: 'outcome', request_status: 'failure' },
				{ kind: 'status', status: 200, body: { status: 'maintenance' } },
			] satisfies Fault[]
		).map((fault) => [JSON.stringify(fault), fault]),
	)('while the service fails with %s, nobody is missed', async (_what, fault) => {
		const service = await start(250);
		service.world.unlisted.add(3);
		const poller = watching(service, { options: { requests: NO_RETRIES } }, { durable });
		const broken = service.fault({ times: 'always', do: fault });
		expect((await poller.poll({ activation: 'activate' })).items).toBeNull();
		for (let poll = 0; poll < 2; poll++) {
			await expect(nextCheck(poller)).rejects.toThrow('The first check is not complete yet');
		}
		broken.remove();
		expect(await nextCheck(poller)).toBeNull();

		const again = service.fault({ times: 'always', do: fault });
		service.world.unlisted.clear();
		await expect(nextCheck(poller)).rejects.toThrow('No one is missed');
		expect((await poller.poll({ activation: 'init' })).items).toBeNull();
		again.remove();

		expect(namesIn(await nextCheck(poller))).toEqual([service.world.prospectId(3)]);
	});

	test('a page that fails is left out of a check; in the first check, it starts again', async () => {
		const service = await start(250);
		const { world } = service;
		world.unlisted.add(3);
		const poller = watching(service, { options: { requests: NO_RETRIES } }, { durable });
		const failing = () =>
			service.fault({
				when: { body: pageIs(2) },
				times: 'always',
				do: { kind: 'status', status: 500 },
			});
		let broken = failing();
		await poller.poll({ activation: 'activate' });
		await expect(nextCheck(poller)).rejects.toThrow('HTTP 500');
		broken.remove();
		expect(await nextCheck(poller)).toBeNull();

		broken = failing();
		world.unlisted.clear();
		expect(namesIn(await nextCheck(poller))).toEqual([world.prospectId(3)]);
		broken.remove();
		expect(await nextCheck(poller)).toBeNull();
	});
});

test.each<[what: string, body: Record<string, unknown>]>([
	['a miss', { response_context: { request_status: 'miss' } }],
	['a total of 0', { total_results: 0, data: null }],
	['an empty list', { data: [] }],
])('an empty search that the service reports with %s ends the first check', async (_what, body) => {
	const service = await start(1);
	const poller = watching(service);
	const empty = service.fault({ times: 'always', do: { kind: 'status', status: 200, body } });
	for (let poll = 0; poll < 3; poll++) {
		expect((await poller.poll(poll === 0 ? { activation: 'activate' } : {})).items).toBeNull();
		clock.pass(MINUTE);
	}
	empty.remove();

	expect(namesIn((await poller.poll()).items)).toEqual([service.world.prospectId(0)]);
});

describe('too many matches', () => {
	test('fail the activation with one request, and later checks, until the filters are narrowed', async () => {
		const service = await start(250);
		const options = { maxProspects: 100 };
		const name = 'too many';
		const poller = watching(service, { options }, { name });
		const message =
			'The filters match 250 people, but Max Prospects allows 100. Narrow Filters, for example by Person Country, Company Size or Job Level, or raise Max Prospects (at most 20,000).';

		await expect(poller.poll({ activation: 'activate' })).rejects.toThrow(message);
		await expect(poller.poll({ activation: 'update' })).rejects.toThrow(message);
		await expect(poller.poll()).rejects.toThrow(message);
		expect(pagesIn(service)).toEqual([
			[1, 100],
			[1, 100],
			[1, 100],
		]);
		expect((await poller.poll({ activation: 'init' })).items).toBeNull();

		const raised = watching(service, { options: { maxProspects: 250 } }, { name });
		expect((await raised.poll({ activation: 'update' })).items).toBeNull();
		expect(service.log.entries).toHaveLength(4 + 3);
	});

	test('later are output all the same', async () => {
		const service = await start(250);
		for (let index = 100; index < 250; index++) service.world.unlisted.add(index);
		const poller = watching(service, { options: { maxProspects: 100 } });
		await poller.poll({ activation: 'activate' });

		service.world.unlisted.clear();

		expect(await nextCheck(poller)).toHaveLength(150);
	});

	test('beyond 20,000 stop the trigger until there are fewer', async () => {
		const service = await start(250);
		service.world.unlisted.add(5);
		const poller = watching(service);
		await poller.poll({ activation: 'activate' });
		service.world.unlisted.clear();
		const total_results = 20_001;
		const large = service.fault({
			times: 'always',
			do: { kind: 'change', with: (answer) => ({ ...(answer as object), total_results }) },
		});

		await expect(nextCheck(poller)).rejects.toThrow(
			'The filters match 20,001 people now, but the trigger can watch at most 20,000.',
		);
		large.remove();

		expect(namesIn(await nextCheck(poller))).toEqual([service.world.prospectId(5)]);
	});
});

test('Fetch Test Event outputs the first people and changes no state', async () => {
	const service = await start(250);
	const poller = watching(service);

	const { items, state } = await poller.poll({ mode: 'manual' });

	expect(namesIn(items)).toEqual(service.world.prospectIds(10));
	expect([state, poller.saved]).toEqual([{}, {}]);
	expect(pagesIn(service)).toEqual([[1, 10]]);
});

test.each<[what: string, parameters: INodeParameters, message: string]>([
	[
		'nobody matches',
		{ filters: { prospect_id: [{ value: 'f'.repeat(40) }] } },
		'No one matches the filters now.',
	],
	[
		'a filter is empty',
		{ filters: { country_code: [{ value: '' }] } },
		'Person Country is empty. Fill it in, or remove the filter.',
	],
	[
		'there is no filter',
		{ filters: {} },
		'Filters: add at least one filter. Without one, the trigger would watch everyone.',
	],
	[
		'several filters are empty',
		{ filters: { country_code: [{ value: '' }], job_level: [{}] } },
		'Person Country and Job Level are empty. Fill them in, or remove the filters.',
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
	const filters = { has_email: [{ value: service.world.person(3).hasEmail }] };
	const plain = watching(service, { filters });
	const whole = watching(service, { filters, simplify: false });
	for (const poller of [plain, whole]) await poller.poll({ activation: 'activate' });
	service.world.unlisted.clear();
	clock.pass(MINUTE);

	const outputs = [(await plain.poll()).items, (await whole.poll()).items];
	const getMany = async (simplify: boolean) => {
		const prospect_id = [{ value: service.world.prospectId(3) }];
		const parameters = {
			resource: 'prospect',
			operation: 'getAll',
			simplify,
			filters: { prospect_id },
		};
		return (await service.run(parameters)).main.map(({ json }) => json);
	};

	const [simple, raw] = outputs.map((items) => (items ?? []).map(({ json }) => json));
	expect(simple).toEqual(await getMany(true));
	expect(raw).toEqual(
		(await getMany(false)).map((json) => ({
			...json,
			response_context: {
				...(json.response_context as object),
				correlation_id: expect.any(String),
				time_took_in_seconds: expect.any(Number),
			},
		})),
	);
});

test('polls that overlap output nobody twice', async () => {
	const service = await startService({ now: clock.now, people: 250, delayMs: 20 });
	service.world.unlisted.add(3);
	const poller = watching(service);
	await poller.poll({ activation: 'activate' });
	service.world.unlisted.clear();
	clock.pass(MINUTE);

	const polls = await Promise.all([poller.poll(), poller.poll(), poller.poll()]);

	expect(polls.flatMap(({ items }) => namesIn(items))).toEqual([service.world.prospectId(3)]);
});
