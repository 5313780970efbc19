import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Company } from '../sandbox/world/companies';
import { regionLabel } from '../sandbox/world/vocabulary';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';

const stats = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'business',
	operation: 'getStatistics',
	...parameters,
});

/** Rows of a filter, as the editor saves them. */
const listed = (...values: string[]): INodeParameters[] =>
	values.map((value) => ({ value: { __rl: true, mode: 'list', value } }));

const requestFilters = (service: Service) =>
	service.log.requestsTo().map(({ body }) => (body as IDataObject).filters);

const companiesOf = ({ world }: Service): Company[] =>
	Array.from({ length: world.companies }, (_, index) => world.company(index));

test('Summary without filters counts all companies, unchanged but for the order', async () => {
	const service = await startService({ companies: 300 });

	const run = await service.run(stats({ output: 'summary' }), [{ row: 7 }]);

	expect(run.failure).toBeUndefined();
	expect(service.log.requestsTo('stats').map(({ body }) => body)).toEqual([{ filters: {} }]);
	expect(run.linked).toEqual([7]);
	expect(jsonOf(run.main)).toEqual([
		{
			response_context: expect.objectContaining({
				correlation_id: service.log.entries[0]?.correlationId,
				request_status: 'success',
			}),
			total_results: 300,
			entity_id: null,
			stats: {
				business_categories_per_location: expect.objectContaining({
					total_per_location: expect.objectContaining({ total: 300 }),
				}),
				revenue_per_category: expect.any(Object),
				number_of_employees_per_category: expect.any(Object),
			},
		},
	]);
	expect(Object.keys(jsonOf(run.main)[0] ?? {}).at(-1)).toBe('response_context');
	expect(hintsOf(run)).toEqual([
		'Returned 1 row in 1 request.',
		'No filter was set, so every company matches.',
	]);
});

test('by default one row per category and location, without totals', async () => {
	const service = await startService({ companies: 300 });

	const run = await service.run(stats(), [{ row: 7 }]);

	const counts = new Map<string, number>();
	for (const { industry, place } of companiesOf(service)) {
		const key = JSON.stringify([industry.search, regionLabel(place)]);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	const byCategory = jsonOf(run.main);
	expect(
		new Map(byCategory.map((row) => [JSON.stringify([row.category, row.location]), row.count])),
	).toEqual(counts);
	expect(byCategory).toHaveLength(counts.size);
	expect(byCategory.every((row) => Object.keys(row).join() === 'category,location,count')).toBe(
		true,
	);
	expect(byCategory.reduce((sum, { count }) => sum + Number(count), 0)).toBe(300);
	expect(new Set(run.linked)).toEqual(new Set([7]));
});

test.each<[string, INodeParameters, IDataObject]>([
	['none', {}, {}],
	[
		'sizes',
		{ company_size: [{ value: ['11-50', '10001+'] }] },
		{ company_size: { type: 'includes', values: ['11-50', '10001+'] } },
	],
	[
		'sizes from an expression',
		{ company_size: [{ value: '={{ "11-50, 51-200" }}' }] },
		{ company_size: { type: 'includes', values: ['11-50', '51-200'] } },
	],
	[
		'all but some sizes',
		{ company_size: [{ value: ['11-50'], match: 'exclude' }] },
		{ company_size: { type: 'includes', values: ['11-50'], negate: true } },
	],
	[
		'Include is what a row begins with, and is not sent',
		{ company_size: [{ value: ['11-50'], match: 'include' }] },
		{ company_size: { type: 'includes', values: ['11-50'] } },
	],
	[
		'regions, each once',
		{ region_country_code: listed('us-ca', 'de-be, us-ca', '={{ ["gb-eng"] }}') },
		{ region_country_code: { type: 'includes', values: ['us-ca', 'de-be', 'gb-eng'] } },
	],
	[
		'a category with a comma in it',
		{ network_category: listed('technology, information and internet') },
		{
			network_category: { type: 'includes', values: ['technology, information and internet'] },
		},
	],
	[
		'industry codes',
		{
			naics_category: listed('54', '5415,541511').map((row) => ({ ...row, match: 'exclude' })),
		},
		{ naics_category: { type: 'includes', values: ['54', '5415', '541511'], negate: true } },
	],
	[
		'values and Exclude as text from an expression',
		{ company_size: [{ value: '={{ "1-10, 11-50" }}', match: '={{ "Exclude" }}' }] },
		{ company_size: { type: 'includes', values: ['1-10', '11-50'], negate: true } },
	],
	[
		'several filters',
		{
			company_size: [{ value: ['11-50'] }],
			region_country_code: [{ ...listed('us-ca')[0], match: 'exclude' }],
			search_category: listed('Custom Software'),
		},
		{
			company_size: { type: 'includes', values: ['11-50'] },
			region_country_code: { type: 'includes', values: ['us-ca'], negate: true },
			search_category: { type: 'includes', values: ['Custom Software'] },
		},
	],
])('filters: %s', async (_case, filters, expected) => {
	const service = await startService();

	const run = await service.run(stats({ filters }));

	expect(run.failure).toBeUndefined();
	expect(requestFilters(service)).toEqual([expected]);
});

describe('Additional Filters', () => {
	test.each<[string, INodeParameters['x'], IDataObject]>([
		[
			'JSON',
			'{ "country_code": { "type": "includes", "values": ["us"] } }',
			{ country_code: { type: 'includes', values: ['us'] } },
		],
		[
			'an object from an expression',
			'={{ { company_age: { type: "includes", values: ["0-3"], negate: true } } }}',
			{ company_age: { type: 'includes', values: ['0-3'], negate: true } },
		],
	])('%s', async (_case, additionalFilters, expected) => {
		const service = await startService();

		const run = await service.run(
			stats({ filters: { company_size: [{ value: ['1-10'] }] }, options: { additionalFilters } }),
		);

		expect(run.failure).toBeUndefined();
		expect(requestFilters(service)).toEqual([
			{ company_size: { type: 'includes', values: ['1-10'] }, ...expected },
		]);
	});

	test.each([
		['{ country_code: us }', 'is not valid JSON.'],
		['["us"]', 'is not a JSON object such as'],
		['"us"', 'is not a JSON object such as'],
		['17', 'is not a JSON object such as'],
		['null', 'is not a JSON object such as'],
	])('%s fails before any request', async (additionalFilters, rule) => {
		const service = await startService();

		const run = await service.run(stats({ options: { additionalFilters } }));

		expect(run.failureText).toContain(`Additional Filters: "${additionalFilters}" ${rule}`);
		expect(service.log.entries).toEqual([]);
	});

	test.each([
		null,
		'us',
		['us'],
		{},
		{ values: ['us'] },
		{ type: 'includes' },
		{ type: 'includes', values: 'us' },
		{ type: 5, values: ['us'] },
		{ type: 'includes', values: ['us'], negate: 'true' },
		{ type: 'includes', values: ['us'], negate: null },
		{ type: 'includes', values: ['us'], exclude: true },
	])('a filter %j fails by name before any request', async (country_code) => {
		const service = await startService();
		const fine = { type: 'includes', values: ['0-3'] };

		const run = await service.run(
			stats({
				options: { additionalFilters: JSON.stringify({ company_age: fine, country_code }) },
			}),
		);

		expect(run.failureText).toMatch(
			/^Additional Filters: "country_code" is not a filter of the form \{ "type": "includes"/,
		);
		expect(service.log.entries).toEqual([]);
	});
});

test.each<[string, INodeParameters, string, string]>([
	[
		'an unknown size',
		{ company_size: [{ value: '={{ "12-34" }}' }] },
		'Company Size: "12-34" is not one of: 1-10, ',
		'company_size',
	],
	[
		'neither Include nor Exclude',
		{ company_size: [{ value: ['1-10'], match: '={{ "perhaps" }}' }] },
		'Include or Exclude: "perhaps" is not one of: include, exclude.',
		'match',
	],
])('%s fails before any request', async (_case, filters, message, field) => {
	const service = await startService();

	const run = await service.run(stats({ filters }), [{}], CONTINUE);

	expect(run.error[0]?.json.error).toEqual({ message: expect.stringContaining(message), field });
	expect(service.log.entries).toEqual([]);
});

test('each item has its own filters, and equal ones share a response', async () => {
	const service = await startService({ companies: 300 });
	const sizes = ['1-10', '11-50', '1-10', 'wrong'];

	const run = await service.run(
		stats({ filters: { company_size: [{ value: '={{ $json.size }}' }] }, output: 'summary' }),
		sizes.map((size, row) => ({ row, size })),
		CONTINUE,
	);

	expect(service.log.requestsTo()).toHaveLength(2);
	expect(run.linked).toEqual([0, 1, 2]);
	expect(run.linkedErrors).toEqual([3]);
	const count = (size: string) => companiesOf(service).filter((one) => one.size === size).length;
	expect(jsonOf(run.main).map(({ total_results }) => total_results)).toEqual([
		count('1-10'),
		count('11-50'),
		count('1-10'),
	]);
	expect(hintsOf(run)[0]).toBe(
		"Returned 3 rows in 2 requests; 1 row failed. 1 duplicate wasn't sent again.",
	);
});

test('a category may have any name, also in the rows of duplicates', async () => {
	const service = await startService({ companies: 1 });
	const byCategory = { constructor: { 'Bavaria, DE': 2, total: 2 } };
	service.change((response) => ({
		...response,
		stats: { business_categories_per_location: byCategory },
	}));

	const run = await service.run(stats({ output: 'summary' }), [{ row: 0 }, { row: 1 }]);

	expect(jsonOf(run.main).map((row) => row.stats)).toEqual([
		{ business_categories_per_location: byCategory },
		{ business_categories_per_location: byCategory },
	]);
});

test('a selection without companies: the empty response, or no rows, and a hint', async () => {
	const service = await startService();
	const filters = { search_category: listed('Nothing Such') };

	const summary = await service.run(stats({ filters, output: 'summary' }));
	const rows = await service.run(stats({ filters }));

	expect(jsonOf(summary.main)).toEqual([
		expect.objectContaining({
			total_results: 0,
			response_context: expect.objectContaining({ request_status: 'miss' }),
		}),
	]);
	expect(jsonOf(rows.main)).toEqual([]);
	for (const run of [summary, rows]) {
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^No company was counted\. .*Filter Value: Search/),
		);
	}
});

test.each<[string, unknown]>([
	['another object', { message: 'Down for maintenance', correlation_id: 'c-1' }],
	['statistics in another place', { data: { total_results: 5 }, correlation_id: 'c-1' }],
	['a list', [{ message: 'Down for maintenance' }]],
])('a response that is %s is an error, not a count of 0', async (_case, body) => {
	const service = await startService();
	service.fault({ times: 'always', do: { kind: 'status', status: 200, body } });

	const run = await service.run(stats(), [{}], CONTINUE);

	expect(run.main).toEqual([]);
	expect(jsonOf(run.error)).toEqual([
		{
			error: {
				message:
					"The service's response has neither statistics nor a total, so it is unknown how many companies match. Check Base URL in the credential; if it is correct, try again later.",
				...(!Array.isArray(body) && { correlation_id: 'c-1' }),
			},
		},
	]);
	expect(hintsOf(run).join()).not.toContain('No company was counted');
});

test('a response with any member of the contract is one', async () => {
	const service = await startService();
	for (const body of [{ total_results: 0 }, { stats: {} }, { status: 'miss' }]) {
		service.fault({ do: { kind: 'status', status: 200, body } });

		const run = await service.run(stats({ output: 'summary' }));

		expect(jsonOf(run.main)).toEqual([body]);
	}
});

test.each<[string, unknown]>([
	['null', null],
	['empty', {}],
	['a list', []],
	['a text', 'later'],
	['an object without the known members', { forecast: { a: 1 } }],
	['null for the categories', { business_categories_per_location: null }],
	[
		'a category that is not an object',
		{ business_categories_per_location: { Retail: 5, total_per_location: {} } },
	],
])(
	'stats that are %s break nothing, and companies without categories were counted',
	async (_case, value) => {
		const service = await startService();
		service.change((answer) => ({ ...answer, stats: value }), { times: 'always' });

		const summary = await service.run(stats({ output: 'summary' }));
		const rows = await service.run(stats());

		expect(summary.failure).toBeUndefined();
		expect(jsonOf(summary.main)[0]?.stats).toEqual(value);
		expect(rows.failure).toBeUndefined();
		for (const run of [summary, rows]) expect(hintsOf(run).join()).not.toContain('No company was');
	},
);

test('members of unknown form are in Summary only', async () => {
	const service = await startService();
	const others = {
		revenue_per_category: [['a', 1]],
		number_of_employees_per_category: 'x',
		new: 1,
	};
	service.change(
		(answer) => ({
			...answer,
			stats: {
				business_categories_per_location: {
					Retail: { 'Texas, US': 3, total: 3 },
					total_per_location: { 'Texas, US': 3, total: 3 },
				},
				...others,
			},
		}),
		{ times: 'always' },
	);

	const rows = await service.run(stats());
	const summary = await service.run(stats({ output: 'summary' }));

	expect(jsonOf(rows.main)).toEqual([{ category: 'Retail', location: 'Texas, US', count: 3 }]);
	expect(jsonOf(summary.main)[0]?.stats).toMatchObject(others);
});
