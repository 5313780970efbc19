/** Get Events: the requests, the rows, and what Only New Events remembers. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { processedCount } from '../harness/deduplication';
import type { NodeRun } from '../harness/engine';
import { NODE_ID } from '../harness/workflow';
import { EVENT_TYPES } from '../sandbox/contract/limits';
import { eventRecord, type EventKind } from '../sandbox/world/events';
import { stopClock } from './clock';
import { CONTINUE, hintsOf, jsonOf, type Service, startService, withInputFields } from './service';

const sourceOf = (kind: EventKind, types: readonly string[]) =>
	({ kind, id: `${kind}_id`, ids: `${kind}Ids`, types: [...types].sort() }) as const;
type Source = ReturnType<typeof sourceOf>;

const PROSPECT = sourceOf('prospect', EVENT_TYPES.prospect);
const BUSINESS = sourceOf('business', EVENT_TYPES.business);

let now: Date;
beforeEach(() => {
	now = stopClock('2026-11-18T12:00:00Z');
});

const start = async (eventsPerDay = 0) =>
	await startService({ now: () => now, people: 200, companies: 200, eventsPerDay });

const idOf = ({ world }: Service, { kind }: Source, index: number) =>
	kind === 'prospect' ? world.prospectId(index) : world.businessId(index);

const itemsOf = (service: Service, source: Source, ...indexes: number[]) =>
	indexes.map((index, row) => ({ row, id: idOf(service, source, index) }));

const range = (count: number) => Array.from({ length: count }, (_, at) => at);

const getEvents = ({ kind, ids }: Source, more: INodeParameters = {}): INodeParameters => ({
	resource: kind,
	operation: 'getEvents',
	[ids]: '={{ $json.id }}',
	...more,
});

/** Plants an event, and returns its ID. */
const plant = (
	{ world }: Service,
	{ kind }: Source,
	index: number,
	more: { time?: string; event_name?: string; event_id?: string } = {},
) =>
	world.addEvent({ [kind]: index, ...more, time: new Date(more.time ?? '2026-11-01T08:00:00Z') })
		.event_id;

const eventIds = ({ main }: NodeRun) => jsonOf(main).map(({ event_id: id }) => id);
const bodies = ({ log }: Service) => log.requestsTo().map(({ body }) => body as IDataObject);

/** Leaves a member out of the service's events. */
const leaveOut = (service: Service, member: string) =>
	service.change(
		({ output_events: events, ...answer }) => ({
			...answer,
			output_events: (events as IDataObject[]).map((event) => ({ ...event, [member]: undefined })),
		}),
		{ times: 'always' },
	);

describe.each([PROSPECT, BUSINESS])('events of a $kind', (source) => {
	test('100 IDs take 3 requests; every event is one row, linked to its item', async () => {
		const service = await start(40);
		service.fault({ times: 'always', do: { kind: 'rows', how: 'doubled' } });
		const items = itemsOf(service, source, ...range(100).map((row) => (row * 7) % 100));

		const run = await service.run(getEvents(source, { simplify: false }), items);

		expect(service.log.count(`${source.kind}Events`)).toMatchObject({ requests: 3, unique: 100 });
		const expected = items.flatMap(({ id, row }) =>
			service.world
				.surfacedEvents({ kind: source.kind, ids: [id] })
				.map((event) => ({ row, json: eventRecord(event) })),
		);
		expect(expected.length).toBeGreaterThan(500);
		expect(jsonOf(run.main)).toMatchObject(expected.map(({ json }) => json));
		expect(run.linked).toEqual(expected.map(({ row }) => row));
		expect(hintsOf(run)).toEqual([
			`Returned ${expected.length.toLocaleString('en-US')} events in 3 requests for 100 records.`,
		]);
	});

	test('rows without an ID and without events are counted, and are no rows; duplicates are asked for once', async () => {
		const service = await start();
		const event = plant(service, source, 1);
		const id = idOf(service, source, 1);
		const items = [
			...[id, ` ${id.toUpperCase()} `, [idOf(service, source, 2), id], idOf(service, source, 3)],
			...['', null, undefined],
		].map((one, row) => ({ row, ...(one !== undefined && { id: one }) }));

		const empty = { timestampFrom: '={{ $json.nothing }}', options: { timestampTo: '  ' } };

		const run = await service.run(withInputFields(getEvents(source, empty)), items);

		// By default, all known types; empty dates are no window.
		const ids = [1, 2, 3].map((index) => idOf(service, source, index));
		expect(bodies(service)).toEqual([{ event_types: source.types, [`${source.id}s`]: ids }]);
		expect(eventIds(run)).toEqual([event, event, event]);
		expect(run.linked).toEqual([0, 1, 2]);
		expect(hintsOf(run)[0]).toBe(
			"Returned 3 events in 1 request for 3 records; 1 row without events; 3 rows without an ID. 2 duplicates weren't sent again.",
		);
	});

	test('equal types and windows to the minute, as with `$now`, share a request; others have their own', async () => {
		const service = await start();
		const [first = '', second = ''] = source.types;
		const asked = [
			['10', '2026-11-02', [first, second]],
			['40', '2026-11-02', [second, first]],
			['10', '2026-11-03', [first, second]],
			['10', '2026-11-02', [first]],
		] as const;
		const items = asked.map(([seconds, to, types], row) => ({
			...{ row, id: idOf(service, source, row), types },
			...{ from: `2026-11-01T08:00:${seconds}Z`, to: `${to}T00:00:00` },
		}));

		await service.run(
			getEvents(source, {
				timestampFrom: '={{ $json.from }}',
				options: { timestampTo: '={{ $json.to }}' },
				eventTypes: '={{ $json.types }}',
			}),
			items,
		);

		const ids = items.map(({ id }) => id);
		const sent = service.log.requestsTo().map((request) => request.ids);
		expect(sent.sort((a, b) => ids.indexOf(a[0] ?? '') - ids.indexOf(b[0] ?? ''))).toEqual([
			...[ids.slice(0, 2), ids.slice(2, 3), ids.slice(3)],
		]);
		expect(bodies(service)).toContainEqual({
			[`${source.id}s`]: ids.slice(0, 2),
			timestamp_from: '2026-11-01T08:00:00.000Z',
			timestamp_to: '2026-11-02T00:00:00.000Z',
			event_types: [first, second].sort(),
		});
	});

	test('Only New Events: each event is output once, over any number of executions', async () => {
		const service = await start();
		const watch = getEvents(source, { options: { onlyNewEvents: true } });
		const items = itemsOf(service, source, ...range(60));
		const workflow = { workflowId: `watch-${source.kind}`, mode: 'trigger' as const };
		const first = [3, 50].map((index) => plant(service, source, index));

		const runs = [await service.run(watch, items, workflow)];
		runs.push(await service.run(watch, items, workflow));
		const later = plant(service, source, 3, { time: '2026-11-17T00:00:00Z' });
		runs.push(await service.run(watch, items, workflow));
		runs.push(await service.run(watch, items, workflow));

		expect(runs.map(eventIds)).toEqual([first, [], [later], []]);
		expect(runs.map(({ linked }) => linked)).toEqual([[3, 50], [], [3], []]);
		expect(processedCount(workflow.workflowId, NODE_ID)).toBe(3);
	});
});

test('a response without events means that there are none', async () => {
	const service = await start();
	const bodies = [{ output_events: [] }, { output_events: null }, { response_context: {} }];
	for (const body of ['', null, [], {}, ...bodies]) {
		service.fault({ do: body === '' ? { kind: 'empty' } : { kind: 'status', status: 200, body } });

		const run = await service.run(getEvents(BUSINESS), itemsOf(service, BUSINESS, 1, 2));

		const hint = 'Returned 0 events in 1 request for 2 records; 2 rows without events.';
		expect([body, run.failureText, hintsOf(run)]).toEqual([body, '', [hint]]);
	}
});

test('events of an ID that was not requested are left out, and counted', async () => {
	const service = await start();
	const stranger = { event_id: '1', event_name: 'new_office', business_id: 'f'.repeat(32) };
	service.fault({ do: { kind: 'status', status: 200, body: { output_events: [stranger] } } });

	const run = await service.run(getEvents(BUSINESS), itemsOf(service, BUSINESS, 1, 2));

	expect([run.main, service.log.entries.length]).toEqual([[], 1]);
	expect(hintsOf(run)).toContain('Left out: 1 event of IDs that were not requested.');
});

const COMMON = ['event_name', 'event_time'];
const LAST = ['event_details', 'event_id', 'business_id'];
const membersAs = (names: string) => names.split(' ').map((name) => `event_${name}`);

test.each<[types: string, members: string]>([
	[
		'ipo_announcement new_funding_round new_investment new_office new_product',
		'title snippet link amount_raised investment_amount investment_amount_currency offer_amount founding_stage investment_target product_name',
	],
	[
		'new_office company_award',
		'title snippet link office_location purpose_of_new_office number_of_employees',
	],
	[
		'ipo_announcement',
		'offer_amount ticker company_name status ipo_date stock_exchange price_per_share number_of_shares',
	],
])('columns for the types %s', async (types, members) => {
	const service = await start();
	const { business, ...event } = { business: 1, event_name: types.split(' ')[0] };
	const { data } = service.world.addEvent({ business, ...event, data: { extra: { deep: [1] } } });
	const items = itemsOf(service, BUSINESS, 1);

	const run = await service.run(getEvents(BUSINESS, { eventTypes: types.split(' ') }), items);

	const columns = membersAs(members);
	const [{ event_details: details, ...row } = {}] = jsonOf(run.main);
	const names = [...COMMON, ...columns, ...LAST];
	expect(Object.keys(jsonOf(run.main)[0] ?? {})).toEqual(names);
	expect(names.length).toBeLessThanOrEqual(15);
	// Each member is either in a column or in the details.
	const shown = columns.flatMap((name) => (row[name] === null ? [] : [[name.slice(6), row[name]]]));
	const rest = JSON.parse(String(details)) as IDataObject;
	expect(rest).toMatchObject({ extra: { deep: [1] } });
	const named = { event_name: event.event_name };
	expect({ ...named, ...Object.fromEntries(shown), ...rest }).toEqual(data);
});

test.each<[string, unknown, IDataObject]>([
	[
		'details with and without a column of their own',
		{ event_name: 'new_office', event_id: 'x', link: 'l', title: ['a', 'b'], size: 5, empty: null },
		{ event_link: 'l', event_title: 'a; b', event_details: '{"size":5}', event_size: 5 },
	],
	['no other details', { link: 'l' }, { event_link: 'l', event_details: null, event_size: null }],
	['no details', null, { event_link: null, event_details: null, event_size: null }],
	['details that are a text', 'later', { event_details: '"later"', event_size: null }],
])('what an event’s row holds: %s', async (_case, data, expected) => {
	const service = await start();
	const id = service.world.businessId(1);
	const named = { event_name: 'new_office', event_time: '2026-11-01T00:00:00+00:00' };
	const event = { ...named, data, event_id: 'e1', business_id: id };
	service.fault({ times: 'always', do: { kind: 'status', status: 200, body: [event] } });
	const rowOf = async (more: INodeParameters) =>
		jsonOf((await service.run(getEvents(BUSINESS, more), [{ id }])).main)[0] ?? {};
	const { event_size, ...columns } = expected;

	expect(await rowOf({})).toMatchObject({ ...named, ...columns, event_id: 'e1' });
	// Any member, also if the service's documentation doesn't name it.
	for (const simplify of [true, false]) {
		const fields = { simplify, options: { fields: 'event_size, event_id' } };
		expect(await rowOf(fields)).toEqual({ event_size, event_id: 'e1' });
	}
	expect(await rowOf({ simplify: false })).toEqual({ ...event, response_context: null });
});

test.each<[timezone: string, value: string, from: string, to?: string]>([
	// The last day of a range belongs to it.
	['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
	['Europe/Berlin', '2026-10-26T00:00:00', '2026-10-25T23:00:00.000Z'],
	['Asia/Kolkata', '={{ $now.minus({ days: 7 }) }}', '2026-11-11T12:00:00.000Z'],
])('dates, in a workflow of %s: %p is %s', async (...[timezone, value, from, to = from]) => {
	const service = await start();
	const items = itemsOf(service, BUSINESS, 1);

	for (const window of [{ timestampFrom: value }, { options: { timestampTo: value } }])
		await service.run(getEvents(BUSINESS, window), items, { timezone });

	const windows = bodies(service).map((body) => [body.timestamp_from, body.timestamp_to]);
	expect(windows).toEqual([
		[from, undefined],
		[undefined, to],
	]);
});

test.each<[kind: EventKind, from: string, onlyNewEvents: boolean, isWarned: boolean]>([
	['prospect', '2026-08-23', true, true],
	['business', '={{ $now.minus({ days: 7 }) }}', true, true],
	['prospect', '2026-08-22', true, false],
	['prospect', '', true, false],
	['business', '2026-11-11', false, false],
])('a From hides events that appear late: %s, from %j, Only New Events %s', async (...row) => {
	const [kind, timestampFrom, onlyNewEvents, isWarned] = row;
	const source = kind === 'prospect' ? PROSPECT : BUSINESS;
	const service = await start();
	const parameters = getEvents(source, { timestampFrom, options: { onlyNewEvents } });

	for (const mode of ['manual', 'trigger'] as const) {
		const run = await service.run(parameters, itemsOf(service, source, 1), { mode });

		const warning = expect.stringMatching(/^Only New Events with a From .* Leave From empty\.$/);
		expect(hintsOf(run).slice(1)).toEqual(isWarned ? [warning] : []);
	}
});

describe('Only New Events', () => {
	const watching = (more: INodeParameters = {}) =>
		getEvents(PROSPECT, { options: { onlyNewEvents: true, ...more } });
	const watch = watching();
	let workflows = 0;
	let workflow: { workflowId: string; mode: 'trigger' };
	beforeEach(() => {
		workflow = { workflowId: `watch-${++workflows}`, mode: 'trigger' };
	});

	test('test runs, and runs without the option, neither leave out nor remember', async () => {
		const service = await start();
		const items = itemsOf(service, PROSPECT, 1);
		const event = plant(service, PROSPECT, 1);

		const runs = [await service.run(getEvents(PROSPECT), items, workflow)];
		for (const mode of ['manual', 'evaluation'] as const)
			runs.push(await service.run(watch, items, { ...workflow, mode }));
		expect(processedCount(workflow.workflowId, NODE_ID)).toBe(0);
		for (const mode of ['integrated', 'trigger', 'manual'] as const)
			runs.push(await service.run(watch, items, { ...workflow, mode }));

		// A run as a sub-workflow counts as a real one.
		expect(runs.map(eventIds)).toEqual([[event], [event], [event], [event], [], [event]]);
		expect(processedCount(workflow.workflowId, NODE_ID)).toBe(1);
	});

	test('events of two people, or of two types, may share an event ID; each input row gets its own once', async () => {
		const service = await start();
		const [one, other] = PROSPECT.types;
		const event_id = 'shared';
		for (const event_name of [one, other]) plant(service, PROSPECT, 1, { event_id, event_name });
		plant(service, PROSPECT, 2, { event_id, event_name: one });
		service.fault({ times: 'always', do: { kind: 'rows', how: 'doubled' } });
		const id = idOf(service, PROSPECT, 1);
		const items = [[id, id], id, idOf(service, PROSPECT, 2)].map((ids, row) => ({ row, id: ids }));

		const first = await service.run(watch, items, workflow);
		const second = await service.run(watch, items, workflow);

		expect(eventIds(first)).toEqual(Array(5).fill('shared'));
		expect(first.linked).toEqual([0, 0, 1, 1, 2]);
		expect(second.main).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['with Fields that leave out the event ID', watching({ fields: 'event_name' })],
		['with Simplify off', { ...watch, simplify: false }],
	])('events without an event ID are identified by their content, %s', async (_, parameters) => {
		const service = await start();
		[1, 2].forEach((index) => plant(service, PROSPECT, index));
		leaveOut(service, 'event_id');
		const items = itemsOf(service, PROSPECT, 1, 2);

		const first = await service.run(parameters, items, workflow);
		const second = await service.run(parameters, items, workflow);

		expect(first.linked).toEqual([0, 1]);
		expect(second.main).toEqual([]);
	});

	test('a cancelled run remembers nothing, because n8n passes none of its rows on', async () => {
		const service = await start();
		const event = plant(service, PROSPECT, 1);
		const oneByOne = watching({ batchSize: 1, maxConcurrentRequests: 1 });

		await service.run(oneByOne, itemsOf(service, PROSPECT, 1, 2), {
			...{ ...workflow, ...CONTINUE, ...service.cancelAt(2) },
		});
		expect(service.log.entries).toHaveLength(2);
		const later = await service.run(watch, itemsOf(service, PROSPECT, 1), workflow);

		expect(eventIds(later)).toEqual([event]);
	});

	test.each<[string, IDataObject, before: IDataObject[], after: IDataObject[]]>([
		['comes again if the first row has an error', {}, [{ id: 'oops' }], []],
		['comes again if its input has a column error', { error: 'bounced' }, [], []],
		['does not come again if only a later row has an error', {}, [], [{ id: 'oops' }]],
	])('with Retry On Fail, an event %s', async (_, own, before, after) => {
		const service = await start();
		const event = plant(service, PROSPECT, 1);
		const items = itemsOf(service, PROSPECT, 1);

		const run = await service.run(
			withInputFields(watch),
			[...before, ...items.map((item) => ({ ...item, ...own })), ...after],
			{ ...workflow, ...CONTINUE, retryOnFail: true },
		);
		const later = await service.run(watch, items, workflow);

		expect(jsonOf(run.main)).toMatchObject([{ event_id: event, ...own }]);
		expect(run.hints).toContainEqual({
			message: expect.stringMatching(/^Retry On Fail is on .*you pay for every row again/),
			type: 'warning',
			location: 'outputPane',
		});
		expect(eventIds(later)).toEqual(after.length > 0 ? [] : [event]);
	});

	test.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
		'what failed comes in the next run, and the rest does not come again (%s)',
		async (onError) => {
			const service = await start();
			const items = itemsOf(service, PROSPECT, ...range(60));
			const [one, other] = [3, 50].map((index) => plant(service, PROSPECT, index));
			const fault = service.refuseIds(service.world.prospectId(50));

			const first = await service.run(watch, items, { ...workflow, onError });
			fault.remove();
			const second = await service.run(watch, items, { ...workflow, onError });

			const events = eventIds(first).filter((id) => id !== undefined);
			const expected = onError === 'stopWorkflow' ? [[], [one, other]] : [[one], [other]];
			expect([events, eventIds(second)]).toEqual(expected);
		},
	);
});

test.each<[string, string[], string, string[]]>([
	['besides the known', BUSINESS.types, 'merger', [...BUSINESS.types, 'merger'].sort()],
	['instead of the known', [], 'merger; plant closing', ['merger', 'plant_closing']],
	['in lines and a list', [], '={{ ["b", "a\\nmerger"] }}', ['a', 'b', 'merger']],
	['that come twice', ['new_office'], 'new_office, merger,merger ,', ['merger', 'new_office']],
])('Other Event Types %s', async (_, eventTypes, otherEventTypes, types) => {
	const service = await start();
	const event = plant(service, BUSINESS, 1, { event_name: 'merger' });

	const run = await service.run(
		getEvents(BUSINESS, { eventTypes, options: { otherEventTypes } }),
		itemsOf(service, BUSINESS, 1),
	);

	expect(bodies(service).map(({ event_types: sent }) => sent)).toEqual([types]);
	expect(eventIds(run)).toEqual([event]);
});

test.each([
	['company_award', '', 'Event Types: the service rejected "company_award" (HTTP 422): Not yours.'],
	[
		'new_office',
		'merger',
		'Other Event Types: the service rejected "merger" (HTTP 422): Not yours.',
	],
])('a type that the account lacks is named with its field: %s %s', async (type, other, message) => {
	const service = await start();
	const detail = [{ loc: ['body', 'event_types', 0], msg: 'Not yours', type: 'value_error' }];
	service.fault({ times: 'always', do: { kind: 'status', status: 422, body: { detail } } });
	const parameters = { eventTypes: [type], options: { otherEventTypes: other } };

	const run = await service.run(getEvents(BUSINESS, parameters), itemsOf(service, BUSINESS, 1, 2));

	expect(run.failureText).toContain(message);
	expect(service.log.entries).toHaveLength(1);
});
