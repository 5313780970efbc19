import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { processedCount } from '../harness/deduplication';
import { NODE_ID } from '../harness/workflow';
import { eventRecord, type EventKind } from '../sandbox/world/events';
import { largeTest } from '../size';
import { setInstanceTimezone, stopClock } from './clock';
import { CONTINUE, hintsOf, itemOf, jsonOf, type Service, startService } from './service';
import { simplifiedEvent } from './simplified';

interface Source {
	readonly kind: EventKind;
	readonly ids: string;
	readonly id: string;
	readonly member: string;
	readonly endpoint: 'prospectEvents' | 'businessEvents';
	readonly types: string[];
}

const SOURCES: Source[] = [
	{
		kind: 'prospect',
		ids: 'prospectIds',
		id: 'prospect_id',
		member: 'prospect_ids',
		endpoint: 'prospectEvents',
		types: ['prospect_changed_company', 'prospect_changed_role', 'prospect_job_start_anniversary'],
	},
	{
		kind: 'business',
		ids: 'businessIds',
		id: 'business_id',
		member: 'business_ids',
		endpoint: 'businessEvents',
		types: ['ipo_announcement', 'new_funding_round', 'new_investment', 'new_office', 'new_product'],
	},
];

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

/** Plants an event, and returns it as the service does. */
const plantRaw = (
	{ world }: Service,
	{ kind }: Source,
	index: number,
	more: { time?: string; event_name?: string; event_id?: string } = {},
) =>
	eventRecord(
		world.addEvent({ [kind]: index, ...more, time: new Date(more.time ?? '2026-11-01T08:00:00Z') }),
	);

/** Plants an event, and returns it as Simplify shows it. */
const plant = (...event: Parameters<typeof plantRaw>) => simplifiedEvent(plantRaw(...event));

const bodies = (service: Service) =>
	service.log.requestsTo().map(({ body }) => body as IDataObject);

describe.each(SOURCES)('events of a $kind', (source) => {
	test('100 IDs take 3 requests; every event is a row, linked to its item', async () => {
		const service = await start(40);
		const items = itemsOf(service, source, ...range(100).map((row) => (row * 7) % 100));

		const run = await service.run(getEvents(source), items);

		expect(run.failure).toBeUndefined();
		expect(service.log.count(source.endpoint)).toEqual({
			requests: 3,
			ids: 100,
			unique: 100,
			repeated: [],
		});
		const expected = items.flatMap(({ id, row }) =>
			service.world
				.surfacedEvents({ kind: source.kind, ids: [id] })
				.map((event) => ({ row, json: simplifiedEvent(eventRecord(event)) })),
		);
		expect(expected.length).toBeGreaterThan(500);
		expect(jsonOf(run.main)).toEqual(expected.map(({ json }) => json));
		expect(run.linked).toEqual(expected.map(({ row }) => row));
		expect(run.main.map(itemOf)).toEqual(expected.map(({ row }) => row));
		expect(hintsOf(run)).toEqual([
			`Returned ${expected.length.toLocaleString('en-US')} events in 3 requests for 100 records.`,
		]);
	});

	test.each([
		['by default', {}],
		['with empty dates', { timestampFrom: '={{ $json.nothing }}', timestampTo: '  ' }],
	])('%s queries all known types, without a window', async (_, parameters) => {
		const service = await start();
		const [item] = itemsOf(service, source, 1);

		const run = await service.run(getEvents(source, parameters), [{ ...item }]);

		expect(run.failure).toBeUndefined();
		expect(bodies(service)).toEqual([{ event_types: source.types, [source.member]: [item?.id] }]);
	});

	test('an ID in two items is queried once, and both items get its events', async () => {
		const service = await start();
		const event = plant(service, source, 1);
		const id = idOf(service, source, 1);

		const run = await service.run(getEvents(source), [
			{ row: 0, id },
			{ row: 1, id: ` ${id.toUpperCase()} ` },
			{ row: 2, id: [idOf(service, source, 2), id] },
		]);

		expect(service.log.count()).toMatchObject({ requests: 1, ids: 2, unique: 2 });
		expect(jsonOf(run.main)).toEqual([event, event, event]);
		expect(run.linked).toEqual([0, 1, 2]);
		expect(hintsOf(run)).toEqual([
			"Returned 3 events in 1 request for 2 records. 2 duplicates weren't sent again.",
		]);
	});

	test('a blank ID returns nothing and costs nothing', async () => {
		const service = await start();
		plant(service, source, 1);

		const run = await service.run(getEvents(source), [
			{ row: 0, id: '' },
			{ row: 1, id: null },
			{ row: 2 },
			{ row: 3, id: idOf(service, source, 1) },
		]);

		expect(run.linked).toEqual([3]);
		expect(service.log.count()).toMatchObject({ requests: 1, ids: 1 });
		expect(hintsOf(run)).toEqual([
			'Returned 1 event in 1 request for 1 record; 3 rows without an ID.',
		]);
	});

	test.each<[what: string, parameters: INodeParameters, member: string, sent: unknown[]]>([
		[
			'another To',
			{ timestampTo: '={{ $json.row === 1 ? "2026-11-03" : "2026-11-02" }}' },
			'timestamp_to',
			['2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
		],
		[
			'another From',
			{ timestampFrom: '={{ $json.row === 1 ? "2026-11-01" : "2026-10-01" }}' },
			'timestamp_from',
			['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
		],
		[
			'other types',
			{ eventTypes: `={{ ${JSON.stringify(source.types)}.slice(0, 1 + $json.row % 2) }}` },
			'event_types',
			[source.types.slice(0, 1), source.types.slice(0, 2)],
		],
		[
			'another Request Context',
			{
				options: {
					requests: { requestContext: '={{ JSON.stringify({ odd: $json.row === 1 }) }}' },
				},
			},
			'request_context',
			[{ odd: false }, { odd: true }],
		],
	])(
		'items with %s have their own request, all others share one',
		async (_, parameters, member, sent) => {
			const service = await start();
			const [, late] = [0, 1].map((index) =>
				plant(service, source, index, { time: '2026-11-02T08:00:00Z' }),
			);

			const run = await service.run(
				getEvents(source, parameters),
				itemsOf(service, source, 0, 1, 2),
			);

			const queries = bodies(service).map((body) => [body[source.member], body[member]]);
			expect(queries).toHaveLength(2);
			expect(queries).toEqual(
				expect.arrayContaining([
					[[0, 2].map((index) => idOf(service, source, index)), sent[0]],
					[[idOf(service, source, 1)], sent[1]],
				]),
			);
			// Each item has the events of its own window.
			if (member === 'timestamp_to') expect(jsonOf(run.main)).toEqual([late]);
		},
	);

	test('items whose windows are in the same minutes, as with `$now`, share a request', async () => {
		const service = await start();
		const event = plant(service, source, 1, { time: '2026-11-01T08:00:00.100Z' });
		const items = itemsOf(service, source, ...range(40)).map((item, at) => ({
			...item,
			from: `2026-11-01T08:00:${at + 10}.100Z`,
			to: `2026-11-02T08:00:${at + 10}.100Z`,
		}));

		const run = await service.run(
			getEvents(source, {
				timestampFrom: '={{ $json.from }}',
				timestampTo: '={{ $json.to }}',
			}),
			items,
		);

		expect(service.log.count()).toMatchObject({ requests: 1, ids: 40 });
		expect(jsonOf(run.main)).toEqual([event]);
	});

	test('the same types in another order are the same request', async () => {
		const service = await start();
		const [first = '', second = ''] = source.types;
		const items = itemsOf(service, source, 0, 1).map((item, at) => ({
			...item,
			types: at === 0 ? [first, second] : [second, first],
		}));

		await service.run(getEvents(source, { eventTypes: '={{ $json.types }}' }), items);

		expect(bodies(service)).toHaveLength(1);
	});

	test.each<[string, unknown]>([
		['nothing at all', ''],
		['null', null],
		['an envelope without events', { response_context: {}, output_events: [] }],
		['an envelope with null', { response_context: {}, output_events: null }],
		['an envelope without the member', { response_context: {}, total_results: 0 }],
		['an empty list', []],
		['an empty object', {}],
	])('a response with %s means that there are none', async (_, body) => {
		const service = await start();
		service.fault({
			do: body === '' ? { kind: 'empty' } : { kind: 'status', status: 200, body },
		});

		const run = await service.run(getEvents(source), itemsOf(service, source, 1, 2));

		expect(run.failure).toBeUndefined();
		expect(run.main).toEqual([]);
		expect(hintsOf(run)).toEqual(['Returned 0 events in 1 request for 2 records.']);
	});

	test('a response that is a plain list is a list of events', async () => {
		const service = await start();
		const event = plantRaw(service, source, 1);
		service.fault({ do: { kind: 'status', status: 200, body: [event] } });

		const run = await service.run(getEvents(source), itemsOf(service, source, 2, 1));

		expect(jsonOf(run.main)).toEqual([simplifiedEvent(event)]);
		expect(run.linked).toEqual([1]);
	});

	const changeEvents = (change: (event: IDataObject) => IDataObject) => ({
		kind: 'change' as const,
		with: (response: unknown) => {
			const { output_events, ...rest } = response as { output_events: IDataObject[] };
			return { ...rest, output_events: output_events.map(change) };
		},
	});

	/** Removes the entity IDs from matching events. */
	const withoutIds = (matches: (event: IDataObject) => boolean) =>
		changeEvents((event) => {
			const { [source.id]: id, ...others } = event;
			return matches(event) ? others : { ...others, [source.id]: id };
		});

	describe('events without an entity ID', () => {
		test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
			'of several IDs: each ID is queried alone (%s)',
			async (onError) => {
				const service = await start();
				const [first, second, third] = [1, 2, 2].map((index, number) =>
					plant(service, source, index, { event_id: `event ${number}` }),
				);
				service.fault({
					when: ({ ids }) => ids.length > 1,
					times: 'always',
					do: withoutIds(({ event_id: id }) => id === 'event 1'),
				});

				const run = await service.run(getEvents(source), itemsOf(service, source, 1, 2, 3), {
					onError,
				});

				expect(run.failure).toBeUndefined();
				expect(jsonOf(run.main)).toEqual(expect.arrayContaining([first, second, third]));
				expect(run.linked).toEqual([0, 1, 1]);
				expect(run.linkedErrors).toEqual([]);
				expect(service.log.requestsTo().map(({ ids }) => ids.length)).toEqual([3, 1, 1, 1]);
			},
		);

		test('cause no second request when the query has only one ID', async () => {
			const service = await start();
			plant(service, source, 1);
			service.fault({ times: 'always', do: withoutIds(() => true) });

			const run = await service.run(getEvents(source), itemsOf(service, source, 1));

			expect(run.main).toHaveLength(1);
			expect(service.log.entries).toHaveLength(1);
		});

		test('an ID whose own query fails keeps its assigned events', async () => {
			const service = await start();
			const events = [1, 2].map((index) => plant(service, source, index));
			plant(service, source, 3, { event_id: 'lost' });
			service.fault({
				when: ({ ids }) => ids.length > 1,
				do: withoutIds(({ event_id: id }) => id === 'lost'),
			});
			service.fault({
				when: ({ ids }) => ids.length === 1 && ids[0] === idOf(service, source, 2),
				do: { kind: 'status', status: 500 },
			});

			const run = await service.run(
				getEvents(source, { options: { requests: { maxTries: 1 } } }),
				itemsOf(service, source, 1, 2, 3),
				CONTINUE,
			);

			expect(jsonOf(run.main)).toEqual(
				expect.arrayContaining([...events, expect.objectContaining({ event_id: 'lost' })]),
			);
			expect(run.linked).toEqual([0, 1, 2]);
			expect(run.linkedErrors).toEqual([1]);
		});
	});

	test('events that differ only in their ID are different events', async () => {
		const service = await start();
		const events = ['first', 'second'].map((event_id) => plant(service, source, 1, { event_id }));

		const run = await service.run(getEvents(source), itemsOf(service, source, 1));

		expect(jsonOf(run.main)).toHaveLength(2);
		expect(jsonOf(run.main)).toEqual(expect.arrayContaining(events));
	});

	test('Simplify off adds the response_context, Fields and Include Input Fields make small rows', async () => {
		const service = await start();
		const event = plantRaw(service, source, 1);
		const items = itemsOf(service, source, 1).map((item) => ({ ...item, owner: 'Kim' }));

		const raw = await service.run(getEvents(source, { simplify: false }), items);
		const small = await service.run(
			getEvents(source, {
				options: {
					fields: 'event_name, data.event_name',
					includeInputFields: true,
					requests: { requestContext: '{ "campaign": "spring" }' },
				},
			}),
			items,
		);

		expect(jsonOf(raw.main)).toEqual([
			{
				...event,
				response_context: expect.objectContaining({
					correlation_id: service.log.entries[0]?.correlationId,
					request_status: 'success',
				}),
			},
		]);
		expect(jsonOf(small.main)).toEqual([
			{
				...items[0],
				[source.id]: event[source.id],
				event_id: event.event_id,
				event_name: event.event_name,
				data: { event_name: event.event_name },
			},
		]);
		expect(bodies(service)[1]).toMatchObject({ request_context: { campaign: 'spring' } });
	});

	describe('dates', () => {
		test.each<[timezone: string, value: string, sent: string]>([
			['UTC', '2026-11-01', '2026-11-01T00:00:00.000Z'],
			['Europe/Berlin', '2026-11-01', '2026-10-31T23:00:00.000Z'],
			['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
			['Europe/Berlin', '2026-10-26T00:00:00', '2026-10-25T23:00:00.000Z'],
			['America/New_York', '2026-11-01T09:30:00', '2026-11-01T14:30:00.000Z'],
			['America/New_York', '2026-10-31T09:30:00', '2026-10-31T13:30:00.000Z'],
			['GMT', '2026-11-01', '2026-11-01T00:00:00.000Z'],
			['EST', '2026-11-01', '2026-11-01T05:00:00.000Z'],
			['CET', '2026-10-01', '2026-09-30T22:00:00.000Z'],
			['Asia/Kolkata', '2026-11-01 09:30', '2026-11-01T04:00:00.000Z'],
			['Asia/Kolkata', ' 2026-11-01T09:30 ', '2026-11-01T04:00:00.000Z'],
			['Asia/Kolkata', '2026-11-01T09:30:00Z', '2026-11-01T09:30:00.000Z'],
			['Asia/Kolkata', '2026-11-01T09:30:07-05:00', '2026-11-01T14:30:00.000Z'],
			['UTC', '={{ "2026-11-01T09:30:00+02:00" }}', '2026-11-01T07:30:00.000Z'],
			['Asia/Kolkata', '={{ $now.minus({ days: 7 }) }}', '2026-11-11T12:00:00.000Z'],
			['Asia/Kolkata', '={{ $today.minus({ days: 1 }) }}', '2026-11-16T18:30:00.000Z'],
			['Asia/Kolkata', '={{ new Date("2026-11-01T09:30:00Z") }}', '2026-11-01T09:30:00.000Z'],
			[
				'Asia/Kolkata',
				'={{ $now.minus({ days: 7 }).toFormat("yyyy-MM-dd") }}',
				'2026-11-10T18:30:00.000Z',
			],
		])('%s: %p is %s', async (timezone, value, sent) => {
			const service = await start();
			const items = itemsOf(service, source, 1);

			const from = await service.run(getEvents(source, { timestampFrom: value }), items, {
				timezone,
			});
			const to = await service.run(getEvents(source, { timestampTo: value }), items, { timezone });

			expect([from.failure, to.failure]).toEqual([undefined, undefined]);
			expect(bodies(service)[0]).toMatchObject({ timestamp_from: sent });
			expect(bodies(service)[0]).not.toHaveProperty('timestamp_to');
			expect(bodies(service)[1]).toMatchObject({ timestamp_to: sent });
			expect(bodies(service)[1]).not.toHaveProperty('timestamp_from');
		});

		test("DEFAULT is n8n's own time zone", async () => {
			const service = await start();
			setInstanceTimezone('Asia/Tokyo');
			const id = idOf(service, source, 1);
			const parameters = { [source.ids]: id, timestampFrom: '2026-11-01' };

			// n8n evaluates no expression in a workflow with this setting.
			const run = await service.run(getEvents(source, parameters), [{}], {
				timezone: 'DEFAULT',
				expressionAfter: undefined,
			});

			expect(run.failure).toBeUndefined();
			expect(bodies(service)[0]).toMatchObject({ timestamp_from: '2026-10-31T15:00:00.000Z' });
		});

		test.each([
			'yesterday',
			'2026-02-30',
			'2026-11-31T09:00:00',
			'2026-13-01',
			'5',
			'12:30',
			'05/31/2026',
			'31.05.2026',
			'May 31, 2026',
			'true',
		])('%s is no date: the item fails before anything is sent', async (date) => {
			const service = await start();
			const items = itemsOf(service, source, 1, 2).map((item, at) => ({
				...item,
				date: at === 0 ? date : '2026-11-01',
			}));

			const run = await service.run(
				getEvents(source, { timestampFrom: '={{ $json.date }}' }),
				items,
				CONTINUE,
			);

			expect(run.linkedErrors).toEqual([0]);
			expect(run.error[0]?.json).toMatchObject({
				error: {
					message: `From: "${date}" is not a date and time such as 2026-05-31T09:00:00.`,
					field: 'timestampFrom',
				},
			});
			expect(service.log.count()).toMatchObject({ requests: 1, ids: 1 });
		});
	});

	describe('Only New Events', () => {
		const watch = getEvents(source, { options: { onlyNewEvents: true } });
		let workflows = 0;
		let workflow: { workflowId: string; mode: 'trigger' };
		beforeEach(() => {
			workflow = { workflowId: `watch-${source.kind}-${++workflows}`, mode: 'trigger' };
		});

		test('each event is output once, over any number of executions', async () => {
			const service = await start();
			const items = itemsOf(service, source, ...range(60));
			const first = [3, 50].map((index) => plant(service, source, index));

			const run1 = await service.run(watch, items, workflow);
			const run2 = await service.run(watch, items, workflow);
			const later = plant(service, source, 3, { time: '2026-11-17T00:00:00Z' });
			const run3 = await service.run(watch, items, workflow);
			const run4 = await service.run(watch, items, workflow);

			expect(jsonOf(run1.main)).toEqual(first);
			expect(run1.linked).toEqual([3, 50]);
			expect(jsonOf(run2.main)).toEqual([]);
			expect(jsonOf(run3.main)).toEqual([later]);
			expect(run3.linked).toEqual([3]);
			expect(jsonOf(run4.main)).toEqual([]);
			expect(processedCount(workflow.workflowId, NODE_ID)).toBe(3);
			expect(hintsOf(run1)).toEqual(['Returned 2 events in 2 requests for 60 records.']);
			expect(hintsOf(run2)).toEqual(['Returned 0 events in 2 requests for 60 records.']);
		});

		test.each(['manual', 'evaluation'] as const)(
			'a run of the mode %s neither leaves out nor remembers',
			async (mode) => {
				const service = await start();
				const items = itemsOf(service, source, 1);
				const event = plant(service, source, 1);

				const before = await service.run(watch, items, { ...workflow, mode });
				expect(processedCount(workflow.workflowId, NODE_ID)).toBe(0);
				const active = await service.run(watch, items, workflow);
				const after = await service.run(watch, items, { ...workflow, mode });

				expect([before, active, after].map((run) => jsonOf(run.main))).toEqual([
					[event],
					[event],
					[event],
				]);
				expect(processedCount(workflow.workflowId, NODE_ID)).toBe(1);
			},
		);

		test.each([
			['with their IDs', () => false],
			['without an ID', () => true],
		])('events of two entities %s may share an event ID', async (_, lacksId) => {
			const service = await start();
			const events = [1, 2].map((index) => plant(service, source, index, { event_id: 'shared' }));
			service.fault({ times: 'always', do: withoutIds(lacksId) });
			const items = itemsOf(service, source, 1, 2);

			const first = await service.run(watch, items, workflow);
			const second = await service.run(watch, items, workflow);

			expect(jsonOf(first.main)).toMatchObject(
				events.map(({ [source.id]: id, ...event }) =>
					lacksId() ? event : { ...event, [source.id]: id },
				),
			);
			expect(first.linked).toEqual([0, 1]);
			expect(second.main).toEqual([]);
		});

		test('events of two types may share an event ID', async () => {
			const service = await start();
			const planted = source.types
				.slice(0, 2)
				.map((event_name) => plant(service, source, 1, { event_id: 'shared', event_name }));

			const run = await service.run(watch, itemsOf(service, source, 1), workflow);

			expect(jsonOf(run.main)).toHaveLength(2);
			expect(jsonOf(run.main)).toEqual(expect.arrayContaining(planted));
		});

		test('a cancelled run remembers nothing, because n8n passes none of its rows on', async () => {
			const service = await start();
			const event = plant(service, source, 1);
			const oneByOne = { batchSize: 1, maxConcurrentRequests: 1 };

			await service.run(
				getEvents(source, { options: { onlyNewEvents: true, requests: oneByOne } }),
				itemsOf(service, source, 1, 2),
				{ ...workflow, ...CONTINUE, ...service.cancelAt(2) },
			);
			expect(service.log.entries).toHaveLength(2);
			const later = await service.run(watch, itemsOf(service, source, 1), workflow);

			expect(jsonOf(later.main)).toEqual([event]);
		});

		test('with Retry On Fail, events that come with an error are not lost', async () => {
			const service = await start();
			const event = plant(service, source, 1);
			const items = [{ id: 'oops' }, ...itemsOf(service, source, 1)];
			const retrying = { ...workflow, onError: 'continueErrorOutput' as const, retryOnFail: true };

			const run = await service.run(watch, items, retrying);
			const later = await service.run(watch, itemsOf(service, source, 1), workflow);

			expect(jsonOf(run.main)).toEqual([event]);
			expect(hintsOf(run)).toContainEqual(
				expect.stringMatching(/^Only New Events remembers nothing/),
			);
			expect(jsonOf(later.main)).toEqual([event]);
		});

		test('with Retry On Fail, events are not lost because the input has a column error', async () => {
			const service = await start();
			const event = plant(service, source, 1);
			const including = getEvents(source, {
				options: { onlyNewEvents: true, includeInputFields: true },
			});
			const items = itemsOf(service, source, 1).map((item) => ({ ...item, error: 'bounced' }));

			const run = await service.run(including, items, { ...workflow, retryOnFail: true });
			const later = await service.run(watch, itemsOf(service, source, 1), workflow);

			expect(jsonOf(run.main)).toMatchObject([{ ...event, error: 'bounced' }]);
			expect(jsonOf(later.main)).toEqual([event]);
		});

		test('a run as a sub-workflow counts as a real one', async () => {
			const service = await start();
			const items = itemsOf(service, source, 1);
			const event = plant(service, source, 1);
			const called = { ...workflow, mode: 'integrated' as const };

			const first = await service.run(watch, items, called);
			const second = await service.run(watch, items, called);

			expect([first, second].map((run) => jsonOf(run.main))).toEqual([[event], []]);
		});

		test('an event of several items is output once', async () => {
			const service = await start();
			const event = plant(service, source, 1);

			const run = await service.run(watch, itemsOf(service, source, 1, 1, 2), workflow);

			expect(jsonOf(run.main)).toEqual([event]);
			expect(run.linked).toEqual([0]);
		});

		test('remembers nothing without the option', async () => {
			const service = await start();
			plant(service, source, 1);

			await service.run(getEvents(source), itemsOf(service, source, 1), workflow);

			expect(processedCount(workflow.workflowId, NODE_ID)).toBe(0);
		});

		test('it works with Fields that leave out the event ID, and with Simplify off', async () => {
			const service = await start();
			plant(service, source, 1);
			const items = itemsOf(service, source, 1);
			const small = getEvents(source, {
				simplify: false,
				options: { onlyNewEvents: true, fields: 'event_name' },
			});

			const first = await service.run(small, items, workflow);
			const second = await service.run(small, items, workflow);

			expect(jsonOf(first.main)).toHaveLength(1);
			expect(jsonOf(second.main)).toEqual([]);
		});

		test('a run that fails and stops remembers nothing', async () => {
			const service = await start();
			const items = itemsOf(service, source, ...range(60));
			const events = [3, 50].map((index) => plant(service, source, index));
			const fault = service.fault({
				when: { asksFor: idOf(service, source, 50) },
				times: 'always',
				do: { kind: 'status', status: 403 },
			});

			const failed = await service.run(watch, items, workflow);
			expect(failed.failure).toBeDefined();
			expect(processedCount(workflow.workflowId, NODE_ID)).toBe(0);
			fault.remove();
			const next = await service.run(watch, items, workflow);

			expect(jsonOf(next.main)).toEqual(events);
		});

		test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
			'%s: what failed comes in the next run, the rest does not come again',
			async (onError) => {
				const service = await start();
				const items = itemsOf(service, source, ...range(60));
				const [one, other] = [3, 50].map((index) => plant(service, source, index));
				const fault = service.fault({
					when: { asksFor: idOf(service, source, 50) },
					times: 'always',
					do: { kind: 'status', status: 403 },
				});

				const first = await service.run(watch, items, { ...workflow, onError });
				fault.remove();
				const second = await service.run(watch, items, { ...workflow, onError });

				const rows = jsonOf(first.main).filter(({ error }) => error === undefined);
				expect(rows).toEqual([one]);
				const failed = [...first.main, ...first.error].filter(({ json }) => json.error);
				expect(failed).toHaveLength(20);
				expect(jsonOf(second.main)).toEqual([other]);
			},
		);

		test.each([
			['on', true],
			['off', false],
		])(
			'events without an event_id are identified by their content, Simplify %s',
			async (_, simplify) => {
				const service = await start();
				[1, 2].forEach((index) => plant(service, source, index));
				const unnamed = changeEvents(({ event_id, ...event }) => (void event_id, event));
				service.fault({ times: 'always', do: unnamed });
				const items = itemsOf(service, source, 1, 2);

				const first = await service.run({ ...watch, simplify }, items, workflow);
				const second = await service.run({ ...watch, simplify }, items, workflow);

				expect(first.linked).toEqual([0, 1]);
				expect(second.main).toEqual([]);
			},
		);
	});
});

describe('business events: other types', () => {
	const [, business] = SOURCES as [Source, Source];

	test.each<[string, INodeParameters, string[]]>([
		['besides the known', { otherEventTypes: 'merger' }, [...business.types, 'merger']],
		[
			'instead of the known',
			{ eventTypes: [], otherEventTypes: 'merger; office_closing' },
			['merger', 'office_closing'],
		],
		[
			'in lines and a list',
			{ eventTypes: ['new_office'], otherEventTypes: '={{ ["merger", "a\\nb"] }}' },
			['new_office', 'merger', 'a', 'b'],
		],
		[
			'that are known or come twice',
			{ eventTypes: ['new_office'], otherEventTypes: 'new_office, merger,merger ,' },
			['new_office', 'merger'],
		],
		['from an expression', { eventTypes: '={{ "ipo_announcement" }}' }, ['ipo_announcement']],
	])('%s', async (_, parameters, types) => {
		const service = await start();
		const event = plant(service, business, 1, { event_name: types.at(-1) });

		const run = await service.run(getEvents(business, parameters), itemsOf(service, business, 1));

		expect(run.failure).toBeUndefined();
		const sent = bodies(service)[0]?.event_types as string[];
		expect([...sent].sort()).toEqual([...types].sort());
		expect(jsonOf(run.main)).toEqual([event]);
	});

	test('a type that is not in the list fails, and belongs in Other Event Types', async () => {
		const service = await start();

		const run = await service.run(
			getEvents(business, { eventTypes: '={{ ["merger"] }}' }),
			itemsOf(service, business, 1),
		);

		expect(run.failureText).toMatch(/^Event Types: "merger" is not one of: /);
		expect(service.log.entries).toEqual([]);
	});
});

largeTest('remembers a fixed number of events, and hints when a run has more', async () => {
	const [prospect] = SOURCES as [Source, Source];
	const service = await startService({ now: () => now, people: 400, eventsPerDay: 130 });
	const items = itemsOf(service, prospect, ...range(400));
	const workflow = { workflowId: 'watch-many', mode: 'trigger' as const };

	const run = await service.run(
		getEvents(prospect, { options: { onlyNewEvents: true } }),
		items,
		workflow,
	);

	expect(run.main.length).toBeGreaterThan(10_000);
	expect(processedCount(workflow.workflowId, NODE_ID)).toBe(10_000);
	expect(hintsOf(run)).toContainEqual(expect.stringMatching(/remembers/));
});
