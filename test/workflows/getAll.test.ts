import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { searchFilters } from '../../nodes/BusinessProspectData/filters/kinds';
import { errorOf } from '../harness/engine';
import { largeTest } from '../size';
import { CONTINUE, hintsOf, jsonOf, startService, EVERYONE } from './service';

const getAll = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'getAll',
	...parameters,
});

const idsOf = (rows: readonly IDataObject[]) => rows.map(({ prospect_id }) => prospect_id);

test('Return All returns 1,234 people in 13 requests, in order, without duplicates', async () => {
	const service = await startService({ people: 1_234 });

	const run = await service.run(getAll({ ...EVERYONE }), [{ row: 7 }]);

	expect(run.failure).toBeUndefined();
	expect(idsOf(jsonOf(run.main))).toEqual(service.world.prospectIds(1_234));
	expect(service.log.requestsTo()).toHaveLength(13);
	expect(new Set(run.linked)).toEqual(new Set([7]));
	expect(hintsOf(run)).toEqual(['Returned 1,234 rows in 13 requests.']);
});

test('a page that keeps failing is named, and all others are returned', async () => {
	const service = await startService({ people: 1_234 });
	service.fault({
		when: { body: (body) => (body as IDataObject).page === 5 },
		times: 'always',
		do: { kind: 'status', status: 503 },
	});

	const run = await service.run(
		getAll({ ...EVERYONE, options: { requests: { maxTries: 1 } } }),
		[{ row: 7 }],
		CONTINUE,
	);

	const all = service.world.prospectIds(1_234);
	expect(idsOf(jsonOf(run.main))).toEqual([...all.slice(0, 400), ...all.slice(500)]);
	expect(run.linkedErrors).toEqual([7]);
	expect(run.error[0]?.json).toMatchObject({
		error: {
			message: expect.stringMatching(
				/^Page 5 could not be fetched: The service failed \(HTTP 503\).*Start Page 5 under Options/,
			),
			status: 503,
			missing_pages: [5],
			start_page: 5,
		},
	});
});

const elsewhere = {
	country_code: [{ value: { __rl: true, mode: 'value', value: 'aq' } }],
};

test.each([
	['filters without a match', { filters: elsewhere }, /^No one matches\. /],
	[
		'no one, without filters',
		{ exclude: '={{ $json.everyone }}' },
		/^No filter was set, so everyone matches\.$/,
	],
	['a page after the last', { filters: { has_email: [{}] }, options: { startPage: 3 } }, undefined],
	['only a count', { filters: elsewhere, countOnly: true }, undefined],
])('a hint says where filter values come from: %s', async (_case, parameters, hint) => {
	const service = await startService({ people: 5 });

	const run = await service.run(getAll(parameters), [{ everyone: service.world.prospectIds(5) }]);

	expect(jsonOf(run.main).filter(({ prospect_id: id }) => id !== undefined)).toEqual([]);
	const hints = hintsOf(run).slice(1);
	expect(hints).toEqual(hint === undefined ? [] : [expect.stringMatching(hint)]);
});

test.each([
	['several titles', 'CTO, Head of Sales', true],
	['titles in lines', 'CTO\nCEO', true],
	['one title', 'Head of Sales', false],
])('a hint says that Job Title takes one title: %s', async (_case, title, expected) => {
	const service = await startService({ people: 5 });
	const filters = { job_title: [{ value: { __rl: true, mode: 'value', value: title } }] };

	const run = await service.run(getAll({ filters, countOnly: true }));

	const hints = hintsOf(run);
	expect(hints.some((hint) => /^Job Title takes one title.*Include Related/.test(hint))).toBe(
		expected,
	);
});

largeTest('more than 60,000 matches: a hint says how many are missing', async () => {
	const service = await startService({ people: 100 });
	service.change(
		(answer, { body }) => {
			const first = (Number((body as IDataObject).page) - 1) * 100;
			const data = service.world.prospectIds(100, first).map((id) => ({ prospect_id: id }));
			return { ...answer, total_results: 75_000, data };
		},
		{ times: 'always' },
	);

	const run = await service.run(getAll({ ...EVERYONE }), [{}], { expressionAfter: undefined });

	expect(service.log.requestsTo()).toHaveLength(600);
	expect(run.main).toHaveLength(60_000);
	expect(hintsOf(run)).toContainEqual(
		expect.stringMatching(/^75,000 prospects match, .* at most 60,000: 15,000 are missing/),
	);
	for (const parameters of [{ ...EVERYONE, countOnly: true }, { limit: 50 }]) {
		const hints = hintsOf(await service.run(getAll(parameters)));
		expect(hints.filter((hint) => /prospects match/.test(hint))).toEqual([]);
	}
});

test('without announced totals, it continues until a page is not full', async () => {
	const service = await startService({ people: 250 });
	service.change((answer) => ({ ...answer, total_results: null, total_pages: null }), {
		times: 'always',
	});

	const run = await service.run(getAll({ ...EVERYONE }));

	expect(idsOf(jsonOf(run.main))).toEqual(service.world.prospectIds(250));
	expect(service.log.requestsTo()).toHaveLength(3);
});

describe('a response that has neither rows nor a total', () => {
	const respondWith = async (body: unknown, when = {}) => {
		const service = await startService({ people: 250 });
		service.fault({ when, times: 'always', do: { kind: 'status', status: 200, body } });
		return service;
	};
	const message =
		"The service's response has neither people nor a total, so it is unknown whether anyone matches. Check Base URL in the credential; if it is correct, try again later.";

	test.each<[string, unknown, INodeParameters]>([
		['another message', { status: 'maintenance' }, {}],
		['null', { data: null, total_results: null }, {}],
		['no people', { data: [null] }, {}],
		['a list', [], {}],
		['another message', { status: 'maintenance' }, { countOnly: true }],
	])('is an error: %s %j %j', async (_what, body, parameters) => {
		const service = await respondWith(body);

		const run = await service.run(getAll(parameters), [{}], CONTINUE);

		expect(run.main).toEqual([]);
		expect(run.error.map(errorOf)).toEqual([expect.objectContaining({ message })]);
	});

	test.each([
		[{ ...EVERYONE }, 'Page 3 and all after it could not be fetched'],
		[{ limit: 300 }, 'Page 3 could not be fetched'],
	])('is an error on a later page, too: %j', async (parameters, missing) => {
		const service = await respondWith({ status: 'maintenance' }, { nth: 3 });
		service.change((answer) => ({ ...answer, total_results: null, total_pages: null }), {
			times: 'always',
		});

		const run = await service.run(getAll(parameters), [{}], CONTINUE);

		expect(run.main).toHaveLength(200);
		expect(run.error.map(errorOf)).toEqual([
			expect.objectContaining({
				message: expect.stringContaining(`${missing}: ${message}`),
				start_page: 3,
			}),
		]);
	});

	test.each([
		['a miss', { response_context: { request_status: 'miss' }, data: null }],
		['a miss with an empty object', { response_context: { request_status: 'miss' }, data: {} }],
		['a total of 0', { total_results: 0 }],
		['0 pages', { total_pages: 0 }],
		['an empty list', { data: [] }],
	])('means that no one matches if it has %s', async (_what, body) => {
		const service = await respondWith(body);

		const run = await service.run(getAll({ filters: { has_email: [{ value: true }] } }));

		expect([run.main, run.failure]).toEqual([[], undefined]);
		expect(run.hints.at(-1)?.message).toContain('No one matches.');
	});
});

const MISS = { response_context: { request_status: 'miss' } };

test('Count Only requests one row and returns the total', async () => {
	const service = await startService({ people: 12_345 });

	const run = await service.run(getAll({ countOnly: true }));

	expect(jsonOf(run.main)).toEqual([{ total_results: 12_345 }]);
	expect(service.log.requestsTo().map(({ body }) => body)).toEqual([
		{ mode: 'full', size: 60_000, page_size: 1, page: 1, filters: {} },
	]);
});

test.each<[name: string, totals: IDataObject, count: number | null]>([
	['total_results counts only the row', { total_results: 1, total_pages: 12_345 }, 12_345],
	['total_results is missing', { total_results: null, total_pages: 12_345 }, 12_345],
	['total_pages is missing', { total_results: 12_345, total_pages: null }, 12_345],
	['both are missing', { total_results: null, total_pages: null }, null],
	['an empty result has a page', { total_results: 0, total_pages: 1, data: [] }, 0],
	['only its page says that it is empty', { total_results: null, total_pages: 1, data: [] }, 0],
	['a miss has a page', { ...MISS, total_results: null, total_pages: 1, data: [] }, 0],
	['a miss has no total', { ...MISS, total_results: null, total_pages: null, data: [] }, 0],
])('Count Only returns the number of people if %s', async (_name, totals, total_results) => {
	const service = await startService({ people: 12_345 });
	service.change((answer) => ({ ...answer, ...totals }));

	const run = await service.run(getAll({ countOnly: true }));

	expect(jsonOf(run.main)).toEqual([{ total_results }]);
});

test('Count Only returns the total even if Fields names fields of people', async () => {
	const service = await startService({ people: 7 });

	const run = await service.run(
		getAll({ countOnly: true, options: { fields: 'full_name, experience.title' } }),
	);

	expect(jsonOf(run.main)).toEqual([{ total_results: 7 }]);
	expect(hintsOf(run)).toEqual([
		'Returned 1 row in 1 request.',
		'No filter was set, so everyone matches.',
	]);
});

test.each([
	['no filter', {}],
	['a filter whose name n8n does not know, and drops', { filters: { jobLevel: ['cxo'] } }],
	['all filters by an expression, which n8n drops', { filters: '={{ ({ job_level: "cxo" }) }}' }],
])('Return All with %s is refused', async (_case, parameters) => {
	const service = await startService({ people: 5 });

	const run = await service.run(getAll({ returnAll: true, ...parameters } as INodeParameters));

	expect(run.failureText).toBe('Return All: add a filter, or turn it off and set Limit.');
	expect(service.log.entries).toEqual([]);
});

test('every filter is sent in the form that the contract defines', async () => {
	const service = await startService();
	const rows = (...values: unknown[]) =>
		values.map((value) => ({ value })) as unknown as INodeParameters[];
	const listed = (...values: Array<string | string[]>) =>
		rows(...values.map((value) => ({ __rl: true, mode: 'list', value })));
	const company = service.world.businessId(1);
	const person = service.world.prospectId(1);
	const exclude = service.world.prospectId(2);

	const run = await service.run(
		getAll({
			exclude: `${exclude.toUpperCase()}, ${exclude}`,
			filters: {
				has_email: rows(true),
				has_phone_number: rows(false),
				job_title: [
					{
						value: { __rl: true, mode: 'value', value: 'Head of Sales, EMEA' },
						include_related_job_titles: true,
					},
				],
				job_level: rows(['director', 'cxo']),
				job_department: rows(['sales']),
				business_id: rows(company),
				prospect_id: rows(`=${person}`),
				country_code: listed('US', 'de'),
				region_country_code: listed('us-tx'),
				city_region_country: listed('Austin, Texas, US'),
				company_country_code: listed('gb'),
				company_region_country_code: listed('gb-lnd, us-ca'),
				company_size: rows(['11-50', '10001+']),
				company_revenue: rows(['1M-5M']),
				search_category: listed('Hotels, motels'),
				network_category: listed('software development'),
				naics_category: listed('5112', '51'),
				company_name: listed('Acme, Inc.', ['Globex', 'Initech']),
				total_experience_months: [{ gte: 12, lte: 60 }],
				current_role_months: [{ lte: 6 }],
			},
		}),
	);

	expect(run.failure).toBeUndefined();
	expect(run.main).toEqual([]);
	const body = service.log.requestsTo()[0]?.body as IDataObject;
	const names = (searchFilters.property.options ?? []).map(({ name }) => name);
	expect(Object.keys(body.filters as IDataObject).sort()).toEqual(names.sort());
	expect(body).toMatchObject({
		exclude: [exclude],
		filters: {
			has_email: { value: true },
			has_phone_number: { value: false },
			job_title: { value: 'Head of Sales, EMEA', include_related_job_titles: true },
			job_level: { values: ['director', 'cxo'] },
			job_department: { values: ['sales'] },
			business_id: { values: [company] },
			prospect_id: { values: [person] },
			country_code: { values: ['us', 'de'] },
			region_country_code: { values: ['us-tx'] },
			city_region_country: { values: ['Austin, Texas, US'] },
			company_country_code: { values: ['gb'] },
			company_region_country_code: { values: ['gb-lnd', 'us-ca'] },
			company_size: { values: ['11-50', '10001+'] },
			company_revenue: { values: ['1M-5M'] },
			search_category: { values: ['Hotels, motels'] },
			network_category: { values: ['software development'] },
			naics_category: { values: ['5112', '51'] },
			company_name: { values: ['Acme, Inc.', 'Globex', 'Initech'] },
			total_experience_months: { gte: 12, lte: 60 },
			current_role_months: { lte: 6 },
		},
	});
});
