import type { EndpointName } from '../contract/contract';
import { exampleRequest } from '../contract/examples';
import { AUTOCOMPLETE_FIELDS } from '../contract/limits';
import { startSandbox, type Sandbox } from '../sandbox';
import { ask } from './ask';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: null, now: () => new Date('2026-03-20T12:00:00Z') });
});
afterAll(async () => {
	expect(sandbox.log.defects()).toEqual([]);
	await sandbox.close();
});

const example = (name: EndpointName) => exampleRequest(name, sandbox.world);

describe('values at and over their bounds', () => {
	const p = (change: object, rest: object = {}) => ({ parameters: change, ...rest });
	const cases: Array<[EndpointName, string, object, number]> = [
		['search', 'page_size 100', { page_size: 100 }, 200],
		['search', 'page_size 101', { page_size: 101 }, 422],
		['search', 'page_size 0', { page_size: 0 }, 422],
		['search', 'size 60000', { size: 60_000 }, 200],
		['search', 'size 60001', { size: 60_001 }, 422],
		['search', 'page 0', { page: 0 }, 422],
		['search', 'another mode', { mode: 'light' }, 422],
		['search', 'size as text', { size: '10' }, 422],
		['search', 'next_cursor null', { next_cursor: null }, 200],
		['search', 'next_cursor text', { next_cursor: 'abc' }, 200],
		['search', 'exclude null', { exclude: null }, 200],
		['search', 'exclude no ids', { exclude: ['abc'] }, 422],
		['search', 'parameters', { parameters: {} }, 422],
		['intent', 'min_score 61', p({ min_score: 61 }), 200],
		['intent', 'min_score 60', p({ min_score: 60 }), 422],
		['intent', 'min_score 70.5', p({ min_score: 70.5 }), 422],
		['intent', 'min_score null', p({ min_score: null }), 422],
		['intent', 'topic_parameters', p({ topic_parameters: ['a: b'] }), 422],
		['websiteTraffic', 'first month', p({ month_period: '2017-01' }), 200],
		['websiteTraffic', 'the month before it', p({ month_period: '2016-12' }), 422],
		['websiteTraffic', 'previous month', p({ month_period: '2026-02' }), 200],
		['websiteTraffic', 'this month', p({ month_period: '2026-03' }), 422],
		['websiteTraffic', 'month 13', p({ month_period: '2020-13' }), 422],
		['technologyStack', 'parameters of intent', p({ topics: [] }), 422],
		['contacts', 'one contact type', p({ contact_types: ['email'] }), 200],
		['contacts', 'no contact type', p({ contact_types: [] }), 422],
		['contacts', 'another contact type', p({ contact_types: ['fax'] }), 422],
		['contactsBulk', 'contact types', p({ contact_types: ['email'] }), 422],
		['postsBulk', 'offline_mode as text', p({ offline_mode: 'true' }), 200],
		['postsBulk', 'offline_mode as boolean', p({ offline_mode: true }), 422],
		['prospectEvents', 'no event type', { event_types: [] }, 422],
		['prospectEvents', 'business event', { event_types: ['new_product'] }, 422],
		['businessEvents', 'any event type', { event_types: ['new_mascot'] }, 200],
		['businessEvents', 'no event type', { event_types: [] }, 422],
		['businessEvents', 'date', { timestamp_from: '2026-02-01' }, 200],
		['businessEvents', 'time', { timestamp_from: '2026-02-01T00:00:00.123+02:00' }, 200],
		['businessEvents', 'time before the window', { timestamp_from: '2020-02-01' }, 200],
		['businessEvents', 'no date', { timestamp_from: 'yesterday' }, 422],
		['businessEvents', 'a day that does not exist', { timestamp_to: '2026-02-30' }, 422],
		['businessEvents', 'entity type', { entity_type: 'business' }, 200],
		['businessEvents', 'another entity type', { entity_type: 'city' }, 422],
		['stats', 'two category filters', stats('search_category', 'naics_category'), 422],
		['stats', 'one category filter', stats('search_category', 'company_age'), 200],
		['stats', 'filter without type', { filters: { company_size: { values: [] } } }, 422],
		['autocomplete', 'semantic_search true', { semantic_search: 'true' }, 200],
		['autocomplete', 'semantic_search yes', { semantic_search: 'yes' }, 422],
		['autocomplete', 'another field', { field: 'planet' }, 422],
		['credits', 'unknown zone', { timezone: 'Mars/Base' }, 422],
		['credits', 'zone', { timezone: 'Asia/Kolkata' }, 200],
		['credits', 'timely without resolution', { resolution: undefined }, 422],
		['credits', 'endpoints without resolution', { mode: 'endpoints', resolution: undefined }, 200],
		['credits', 'a date without time', { from_date: '2025-03-01' }, 422],
		['credits', '7 days of hours', credits('hour', '2025-03-08T00:00:00Z'), 200],
		['credits', '7 days and a second', credits('hour', '2025-03-08T00:00:01Z'), 422],
		['credits', '60 days', credits('day', '2025-04-30T00:00:00Z'), 200],
		['credits', '60 days and a second', credits('day', '2025-04-30T00:00:01Z'), 422],
		['credits', '2 years', credits('month', '2027-03-01T00:00:00Z'), 200],
		['credits', '2 years and a second', credits('month', '2027-03-01T00:00:01Z'), 422],
		['credits', '2 years of the zone, but more in UTC', berlin('2024-03-01T00:00:00+01:00'), 422],
		['credits', '2 years in UTC, whatever the zone', berlin('2024-02-29T00:00:00+01:00'), 200],
		['credits', '2 years from a leap day', leapDay('2026-02-28T00:00:00Z'), 200],
		['credits', '2 years from a leap day and a second', leapDay('2026-02-28T00:00:01Z'), 422],
	];
	function stats(...filters: string[]) {
		return {
			filters: Object.fromEntries(filters.map((name) => [name, { type: 'includes', values: [] }])),
		};
	}
	function credits(resolution: string, to_date: string) {
		return { resolution, to_date };
	}
	function berlin(to_date: string) {
		const from_date = '2022-03-01T00:00:00+01:00';
		return { resolution: 'month', timezone: 'Europe/Berlin', from_date, to_date };
	}
	function leapDay(to_date: string) {
		return { resolution: 'month', from_date: '2024-02-29T00:00:00Z', to_date };
	}
	test.each(cases)('%s: %s', async (name, _case, change, status) => {
		expect((await ask(sandbox, name, { ...example(name), ...change })).status).toBe(status);
	});
});

test('credit aggregation says so when the dates are the wrong way round', async () => {
	const dates = { from_date: '2025-03-03T00:00:00Z', to_date: '2025-03-03T00:00:00Z' };
	const answer = await ask(sandbox, 'credits', { ...example('credits'), ...dates });
	expect(answer.status).toBe(400);
	expect(answer.body).toMatchObject({
		response_context: { request_status: 'failure' },
		error: { code: 'INVALID_DATE_RANGE', message: expect.any(String), details: dates },
	});
});

describe('match items', () => {
	const cases: Array<[string, object, string[]]> = [
		['an email', { email: 'a@b.example' }, []],
		['unsent members as null', { email: 'a@b.example', phone_number: null }, []],
		['name and company', { full_name: 'A B', company_name: 'C' }, []],
		['a business ID alone', { business_id: 'a'.repeat(32) }, ['']],
		['nothing', {}, ['']],
		['blanks', { email: ' ' }, ['']],
		['a name without company', { full_name: 'A B', email: 'a@b.example' }, ['.company_name']],
		['a company without name', { company_name: 'C' }, ['.full_name']],
		['a bad business ID', { business_id: 'x', email: 'a@b.example' }, ['.business_id']],
		['an unknown member', { email: 'a@b.example', city: 'x' }, ['.city']],
	];
	test.each(cases)('%s', async (_case, item, places) => {
		const prospects_to_match = [{ email: 'x@y.example' }, item];
		const answer = await ask(sandbox, 'match', { prospects_to_match });
		expect(answer.locs).toEqual(places.map((place) => `body.prospects_to_match.1${place}`));
		expect(answer.status).toBe(places.length > 0 ? 422 : 200);
	});

	test('1 to 50 of them', async () => {
		const items = (count: number) => ({
			prospects_to_match: Array.from({ length: count }, () => ({ email: 'x@y.example' })),
		});
		expect((await ask(sandbox, 'match', items(50))).status).toBe(200);
		expect((await ask(sandbox, 'match', items(51))).locs).toEqual(['body.prospects_to_match']);
		expect((await ask(sandbox, 'match', items(0))).locs).toEqual(['body.prospects_to_match']);
	});
});

test('search filters are taken in the form of the contract only', async () => {
	const send = async (filters: object) =>
		(await ask(sandbox, 'search', { mode: 'full', filters })).locs;
	expect(await send({ country: { values: ['us'] } })).toEqual(['body.filters.country']);
	expect(await send({ country_code: { value: 'us' } })).toContain(
		'body.filters.country_code.value',
	);
	expect(await send({ country_code: { values: ['usa'] } })).toEqual([
		'body.filters.country_code.values.0',
	]);
	expect(await send({ has_email: { value: 'true' } })).toEqual(['body.filters.has_email.value']);
	expect(await send({ company_size: { values: ['1-9'] } })).toHaveLength(1);
	expect(await send({ company_revenue: { values: ['1M'] } })).toHaveLength(1);
	expect(await send({ business_id: { values: ['x'] } })).toHaveLength(1);
	expect(await send({ current_role_months: {} })).toEqual(['body.filters.current_role_months']);
	expect(await send({ current_role_months: { gte: 1, lte: 2 } })).toEqual([]);
});

test('each of the 19 autocomplete fields has suggestions', async () => {
	expect(AUTOCOMPLETE_FIELDS).toHaveLength(19);
	for (const field of AUTOCOMPLETE_FIELDS) {
		const answer = await ask(sandbox, 'autocomplete', { field, query: '' });
		expect((answer.body as unknown as unknown[]).length).toBeGreaterThan(0);
	}
});

test('bodies that are missing, not JSON, or of another type are refused', async () => {
	expect(await ask(sandbox, 'profileBulk', {}, { raw: '' })).toMatchObject({
		status: 422,
		locs: ['body'],
	});
	expect(await ask(sandbox, 'profileBulk', {}, { raw: '{"prospect_ids": [' })).toMatchObject({
		status: 422,
		locs: ['body'],
	});
	expect((await ask(sandbox, 'profileBulk', {}, { raw: '[]' })).locs).toEqual(['body']);
	const text = { headers: { 'content-type': 'text/plain' } };
	expect((await ask(sandbox, 'profileBulk', {}, text)).status).toBe(415);
});
