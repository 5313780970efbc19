import type { SearchFilter } from '../contract/requests';
import { searchFilters } from '../contract/requests';
import { startSandbox, type Sandbox } from '../sandbox';
import { LEVELS, placeLabel } from '../world/vocabulary';
import { ask, rowsOf } from './ask';

let sandbox: Sandbox;
const PEOPLE = 1_234;
beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: null, people: PEOPLE, companies: 40 });
});
afterAll(async () => {
	expect(sandbox.log.defects()).toEqual([]);
	await sandbox.close();
});

const search = async (body: object) => await ask(sandbox, 'search', { mode: 'full', ...body });
const total = async (filters: object) =>
	(await search({ filters, page_size: 1 })).body.total_results;

/** People of the world that pass a test, found without the sandbox's own filters. */
function people(test: (index: number) => boolean): number {
	return Array.from({ length: PEOPLE }, (_, index) => index).filter(test).length;
}

test('pages hold all people once, in order', async () => {
	const ids: Array<string | null> = [];
	for (let page = 1; page <= 13; page++) {
		const answer = await search({ page_size: 100, page });
		expect(answer.body).toMatchObject({ total_results: PEOPLE, total_pages: 13, page });
		ids.push(...rowsOf(answer).map(({ prospect_id }) => prospect_id));
	}
	expect(ids).toEqual(sandbox.world.prospectIds(PEOPLE));
	const beyond = await search({ page_size: 100, page: 14 });
	expect(beyond.body).toMatchObject({ total_results: PEOPLE, data: [] });
});

test('size counts for the number of pages, exclude leaves people out', async () => {
	expect((await search({ size: 25, page_size: 10 })).body).toMatchObject({ total_pages: 3 });
	const exclude = [0, 2, 5000].map(sandbox.world.prospectId);
	const answer = await search({ exclude, page_size: 2 });
	expect(answer.body.total_results).toBe(PEOPLE - 2);
	expect(rowsOf(answer).map(({ prospect_id }) => prospect_id)).toEqual(
		[1, 3].map(sandbox.world.prospectId),
	);
});

test.each([
	['shorter', [10, 10, 5, 0]],
	['empty', [10, 10, 0, 0]],
] as const)('the page that size cuts: %s', async (cutPage, expected) => {
	const service = await startSandbox({ rateLimit: null, people: 45, cutPage });
	const sizeOf = async (size: number, page: number) =>
		rowsOf(await ask(service, 'search', { mode: 'full', size, page_size: 10, page })).length;

	expect(await Promise.all([1, 2, 3, 4].map(async (page) => await sizeOf(25, page)))).toEqual(
		expected,
	);
	expect([await sizeOf(30, 3), await sizeOf(100, 5), await sizeOf(50, 5)]).toEqual([10, 5, 5]);
	await service.close();
});

test('each filter keeps the people that it should', async () => {
	const { world } = sandbox;
	const one = world.person(5);
	const company = world.company(one.company);
	const person = (index: number) => world.person(index);
	const companyOf = (index: number) => world.company(world.person(index).company);
	const { naics } = company.industry;
	const cases: Record<SearchFilter, [object, (index: number) => boolean]> = {
		has_email: [{ value: true }, (n) => ![8, 9].includes(n % 10)],
		has_phone_number: [{ value: false }, (n) => [7, 9].includes(n % 10)],
		job_title: [{ value: 'manager SALES' }, (n) => person(n).position.title === 'Sales Manager'],
		job_level: [
			{ values: [one.position.level] },
			(n) => person(n).position.level === one.position.level,
		],
		job_department: [
			{ values: ['sales', 'legal'] },
			(n) => ['sales', 'legal'].includes(person(n).position.department),
		],
		business_id: [{ values: [company.id] }, (n) => person(n).company === one.company],
		prospect_id: [{ values: [world.prospectId(3), world.unknownProspectId()] }, (n) => n === 3],
		country_code: [{ values: ['us', 'de'] }, (n) => /us|de/.test(person(n).place.countryCode)],
		region_country_code: [{ values: ['us-ca'] }, (n) => person(n).place.regionCode === 'us-ca'],
		city_region_country: [
			{ values: [placeLabel(one.place)] },
			(n) => person(n).place.city === one.place.city,
		],
		company_country_code: [{ values: ['us'] }, (n) => companyOf(n).place.countryCode === 'us'],
		company_region_country_code: [
			{ values: [company.place.regionCode] },
			(n) => companyOf(n).place.regionCode === company.place.regionCode,
		],
		company_size: [{ values: [company.size] }, (n) => companyOf(n).size === company.size],
		company_revenue: [
			{ values: [company.revenue] },
			(n) => companyOf(n).revenue === company.revenue,
		],
		search_category: [
			{ values: [company.industry.search] },
			(n) => companyOf(n).industry === company.industry,
		],
		network_category: [
			{ values: [company.industry.network] },
			(n) => companyOf(n).industry === company.industry,
		],
		naics_category: [
			{ values: [naics.slice(0, 2)] },
			(n) => companyOf(n).industry.naics.startsWith(naics.slice(0, 2)),
		],
		company_name: [{ values: [company.name] }, (n) => person(n).company === one.company],
		total_experience_months: [
			{ gte: 100, lte: 200 },
			(n) => person(n).totalExperienceMonths >= 100 && person(n).totalExperienceMonths <= 200,
		],
		current_role_months: [{ lte: 12 }, (n) => person(n).currentRoleMonths <= 12],
	};
	expect(Object.keys(cases)).toEqual(Object.keys(searchFilters));
	for (const [name, [filter, test]] of Object.entries(cases)) {
		const expected = people(test);
		expect([name, expected > 0, await total({ [name]: filter })]).toEqual([name, true, expected]);
	}
});

test('filters combine with AND, and nobody left is a miss', async () => {
	const filters = { has_email: { value: false }, has_phone_number: { value: true } };
	expect(await total(filters)).toBe(people((n) => n % 10 === 8));
	const nobody = await search({ filters: { company_name: { values: ['No Such Company'] } } });
	expect(nobody.body).toMatchObject({
		total_results: 0,
		total_pages: 0,
		data: [],
		response_context: { request_status: 'miss' },
	});
});

test('levels also go by their other forms, titles widen to related ones', async () => {
	expect(await total({ job_level: { values: ['vp'] } })).toBe(
		await total({ job_level: { values: ['vice president'] } }),
	);
	expect(LEVELS['c-suite']).toBe('cxo');
	const exact = Number(await total({ job_title: { value: 'account manager' } }));
	const related = Number(
		await total({ job_title: { value: 'account manager', include_related_job_titles: true } }),
	);
	expect(related).toBeGreaterThan(exact);
});

test('suggested values find people', async () => {
	const fields: Array<[Parameters<typeof ask>[2], SearchFilter]> = [
		[{ field: 'country', query: 'united' }, 'country_code'],
		[{ field: 'region_country_code', query: 'calif' }, 'company_region_country_code'],
		[{ field: 'city_region_country', query: 'ber' }, 'city_region_country'],
		[{ field: 'company_name', query: 'amber' }, 'company_name'],
		[{ field: 'naics_category', query: 'bank' }, 'naics_category'],
		[{ field: 'job_level', query: 'manager' }, 'job_level'],
	];
	for (const [query, filter] of fields) {
		const { body } = await ask(sandbox, 'autocomplete', query);
		const values = (body as unknown as Array<{ value: string }>).map(({ value }) => value);
		expect(await total({ [filter]: { values } })).toBeGreaterThan(0);
	}
	const { body } = await ask(sandbox, 'autocomplete', { field: 'country', query: 'germ' });
	expect(body).toEqual([{ query: 'germ', label: 'Germany', value: 'de' }]);
});

test('semantic search of topics finds more than the text', async () => {
	const topics = async (semantic_search: string) => {
		const query = { field: 'business_intent_topics', query: 'zero trust', semantic_search };
		return (await ask(sandbox, 'autocomplete', query)).body as unknown as unknown[];
	};
	expect(await topics('false')).toHaveLength(1);
	expect((await topics('true')).length).toBeGreaterThan(1);
});

test('20 pages of 56,000 matches take less work than one pass over all people', async () => {
	const large = await startSandbox({ people: 70_000, rateLimit: null });
	const filters = { has_email: { value: true } };
	const page = async (number: number) =>
		await ask(large, 'search', { mode: 'full', page_size: 100, page: number, filters });
	// Each person who is looked at, or comes out, has a company.
	let lookups = 0;
	const { company } = large.world;
	Object.assign(large.world, { company: (index: number) => (lookups++, company(index)) });
	await page(1);
	const first = lookups;
	for (let number = 1; number <= 20; number++) await page(number * 28);
	expect(first).toBeGreaterThan(70_000);
	expect(lookups - first).toBeLessThan(first);
	expect((await page(560)).body).toMatchObject({ total_results: 56_000, total_pages: 560 });
	await large.close();
});
