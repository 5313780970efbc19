/** Business: Find, from account lists to business IDs. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import type { World } from '../sandbox/world/world';
import { answerWith, knownCompanies } from './companies';
import { CONTINUE, expectOwnObjects, hintsOf, jsonOf, type Service, startService } from './service';

const byName: INodeParameters = {
	resource: 'business',
	operation: 'find',
	companyName: '={{ $json.name }}',
};
const byWebsite: INodeParameters = { ...byName, website: '={{ $json.site }}' };

const foundRow = (world: World, index: number) => ({
	found_name: world.company(index).name,
	found_website: world.company(index).website,
	found: true,
	business_id: world.businessId(index),
});

const NOT_FOUND = { found_name: null, found_website: null, found: false, business_id: null };

/** What Find makes of a company of the service. */
const asFound = ({ business_id, company_name, company_website }: IDataObject) => ({
	found_name: company_name,
	found_website: company_website,
	found: true,
	business_id,
});

const bodies = (service: Service) => service.log.requestsTo('search').map(({ body }) => body);

test('100 account rows with 70 names take 70 requests, and every row has its company', async () => {
	const service = await startService({ people: 60, companies: 70 });
	const { world } = service;
	const items = Array.from({ length: 100 }, (_, row) => {
		const { name, domain } = world.company(row % 70);
		return { row, name: row < 70 ? name : `  ${name}\n`, site: row % 2 === 0 ? domain : '' };
	});

	const run = await service.run(byWebsite, items);

	expect(service.log.requestsTo('search')).toHaveLength(70);
	expect(run.linked).toEqual(items.map(({ row }) => row));
	const known = new Set(knownCompanies(world));
	const unknown = items.filter(({ row }) => !known.has(row % 70)).length;
	// The service suggests the same names, so they aren't searched for again.
	const requests = 70 + 70 - known.size;
	expect(service.log.entries).toHaveLength(requests);
	expect(unknown).toBeGreaterThan(0);
	expect(jsonOf(run.main)).toEqual(
		items.map(({ row, name, site }) => ({
			...(known.has(row % 70) ? foundRow(world, row % 70) : NOT_FOUND),
			input_company_name: name.trim(),
			input_website: site || null,
		})),
	);
	expect(hintsOf(run)[0]).toBe(
		`100 rows: ${100 - unknown} found, ${unknown} not found. ${requests} requests. 30 duplicates weren't sent again.`,
	);
});

test('Rows per Search and the request context go along with the spellings of a name', async () => {
	const service = await startService();
	const { name } = service.world.company(1);

	await service.run({
		...byName,
		companyName: name,
		options: { requests: { rowsPerSearch: 100, requestContext: '{"list":"a"}' } },
	});

	const filters = { company_name: { values: [name, name.toLowerCase(), name.toUpperCase()] } };
	expect(bodies(service)).toEqual([
		{
			mode: 'full',
			size: 100,
			page_size: 100,
			page: 1,
			filters,
			request_context: { list: 'a' },
		},
	]);
});

test.each([
	[0, 'must be at least 1.'],
	[101, 'must be at most 100.'],
])('%i rows per search are rejected before anything is sent', async (rowsPerSearch, rule) => {
	const service = await startService();

	const run = await service.run({
		...byName,
		companyName: 'Acme',
		options: { requests: { rowsPerSearch } },
	});

	expect(run.failureText).toContain(`Rows per Search: "${rowsPerSearch}" ${rule}`);
	expect(service.log.entries).toEqual([]);
});

test('spellings of a name share a request that has all of them, whatever the service compares', async () => {
	const service = await startService();
	const [index = 0] = knownCompanies(service.world);
	const { name } = service.world.company(index);
	const rows = [name.toUpperCase(), name, name.replace(' ', '  '), name.toLowerCase(), name].map(
		(spelling, row) => ({ row, name: spelling }),
	);

	const run = await service.run(byName, rows);

	expect(bodies(service)).toMatchObject([
		{ filters: { company_name: { values: [name.toUpperCase(), name, name.toLowerCase()] } } },
	]);
	expect(jsonOf(run.main)).toMatchObject(rows.map(() => foundRow(service.world, index)));
	const raw = await service.run({ ...byName, simplify: false }, rows);
	expectOwnObjects(raw.main);
});

test('rows of one name with different websites share a request, and each is decided alone', async () => {
	const service = await startService();
	const companies = [
		{ business_id: 'a1', company_name: 'Acme', company_website: 'https://www.acme.example/en' },
		{ business_id: 'b2', company_name: 'Acme', company_website: 'acme.test' },
	];
	answerWith(service, companies);
	const sites = ['ACME.example', 'http://acme.test/about?x=1', '', 'acme.invalid'];
	const candidates = {
		candidate_names: 'Acme (https://www.acme.example/en); Acme (acme.test)',
		candidate_ids: 'a1; b2',
	};
	const noCandidates = { candidate_names: null, candidate_ids: null };
	const found = { found_name: 'Acme', found: true, ...noCandidates };

	const run = await service.run(
		byWebsite,
		sites.map((site, row) => ({ row, name: 'Acme', site })),
	);

	expect(service.log.entries).toHaveLength(1);
	expect(jsonOf(run.main)).toEqual(
		[
			{ ...found, found_website: 'https://www.acme.example/en', business_id: 'a1' },
			{ ...found, found_website: 'acme.test', business_id: 'b2' },
			{ ...NOT_FOUND, ...candidates },
			{ ...NOT_FOUND, ...candidates },
		].map((row, at) => ({
			...row,
			input_company_name: 'Acme',
			input_website: sites[at] || null,
		})),
	);
	const raw = await service.run({ ...byName, simplify: false }, [{ row: 0, name: 'Acme' }]);
	expect(jsonOf(raw.main)).toMatchObject([{ found: false, candidates: companies }]);
	expect(jsonOf(raw.main)[0]).not.toHaveProperty('candidate_ids');
	expect(hintsOf(run)).toEqual([
		"4 rows: 2 found, 2 not found. 1 request. 3 duplicates weren't sent again.",
		expect.stringMatching(/^2 rows fit no single company: candidate_names.*website/),
	]);
});

test('candidates may be named in Fields, also if every company is found', async () => {
	const service = await startService();
	const { name } = service.world.company(1);

	const run = await service.run({ ...byName, options: { fields: 'found, candidates' } }, [
		{ row: 0, name },
	]);

	expect(jsonOf(run.main)).toEqual([expect.objectContaining({ found: true })]);
	expect(run.hints.filter(({ type }) => type === 'warning')).toEqual([]);
});

test('a name in capitals is found, also where the service compares names exactly', async () => {
	const service = await startService();
	const [index = 0] = knownCompanies(service.world);
	const { name } = service.world.company(index);

	const run = await service.run(byName, [{ name: name.toUpperCase() }]);

	expect(jsonOf(run.main)).toMatchObject([foundRow(service.world, index)]);
});

describe('what a search that is not exact returns', () => {
	const people = [
		{ business_id: 'a1', company_name: 'Acme Bank', company_website: 'acme-bank.com' },
		{ business_id: 'b2', company_name: 'ACME  ', company_website: null },
		{ business_id: 'b2', company_name: 'Acme', company_website: 'https://acme.example' },
		{ business_id: 'c3', company_name: null, company_website: 'https://holding.example' },
		{ business_id: 'd4', company_name: 'Acme Shop', company_website: 'www.holding.example' },
		{ business_id: null, company_name: 'Nobody', company_website: 'nobody.com' },
	];
	const ACME = {
		business_id: 'b2',
		company_name: 'ACME  ',
		company_website: 'https://acme.example',
	};

	test.each<[string, string, string, IDataObject]>([
		['only the exact name fits', 'acme', '', asFound(ACME)],
		['full-width letters are equal', 'Ａｃｍｅ', '', asFound(ACME)],
		['the website decides against the name', 'Acme', 'acme-bank.com', asFound(people[0] ?? {})],
		[
			'the name decides between companies that share a website',
			'ACME SHOP',
			'holding.example',
			asFound(people[4] ?? {}),
		],
		[
			'without that, companies that share a website are candidates',
			'Acme',
			'holding.example',
			{
				...NOT_FOUND,
				candidate_names: '(https://holding.example); Acme Shop (www.holding.example)',
				candidate_ids: 'c3; d4',
			},
		],
		[
			'a person without a business ID is no candidate',
			'Nobody',
			'',
			{ ...NOT_FOUND, candidate_ids: 'a1; b2; c3; d4' },
		],
	])('%s', async (_what, name, site, expected) => {
		const service = await startService();
		answerWith(service, people);

		const run = await service.run(byWebsite, [{ name, site }]);

		expect(jsonOf(run.main)).toEqual([expect.objectContaining(expected)]);
	});

	test.each<[string, IDataObject[], total: number, rowsPerSearch: number, hinted: boolean]>([
		['the total says so', people, 70, 10, true],
		['the page is full', Array<IDataObject>(10).fill({ business_id: 'x1' }), 10, 10, true],
		['below the maximum', people, 500, 99, true],
		['not at the maximum', people, 500, 100, false],
	])(
		'a hint says where more people may have been to look at: %s',
		async (_case, rows, total, rowsPerSearch, hinted) => {
			const service = await startService();
			answerWith(service, rows, total);

			const run = await service.run({ ...byName, options: { requests: { rowsPerSearch } } }, [
				{ name: 'Nobody' },
			]);

			const hint = expect.stringMatching(
				/^For 1 row without a match, more people may match than were looked at\. .*raise Rows per Search/,
			) as string;
			const hints = hintsOf(run).filter((text) => text.includes('Rows per Search'));
			expect(hints).toEqual(hinted ? [hint] : []);
		},
	);
});

test('names with legal forms are found in the same requests as without', async () => {
	const service = await startService({ people: 300, companies: 100 });
	const { world } = service;
	const forms = [
		', Inc.',
		' GmbH',
		' Ltd',
		' LLC',
		' S.A.',
		' B.V.',
		' Pty Ltd',
		' AG',
		' & Co.',
		'',
	];
	const known = knownCompanies(world);
	const rows = known.map((company, at) => ({
		name: `${world.company(company).name}${forms[at % forms.length]}`,
	}));

	const run = await service.run(byName, rows);

	expect(bodies(service)).toHaveLength(rows.length);
	expect(jsonOf(run.main)).toMatchObject(known.map((company) => foundRow(world, company)));
});

test('a name with and without its legal form is found, each by a search of its own', async () => {
	const service = await startService();
	const [index = 0] = knownCompanies(service.world);
	const { name } = service.world.company(index);
	const names = [name, `${name}, Inc.`, `${name} Incorporated`, `${name} AG`];

	const run = await service.run(
		byName,
		names.map((own) => ({ name: own })),
	);

	expect(bodies(service)).toHaveLength(names.length);
	expect(jsonOf(run.main)).toMatchObject(names.map(() => foundRow(service.world, index)));
});

describe('more people fit than the node looks at', () => {
	/** Answers a search by name as the service does: people of the first companies first, a page of them. */
	const startWith = async (people: Record<string, number>, suggested: string[] = []) => {
		const service = await startService();
		service.change(
			(answer, { body }) => {
				const { filters, page_size: size } = body as IDataObject & { page_size: number };
				const { values } = (filters as IDataObject).company_name as { values: string[] };
				const rows = Object.entries(people).flatMap(([name, count]) =>
					values.includes(name)
						? Array.from({ length: count }, () => ({ company_name: name, business_id: name }))
						: [],
				);
				const data = rows.map((row, at) => ({ prospect_id: service.world.prospectId(at), ...row }));
				return { ...answer, total_results: rows.length, data: data.slice(0, size) };
			},
			{ when: { to: 'search' }, times: 'always' },
		);
		service.change(() => suggested.map((value) => ({ label: value, value, query: '' })), {
			when: { to: 'autocomplete' },
			times: 'always',
		});
		return service;
	};
	const foundIds = async (service: Service, names: string[]) => {
		const run = await service.run(
			byName,
			names.map((name) => ({ name })),
		);
		return jsonOf(run.main).map(({ business_id: id }) => id);
	};

	test('other rows of a similar name do not change what a row finds', async () => {
		const service = await startWith({ 'Acme Inc': 12, Acme: 5 });
		const names = ['Acme', 'Acme Inc'];
		expect(await foundIds(service, names)).toEqual(names);
	});

	test('people of the name without its legal form do not hide those of the name itself', async () => {
		const service = await startWith({ Acme: 12, 'Acme AG': 5 });
		expect(await foundIds(service, ['Acme AG', 'Acme GmbH'])).toEqual(['Acme AG', 'Acme']);
		expect(bodies(service)).toHaveLength(4);
	});

	test('of two legal forms that the service suggests, none is chosen unseen', async () => {
		const companies = { 'Acme Group GmbH': 12, 'Acme Group Ltd': 5 };
		const service = await startWith(companies, Object.keys(companies));
		expect(await foundIds(service, ['Acme-Group'])).toEqual([null]);
	});
});

describe('names that are only alike', () => {
	const company = (id: string, name: string | null, site: string | null = null) => ({
		business_id: id,
		company_name: name,
		company_website: site,
	});
	const plain = company('a1', 'Silver Analytics', 'https://silver.example');
	const formal = company('b2', 'Silver Analytics Inc.', 'silver-inc.example');
	const other = company('c3', 'Silver Analytics Ltd', 'silver.test');
	const shop = company('d4', 'Silver Analytics', 'shop.silver.example');

	test.each<[string, string, string, IDataObject[], string | undefined]>([
		['the only one', 'Silver-Analytics, Inc.', '', [plain], 'a1'],
		['the exact name wins', 'Silver Analytics, Inc', '', [plain, formal], undefined],
		['the exact name in another case wins', 'SILVER ANALYTICS INC.', '', [plain, formal], 'b2'],
		['the name without a form wins if it is exact', 'Silver Analytics', '', [formal, plain], 'a1'],
		['two are candidates', 'Silver & Analytics GmbH', '', [plain, shop], undefined],
		['another legal form is a candidate', 'Silver Analytics AG', '', [other], undefined],
		['a website decides against the form', 'Silver Analytics AG', 'silver.test', [other], 'c3'],
		['a website decides between two', 'Silver-Analytics', 'silver.example', [formal, plain], 'a1'],
		['a subdomain agrees', 'Silver Analytics AG', 'de.silver.example', [formal, plain], 'a1'],
		['a subdomain of the service agrees', 'Silver-Analytics', 'silver.example', [shop], 'd4'],
		['an exact host wins', 'Silver Analytics', 'shop.silver.example', [plain, shop], 'd4'],
		[
			'two in one domain are candidates',
			'Silver-Analytics',
			'silver.example',
			[shop, { ...shop, business_id: 'e5', company_website: 'm.silver.example' }],
			undefined,
		],
		['a domain alone is not enough', 'Silver Foods', 'de.silver.example', [plain], undefined],
		['another website decides against a name', 'Silver Analytics', 'x.example', [plain], undefined],
	])('%s', async (_what, name, site, people, id) => {
		const service = await startService();
		answerWith(service, people);

		const run = await service.run(byWebsite, [{ name, site }]);

		expect(jsonOf(run.main)).toMatchObject([
			id === undefined
				? {
						business_id: null,
						found: false,
						candidate_ids: people.map(({ business_id: own }) => own).join('; '),
					}
				: { business_id: id, found: true },
		]);
	});
});

test.each<[string, IDataObject, object]>([
	['nothing', { total_results: 0, total_pages: 1 }, { found: false }],
	['people that are missing', { total_results: 3, total_pages: 1 }, { error: expect.anything() }],
	['a page that is missing', { total_results: null, total_pages: 1 }, { error: expect.anything() }],
])('an empty page of a search that reports %s', async (_what, totals, row) => {
	const service = await startService();
	const response_context = { correlation_id: 'c-1', request_status: 'success' };
	service.change(() => ({ response_context, ...totals, data: [] }), { times: 'always' });

	const run = await service.run(byName, [{ name: 'Acme' }], CONTINUE);

	expect(jsonOf([...run.main, ...run.error])).toEqual([expect.objectContaining(row)]);
});

test('a name that the service does not know is a row without an ID, and can be dropped', async () => {
	const service = await startService();
	const [index = 0] = knownCompanies(service.world);
	const rows = ['Nobody, Inc.', service.world.company(index).name].map((name, row) => ({
		row,
		name,
		business_id: row === 0 ? 'kept' : '',
		company_name: 'my own',
	}));

	const both = await service.run({ ...byName, includeInputFields: true }, rows);
	const one = await service.run({ ...byName, rowsWithoutMatch: 'drop' }, rows);

	expect(jsonOf(both.main)).toEqual([
		{ ...NOT_FOUND, ...rows[0] },
		{ ...rows[1], ...foundRow(service.world, index) },
	]);
	expect(Object.keys(both.main[1]?.json ?? {})).toEqual([
		...['found_name', 'found_website', 'found', 'row', 'name', 'business_id', 'company_name'],
	]);
	expect(one.linked).toEqual([1]);
	expect(hintsOf(one)).toEqual([
		'2 rows: 1 found, 1 not found. 3 requests. 1 row was left out.',
		expect.stringMatching(/^Only companies for which the service has people can be found/),
	]);
});

test.each<[string, IDataObject, RegExp]>([
	['a website without a name', { site: 'acme.example' }, /^Company Name is empty\. Fill it in/],
	['an unusable website alone', { name: 'n/a', site: '5' }, /^Company Name is empty\. Fill it in/],
	[
		'an address instead of a name',
		{ name: 'https://acme.example' },
		/^Company Name: "https:\/\/acme\.example" is not a name\. Correct it\.$/,
	],
])('%s fails its row before anything is sent for it', async (_what, row, message) => {
	const service = await startService();

	const run = await service.run(byWebsite, [row, { name: 'Globex', site: '\u200b' }], CONTINUE);

	expect(run.error.map(errorOf)).toEqual([
		{ message: expect.stringMatching(message), field: 'companyName' },
	]);
	expect(jsonOf(run.main)).toMatchObject([{ input_company_name: 'Globex', found: false }]);
	expect(bodies(service)).toHaveLength(1);
});

test('a blank row is not found, takes no request, and is counted', async () => {
	const service = await startService();
	const rows = [{ name: ' \u200b' }, {}, { name: 'N/A', site: '-' }, { name: 'Globex' }];

	const run = await service.run(
		{ ...byWebsite, includeInputFields: true },
		rows.map((cells, row) => ({ ...cells, row })),
	);

	expect(jsonOf(run.main).slice(0, 3)).toEqual(
		rows.slice(0, 3).map((cells, row) => ({ ...cells, row, ...NOT_FOUND })),
	);
	expect(run.linked).toEqual([0, 1, 2, 3]);
	expect(bodies(service)).toHaveLength(1);
	expect(hintsOf(run)).toEqual([
		'4 rows: 1 not found, 3 without a company name. 2 requests.',
		expect.stringMatching(/^Only companies/),
		"Website was empty in all 4 rows. Check the column's name.",
	]);
});

test('a website that is none is left out, with a word in the hint', async () => {
	const service = await startService();
	const [index = 0] = knownCompanies(service.world);
	const { name } = service.world.company(index);
	const sites = ['acme', 'info@acme.example', '127.0.0.1', 5, 'http://', 'n/a', 'unknown'];

	const run = await service.run(
		byWebsite,
		sites.map((site) => ({ name, site })),
	);

	expect(jsonOf(run.main)).toMatchObject(sites.map(() => foundRow(service.world, index)));
	expect(bodies(service)).toHaveLength(1);
	expect(hintsOf(run)).toContain(
		'Website was ignored in 5 rows: not a web address, for example "acme".',
	);
});

test.each([
	'[site](https://SITE/)',
	'<SITE>',
	"'SITE",
	'SITE; other.example',
	'"https://www.SITE"',
])('the website in the cell %s decides between companies', async (cell) => {
	const service = await startService();
	const [index = 0] = knownCompanies(service.world);
	const { name, website } = service.world.company(index);
	const host = website.replace(/^https?:\/\/(www\.)?|\/$/g, '');

	const right = await service.run(byWebsite, [{ name, site: cell.replace('SITE', host) }]);
	const wrong = await service.run(byWebsite, [{ name, site: cell.replace('SITE', 'x.example') }]);

	expect(jsonOf(right.main)).toMatchObject([foundRow(service.world, index)]);
	expect(jsonOf(wrong.main)).toMatchObject([{ found: false }]);
});

test.each([
	[
		'no rows, though it reports some',
		{ data: [], total_results: 5 },
		/it is unknown whether it has this company\. Run the row again/,
	],
	[
		'no rows and no total',
		{ data: null, total_results: null },
		/neither people nor a total, so it is unknown whether anyone matches/,
	],
])('a response with %s is no "not found"', async (_what, change, message) => {
	const service = await startService();
	service.change(
		(answer) => ({
			response_context: {
				...(answer as { response_context: object }).response_context,
				request_status: 'success',
			},
			...change,
		}),
		{ when: { nth: 1 } },
	);
	const rows = ['Globex', 'Acme', 'Globex'].map((name, row) => ({ row, name }));

	const run = await service.run(
		{ ...byName, options: { requests: { maxConcurrentRequests: 1 } } },
		rows,
		CONTINUE,
	);

	expect(run.linkedErrors).toEqual([0, 2]);
	expect(errorOf(run.error[0])).toMatchObject({
		message: expect.stringMatching(message),
		correlation_id: service.log.entries[0]?.correlationId,
	});
	expect(run.linked).toEqual([1]);
});

test('Simplify off adds the people as the service sent them, and Fields finds their fields', async () => {
	const service = await startService();
	const [index = 0] = knownCompanies(service.world);
	const company = service.world.company(index);
	const parameters = { ...byName, companyName: company.name };

	const [raw] = jsonOf((await service.run({ ...parameters, simplify: false })).main);
	const fields = { options: { fields: 'data.company_network' } };
	const [picked] = jsonOf((await service.run({ ...parameters, ...fields })).main);

	expect(raw).toEqual({
		...foundRow(service.world, index),
		input_company_name: company.name,
		total_results: expect.any(Number),
		data: expect.arrayContaining([expect.objectContaining({ skills: expect.any(Array) })]),
		response_context: expect.objectContaining({ request_status: 'success' }),
	});
	expect(picked).toEqual({
		business_id: company.id,
		data: expect.arrayContaining([{ company_network: company.network }]),
	});
});

test.each([
	['another page of a social network', 'https://www.network.example/acme', false],
	['the same page', 'network.example/ZebraPizza/', true],
	['the host alone', 'network.example', true],
])('a website that is %s', async (_what, site, found) => {
	const service = await startService();
	const zebra = {
		business_id: service.world.businessId(1),
		company_name: 'Zebra Pizza',
		company_website: 'https://network.example/zebrapizza',
	};
	answerWith(service, [zebra]);

	const run = await service.run(byWebsite, [{ name: 'Acme', site }]);

	expect(run.main[0]?.json.found).toBe(found);
	if (!found) expect(run.main[0]?.json.candidate_ids).toBe(zebra.business_id);
});

test.each(['\u200b', '\u200f', '\u00ad'])(
	'an invisible character %j hides no company',
	async (mark) => {
		const service = await startService();
		const { name } = service.world.company(service.world.person(0).company);

		const run = await service.run(byName, [{ name: name + mark }]);

		expect(run.main[0]?.json.found).toBe(true);
	},
);

test('a rejected name takes one request, however many spellings of it the rows have', async () => {
	const service = await startService({ people: 20 });
	service.fault({ do: { kind: 'invalid', names: 'nothing' }, times: 'always' });
	const rows = ['Acme Inc', 'ACME INC', 'acme  inc'].map((name) => ({ name }));

	const run = await service.run(
		{ resource: 'business', operation: 'find', companyName: '={{ $json.name }}' },
		rows,
		CONTINUE,
	);

	expect(run.linkedErrors).toHaveLength(3);
	expect(run.error.map((item) => errorOf(item).field)).toEqual(rows.map(() => 'companyName'));
	expect(service.log.entries).toHaveLength(1);
});

describe("the service's own spelling of a name that no search finds", () => {
	const SUGGESTED = ['Silver Analytics', 'Silver Foods'];

	/** A service that finds the names, and suggests others. */
	const start = async (found: readonly string[], suggested: readonly string[] = SUGGESTED) => {
		const service = await startService({ people: 0 });
		service.change(
			(answer, { body }) => {
				const { filters } = body as { filters: { company_name: { values: string[] } } };
				const data = found
					.filter((name) => filters.company_name.values.includes(name))
					.map((name) => ({ business_id: `id of ${name}`, company_name: name }));
				return { ...answer, total_results: data.length, total_pages: 1, data };
			},
			{ when: { to: 'search' }, times: 'always' },
		);
		service.change(() => suggested.map((value) => ({ query: 'x', label: value, value })), {
			when: { to: 'autocomplete' },
			times: 'always',
		});
		return service;
	};
	const sent = ({ log }: Service) =>
		log.entries.map(({ endpoint, query, body }) =>
			endpoint === 'autocomplete'
				? query.query
				: (body as { filters: { company_name: IDataObject } }).filters.company_name.values,
		);

	test('is looked up and searched for', async () => {
		const service = await start(SUGGESTED);

		const run = await service.run(byName, [{ name: 'Silver-Analytics, Inc.' }]);

		expect(jsonOf(run.main)).toMatchObject([
			{ business_id: 'id of Silver Analytics', found: true, found_name: 'Silver Analytics' },
		]);
		expect(sent(service)).toEqual([
			expect.arrayContaining(['Silver-Analytics, Inc.', 'Silver-Analytics']),
			'Silver',
			['Silver Analytics'],
		]);
	});

	test('is a candidate if it is another name', async () => {
		const service = await start(SUGGESTED);

		const run = await service.run(byName, [{ name: 'Silver Trading' }, { name: 'Silver Trading' }]);

		const row = { business_id: null, found: false, candidate_names: SUGGESTED.join('; ') };
		expect(jsonOf(run.main)).toMatchObject([row, row]);
		expectOwnObjects(run.main);
		expect(service.log.entries).toHaveLength(2);
		expect(hintsOf(run)).toEqual([
			"2 rows not found. 2 requests. 1 duplicate wasn't sent again.",
			expect.stringMatching(/^2 rows fit no single company: candidate_names shows/),
		]);
	});

	test.each<[string, string[], string[], string, IDataObject, number]>([
		[
			'two of them are candidates',
			['Acme Inc.', 'Acme Ltd'],
			['Acme Inc.', 'Acme Ltd'],
			'Acme',
			{ found: false },
			3,
		],
		['the same name is not searched for again', [], ['Acme'], 'Acme', { found: false }, 2],
		['nothing is suggested', [], [], 'Acme', { found: false }, 2],
		['the name is found', ['Acme'], ['Acme Bank'], 'Acme', { found: true }, 1],
		['others are found', ['acme'], ['Acme'], 'Acme AG', { found: true }, 1],
		['a company without people', [], ['Acme, Inc.'], 'Acme', { found: false }, 3],
	])('%s', async (_what, found, suggested, name, row, requests) => {
		const service = await start(found, suggested);

		const run = await service.run(byName, [{ name }]);

		expect(jsonOf(run.main)).toMatchObject([row]);
		expect(service.log.entries).toHaveLength(requests);
	});

	test('is not looked up with the option off', async () => {
		const service = await start(SUGGESTED);
		const off = { options: { requests: { lookUpSpellings: false } } };

		const run = await service.run({ ...byName, ...off }, [{ name: 'Silver-Analytics' }]);

		expect(jsonOf(run.main)).toMatchObject([{ found: false }]);
		expect(service.log.entries).toHaveLength(1);
	});

	test('a failure says how to do without', async () => {
		const service = await startService({ people: 0 });
		service.fault({
			when: { to: 'autocomplete' },
			times: 'always',
			do: { kind: 'status', status: 403 },
		});

		const run = await service.run(byName, [{ name: 'Acme' }], CONTINUE);

		expect(errorOf(run.error[0]).message).toMatch(
			/HTTP 403.* turn off Look Up Spellings under Options > Requests\.$/,
		);
	});
});
