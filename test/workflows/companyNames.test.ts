/** Business: Enrich for companies of which the names are known, not the IDs. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { answerWith, knownCompanies } from './companies';
import {
	CONTINUE,
	expectOwnObjects,
	hintsOf,
	jsonOf,
	numbered,
	type Service,
	startService,
} from './service';
import { flat } from './simplified';

const enrich = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'business',
	operation: 'enrich',
	identifyBy: 'companyName',
	companyName: '={{ $json.name }}',
	website: '={{ $json.site }}',
	...more,
});
const requests = (more: INodeParameters): INodeParameters => ({ options: { requests: more } });

const NOWHERE = 'Nowhere, Inc.';

const nameOf = ({ world }: Service, company: number) => world.company(company).name;
const endpoints = ({ log }: Service) => log.entries.map(({ endpoint }) => endpoint);
/** A service, and three companies that it finds. */
const start = async () => {
	const service = await startService();
	const [one = 0, two = 0, three = 0] = knownCompanies(service.world);
	return { service, one, two, three };
};

test('300 rows, 200 names and two data sets: 200 searches, and each company that is found is enriched once', async () => {
	const service = await startService({ people: 150, companies: 200 });
	const { world, log } = service;
	const known = new Set(knownCompanies(world));
	const items = Array.from({ length: 300 }, (_, row) => {
		const company = (row * 7) % 200;
		return { row, company, name: nameOf(service, company) };
	});

	const run = await service.run(
		enrich({ dataSets: ['fundingAndAcquisition', 'employeeRatings'] }),
		items,
	);

	expect(run.failure).toBeUndefined();
	const found = known.size;
	expect(found).toBeGreaterThan(50);
	const batches = Math.ceil(found / 50);
	expect(log.count('search')).toMatchObject({ requests: 200 });
	for (const name of ['fundingAndAcquisition', 'employeeRatings'] as const) {
		expect(log.count(name)).toEqual({
			requests: batches,
			ids: found,
			unique: found,
			repeated: [],
		});
	}
	expect(run.linked).toEqual(items.map(({ row }) => row));
	expect(jsonOf(run.main).map(({ business_id, found: is }) => [business_id, is])).toEqual(
		items.map(({ company }) =>
			known.has(company) ? [world.businessId(company), true] : [null, false],
		),
	);
	const unmatched = items.filter(({ company }) => !known.has(company)).length;
	expect(hintsOf(run)).toEqual([
		expect.stringMatching(
			new RegExp(
				`^300 rows: .*, ${unmatched} without a match\\. ${200 + 200 - found + 2 * batches} requests, ${2 * found} records\\. 100 duplicates weren't sent again\\.$`,
			),
		),
		expect.stringMatching(/^Only companies for which the service has people can be found/),
		"Website was empty in all 300 rows. Check the column's name.",
	]);
});

test('a row says whether the company was found; without it all data is null', async () => {
	const { service, one } = await start();
	const dataSets = ['employeeRatings', 'fundingAndAcquisition'];
	const byId = await service.run(
		{
			resource: 'business',
			operation: 'enrich',
			businessIds: service.world.businessId(one),
			dataSets,
		},
		[{}],
	);

	const run = await service.run(
		enrich({ dataSets }),
		numbered([{ name: nameOf(service, one) }, { name: NOWHERE }]),
	);

	const [{ business_id, ...data } = {}] = jsonOf(byId.main);
	expect(data).not.toHaveProperty('found');
	expect(jsonOf(run.main)).toEqual([
		{ ...data, found: true, business_id },
		{
			business_id: null,
			found: false,
			...flat('employee_ratings', null),
			...flat('funding_and_acquisition', null),
		},
	]);
	expect(Object.keys(run.main[0]?.json ?? {})).toEqual([
		...Object.keys(data),
		...['found', 'business_id'],
	]);

	const raw = await service.run(
		enrich({ dataSets, simplify: false }),
		numbered([{ name: NOWHERE }]),
	);
	expect(jsonOf(raw.main)).toEqual([
		{
			business_id: null,
			found: false,
			employee_ratings: null,
			funding_and_acquisition: null,
		},
	]);
});

test('if several companies fit, they are candidates, and nothing more is sent', async () => {
	const { service } = await start();
	const candidates = ['acme.example', 'acme.test'].map((site, at) => ({
		business_id: service.world.businessId(at),
		company_name: 'Acme',
		company_website: site,
	}));
	answerWith(service, candidates, 40);

	const run = await service.run(enrich(), numbered([{ name: 'Acme' }, { name: 'Acme' }]));

	expect(endpoints(service)).toEqual(['search']);
	const row = {
		business_id: null,
		found: false,
		...flat('funding_and_acquisition', null),
		candidate_names: 'Acme (acme.example); Acme (acme.test)',
		candidate_ids: candidates.map(({ business_id }) => business_id).join('; '),
	};
	expect(jsonOf(run.main)).toEqual([row, row]);
	expectOwnObjects(run.main);
	expect(hintsOf(run)).toEqual([
		"2 rows without a match. 1 request. 1 duplicate wasn't sent again.",
		expect.stringMatching(/^2 rows fit no single company: candidate_names shows/),
		expect.stringMatching(/^For 2 rows without a match, more people may match.*Rows per Search/),
		"Website was empty in all 2 rows. Check the column's name.",
	]);
});

test('Batch Size holds for the data, while the spellings of a name still share one search', async () => {
	const { service, one, two, three } = await start();
	const names = [one, two, three].map((company) => nameOf(service, company));
	const spellings = names.flatMap((name) => [name, name.toUpperCase()]);

	const run = await service.run(
		enrich(requests({ batchSize: 1 })),
		numbered(spellings.map((name) => ({ name }))),
	);

	expect(service.log.count('search')).toMatchObject({ requests: 3 });
	expect(service.log.count('fundingAndAcquisition')).toMatchObject({ requests: 3, ids: 3 });
	expect(jsonOf(run.main).map(({ found }) => found)).toEqual(spellings.map(() => true));
});

test('Rows per Search and the request context go along', async () => {
	const { service, one } = await start();

	await service.run(enrich(requests({ rowsPerSearch: 25, requestContext: '{"list":"a"}' })), [
		{ name: nameOf(service, one) },
	]);

	const context = { request_context: { list: 'a' } };
	expect(service.log.entries.map(({ body }) => body)).toEqual([
		expect.objectContaining({ size: 25, page_size: 25, ...context }),
		{ business_ids: [service.world.businessId(one)], ...context },
	]);
});

test('invalid names and settings fail before any request', async () => {
	const { service, one } = await start();
	const rows = numbered([
		{ name: ' ', site: 'acme.example' },
		{ name: 'info@acme.example' },
		{ name: 'Acme', month: '1999-01' },
		{ name: nameOf(service, one) },
	]);
	const parameters = enrich({
		dataSets: ['websiteTraffic'],
		monthPeriod: "={{ $json.month ?? '' }}",
	});

	const stopped = await service.run(parameters, rows);
	expect(stopped.failureText).toMatch(/^Row 1 of 4: Company Name is empty\. /);
	expect(service.log.entries).toEqual([]);

	const run = await service.run(parameters, rows, CONTINUE);
	expect(run.linkedErrors).toEqual([0, 1, 2]);
	expect(run.error.map((item) => errorOf(item).field)).toEqual([
		...['companyName', 'companyName', 'monthPeriod'],
	]);
	expect(run.linked).toEqual([3]);
	expect(endpoints(service)).toEqual(['search', 'websiteTraffic']);
});

test('Fields can name found and candidates, which rows of business IDs do not have', async () => {
	const { service, one } = await start();
	const fields = { options: { fields: 'found, candidates.company_name' } };
	const rows = numbered([
		{ name: nameOf(service, one) },
		{ name: nameOf(service, one), site: 'elsewhere.example' },
		{ name: NOWHERE },
	]);

	const run = await service.run(enrich(fields), rows);
	const byId = await service.run(
		{
			resource: 'business',
			operation: 'enrich',
			businessIds: service.world.businessId(one),
			...fields,
		},
		[{}],
	);

	const candidates = [{ company_name: nameOf(service, one) }];
	expect(jsonOf(run.main)).toEqual([
		{ business_id: service.world.businessId(one), found: true, candidates: null },
		{ business_id: null, found: false, candidates },
		{ business_id: null, found: false, candidates: [] },
	]);
	expect(hintsOf(run).filter((hint) => hint.startsWith('Fields'))).toEqual([]);
	expect(byId.failureText).toMatch(/^Fields: "found" is not a field of these rows/);
});

describe('Get Events', () => {
	const getEvents = (more: INodeParameters = {}) => enrich({ operation: 'getEvents', ...more });

	test('rows of events, and a row for a company that is not found', async () => {
		const service = await startService({ eventsPerDay: 0 });
		const [one = 0, two = 0] = knownCompanies(service.world);
		const added = service.world.addEvent({ business: one });
		const [known, quiet] = [one, two].map((index) => ({ name: nameOf(service, index) }));

		const run = await service.run(
			getEvents(),
			numbered([
				{ name: NOWHERE },
				{ ...known },
				{ ...quiet },
				{ ...known, site: 'x.example' },
				{},
			]),
		);

		expect(endpoints(service).sort()).toEqual([
			...['autocomplete', 'businessEvents', 'search', 'search', 'search'],
		]);
		const nothing = {
			...{ event_name: null, event_time: null, business_id: null, found: false, event_id: null },
			...{ candidate_names: null, candidate_ids: null },
		};
		expect(jsonOf(run.main)).toEqual([
			nothing,
			expect.objectContaining({
				business_id: service.world.businessId(one),
				found: true,
				event_id: added.event_id,
			}),
			{
				...nothing,
				candidate_names: expect.stringContaining(known?.name ?? '?'),
				candidate_ids: service.world.businessId(one),
			},
		]);
		expect(run.linked).toEqual([0, 1, 3]);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				/^Returned 1 event in 5 requests for 2 records; 2 rows without a match;/,
			),
			expect.stringMatching(/^Only companies for which/),
			expect.stringMatching(/^1 row fits no single company/),
		]);

		const dropped = await service.run(
			getEvents({ rowsWithoutMatch: 'drop' }),
			numbered([{ name: NOWHERE }, { ...known }]),
		);
		expect(dropped.linked).toEqual([1]);
	});

	test('each company is a record of the limit and the estimate; its search is none', async () => {
		const { service, one, two } = await start();
		const rows = numbered([one, two].map((index) => ({ name: nameOf(service, index) })));

		const estimate = await service.run(getEvents({ estimateOnly: true }), rows);
		const run = await service.run(getEvents({ maxRecordsToPay: 1 }), rows, CONTINUE);

		expect(jsonOf(estimate.main)).toMatchObject([
			{ unique_records: 2, requests: 2 * 3 + 1, at_most: true },
		]);
		expect(run.linkedErrors).toEqual([1]);
		expect(endpoints(service)).toEqual(['search', 'businessEvents']);
	});
});

test('names left over in a node that is set back to Business ID are not used', async () => {
	const { service, one } = await start();

	const run = await service.run(
		enrich({ identifyBy: 'businessId', businessIds: '={{ $json.id }}' }),
		[{ id: service.world.businessId(one), name: '', site: 'n/a' }],
	);

	expect(endpoints(service)).toEqual(['fundingAndAcquisition']);
	expect(jsonOf(run.main)[0]).not.toHaveProperty('found');
	expect(hintsOf(run)).toEqual(['1 row enriched. 1 request, 1 record.']);
});

test('rows of one name count once for each website, in any spelling: they may be different companies', async () => {
	const { service, one } = await start();
	const name = nameOf(service, one);
	const items = numbered([
		{ name, website: 'one.example' },
		{ name, website: 'two.example' },
		{ name: name.toUpperCase(), website: 'one.example/' },
	]);
	const parameters = (spending: IDataObject) =>
		enrich({ website: '={{ $json.website }}', ...spending } as INodeParameters);

	const estimate = await service.run(parameters({ estimateOnly: true }), items);
	const run = await service.run(parameters({ maxRecordsToPay: 1 }), items, CONTINUE);

	expect(jsonOf(estimate.main)).toMatchObject([{ records: 3, unique_records: 2, requests: 3 + 1 }]);
	expect(run.linkedErrors).toEqual([1]);
});

test('a search costs no credits: it is no record of a limit or an estimate', async () => {
	const { service, one, two, three } = await start();
	const items = numbered([one, two, three].map((company) => ({ name: nameOf(service, company) })));

	const estimate = await service.run(enrich({ estimateOnly: true }), items);
	expect(service.log.entries).toEqual([]);
	expect(jsonOf(estimate.main)).toMatchObject([
		{ records: 3, unique_records: 3, requests: 3 * 3 + 1, at_most: true },
	]);

	const run = await service.run(enrich({ maxRecordsToPay: 2 }), items, CONTINUE);
	expect([run.linked, run.linkedErrors]).toEqual([[0, 1], [2]]);
	expect(errorOf(run.error[0])).toMatchObject({ field: 'maxRecordsToPay' });
	expect(service.log.count('search').requests).toBe(2);
});
