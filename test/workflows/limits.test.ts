/**
 * The bounds of the contract's section "Limits" (and of "Common conventions"): below, at and above each. What a user gives is
 * checked before anything is sent; what is too much for one request is cut. The sandbox refuses whatever is beyond a
 * bound, and it never gets to.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { properties } from '../../nodes/BusinessProspectData/operations/registry';
import { stopClock } from './clock';
import {
	CONTINUE,
	hintsOf,
	itemsWith,
	jsonOf,
	type Service,
	startService,
	EVERYONE,
} from './service';

const listed = (service: Service, member: string): number[] =>
	service.log.entries.map(({ body }) => ((body as IDataObject)[member] as unknown[]).length);

const bodies = (service: Service) => service.log.entries.map(({ body }) => body as IDataObject);

let service: Service;
beforeEach(async () => {
	const now = stopClock('2026-11-18T12:00:00Z');
	service = await startService({ now: () => now, people: 150, companies: 150, eventsPerDay: 0 });
});

afterEach(() => {
	expect(service.log.entries.filter(({ status }) => status !== 200)).toEqual([]);
});

/** The run fails before anything is sent. */
async function expectRejected(
	parameters: INodeParameters,
	message: string | RegExp,
	items: IDataObject[] = [{}],
): Promise<void> {
	const { failureText } = await service.run(parameters, items);
	expect(failureText).toMatch(message);
	expect(service.log.entries).toEqual([]);
}

const prospectIds: INodeParameters = { resource: 'prospect', prospectIds: '={{ $json.id }}' };
const businessIds: INodeParameters = { resource: 'business', businessIds: '={{ $json.id }}' };
const enrichPeople = (dataSet: string): INodeParameters => ({
	...prospectIds,
	operation: 'enrich',
	dataSets: [dataSet],
});
const enrichBusinesses = (dataSet: string): INodeParameters => ({
	...businessIds,
	operation: 'enrich',
	dataSets: [dataSet],
});

const LISTS: Array<[string, number, string, INodeParameters]> = [
	...BUSINESS_DATA_SETS.map(({ name, value }): [string, number, string, INodeParameters] => [
		`business_ids, ${name}`,
		50,
		'business_ids',
		enrichBusinesses(value),
	]),
	['prospect_ids, Profile', 50, 'prospect_ids', enrichPeople('profile')],
	['prospect_ids, Contacts', 50, 'prospect_ids', enrichPeople('contacts')],
	['prospect_ids, Network Posts', 50, 'prospect_ids', enrichPeople('networkPosts')],
	['prospect_ids, events', 40, 'prospect_ids', { ...prospectIds, operation: 'getEvents' }],
	['business_ids, events', 40, 'business_ids', { ...businessIds, operation: 'getEvents' }],
	[
		'prospects_to_match',
		50,
		'prospects_to_match',
		{ resource: 'prospect', operation: 'match', email: '={{ $json.id }}@example.com' },
	],
];

const idsOf = (parameters: INodeParameters, count: number) =>
	parameters.resource === 'business'
		? service.world.businessIds(count)
		: service.world.prospectIds(count);

describe.each(LISTS)('%s: 1 to %i', (_name, limit, member, parameters) => {
	test.each([
		[1, [1]],
		[limit - 1, [limit - 1]],
		[limit, [limit]],
		[limit + 1, [limit, 1]],
		[2 * limit + 1, [limit, limit, 1]],
	])('%i values, one in each item', async (count, cut) => {
		const items = itemsWith(idsOf(parameters, count));

		const run = await service.run(parameters, items);

		expect(run.failure).toBeUndefined();
		expect(listed(service, member).sort((a, b) => b - a)).toEqual(cut);
		expect(service.log.count()).toMatchObject({ ids: count, unique: count });
	});

	test('none: nothing is sent', async () => {
		const blank = member === 'prospects_to_match' ? [] : [{ id: '' }, { id: null }, {}];

		const run = await service.run(parameters, blank);

		expect(run.failure).toBeUndefined();
		expect(service.log.entries).toEqual([]);
	});

	test('Batch Size takes 1 to the limit; a larger one is the limit', async () => {
		const itemsOf = (count: number) => itemsWith(idsOf(parameters, count));
		const sized = (batchSize: number) => ({ ...parameters, options: { requests: { batchSize } } });

		await expectRejected(sized(0), 'Batch Size: "0" must be at least 1.', itemsOf(3));

		await service.run(sized(1), itemsOf(3));
		expect(listed(service, member)).toEqual([1, 1, 1]);
		for (const size of [limit, limit + 1]) await service.run(sized(size), itemsOf(limit + 1));
		expect(
			listed(service, member)
				.slice(3)
				.sort((a, b) => a - b),
		).toEqual([1, 1, limit, limit]);
	});
});

test('many ids in one item are cut like many items, and each id is requested once', async () => {
	const ids = service.world.businessIds(101);

	const run = await service.run(enrichBusinesses('intent'), [
		{ row: 0, id: [...ids, ...ids].join(',\n ') },
		{ row: 1, id: [ids[1]] },
	]);

	expect(listed(service, 'business_ids').sort((a, b) => b - a)).toEqual([50, 50, 1]);
	expect(service.log.count()).toMatchObject({ ids: 101, unique: 101 });
	expect(jsonOf(run.main).map(({ business_id }) => business_id)).toEqual([...ids, ids[1]]);
	expect(run.linked).toEqual([...ids.map(() => 0), 1]);
});

const HEX = '0123456789abcdef'.repeat(3);
const idFields: Array<[string, number, INodeParameters, string, string]> = [
	['Prospect IDs', 40, enrichPeople('profile'), 'prospectIds', 'a prospect ID'],
	['Prospect IDs', 40, { ...prospectIds, operation: 'getEvents' }, 'prospectIds', 'a prospect ID'],
	['Business IDs', 32, enrichBusinesses('intent'), 'businessIds', 'a business ID'],
	['Business IDs', 32, { ...businessIds, operation: 'getEvents' }, 'businessIds', 'a business ID'],
	[
		'Exclude Prospect IDs',
		40,
		{ resource: 'prospect', operation: 'getAll', exclude: '={{ $json.id }}' },
		'exclude',
		'a prospect ID',
	],
	[
		'Prospect IDs',
		40,
		{
			resource: 'prospect',
			operation: 'getAll',
			filters: { prospect_id: [{ value: '={{ $json.id }}' }] },
		},
		'prospect_id',
		'a prospect ID',
	],
	[
		'Business IDs',
		32,
		{
			resource: 'prospect',
			operation: 'getAll',
			filters: { business_id: [{ value: '={{ $json.id }}' }] },
		},
		'business_id',
		'a business ID',
	],
	[
		'Business ID',
		32,
		{
			resource: 'prospect',
			operation: 'match',
			email: 'a@b.example',
			businessId: '={{ $json.id }}',
		},
		'businessId',
		'a business ID',
	],
];

test.each(idFields)(
	'%s of %i characters, %j: others are refused before anything is sent',
	async (name, length, parameters, field, what) => {
		const right = [HEX.slice(0, length), HEX.slice(0, length).toUpperCase()];
		const wrong = [
			HEX.slice(0, length - 1),
			HEX.slice(0, length + 1),
			`g${HEX.slice(1, length)}`,
			`${HEX.slice(0, length - 1)}-`,
		];
		const items = itemsWith([...right, ...wrong]);

		const stopped = await service.run(parameters, items);
		expect(stopped.failureText).toContain(
			`Row 3 of ${items.length}: ${name}: "${wrong[0]}" is not ${what}.`,
		);
		expect(service.log.entries).toEqual([]);

		const run = await service.run(parameters, items, CONTINUE);
		expect(run.linkedErrors).toEqual([2, 3, 4, 5]);
		for (const [at, { json }] of run.error.entries()) {
			expect(json.error).toEqual({
				message: expect.stringContaining(`${name}: "${wrong[at]}" is not ${what}.`),
				field,
			});
		}
		expect(service.log.entries.length).toBe(1);
		expect(JSON.stringify(bodies(service))).not.toMatch(/[A-F]{2}/);
	},
);

describe('the search: size at most 60,000, pages of at most 100 from page 1 on', () => {
	const search = (limit: number | string, options: INodeParameters = {}): INodeParameters => ({
		resource: 'prospect',
		operation: 'getAll',
		limit,
		options,
	});

	test.each([
		[1, 1, 1],
		[99, 99, 99],
		[100, 100, 100],
		[101, 200, 100],
		[60_000, 60_000, 100],
	])('limit %i: size %i, page size %i', async (limit, size, pageSize) => {
		await service.run(search(limit));

		expect(bodies(service)[0]).toMatchObject({ size, page_size: pageSize, page: 1 });
		const pages = bodies(service).map(({ page }) => page);
		expect(pages).toEqual(Array.from(pages, (_, at) => at + 1));
		expect(bodies(service).every((body) => body.size === size)).toBe(true);
	});

	test('Return All: size 60,000', async () => {
		await service.run({ resource: 'prospect', operation: 'getAll', ...EVERYONE });

		expect(bodies(service)[0]).toMatchObject({ size: 60_000, page_size: 100, page: 1 });
	});

	test.each([
		['0', 'Limit: "0" must be at least 1.'],
		['-5', 'Limit: "-5" must be at least 1.'],
		['60001', 'Limit: "60001" must be at most 60000.'],
		['1.5', 'Limit: "1.5" is not a whole number.'],
		['many', 'Limit: "many" is not a whole number.'],
	])('limit %s is refused before anything is sent', async (limit, message) => {
		await expectRejected(search('={{ $json.limit }}'), message, [{ limit }]);
	});

	test.each([
		[0, 'Start Page: "0" must be at least 1.'],
		[601, 'Start Page: "601" must be at most 600.'],
	])('start page %i is refused before anything is sent', async (startPage, message) => {
		await expectRejected(search(10, { startPage }), message);
	});

	test('the last page is the last: size stays at 60,000', async () => {
		await service.run(search(500, { startPage: 600 }));

		expect(bodies(service)).toMatchObject([{ size: 60_000, page_size: 100, page: 600 }]);
	});
});

describe('min_score: above 60, or not sent', () => {
	const scored = (minScore: string): INodeParameters => ({
		...enrichBusinesses('intent'),
		minScore,
	});

	test.each([
		['61', 61],
		[' 100 ', 100],
		['={{ 75 }}', 75],
	])('%p is sent as %i', async (minScore, sent) => {
		await service.run(scored(minScore), [{ id: service.world.businessId(1) }]);

		expect(bodies(service)[0]?.parameters).toEqual({ min_score: sent });
	});

	test.each(['', '  ', '={{ null }}', '={{ undefined }}', "={{ '' }}"])(
		'%p: nothing is sent, the service takes its own threshold',
		async (minScore) => {
			const run = await service.run(scored(minScore), [{ id: service.world.businessId(1) }]);

			expect(run.failure).toBeUndefined();
			expect(bodies(service)).toEqual([{ business_ids: [service.world.businessId(1)] }]);
		},
	);

	test.each([
		['60', 'Intent Minimum Score: "60" must be at least 61.'],
		['={{ 60 }}', 'Intent Minimum Score: "60" must be at least 61.'],
		['59', 'Intent Minimum Score: "59" must be at least 61.'],
		['0', 'Intent Minimum Score: "0" must be at least 61.'],
		['={{ 0 }}', 'Intent Minimum Score: "0" must be at least 61.'],
		['60.5', 'Intent Minimum Score: "60.5" is not a whole number.'],
		['high', 'Intent Minimum Score: "high" is not a whole number.'],
	])('%p is refused before anything is sent', async (minScore, message) => {
		await expectRejected(scored(minScore), message, [{ id: service.world.businessId(1) }]);
	});
});

describe('traffic: January 2017 to the previous month', () => {
	const month = (monthPeriod: string): INodeParameters => ({
		...enrichBusinesses('websiteTraffic'),
		monthPeriod,
	});

	test.each(['2017-01', '2017-02', '2026-09', '2026-10'])('%s is sent', async (monthPeriod) => {
		await service.run(month(monthPeriod), [{ id: service.world.businessId(1) }]);

		expect(bodies(service)[0]?.parameters).toEqual({ month_period: monthPeriod });
	});

	test.each(['', '  ', '={{ null }}'])('%p: nothing is sent', async (monthPeriod) => {
		const run = await service.run(month(monthPeriod), [{ id: service.world.businessId(1) }]);

		expect(run.failure).toBeUndefined();
		expect(bodies(service)).toEqual([{ business_ids: [service.world.businessId(1)] }]);
	});

	const OUTSIDE = 'outside the traffic data, which covers 2017-01 to 2026-10.';
	const NO_MONTH = 'not a month such as 2026-10.';
	test.each([
		...['2016-12', '2026-11', '2026-12', '2027-01'].map((value) => [value, OUTSIDE]),
		...['2026-13', '2026-00', '2026-5', '202609', '2026-09-01', 'September', '26-09'].map(
			(value) => [value, NO_MONTH],
		),
	])('%s is refused before anything is sent: it is %s', async (value, rule) => {
		const items = [{ id: service.world.businessId(1) }];
		await expectRejected(month(value), `Traffic Month: "${value}" is ${rule}`, items);
	});

	// The machine's time zone may be in another month.
	test.each([
		['2027-01-01T00:00:00Z', '2026-12', '2027-01'],
		['2026-12-31T23:59:59Z', '2026-11', '2026-12'],
	])('at %s the last month is %s', async (moment, last, next) => {
		const now = stopClock(moment);
		service = await startService({ now: () => now });

		const run = await service.run(
			{ ...month('={{ $json.month }}'), businessIds: service.world.businessId(1) },
			[{ month: last }, { month: next }],
			CONTINUE,
		);

		expect(run.main).toHaveLength(1);
		expect(run.error[0]?.json.error).toMatchObject({
			message: expect.stringContaining(`"${next}" is outside`),
		});
	});
});

describe('events: the last 3 months', () => {
	const window = (resource: string, timestampFrom: string, timestampTo = ''): INodeParameters => ({
		...(resource === 'prospect' ? prospectIds : businessIds),
		operation: 'getEvents',
		timestampFrom,
		timestampTo,
	});
	const item = (resource: string) => [
		{
			id: resource === 'prospect' ? service.world.prospectId(1) : service.world.businessId(1),
		},
	];

	test.each([
		['prospect', '2026-08-18T12:00:00Z', '2026-08-18T12:00:00.000Z'],
		['prospect', '2026-08-18T12:00:01Z', '2026-08-18T12:00:00.000Z'],
		['prospect', '2026-11-18T11:58:58Z', '2026-11-18T11:58:00.000Z'],
		['business', '2026-08-18T12:00:00Z', '2026-08-18T12:00:00.000Z'],
		['business', '2026-08-18T12:00:01Z', '2026-08-18T12:00:00.000Z'],
	])('%s: from %s is inside', async (resource, from, sent) => {
		const run = await service.run(window(resource, from), item(resource));

		expect(run.failure).toBeUndefined();
		expect(bodies(service)[0]).toMatchObject({ timestamp_from: sent });
		expect(run.hints).toHaveLength(1);
	});

	// The machine's time zone may be in another day, or have had a clock change since.
	test.each([
		['2026-11-18T12:00:00Z', '2026-08-18', '2026-08-18T12:00:00.000Z'],
		['2026-05-30T12:00:00Z', '2026-02-28', '2026-02-28T12:00:00.000Z'],
		['2026-06-01T02:00:00Z', '2026-03-01', '2026-03-01T02:00:00.000Z'],
	])(
		'prospect: at %s, from %s is just too early and is moved to the edge',
		async (at, from, sent) => {
			const now = stopClock(at);
			service = await startService({ now: () => now, eventsPerDay: 0 });

			await service.run(window('prospect', from), item('prospect'));

			expect(bodies(service)[0]).toMatchObject({ timestamp_from: sent });
		},
	);

	test.each([
		['2026-08-16T12:00:00Z', '', 'From: "2026-08-16T12:00:00Z" is more than 3 months ago'],
		['2020-01-01', '', 'From: "2020-01-01" is more than 3 months ago'],
		['', '2026-08-18T11:59:59Z', 'To: "2026-08-18T11:59:59Z" is more than 3 months ago'],
		['', '2020-01-01', 'To: "2020-01-01" is more than 3 months ago'],
		['2026-11-02', '2026-11-01', 'From: "2026-11-02" must be earlier than To.'],
		['2026-11-02', '2026-11-02', 'From: "2026-11-02" must be earlier than To.'],
	])('prospect: from %p to %p is refused before anything is sent', async (from, to, message) => {
		await expectRejected(window('prospect', from, to), message, item('prospect'));
	});

	test.each([
		['2026-08-10', ''],
		['2020-01-01', ''],
		['2020-01-01', '2020-02-01'],
		['', '2020-02-01'],
	])('business: from %p to %p is sent, with a hint', async (timestampFrom, to) => {
		const run = await service.run(window('business', timestampFrom, to), item('business'));

		expect(run.failure).toBeUndefined();
		const [body] = bodies(service);
		expect(body?.timestamp_from).toBe(
			timestampFrom === '' ? undefined : `${timestampFrom}T00:00:00.000Z`,
		);
		expect(body?.timestamp_to).toBe(to === '' ? undefined : `${to}T00:00:00.000Z`);
		expect(hintsOf(run)).toContainEqual(expect.stringMatching(/more than 3 months/));
	});

	test.each(['2026-02-28T12:00:00Z', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'])(
		'on 31 May, %s is not too early: February has no 31st',
		async (from) => {
			const now = stopClock('2026-05-31T12:00:00Z');
			service = await startService({ now: () => now, eventsPerDay: 0 });

			const run = await service.run(window('prospect', from), item('prospect'));

			expect(run.failure).toBeUndefined();
			expect(bodies(service)[0]?.timestamp_from).toBe(new Date(from).toISOString());
		},
	);

	test.each(['prospect', 'business'])('%s: at least one event type', async (resource) => {
		await expectRejected(
			{ ...window(resource, ''), eventTypes: [] },
			/^Event Types: choose at least one of: .*_.*\.$/,
			item(resource),
		);
	});
});

describe('credits: 7 days by hour, 60 days by day, 2 years by month', () => {
	const range = (mode: string, resolution: string, fromDate: string, toDate: string) => ({
		resource: 'creditUsage',
		operation: 'get',
		timezone: 'UTC',
		mode,
		resolution,
		fromDate,
		toDate,
	});
	const AT: Array<[string, string, string]> = [
		['hour', '2026-03-01T00:00:00Z', '2026-03-08T00:00:00Z'],
		['day', '2026-03-01T00:00:00Z', '2026-04-30T00:00:00Z'],
		['month', '2024-06-01T00:00:00Z', '2026-06-01T00:00:00Z'],
	];

	test.each(AT)('by %s, %s to %s is one request in both modes', async (resolution, from, to) => {
		for (const mode of ['timely', 'endpoints']) {
			const run = await service.run(range(mode, resolution, from, to));
			expect(run.failure).toBeUndefined();
		}

		const sent = { from_date: new Date(from).toISOString(), to_date: new Date(to).toISOString() };
		expect(bodies(service)).toMatchObject([sent, sent]);
	});

	test.each(AT)('by %s, a minute more than %s to %s is cut', async (resolution, from, to) => {
		const run = await service.run(
			range('timely', resolution, from, to.replace('T00:00:00', 'T00:01:00')),
		);

		expect(run.failure).toBeUndefined();
		expect(service.log.entries).toHaveLength(2);
	});

	test('by endpoint, a minute more than two years is refused', async () => {
		await expectRejected(
			range('endpoints', 'day', '2024-06-01T00:00:00Z', '2026-06-01T00:01:00Z'),
			'To: "2026-06-01T00:01:00Z" is more than 2 years after From',
		);
	});

	test('two years with a leap day in them are two years', async () => {
		const run = await service.run(
			range('endpoints', 'month', '2023-06-01T00:00:00Z', '2025-06-01T00:00:00Z'),
		);

		expect(run.failure).toBeUndefined();
		expect(service.log.entries).toHaveLength(1);
	});

	test.each([
		['2026-03-02', '2026-03-01'],
		['2026-03-01', '2026-03-01'],
	])('from %s to %s is refused before anything is sent', async (from, to) => {
		await expectRejected(
			range('timely', 'day', from, to),
			`From: "${from}" must be earlier than To.`,
		);
	});
});

test('credits of contacts: a notice says what each choice costs', () => {
	const texts = ['email', 'phone'].map(
		(type) => properties.find(({ name }) => name === `${type}Contacts`)?.displayName,
	);
	expect(texts).toEqual([
		expect.stringContaining('2 credits per prospect'),
		expect.stringContaining('5 credits per prospect'),
	]);
});

describe('statistics: one category filter at most', () => {
	const found = (value: string) => [{ value: { __rl: true, mode: 'list', value } }];
	const category: Record<string, INodeParameters[]> = {
		search_category: found('Custom Software'),
		network_category: found('software development'),
		naics_category: found('541511'),
	};
	const stats = (filters: INodeParameters, options: INodeParameters = {}): INodeParameters => ({
		resource: 'business',
		operation: 'getStatistics',
		filters,
		options,
	});

	test.each(Object.keys(category))('%s alone is sent', async (name) => {
		const run = await service.run(stats({ [name]: category[name] ?? [] }));

		expect(run.failure).toBeUndefined();
		expect(Object.keys(bodies(service)[0]?.filters as IDataObject)).toEqual([name]);
	});

	test.each([
		[
			'network_category',
			'search_category',
			'Company Industry (Professional Network) and Company Category (Business Listings)',
		],
		[
			'naics_category',
			'search_category',
			'Company Industry (NAICS Code) and Company Category (Business Listings)',
		],
		[
			'naics_category',
			'network_category',
			'Company Industry (NAICS Code) and Company Industry (Professional Network)',
		],
	])('%s with %s fails before anything is sent', async (one, other, names) => {
		const json = JSON.stringify({ [other]: { type: 'includes', values: ['x'] } });
		for (const parameters of [
			stats({ [one]: category[one] ?? [], [other]: category[other] ?? [] }),
			stats({ [one]: category[one] ?? [] }, { additionalFilters: json }),
		]) {
			await expectRejected(parameters, `Filters: ${names} can't be combined`);
		}
	});

	test('a category filter without values does not count where such filters are ignored', async () => {
		const run = await service.run(
			stats(
				{
					search_category: category.search_category ?? [],
					network_category: [{ match: 'exclude' }],
				},
				{ ignoreEmptyFilters: true },
			),
		);

		expect(run.failure).toBeUndefined();
		expect(bodies(service)[0]?.filters).toEqual({
			search_category: { type: 'includes', values: ['Custom Software'] },
		});
	});
});
