import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { HANDLERS } from '../sandbox/handlers/handlers';
import { setInstanceTimezone } from './clock';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';

const NOW = new Date('2026-11-18T12:00:00Z');
const DAY = 86_400_000;
const MAX_LENGTH = { hour: 7 * DAY, day: 60 * DAY, month: 730 * DAY } as const;
type Resolution = keyof typeof MAX_LENGTH;

const start = async () => await startService({ now: () => NOW });

const credits = ({
	timezone = 'UTC',
	options,
	...parameters
}: INodeParameters = {}): INodeParameters => ({
	resource: 'creditUsage',
	operation: 'get',
	fromDate: '2026-10-01T00:00:00',
	toDate: '2026-10-04T00:00:00',
	output: 'summary',
	options: { timezone, ...(options as INodeParameters) },
	...parameters,
});

const bodies = (service: Service) =>
	service.log
		.requestsTo('credits')
		.map(({ body }) => body as Record<string, string>)
		.sort((a, b) => (a.from_date ?? '').localeCompare(b.from_date ?? ''));

/** The service's response to an unsplit range, as if it had no limit. */
function unsplit(service: Service, body: IDataObject): IDataObject {
	const context = { world: service.world, now: NOW, responseContext: () => ({}) };
	const { response_context, ...answer } = HANDLERS.credits(body, context) as IDataObject;
	void response_context;
	return answer;
}

const pointsOf = (answer: IDataObject | undefined) => answer?.aggregations as IDataObject[];
/** By day, `hour` is always midnight. */
const rowsByDay = (answer: IDataObject) =>
	pointsOf(answer).map((point) =>
		Object.fromEntries(Object.entries(point).filter(([name]) => name !== 'hour')),
	);
const moment = (value: unknown) => Date.parse(String(value));

const RANGES: Array<[Resolution, string, string, string]> = [
	['hour', 'Europe/Berlin', '2026-03-20T00:00:00', '2026-04-10T00:00:00'],
	['hour', 'Asia/Kathmandu', '2026-05-01T10:17:00', '2026-05-20T00:00:00'],
	['day', 'Africa/Cairo', '2025-02-23T00:00:00', '2025-12-31T00:00:00'],
	['day', 'Pacific/Auckland', '2025-08-01T23:59:59.999', '2026-05-01T00:00:00'],
	['month', 'UTC', '2021-01-31T12:00:00', '2026-11-01T00:00:00'],
	['month', 'Pacific/Kiritimati', '2022-03-01T00:00:00', '2024-03-01T00:00:00'],
	['month', 'America/Havana', '2024-11-15T00:00:00', '2026-11-17T00:00:00'],
];

describe.each(RANGES)('by %s in %s from %s to %s', (resolution, timezone, fromDate, toDate) => {
	test('is split at bucket starts, without overlap, and merged into the result of the whole range', async () => {
		const service = await start();
		const answers: IDataObject[] = [];
		service.change(
			(answer) => {
				answers.push(answer);
				return answer;
			},
			{ times: 'always' },
		);

		const run = await service.run(credits({ resolution, timezone, fromDate, toDate }));

		expect(run.failure).toBeUndefined();
		expect(service.log.entries.filter(({ status }) => status !== 200)).toEqual([]);
		const parts = bodies(service);
		for (const { from_date, to_date } of parts) {
			expect(moment(to_date) - moment(from_date)).toBeLessThanOrEqual(MAX_LENGTH[resolution]);
		}
		const [first, last] = [parts[0], parts.at(-1)];
		const length = moment(last?.to_date) - moment(first?.from_date);
		const minParts = Math.ceil(length / MAX_LENGTH[resolution]);
		expect(minParts).toBeGreaterThan(1);
		expect(parts.length).toBeGreaterThanOrEqual(minParts);
		expect(parts.length).toBeLessThanOrEqual(minParts + 1);

		parts.slice(1).forEach((part, at) => {
			const gap = moment(part.from_date) - moment(parts[at]?.to_date);
			expect(gap).toBeGreaterThan(0);
			expect(gap).toBeLessThan(1000);
			const answer = answers.find(({ from_date }) => from_date === part.from_date);
			expect(moment(pointsOf(answer)[0]?.timestamp)).toBe(moment(part.from_date));
		});

		const whole = { from_date: first?.from_date, to_date: last?.to_date };
		const expected = unsplit(service, { ...whole, mode: 'timely', resolution, timezone });
		expect(Number(expected.total_credits)).toBeGreaterThan(0);
		const [{ response_context, ...row } = {}] = jsonOf(run.main);
		expect(row).toEqual(expected);
		expect(response_context).toMatchObject({ request_status: 'success' });
		const times = pointsOf(row).map(({ timestamp }) => moment(timestamp));
		expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
		expect(hintsOf(run)).toEqual([
			`Returned 1 row in ${parts.length} requests.`,
			expect.stringMatching(/^Total: [\d,]+ credits\.$/),
		]);
	});
});

test('a service that includes the end returns no bucket twice', async () => {
	const service = await start();
	const range = { resolution: 'day', fromDate: '2026-01-01', toDate: '2026-07-01T00:00:00' };
	const inclusive = (body: IDataObject) => ({
		...unsplit(service, {
			...body,
			to_date: new Date(moment(body.to_date) + 1).toISOString(),
		}),
		to_date: body.to_date,
	});
	service.change((_, { body }) => inclusive(body as IDataObject), { times: 'always' });

	const run = await service.run(credits(range));

	const whole = { from_date: '2026-01-01T00:00:00.000Z', to_date: '2026-07-01T00:00:00.000Z' };
	const expected = inclusive({ ...whole, mode: 'timely', resolution: 'day', timezone: 'UTC' });
	expect(bodies(service).length).toBeGreaterThan(1);
	expect(jsonOf(run.main)).toEqual([expected]);
});

test('by default, one row per point, in order, over all parts', async () => {
	const service = await start();
	const range = { fromDate: '2026-01-01', toDate: '2026-07-01T00:00:00' };

	const byDefault = Object.entries(credits(range)).filter(([name]) => name !== 'output');
	const run = await service.run(Object.fromEntries(byDefault), [{ row: 7 }]);

	const whole = { from_date: '2026-01-01T00:00:00Z', to_date: '2026-07-01T00:00:00Z' };
	const rows = rowsByDay(unsplit(service, { ...whole, mode: 'timely', resolution: 'day' }));
	expect(rows).toHaveLength(181);
	expect(jsonOf(run.main)).toEqual(rows);
	expect(new Set(run.linked)).toEqual(new Set([7]));
	expect(hintsOf(run)[0]).toBe('Returned 181 rows in 4 requests.');
});

describe('by endpoint', () => {
	test('the response unchanged, or its points in any form', async () => {
		const service = await start();

		const summary = await service.run(credits({ mode: 'endpoints' }));
		const points = await service.run(credits({ mode: 'endpoints', output: 'rows' }));

		const expected = unsplit(service, bodies(service)[0] ?? {});
		expect(bodies(service)[0]).toMatchObject({ mode: 'endpoints' });
		expect(jsonOf(summary.main)).toMatchObject([expected]);
		expect(pointsOf(expected).length).toBeGreaterThan(1);
		expect(jsonOf(points.main)).toEqual(pointsOf(expected));
	});

	test('two years of a zone that are longer in UTC fail, and the message says why', async () => {
		const service = await start();
		const range = { resolution: 'month', fromDate: '2022-03-01', toDate: '2024-03-01T00:00:00' };

		const run = await service.run(
			credits({ mode: 'endpoints', timezone: 'Europe/Berlin', ...range }),
			[{}],
			CONTINUE,
		);

		expect(errorOf(run.error[0])).toEqual({
			message:
				'To: "2024-03-01T00:00:00" is more than 2 years after From, the maximum for Mode By Endpoint (counted in UTC). Choose a shorter range.',
			field: 'toDate',
		});
		expect(service.log.entries).toEqual([]);
	});
});

describe('time zones', () => {
	test.each<[string, INodeParameters, string, string]>([
		[
			'of the field',
			{ timezone: 'America/New_York' },
			'America/New_York',
			'2026-10-01T04:00:00.000Z',
		],
		['with blanks', { timezone: ' Asia/Kolkata ' }, 'Asia/Kolkata', '2026-09-30T18:30:00.000Z'],
		['of the workflow', { timezone: '' }, 'Europe/Berlin', '2026-09-30T22:00:00.000Z'],
		[
			'of the date itself',
			{ timezone: 'America/New_York', fromDate: '2026-10-01T00:00:00+09:00' },
			'America/New_York',
			'2026-09-30T15:00:00.000Z',
		],
		[
			'of $now, which has one',
			{ timezone: 'America/New_York', fromDate: "={{ DateTime.fromISO('2026-10-01T00:00:00') }}" },
			'America/New_York',
			'2026-09-30T22:00:00.000Z',
		],
		['Etc', { timezone: 'Etc/GMT+3' }, 'Etc/GMT+3', '2026-10-01T03:00:00.000Z'],
		['GMT', { timezone: 'GMT' }, 'UTC', '2026-10-01T00:00:00.000Z'],
		['utc', { timezone: 'utc' }, 'UTC', '2026-10-01T00:00:00.000Z'],
		['Zulu', { timezone: 'Zulu' }, 'UTC', '2026-10-01T00:00:00.000Z'],
	])('%s', async (_case, parameters, timezone, from_date) => {
		const service = await start();

		const run = await service.run(credits(parameters), [{}], { timezone: 'Europe/Berlin' });

		expect(run.failure).toBeUndefined();
		expect(bodies(service)).toMatchObject([{ timezone, from_date }]);
	});

	test.each(['Nowhere/Land', 'Berlin', 'local', 'system', 'UTC+2', '+02:00', 'EST', 'Europe/'])(
		'%s fails before any request',
		async (timezone) => {
			const service = await start();

			const run = await service.run(credits({ timezone }), [{}], CONTINUE);

			expect(run.error[0]?.json).toMatchObject({
				error: {
					message: `Time Zone: "${timezone}" is not a time zone such as Europe/Berlin or UTC. Use a name of that form.`,
					field: 'timezone',
				},
			});
			expect(service.log.entries).toEqual([]);
		},
	);

	describe("the workflow's", () => {
		test.each([
			['GMT', 'Asia/Tokyo', 'UTC', '2026-10-01T00:00:00.000Z'],
			['UTC', 'Asia/Tokyo', 'UTC', '2026-10-01T00:00:00.000Z'],
			['DEFAULT', 'Asia/Tokyo', 'Asia/Tokyo', '2026-09-30T15:00:00.000Z'],
			['DEFAULT', 'GMT', 'UTC', '2026-10-01T00:00:00.000Z'],
			['', 'Asia/Tokyo', 'Asia/Tokyo', '2026-09-30T15:00:00.000Z'],
		])('%j in an n8n with the zone %s is %s', async (timezone, instance, expected, from_date) => {
			const service = await start();
			setInstanceTimezone(instance);

			// n8n evaluates no expression in a workflow whose setting is DEFAULT.
			const run = await service.run(credits({ timezone: '' }), [{}], {
				timezone,
				expressionAfter: undefined,
			});

			expect(run.failure).toBeUndefined();
			expect(bodies(service)).toMatchObject([{ timezone: expected, from_date }]);
		});

		test.each(['EST', 'CET', 'Japan'])('%s fails rather than being guessed', async (timezone) => {
			const service = await start();

			const run = await service.run(credits({ timezone: '' }), [{}], {
				onError: 'continueErrorOutput',
				timezone,
			});

			expect(errorOf(run.error[0])).toMatchObject({
				message: `Time Zone: "${timezone}" is the workflow's time zone, but the service accepts only names such as Europe/Berlin or UTC. Fill in Time Zone.`,
				field: 'timezone',
			});
			expect(service.log.entries).toEqual([]);
		});
	});
});

test.each<[string, INodeParameters, string, string]>([
	['no From', { fromDate: '={{ $json.nothing }}' }, 'From is empty.', 'fromDate'],
	['no To', { toDate: '={{ null }}' }, 'To is empty.', 'toDate'],
	['an invalid From', { fromDate: '2026-02-30' }, 'From: "2026-02-30" is not a date', 'fromDate'],
	[
		'a mistyped year, which would take thousands of requests',
		{ fromDate: '0206-10-01' },
		'From: "0206-10-01" is too far from To: the range would take more than 200 requests.',
		'fromDate',
	],
	['an invalid To', { toDate: 'tomorrow' }, 'To: "tomorrow" is not a date', 'toDate'],
	['an unknown mode', { mode: "={{ 'weekly' }}" }, 'Mode: "weekly" is not one of: ', 'mode'],
	[
		'an unknown resolution',
		{ resolution: "={{ 'week' }}" },
		'Resolution: "week" is not one of: ',
		'resolution',
	],
	['an unknown output', { output: "={{ 'csv' }}" }, 'Output: "csv" is not one of: ', 'output'],
])('%s fails before any request', async (_case, parameters, message, field) => {
	const service = await start();

	const run = await service.run(credits(parameters), [{}], CONTINUE);

	expect(run.error[0]?.json.error).toEqual({ message: expect.stringContaining(message), field });
	expect(service.log.entries).toEqual([]);
});

test.each([
	['2022-12-07T00:00:00', 200],
	['2022-12-06T23:59:00', 0],
])('by hour from %s, with a maximum of 200 requests: %i are sent', async (fromDate, requests) => {
	const service = await start();

	await service.run(
		credits({ resolution: 'hour', fromDate, toDate: '2026-10-07T00:00:00' }),
		[{}],
		CONTINUE,
	);

	expect(service.log.entries).toHaveLength(requests);
});

describe.each([
	['one part', { fromDate: '2026-10-01', toDate: '2026-10-04T00:00:00' }],
	['several parts', { fromDate: '2026-01-01', toDate: '2026-07-01T00:00:00' }],
])('unusual responses, %s', (_case, range) => {
	const whole = { from_date: `${range.fromDate}T00:00:00Z`, to_date: `${range.toDate}Z` };
	const runChanged = async (
		change: (answer: IDataObject) => unknown,
		parameters: INodeParameters = {},
	) => {
		const service = await start();
		service.change(change, { times: 'always' });
		const run = await service.run(credits({ ...range, ...parameters }));
		const expected = unsplit(service, { ...whole, mode: 'timely', resolution: 'day' });
		return { run, expected };
	};

	test('the result inside `data`', async () => {
		const inData = ({ response_context, ...data }: IDataObject) => ({ response_context, data });

		const { run, expected } = await runChanged(inData);
		const points = await runChanged(inData, { output: 'rows' });

		expect(jsonOf(run.main)[0]).toMatchObject({
			total_credits: expected.total_credits,
			aggregations: expected.aggregations,
		});
		expect(jsonOf(points.run.main)).toEqual(rowsByDay(expected));
	});

	test('credits as text are still summed', async () => {
		const { run, expected } = await runChanged((answer) => ({
			...answer,
			total_credits: String(answer.total_credits),
		}));

		expect(Number(jsonOf(run.main)[0]?.total_credits)).toBe(expected.total_credits);
	});

	test('without points, there are no rows', async () => {
		const { run } = await runChanged((answer) => ({ ...answer, aggregations: null }), {
			output: 'rows',
		});

		expect(run.failure).toBeUndefined();
		expect(run.main).toEqual([]);
	});

	test('points that are not objects are rows too', async () => {
		const { run } = await runChanged(
			(answer) => ({ ...answer, aggregations: [['match', 5], 6, { calls: 7 }] }),
			{ output: 'rows' },
		);

		const rows = [{ data: ['match', 5] }, { data: 6 }, { calls: 7 }];
		expect(jsonOf(run.main)).toEqual(run.main.map((_, at) => rows[at % 3]));
		expect(run.main.length).toBeGreaterThan(0);
	});

	test('without a total, there is none', async () => {
		const { run } = await runChanged(
			({ total_credits, ...answer }) => (void total_credits, answer),
		);

		expect(run.failure).toBeUndefined();
		expect(jsonOf(run.main)[0]?.total_credits ?? null).toBeNull();
	});
});

test('a response that has nothing of the contract is an error; other parts are kept', async () => {
	const service = await start();
	const body = { message: 'Down for maintenance' };
	service.fault({ when: { nth: 2 }, do: { kind: 'status', status: 200, body } });

	const run = await service.run(
		credits({ fromDate: '2026-01-01', toDate: '2026-07-01T00:00:00' }),
		[{}],
		CONTINUE,
	);

	expect(run.main).toEqual([]);
	expect(errorOf(run.error[0])).toMatchObject({
		message:
			"The service's response has neither rows nor a total, so it is unknown how many credits were used. Check Base URL in the credential; if it is correct, try again later.",
		received: { aggregations: expect.any(Array) },
	});
});

test.each<[string, INodeParameters, string, string]>([
	[
		'the end of a day to its last millisecond',
		{ toDate: '2026-10-03T23:59:59' },
		'10-01T00:00:00.000',
		'10-03T23:59:59.999',
	],
	[
		'times in the same minute to that minute',
		{ fromDate: '2026-10-03T10:15:10', toDate: '2026-10-03T10:15:40' },
		'10-03T10:15:00.000',
		'10-03T10:16:00.000',
	],
	[
		'times in the same last second to their minute',
		{ fromDate: '2026-10-03T10:15:59.2', toDate: '2026-10-03T10:15:59.8' },
		'10-03T10:15:00.000',
		'10-03T10:15:59.999',
	],
	[
		'two years, a moment later, to two years',
		{ mode: 'endpoints', fromDate: '2024-10-04T10:15:20', toDate: '2026-10-04T10:15:20.007' },
		'10-04T10:15:00.000',
		'10-04T10:15:00.000',
	],
])('rounds %s', async (_case, parameters, from, to) => {
	const service = await start();

	const run = await service.run(credits(parameters));

	expect(run.failure).toBeUndefined();
	expect(bodies(service)).toMatchObject([
		{
			from_date: expect.stringMatching(`${from}Z$`),
			to_date: expect.stringMatching(`${to}Z$`),
		},
	]);
});
