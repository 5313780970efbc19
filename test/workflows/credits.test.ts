/** Credit Usage: a range in a time zone, its parts, and the result of all of them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { HANDLERS } from '../sandbox/handlers/handlers';
import { setInstanceTimezone } from './clock';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';

const NOW = new Date('2026-11-18T12:00:00Z');
const start = async () => await startService({ now: () => NOW });

const credits = (parameters: INodeParameters = {}, timezone = 'UTC'): INodeParameters => ({
	resource: 'creditUsage',
	operation: 'get',
	fromDate: '2026-10-01T00:00:00',
	toDate: '2026-10-04T00:00:00',
	output: 'summary',
	...parameters,
	options: { timezone },
});
/** Takes four requests by day. */
const HALF_YEAR = { fromDate: '2026-01-01', toDate: '2026-07-01T00:00:00' };

const bodies = (service: Service) =>
	service.log
		.requestsTo('credits')
		.map(({ body }) => body as Record<string, string>)
		.sort((a, b) => (a.from_date ?? '').localeCompare(b.from_date ?? ''));

/** The service's result for the range of all requests, as if it had no limit. */
function unsplit(service: Service): IDataObject {
	const [first, last] = [bodies(service)[0], bodies(service).at(-1)];
	const context = { world: service.world, now: NOW, responseContext: () => ({}) };
	const { response_context, ...result } = HANDLERS.credits(
		{ ...first, to_date: last?.to_date },
		context,
	) as IDataObject;
	void response_context;
	return result;
}
const pointsOf = (result: IDataObject) => result.aggregations as IDataObject[];

// What the parts of a range are: test/unit/operations/creditRange.property.test.ts
test.each([
	['hour', 'Europe/Berlin', '2026-03-20T00:00:00', '2026-04-10T00:00:00', 3],
	['day', 'Africa/Cairo', '2025-02-23T00:00:00', '2025-12-31T00:00:00', 6],
	['month', 'Pacific/Kiritimati', '2022-03-01T00:00:00', '2024-03-01T00:00:00', 2],
])(
	'by %s in %s from %s to %s, the parts are merged into the result of the whole range',
	async (groupBy, timezone, fromDate, toDate, parts) => {
		const service = await start();

		const run = await service.run(credits({ groupBy, fromDate, toDate }, timezone));

		expect(service.log.entries.filter(({ status }) => status !== 200)).toEqual([]);
		const expected = unsplit(service);
		expect(Number(expected.total_credits)).toBeGreaterThan(0);
		const [{ response_context, ...row } = {}] = jsonOf(run.main);
		expect(row).toEqual(expected);
		expect(response_context).toMatchObject({ request_status: 'success' });
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(`^Returned 1 row in ${parts} requests\\. Total: [\\d,]+ credits\\.$`),
		]);
	},
);

test('by default, one row per point, in order, over all parts', async () => {
	const service = await start();

	const run = await service.run(credits({ ...HALF_YEAR, output: 'rows' }), [{ row: 7 }]);

	// By day, `hour` is always midnight.
	const rows = pointsOf(unsplit(service)).map(({ hour, ...point }) => (void hour, point));
	expect(rows).toHaveLength(181);
	expect(jsonOf(run.main)).toEqual(rows);
	expect(new Set(run.linked)).toEqual(new Set([7]));
	expect(hintsOf(run)).toEqual(['Returned 181 rows in 4 requests. Total: 25,996 credits.']);
});

test('by endpoint, the response unchanged, or its points in any form, in one request', async () => {
	const service = await start();
	const groupBy = 'endpoint';
	const range = { fromDate: '2022-03-01', toDate: '2024-03-01T00:00:00' };

	const summary = await service.run(credits({ groupBy }));
	const points = await service.run(credits({ groupBy, output: 'rows' }));
	// Two years there, and more in UTC.
	const tooLong = await service.run(credits({ groupBy, ...range }, 'Europe/Berlin'));

	const expected = unsplit(service);
	expect(bodies(service)).toHaveLength(2);
	expect(jsonOf(summary.main)).toMatchObject([expected]);
	expect(pointsOf(expected).length).toBeGreaterThan(1);
	expect(jsonOf(points.main)).toEqual(pointsOf(expected));
	expect(tooLong.failureText).toContain(
		'To: "2024-03-01T00:00:00" is more than 2 years after From, the maximum for Group By Endpoint (counted in UTC). Choose a shorter range.',
	);
});

const WITH_ZONE = { fromDate: "={{ DateTime.fromISO('2026-10-01T00:00:00') }}" };
test.each<[string, string, INodeParameters, string, string]>([
	['of the option', ' America/New_York ', {}, 'America/New_York', '2026-10-01T04:00'],
	['of the workflow', '', {}, 'Europe/Berlin', '2026-09-30T22:00'],
	['of $now, which has one', 'Asia/Kolkata', WITH_ZONE, 'Asia/Kolkata', '2026-09-30T22:00'],
	['with an offset', 'Etc/GMT+3', {}, 'Etc/GMT+3', '2026-10-01T03:00'],
	['GMT', 'GMT', {}, 'UTC', '2026-10-01T00:00'],
])('the time zone %s', async (_case, timezone, parameters, zone, from) => {
	const service = await start();

	await service.run(credits(parameters, timezone), [{}], { timezone: 'Europe/Berlin' });

	expect(bodies(service)).toMatchObject([{ timezone: zone, from_date: `${from}:00.000Z` }]);
});

test.each([
	['GMT', 'Asia/Tokyo', 'UTC', '2026-10-01T00:00:00.000Z'],
	['DEFAULT', 'Asia/Tokyo', 'Asia/Tokyo', '2026-09-30T15:00:00.000Z'],
	['DEFAULT', 'GMT', 'UTC', '2026-10-01T00:00:00.000Z'],
	['', 'Asia/Tokyo', 'Asia/Tokyo', '2026-09-30T15:00:00.000Z'],
])('a workflow with the zone %j in an n8n with %s: %s', async (timezone, instance, zone, from) => {
	const service = await start();
	setInstanceTimezone(instance);

	// n8n evaluates no expression in a workflow whose setting is DEFAULT.
	await service.run(credits({}, ''), [{}], { timezone, expressionAfter: undefined });

	expect(bodies(service)).toMatchObject([{ timezone: zone, from_date: from }]);
});

const zone = (name: string) =>
	`Time Zone: "${name}" is not a time zone such as Europe/Berlin or UTC. Use a name of that form.`;
test.each<[INodeParameters, string, string?, string?]>([
	...['Nowhere/Land', 'Berlin', 'local', 'UTC+2', 'EST'].map(
		(name): [INodeParameters, string, string] => [{}, zone(name), name],
	),
	[{}, 'Time Zone: "CET" is the workflow\'s time zone, but the service accepts only', '', 'CET'],
	[{ fromDate: '={{ $json.nothing }}' }, 'From is empty.'],
	[{ toDate: 'tomorrow' }, 'To: "tomorrow" is not a date'],
	[
		{ fromDate: '0206-10-01' },
		'From: "0206-10-01" is too far from To: the range would take more than 200 requests.',
	],
	[{ groupBy: "={{ 'week' }}" }, 'Group By: "week" is not one of: '],
])(
	'%j fails before any request: %s',
	async (parameters, message, timezone = 'UTC', own = 'UTC') => {
		const service = await start();

		const run = await service.run(credits(parameters, timezone), [{}], { timezone: own });

		expect(run.failureText).toContain(message);
		expect(service.log.entries).toEqual([]);
	},
);

const MISS = { response_context: { request_status: 'miss' }, total_results: 0 };
test.each<[string, (answer: IDataObject) => unknown, object]>([
	['its result inside `data`', ({ response_context, ...data }) => ({ response_context, data }), {}],
	['totals as text', (answer) => ({ ...answer, total_credits: String(answer.total_credits) }), {}],
	['no total', (answer) => ({ ...answer, total_credits: null }), { total_credits: null }],
	['no points', (answer) => ({ ...answer, aggregations: null }), { aggregations: [] }],
	[
		'points that are no objects',
		(answer) => ({ ...answer, aggregations: [['match', 5]] }),
		{ aggregations: Array(4).fill({ data: ['match', 5] }) },
	],
	['only misses', () => MISS, { total_credits: null, aggregations: [] }],
])('several parts with %s are merged all the same', async (_case, change, expected) => {
	const service = await start();
	service.change(change, { times: 'always' });

	const run = await service.run(credits(HALF_YEAR));

	const { total_credits, aggregations } = unsplit(service);
	expect(jsonOf(run.main)).toMatchObject([{ total_credits, aggregations, ...expected }]);
});

test('a part that is a miss counts as none; one that has nothing of the contract is an error', async () => {
	const service = await start();
	const totals: number[] = [];
	const change = async (odd: IDataObject) => {
		service.change(() => odd);
		service.change((answer) => (totals.push(Number(answer.total_credits)), answer), { times: 3 });
		return await service.run(credits(HALF_YEAR), [{}], CONTINUE);
	};

	const missed = await change(MISS);
	const failed = await change({ message: 'Down' });

	const [one = 0, two = 0, three = 0] = totals;
	expect(missed.main[0]?.json.total_credits).toBe(one + two + three);
	expect(errorOf(failed.error[0])).toMatchObject({
		message: expect.stringMatching(/neither rows nor a total, so it is unknown how many credits/),
		received: { aggregations: expect.any(Array) },
	});
});
