/** Filters that are empty for an item: an empty value never selects everyone. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type FilterKind, SEARCH_FILTERS } from '../../nodes/BusinessProspectData/catalog/filters';
import { CONTINUE, failureOf, hintsOf, type Service, startService } from './service';

const getAll = (filters: INodeParameters, others: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'getAll',
	filters,
	...others,
});

const getStatistics = (
	filters: INodeParameters,
	others: INodeParameters = {},
): INodeParameters => ({
	resource: 'business',
	operation: 'getStatistics',
	filters,
	...others,
});

const IGNORE_EMPTY = { options: { ignoreEmptyFilters: true } };

const locator = (value: string) => ({ __rl: true, mode: 'value', value });

/** The filters of all requests. */
const requestFilters = (service: Service) =>
	service.log.requestsTo().map(({ body }) => (body as IDataObject).filters);

const EMPTY = 'is empty for this row. Fill it in, or remove the filter.';

test('a business ID that is blank, null or missing: an error item each, and no search', async () => {
	const service = await startService({ people: 300 });
	const company = service.world.businessId(1);
	const rows = [{ v: company }, { v: '' }, { v: ' \n' }, { v: null }, {}, { v: [] }, { v: {} }];

	const run = await service.run(
		getAll({ business_id: [{ value: '={{ $json.v }}' }] }, { returnAll: true }),
		rows.map((row, index) => ({ ...row, row: index })),
		CONTINUE,
	);

	expect(run.linkedErrors).toEqual([1, 2, 3, 4, 5, 6]);
	expect(run.error.map(failureOf)).toEqual(
		run.error.map(() => ({ message: `Business IDs ${EMPTY}`, field: 'business_id' })),
	);
	expect(new Set(run.linked)).toEqual(new Set([0]));
	expect(requestFilters(service)).toEqual([{ business_id: { values: [company] } }]);
});

test('with Stop Workflow, an empty filter ends the run before any request', async () => {
	const service = await startService();

	const run = await service.run(getAll({ company_size: [{ value: '={{ $json.size }}' }] }), [
		{ size: '1-10' },
		{ size: '' },
	]);

	expect(run.failureText).toMatch(`Row 2 of 2: Company Size ${EMPTY} To keep`);
	expect(service.log.entries).toEqual([]);
});

/** An expression as the value of each kind of filter, as the editor saves it. */
const EXPRESSION = '={{ $json.value }}';
const EXPRESSIONS: Readonly<Record<FilterKind, INodeParameters>> = {
	boolean: { value: EXPRESSION },
	jobTitle: { value: locator(EXPRESSION) },
	autocomplete: { value: locator(EXPRESSION) },
	countries: { value: EXPRESSION },
	enum: { value: EXPRESSION },
	ids: { value: EXPRESSION },
	range: { gte: EXPRESSION },
};

/** Rows of a filter, as the editor saves them. */
const rowsOf = (...values: Array<INodeParameters[string]>) =>
	values.map((value) => ({ value })) as INodeParameters[];

test.each(SEARCH_FILTERS.map((filter) => [filter.displayName, filter] as const))(
	'%s without a value, or not filled in, is named, and no request is sent',
	async (displayName, { name, type }) => {
		const service = await startService();
		const rows = ['', ' ', null, undefined].map((value) => ({ value }));
		const filters = { has_phone_number: [{}], [name]: [EXPRESSIONS[type.kind]] };
		const failure = { message: `${displayName} ${EMPTY}`, field: name };

		const run = await service.run(getAll(filters), rows as IDataObject[], CONTINUE);

		expect(run.main).toEqual([]);
		expect(run.error.map(failureOf)).toEqual(rows.map(() => failure));
		// The editor saves a row without the values that are a field's default: that of a switch is on.
		if (type.kind !== 'boolean') {
			const added = await service.run(getAll({ [name]: [{}] }), [{}], CONTINUE);
			expect(added.error.map(failureOf)).toEqual([failure]);
		}
		expect(service.log.entries).toEqual([]);
	},
);

test.each(['job_title', 'company_name', 'city_region_country'])(
	'%s: a word for nothing is no value',
	async (name) => {
		const service = await startService();
		const rows = ['-', '&', 'n/a', '0'].map((value) => ({ value }));

		const run = await service.run(
			getAll({ [name]: rowsOf(locator(EXPRESSION)) }, { returnAll: true }),
			rows,
			CONTINUE,
		);

		expect(run.error).toHaveLength(rows.length);
		expect(service.log.entries).toEqual([]);
	},
);

test('several empty filters are named together', async () => {
	const service = await startService();
	const filters = {
		company_size: rowsOf(EXPRESSION),
		job_level: rowsOf(EXPRESSION),
		job_title: rowsOf(locator(EXPRESSION)),
	};

	const run = await service.run(getAll(filters), [{}], CONTINUE);

	expect(run.error.map(failureOf)).toEqual([
		{
			message:
				'Company Size, Job Level and Job Title are empty for this row. Fill them in, or remove the filters.',
			field: 'company_size',
		},
	]);
});

test.each<[string, INodeParameters, IDataObject]>([
	['no filters', {}, {}],
	['a switch as it was added', { has_email: [{}] }, { has_email: { value: true } }],
	[
		'one bound of a range',
		{ current_role_months: [{ gte: '={{ null }}', lte: 6 }] },
		{ current_role_months: { lte: 6 } },
	],
])('%s: the search runs', async (_case, filters, expected) => {
	const service = await startService();

	const run = await service.run(getAll(filters, { limit: 1 }));

	expect(run.failure).toBeUndefined();
	expect(requestFilters(service)).toEqual([expected]);
	const unfiltered = Object.keys(expected).length === 0;
	expect(hintsOf(run).includes('No filter was set, so everyone matches.')).toBe(unfiltered);
});

test('Count Only does not count everyone for an empty filter', async () => {
	const service = await startService();

	const run = await service.run(
		getAll({ job_title: rowsOf(locator(EXPRESSION)) }, { countOnly: true }),
		[{}],
		CONTINUE,
	);

	expect(run.error.map(failureOf)).toEqual([{ message: `Job Title ${EMPTY}`, field: 'job_title' }]);
	expect(service.log.entries).toEqual([]);
});

describe('Ignore Empty Filters', () => {
	test('leaves them out, and a hint names the number of rows', async () => {
		const service = await startService();
		const filters = {
			company_size: rowsOf('={{ $json.size }}'),
			job_level: rowsOf('={{ $json.level }}'),
		};
		const rows = [
			{ size: '1-10', level: 'director' },
			{ size: '1-10', level: '' },
			{ size: null, level: 'director' },
			{ size: '12-34', level: '' },
		];

		const run = await service.run(getAll(filters, { limit: 1, ...IGNORE_EMPTY }), rows, CONTINUE);

		expect(requestFilters(service)).toEqual([
			{ company_size: { values: ['1-10'] }, job_level: { values: ['director'] } },
			{ company_size: { values: ['1-10'] } },
			{ job_level: { values: ['director'] } },
		]);
		expect(hintsOf(run)).toContain('Empty filters were ignored for 2 rows.');
	});

	test('if no filter remains, the hint says that everyone matched', async () => {
		const service = await startService();
		const rows = [{ value: '1-10' }, { value: '' }, {}];

		const run = await service.run(
			getAll({ company_size: rowsOf(EXPRESSION) }, { limit: 1, ...IGNORE_EMPTY }),
			rows as IDataObject[],
		);

		expect(requestFilters(service)).toEqual([{ company_size: { values: ['1-10'] } }, {}]);
		expect(hintsOf(run)).toContain(
			'Empty filters were ignored for 2 rows. No filter was set for 2 of 3 rows, so everyone matches.',
		);
	});

	test('an invalid value still fails', async () => {
		const service = await startService();

		const run = await service.run(
			getAll({ company_size: rowsOf(EXPRESSION), job_level: [{}] }, IGNORE_EMPTY),
			[{ value: '12-34' }],
			CONTINUE,
		);

		expect(run.error.map(failureOf)).toEqual([
			{
				message: expect.stringMatching(/^Company Size: "12-34" is not one of/),
				field: 'company_size',
			},
		]);
	});

	test('adds no hint if no filter was empty', async () => {
		const service = await startService();

		const run = await service.run(
			getAll({ company_size: rowsOf(['1-10']) }, { limit: 1, ...IGNORE_EMPTY }),
		);

		expect(run.hints).toHaveLength(1);
	});
});

describe('Get Statistics', () => {
	const size = (value: string, others: INodeParameters = {}) => ({
		company_size: [{ value, ...others }],
	});

	test.each<[string, INodeParameters, string, string]>([
		['values', size(EXPRESSION), 'Company Size', 'company_size'],
		['values to exclude', size(EXPRESSION, { match: 'exclude' }), 'Company Size', 'company_size'],
		['only Exclude', { company_size: [{ match: 'exclude' }] }, 'Company Size', 'company_size'],
		[
			'a value with suggestions',
			{ region_country_code: rowsOf(locator(EXPRESSION)) },
			'Company Region',
			'region_country_code',
		],
		[
			'a row that was added and nothing else',
			{ naics_category: [{}] },
			'Company Industry (NAICS Code)',
			'naics_category',
		],
	])('%s without a value: no count of all companies', async (_case, filters, name, field) => {
		const service = await startService();
		const rows = ['', null, undefined].map((value) => ({ value }));

		const run = await service.run(getStatistics(filters), rows as IDataObject[], CONTINUE);

		expect(run.main).toEqual([]);
		expect(run.error.map(failureOf)).toEqual(
			rows.map(() => ({ message: `${name} ${EMPTY}`, field })),
		);
		expect(service.log.entries).toEqual([]);
	});

	const IN_ALL = 'Additional Filters';
	const IN_ONE = 'country_code in Additional Filters';
	const includes = (values: string) =>
		`{ "country_code": { "type": "includes", "values": ${values} } }`;
	test.each<[additionalFilters: string, value: unknown, name: string]>([
		['', '', IN_ALL],
		['{}', '', IN_ALL],
		[EXPRESSION, null, IN_ALL],
		[EXPRESSION, undefined, IN_ALL],
		[EXPRESSION, ' ', IN_ALL],
		[EXPRESSION, {}, IN_ALL],
		[EXPRESSION, '{}', IN_ALL],
		[includes('[]'), '', IN_ONE],
		[includes('[""]'), '', IN_ONE],
		[includes('[" ", null]'), '', IN_ONE],
	])('Additional Filters %j (%j): %s is empty', async (additionalFilters, value, name) => {
		const service = await startService();
		const parameters = getStatistics(size('1-10'), { options: { additionalFilters } });

		const run = await service.run(parameters, [{ value }] as IDataObject[], CONTINUE);

		expect(run.error.map(failureOf)).toEqual([
			{ message: `${name} ${EMPTY}`, field: 'additionalFilters' },
		]);
		expect(service.log.entries).toEqual([]);
	});

	test('Ignore Empty Filters leaves them out, and says so', async () => {
		const service = await startService();
		const parameters = getStatistics(size(EXPRESSION), {
			options: { ...IGNORE_EMPTY.options, additionalFilters: '={{ $json.more }}' },
		});
		const more = { country_code: { type: 'includes', values: ['us'] } };

		const run = await service.run(parameters, [
			{ value: '1-10', more },
			{ value: '', more },
			{ value: '1-10' },
			{ value: '' },
		]);

		const sizes = { type: 'includes', values: ['1-10'] };
		expect(requestFilters(service)).toEqual([
			{ company_size: sizes, ...more },
			more,
			{ company_size: sizes },
			{},
		]);
		expect(hintsOf(run)).toContain(
			'Empty filters were ignored for 3 rows. No filter was set for 1 of 4 rows, so every company matches.',
		);
	});

	test('a filter that is set in both places fails', async () => {
		const service = await startService();
		const additionalFilters = '{ "company_size": { "type": "includes", "values": ["11-50"] } }';

		const run = await service.run(
			getStatistics(size('1-10'), { options: { additionalFilters } }),
			[{}],
			CONTINUE,
		);

		expect(run.error.map(failureOf)).toEqual([
			{
				message:
					'Additional Filters: "company_size" is also set in Filters. Remove it from one of them.',
				field: 'additionalFilters',
			},
		]);
		expect(service.log.entries).toEqual([]);
	});
});
