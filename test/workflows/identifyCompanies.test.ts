/** Which company a row means: Find, and companies by name or by a person in Enrich and Get Events. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { professionalEmail } from '../sandbox/world/prospect-data';
import type { World } from '../sandbox/world/world';
import {
	CONTINUE,
	expectOwnObjects,
	hintsOf,
	jsonOf,
	numbered,
	type Service,
	startService,
} from './service';

const endpoints = ({ log }: Service) => log.entries.map(({ endpoint }) => endpoint);
const bodies = ({ log }: Service) => log.entries.map(({ body }) => body as IDataObject);

const NOBODY = 'nobody@nowhere.example';

/** The companies for which the service knows people, as indexes. */
const knownCompanies = (world: World): number[] => [
	...new Set(Array.from({ length: world.people }, (_, index) => world.person(index).company)),
];
const foundRow = (world: World, index: number) => ({
	found_name: world.company(index).name,
	found_website: world.company(index).website,
	found: true,
	business_id: world.businessId(index),
});
const NO_CANDIDATES = { candidate_names: null, candidate_ids: null };
const NOT_FOUND = { found_name: null, found_website: null, found: false, business_id: null };

/** A service that finds people of these companies, however they are searched for. */
async function startWith(companies: readonly IDataObject[], more?: IDataObject) {
	const service = await startService();
	const data = companies.map((company, at) => ({
		prospect_id: service.world.prospectId(at),
		...company,
	}));
	service.change((answer) => ({ ...answer, total_results: data.length, ...more, data }), {
		when: { to: 'search' },
		times: 'always',
	});
	return service;
}
const company = (id: string | null, name: string | null, site: string | null = null) => ({
	business_id: id,
	company_name: name,
	company_website: site,
});

const business =
	(identifyBy: string) =>
	(operation: string, more: INodeParameters = {}): INodeParameters => ({
		resource: 'business',
		operation,
		identifyBy,
		companyName: '={{ $json.name }}',
		website: '={{ $json.site }}',
		prospectId: '={{ $json.id }}',
		workEmail: '={{ $json.email }}',
		dataSets: ['fundingAndAcquisition'],
		...more,
	});
const byName = business('companyName');
const byId = business('prospectId');
const byEmail = business('workEmail');
const find = byName('find');

const nameOf = ({ world }: Service, index: number) => world.company(index).name;
/** A service, and three companies that it finds. */
const start = async () => {
	const service = await startService();
	const [one = 0, two = 0, three = 0] = knownCompanies(service.world);
	return { service, one, two, three };
};
/** A service that finds these names, each with so many people, and suggests others for any other name. */
const startSuggesting = async (people: Record<string, number>, suggested: readonly string[]) => {
	const service = await startService();
	service.change(
		(answer, { body }) => {
			const { filters, page_size: size } = body as IDataObject;
			const { values } = (filters as IDataObject).company_name as { values: string[] };
			const rows = Object.entries(people)
				.filter(([name]) => values.includes(name))
				.flatMap(([name, count]) => Array<IDataObject>(count).fill(company(`id of ${name}`, name)));
			return { ...answer, total_results: rows.length, data: rows.slice(0, Number(size)) };
		},
		{ when: { to: 'search' }, times: 'always' },
	);
	service.change(() => suggested.map((value) => ({ query: 'x', label: value, value })), {
		when: { to: 'autocomplete' },
		times: 'always',
	});
	return service;
};

test('spellings of a name share a request that has all of them, whatever the service compares', async () => {
	const { service, one } = await start();
	const name = nameOf(service, one);
	const spellings = [name.toUpperCase(), name, name.replace(' ', '  '), `${name}\u200b`];
	const rows = numbered(spellings.map((spelling) => ({ name: spelling })));

	const run = await service.run({ ...find, simplify: false }, rows);

	expect(bodies(service)).toMatchObject([
		{ filters: { company_name: { values: [name.toUpperCase(), name, name.toLowerCase()] } } },
	]);
	expect(jsonOf(run.main)).toMatchObject(rows.map(() => foundRow(service.world, one)));
	expectOwnObjects(run.main);
});

test('a name with and without its legal form is found, each by a search of its own', async () => {
	const { service, one } = await start();
	const names = ['', ', Inc.', ' Incorporated', ' AG', ' Pty Ltd', ' & Co.'].map(
		(form) => nameOf(service, one) + form,
	);

	const run = await service.run(find, numbered(names.map((name) => ({ name }))));

	// Where only the name without the form is found, the service may have a spelling with it.
	expect(endpoints(service).sort()).toEqual([
		...names.slice(1).map(() => 'autocomplete'),
		// People of the name without the form may have filled the first page.
		...[...names, ...names.slice(1)].map(() => 'search'),
	]);
	expect(jsonOf(run.main)).toMatchObject(names.map(() => foundRow(service.world, one)));
});

test('rows of one name with different websites share a request, and each is decided alone', async () => {
	const service = await startWith([
		company('a1', 'Acme', 'https://www.acme.example/en'),
		// Of the same company, not everyone's row has the website.
		company('b2', 'Acme'),
		company('b2', 'Acme', 'acme.test'),
	]);
	const sites = ['ACME.example', 'http://acme.test/about?x=1', '', 'acme.invalid'];

	const run = await service.run(find, numbered(sites.map((site) => ({ name: 'Acme', site }))));

	expect(endpoints(service)).toEqual(['search', 'autocomplete']);
	const candidate_names = 'Acme (https://www.acme.example/en); Acme (acme.test)';
	const undecided = { ...NOT_FOUND, candidate_names, candidate_ids: 'a1; b2' };
	expect(jsonOf(run.main)).toMatchObject([
		{ found_website: 'https://www.acme.example/en', business_id: 'a1', candidate_ids: null },
		{ found_website: 'acme.test', business_id: 'b2', candidate_names: null },
		...[undecided, undecided],
	]);
	expect(hintsOf(run)).toEqual([
		'4 rows: 2 found, 2 not found. 2 requests, 3 records (3 people searched).',
		expect.stringMatching(/^2 rows fit no single company: candidate_names.*website/),
	]);
});

describe('which of the companies found is the one that is meant', () => {
	const bank = company('a1', 'Acme Bank', 'acme-bank.com');
	const capitals = company('b2', 'ACME  ');
	const acme = company('b2', 'Acme', 'https://acme.example');
	const nameless = company('c3', null, 'https://holding.example');
	const shop = company('d4', 'Acme Shop', 'www.holding.example');
	const without = company(null, 'Nobody', 'nobody.com');
	const PEOPLE = [bank, capitals, acme, nameless, shop, without];

	const plain = company('s1', 'Silver Analytics', 'https://silver.example');
	const formal = company('s2', 'Silver Analytics Inc.', 'silver-inc.example');
	const other = company('s3', 'Silver Analytics Ltd', 'silver.test');
	const store = company('s4', 'Silver Analytics', 'shop.silver.example');
	const mobile = company('s5', 'Silver Analytics', 'm.silver.example');
	const zebra = company('z1', 'Zebra Pizza', 'https://network.example/zebrapizza');

	test.each<[string, string, string, IDataObject[], string | null]>([
		['only the exact name fits', 'acme', '', PEOPLE, 'b2'],
		['full-width letters are equal', 'Ａｃｍｅ', '', PEOPLE, 'b2'],
		['a website decides against the name', 'Acme', 'acme-bank.com', PEOPLE, 'a1'],
		['with one website, the name decides', 'ACME SHOP', 'holding.example', PEOPLE, 'd4'],
		['otherwise they are candidates', 'Acme', 'holding.example', [nameless, shop], null],
		['a person without a business ID is no candidate', 'Nobody', '', [bank, without], null],
		['the only one that is alike', 'Silver-Analytics, Inc.', '', [plain], 's1'],
		['the same legal form wins', 'Silver Analytics, Inc', '', [plain, formal], 's2'],
		['the exact name in another case wins', 'SILVER ANALYTICS INC.', '', [plain, formal], 's2'],
		['an exact name without a legal form wins', 'Silver Analytics', '', [formal, plain], 's1'],
		['two that are alike', 'Silver & Analytics GmbH', '', [plain, store], null],
		['another legal form', 'Silver Analytics AG', '', [other], null],
		['a website decides against the form', 'Silver Analytics AG', 'silver.test', [other], 's3'],
		['a website decides', 'Silver-Analytics', 'silver.example', [formal, plain], 's1'],
		['a subdomain agrees', 'Silver-Analytics', 'de.silver.example', [formal, plain], 's1'],
		['not with another name', 'Silver Analytics AG', 'de.silver.example', [formal, plain], null],
		["the service's subdomain agrees", 'Silver-Analytics', 'silver.example', [store], 's4'],
		['the same host wins', 'Silver Analytics', 'shop.silver.example', [plain, store], 's4'],
		['two in one domain', 'Silver-Analytics', 'silver.example', [store, mobile], null],
		['a domain alone is not enough', 'Silver Foods', 'de.silver.example', [plain], null],
		['another website decides against a name', 'Silver Analytics', 'x.example', [plain], null],
		['an address that only ends like it', 'Silver Analytics', 'ver.example', [plain], null],
		['another page of a social network', 'Acme', 'network.example/acme', [zebra], null],
		['the same page', 'Acme', 'https://www.network.example/ZebraPizza/', [zebra], 'z1'],
		['the host of the page alone', 'Acme', 'network.example', [zebra], 'z1'],
		['a link', 'x', '[site](https://acme-bank.com/)', [bank, shop], 'a1'],
	])('%s: %s, %s', async (_what, name, site, people, id) => {
		const service = await startWith(people);

		const run = await service.run(find, [{ name, site }]);

		const ids = [...new Set(people.flatMap(({ business_id: own }) => own ?? []))].join('; ');
		expect(jsonOf(run.main)).toMatchObject([
			{ business_id: id, found: id !== null, candidate_ids: id === null ? ids : null },
		]);
	});
});

test.each<[name: string, people: Record<string, number>, found: string | null]>([
	['Acme Inc', { Acme: 1, 'Acme, Inc.': 1 }, 'Acme, Inc.'],
	['Acme AG', { Acme: 1, 'Acme Aktiengesellschaft': 1 }, 'Acme Aktiengesellschaft'],
	['Acme AG', { Acme: 1, 'Acme Ltd': 1 }, 'Acme'],
	['Acme Inc', { Acme: 1, 'Acme, Inc.': 1, 'Acme Incorporated.': 1 }, null],
])(
	'%s among %j: a spelling that is closer wins, for 3 requests at most',
	async (name, people, found) => {
		const service = await startSuggesting(people, Object.keys(people));

		const run = await service.run(find, [{ name }]);

		expect(jsonOf(run.main)).toMatchObject([{ found_name: found }]);
		expect(service.log.entries.length).toBeLessThanOrEqual(3);
	},
);

test('with Stop Workflow, nothing is bought for any row after an ID that is none', async () => {
	const service = await startWith([company('a'.repeat(32), 'Acme'), company('b2', 'Bolt')]);

	const run = await service.run(byName('enrich'), [{ name: 'Acme' }, { name: 'Bolt' }]);

	expect(run.failureText).toContain('"b2" for this row, which is not');
	expect(new Set(endpoints(service))).toEqual(new Set(['search']));
});

test.each<[what: string, Record<string, number>, rows: IDataObject[], Array<string | null>]>([
	['of another form', { Acme: 30, 'Acme AG': 1 }, [{ name: 'Acme AG' }], ['Acme AG']],
	[
		'of another form',
		{ 'Acme Inc': 30, Acme: 5 },
		[{ name: 'Acme' }, { name: 'Acme Inc' }],
		['Acme', 'Acme Inc'],
	],
	[
		'searched for because of another row',
		{ Acme: 5, ACME: 1 },
		[{ name: 'Acme' }, { name: 'Acme', site: 'x.example' }],
		['Acme', null],
	],
])('people %s do not change who is found: %j', async (_, people, rows, found) => {
	const service = await startSuggesting(people, []);

	const run = await service.run(find, rows);

	expect(jsonOf(run.main).map(({ found_name: name }) => name)).toEqual(found);
});

describe("a name that no search finds: the service's own spelling", () => {
	const SUGGESTED = ['Silver Analytics', 'Silver Foods'];
	const FORMS = ['Acme Inc.', 'Acme Ltd'];

	test('is looked up and searched for', async () => {
		const service = await startSuggesting({ 'Silver Analytics': 1 }, SUGGESTED);

		const run = await service.run(find, [{ name: 'Silver,Analytics, Inc.' }]);

		expect(jsonOf(run.main)).toMatchObject([
			{ business_id: 'id of Silver Analytics', found: true, found_name: 'Silver Analytics' },
		]);
		const [first, second, third] = service.log.entries;
		expect(first?.body).toMatchObject({
			filters: { company_name: { values: expect.arrayContaining(['Silver,Analytics']) } },
		});
		expect(second?.query).toMatchObject({ field: 'company_name', query: 'Silver' });
		expect(third?.body).toMatchObject({
			filters: { company_name: { values: ['Silver Analytics'] } },
		});
	});

	test('is a candidate if it is another name', async () => {
		const service = await startSuggesting({}, SUGGESTED);

		const run = await service.run(
			{ ...find, simplify: false },
			numbered([{ name: 'Silver Trading' }, { name: 'Silver Trading' }]),
		);

		const candidates = SUGGESTED.map((name) => company(null, name));
		expect(jsonOf(run.main)).toMatchObject([
			{ found: false, candidates },
			{ found: false, candidates },
		]);
		expectOwnObjects(run.main);
		expect(endpoints(service)).toEqual(['search', 'autocomplete']);
	});

	test.each<[string, string[], string[], string, boolean, number]>([
		['two legal forms are candidates', FORMS, FORMS, 'Acme', false, 3],
		['nothing is suggested', [], [], 'Acme', false, 2],
		['the name is found', ['Acme'], ['Acme Bank'], 'Acme', true, 1],
		['the name without its form is found', ['acme'], ['Acme'], 'Acme AG', true, 2],
		['a company without people', [], ['Acme, Inc.'], 'Acme', false, 3],
	])('%s', async (_what, known, suggested, name, found, requests) => {
		const service = await startSuggesting(
			Object.fromEntries(known.map((one) => [one, 1])),
			suggested,
		);

		const run = await service.run(find, [{ name }]);

		expect(jsonOf(run.main)).toMatchObject([{ found }]);
		expect(service.log.entries).toHaveLength(requests);
	});
});

test('a row without a name is blank, and stops nothing; one that is not found can be dropped', async () => {
	const { service, one } = await start();
	const site = 'acme.example';
	const names = ['https://acme.example', 'Nowhere, Inc.', nameOf(service, one)];
	const blank = [{}, { name: ' \u200b' }, { name: 'N/A', site: '-' }, { site }];
	const rows = [...blank, ...names.map((name) => ({ name }))];

	const run = await service.run(find, numbered(rows));
	const dropped = await service.run(
		{ ...find, options: { dropRowsWithoutData: true } },
		numbered(rows),
	);

	expect(run.linked).toEqual([...rows.keys()]);
	expect(jsonOf(run.main)).toMatchObject([
		...Array<object>(6).fill(NOT_FOUND),
		foundRow(service.world, one),
	]);
	expect(service.log.count('search').requests).toBe(2 + 2);
	expect(hintsOf(run)).toEqual([
		'7 rows: 1 found, 1 not found, 4 without a company name, 1 without a company name, but with a website. 3 requests, 5 records (5 people searched).',
		"4 rows without a company name weren't requested. Fill in Company Name.",
	]);
	expect(dropped.linked).toEqual([6]);
	expect(hintsOf(dropped)[0]).toMatch(/ 6 rows were left out\.$/);
});

test('a rejected name takes one request, however many spellings of it the rows have', async () => {
	const service = await startService();
	service.fault({ do: { kind: 'invalid', names: 'nothing' }, times: 'always' });
	const rows = ['Acme Inc', 'ACME INC', 'acme  inc'].map((name) => ({ name }));

	const run = await service.run(find, numbered(rows), CONTINUE);

	expect(run.linkedErrors).toEqual([0, 1, 2]);
	expect(run.error.map((item) => errorOf(item).field)).toEqual(rows.map(() => 'companyName'));
	expect(service.log.entries).toHaveLength(1);
});

test('each search is up to 25 records of a limit and an estimate; a company is another, once for each website', async () => {
	const { service, one, two } = await start();
	const [name = '', last = ''] = [one, two].map((index) => nameOf(service, index));
	const items = numbered([
		{ name },
		{ name: name.toUpperCase(), site: 'n/a' },
		{ name, site: 'one.example' },
		{ name, site: 'ONE.example/' },
		{ name, site: 'two.example' },
		{ name: last },
	]);

	const estimate = await service.run(byName('enrich', { options: { estimateOnly: true } }), items);
	expect(service.log.entries).toEqual([]);
	expect(jsonOf(estimate.main)).toMatchObject([
		{ records: 6 * 26, unique_records: 2 * 25 + 4, requests: 2 * 3 + 1, at_most: true },
	]);

	const run = await service.run(byName('enrich', { maxRecordsToPay: 28 }), items, CONTINUE);
	expect([run.linked, run.linkedErrors]).toEqual([[0, 1, 2, 3, 4], [5]]);
	expect(endpoints(service)).toEqual([
		...['search', 'autocomplete', 'search'],
		'fundingAndAcquisition',
	]);
});

const UNKNOWN_ID = 'f'.repeat(40);
const emailOf = ({ world }: Service, person: number) =>
	professionalEmail(world.person(person), world.company(world.person(person).company));
/** People whose email the service knows, as indexes. */
const reachable = (service: Service): number[] =>
	[...Array(service.world.people).keys()].filter((person) => emailOf(service, person) !== null);
const rowOf = ({ world }: Service, person: number) => ({
	...foundRow(world, world.person(person).company),
	...NO_CANDIDATES,
	prospect_id: world.prospectId(person),
});
const NO_COMPANY = { ...NOT_FOUND, ...NO_CANDIDATES, prospect_id: null };
const itemsOf = (service: Service, ...people: number[]) =>
	numbered(
		people.map((person) => ({
			id: service.world.prospectId(person),
			email: emailOf(service, person),
		})),
	);

test('75 emails of 60 people at 10 companies: each person is matched once, and each company enriched once', async () => {
	const service = await startService({ people: 100, companies: 10 });
	const { world, log } = service;
	const people = reachable(service).slice(0, 60);
	const rows = [...people, ...people.slice(0, 15)];
	const items = itemsOf(service, ...rows);
	const byEmails = byEmail('enrich', { dataSets: ['fundingAndAcquisition', 'intent'] });

	const estimate = await service.run({ ...byEmails, options: { estimateOnly: true } }, items);
	expect(log.entries).toEqual([]);
	const run = await service.run(byEmails, items);

	expect(log.count('match')).toMatchObject({ requests: 2, ids: 60, unique: 60 });
	expect(log.count('search')).toMatchObject({ requests: 1, ids: 60, unique: 60 });
	for (const name of ['fundingAndAcquisition', 'intent']) {
		expect(log.count(name)).toEqual({ requests: 1, ids: 10, unique: 10, repeated: [] });
	}
	expect(run.linked).toEqual(items.map(({ row }) => row));
	expect(jsonOf(run.main).map(({ business_id: id, found }) => [id, found])).toEqual(
		rows.map((person) => [world.businessId(world.person(person).company), true]),
	);
	expect(hintsOf(run)[0]).toMatch(
		/ 5 requests, 140 records \(60 matches, 60 people searched\)\. 65 duplicates weren't sent again/,
	);
	expect(jsonOf(estimate.main)).toMatchObject([
		{ unique_records: 4 * 60, requests: 2 + 1 + 2 * 2, at_most: true },
	]);
	expect(hintsOf(estimate)[0]).toContain('takes at most 7 requests for 240 records.');
});

test('Find by prospect ID: 100 people per request, without a match', async () => {
	const service = await startService({ people: 150, companies: 40 });
	const people = Array.from({ length: 160 }, (_, row) => row % 150);
	const others = [{ id: UNKNOWN_ID }, { id: 'n/a' }];

	const run = await service.run(
		byId('find'),
		numbered([...itemsOf(service, ...people), ...others]),
	);

	expect(endpoints(service)).toEqual(['search', 'search']);
	expect(jsonOf(run.main)).toEqual([
		...people.map((person) => rowOf(service, person)),
		{ ...NO_COMPANY, prospect_id: UNKNOWN_ID },
		NO_COMPANY,
	]);
	expect(run.linked).toEqual([...Array(162).keys()]);
	expect(hintsOf(run)[0]).toBe(
		"162 rows: 160 found, 1 not found, 1 without a prospect ID. 2 requests, 150 records (150 people searched). 10 duplicates weren't sent again.",
	);
});

test('Find by work email: matched, then searched; blank rows pass', async () => {
	const service = await startService();
	const [one = 0, two = 0] = reachable(service);
	const [first = {}, second = {}] = itemsOf(service, one, two);
	const again = { email: ` ${emailOf(service, one)}` };
	const rows = [first, { email: NOBODY }, second, again, { email: '-' }, { email: 'reception' }];

	const run = await service.run(byEmail('find'), numbered(rows));

	expect(endpoints(service)).toEqual(['match', 'search']);
	const own = rowOf(service, one);
	expect(jsonOf(run.main)).toEqual([
		...[own, NO_COMPANY, rowOf(service, two), own, NO_COMPANY, NO_COMPANY],
	]);
	expect(hintsOf(run)[0]).toBe(
		"6 rows: 3 found, 1 not found, 2 without a work email. 2 requests, 5 records (2 people searched). 1 duplicate wasn't sent again.",
	);
});

test('a person whose company has no ID is not found, and nothing is guessed', async () => {
	const service = await startService();
	service.change(
		(answer) => ({
			...answer,
			data: (answer.data as IDataObject[]).map((row) => ({ ...row, business_id: null })),
		}),
		{ when: { to: 'search' }, times: 'always' },
	);
	const items = itemsOf(service, ...reachable(service).slice(0, 1));

	for (const parameters of [byId('find'), byEmail('find')]) {
		const run = await service.run(parameters, items);
		expect(jsonOf(run.main)).toEqual([{ ...NO_COMPANY, prospect_id: items[0]?.id }]);
	}
});

test('people that a response lacks are an error, not "not found"', async () => {
	const service = await startService();
	service.change((answer) => ({ ...answer, data: (answer.data as unknown[]).slice(1) }));

	const run = await service.run(byId('find'), itemsOf(service, 1, 2), CONTINUE);

	expect([run.linkedErrors, run.linked]).toEqual([[0], [1]]);
	expect(errorOf(run.error[0]).message).toMatch(/lacks the people that it reports/);

	service.change(() => ({ data: [], total_results: 5 }));
	const named = await service.run(find, [{ name: 'Acme' }], CONTINUE);
	expect(errorOf(named.error[0]).message).toMatch(/lacks the people that it reports/);
});

test('one ID that the service rejects fails its row only', async () => {
	const service = await startService();
	const items = itemsOf(service, ...Array(20).keys());
	service.fault({
		when: ({ body }) => JSON.stringify(body).includes(items[7]?.id ?? ''),
		times: 'always',
		do: { kind: 'invalid', names: 'text' },
	});

	const run = await service.run(byId('find'), items, CONTINUE);

	expect(run.linkedErrors).toEqual([7]);
	expect(errorOf(run.error[0])).toMatchObject({ field: 'prospectId', status: 422 });
	expect(run.linked).toHaveLength(19);
});

test('Find: the limit and the estimate count the matches and the people searched', async () => {
	const service = await startService();
	const items = itemsOf(service, ...reachable(service).slice(0, 3));

	const estimate = await service.run(byEmail('find', { options: { estimateOnly: true } }), items);
	expect(service.log.entries).toEqual([]);
	const run = await service.run(byEmail('find', { maxRecordsToPay: 4 }), items, CONTINUE);
	const byPerson = await service.run(byId('find', { options: { estimateOnly: true } }), items);

	expect(jsonOf(estimate.main)).toEqual([
		{
			...{ records: 6, unique_records: 6, requests: 2, at_most: true, records_over_limit: 0 },
			...{ known_credits: 0, without_known_price: 'Matches, People searched' },
		},
	]);
	expect([run.linked, run.linkedErrors]).toEqual([[0, 1], [2]]);
	expect(service.log.count('match')).toMatchObject({ requests: 1, ids: 2 });
	expect(jsonOf(byPerson.main)).toMatchObject([{ records: 3, requests: 1 }]);
});

test.each(['find', 'enrich'])(
	'%s: a search that fails keeps the prospect ID that was matched',
	async (operation) => {
		const service = await startService();
		const [person = 0] = reachable(service);
		service.fault({
			when: { to: 'search' },
			times: 'always',
			do: { kind: 'status', status: 422 },
		});

		const run = await service.run(byEmail(operation), itemsOf(service, person), CONTINUE);

		const { message, field, prospect_id } = errorOf(run.error[0]) as unknown as IDataObject;
		expect([field, prospect_id]).toEqual([undefined, service.world.prospectId(person)]);
		expect(message).toContain('HTTP 422');
	},
);
