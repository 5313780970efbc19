/** The filters of the prospect search: from what a workflow saves, or an expression gives, to what is sent. */
import fc from 'fast-check';
import { searchFilters } from '../../../nodes/BusinessProspectData/operations/prospect/searchFilters';

const { property } = searchFilters;

/** What is sent of filters, where none is empty. */
function read(saved: unknown) {
	const { sent, empty } = searchFilters.read(saved);
	expect(empty).toEqual([]);
	return sent;
}

const locator = (value: unknown, mode = 'list') => ({
	__rl: true,
	mode,
	value,
	cachedResultName: `Label of ${String(value)}`,
});
/** As the editor saves filters that are found as you type. */
const found = (...values: unknown[]) => ({
	values: values.map((value) => ({ value: locator(value) })),
});

const BUSINESS = '0b'.repeat(16);
const PERSON = '0c'.repeat(20);

/** Each of the filters of the contract: as saved, as sent. */
const ALL: Record<string, [saved: unknown, sent: object]> = {
	has_email: ['yes', { value: true }],
	has_phone_number: ['no', { value: false }],
	job_title: [locator('marketing manager'), { value: 'marketing manager' }],
	job_level: [['c-suite', 'vp'], { values: ['c-suite', 'vp'] }],
	job_department: [['IT', 'R&D'], { values: ['IT', 'R&D'] }],
	business_id: [BUSINESS, { values: [BUSINESS] }],
	prospect_id: [PERSON, { values: [PERSON] }],
	country_code: [found('us', 'de'), { values: ['us', 'de'] }],
	region_country_code: [found('us-tx', 'de-by'), { values: ['us-tx', 'de-by'] }],
	city_region_country: [
		found('Austin, Texas, US', 'Paris, Île-de-France, FR'),
		{ values: ['Austin, Texas, US', 'Paris, Île-de-France, FR'] },
	],
	company_country_code: [found('fr'), { values: ['fr'] }],
	company_region_country_code: [found('us-ca'), { values: ['us-ca'] }],
	company_size: [['1-10', '10001+'], { values: ['1-10', '10001+'] }],
	company_revenue: [['0-500K', '10T+'], { values: ['0-500K', '10T+'] }],
	search_category: [found('software company'), { values: ['software company'] }],
	network_category: [
		found('oil, gas, and mining', 'software development'),
		{ values: ['oil, gas, and mining', 'software development'] },
	],
	naics_category: [found('51', '5112', '511210'), { values: ['51', '5112', '511210'] }],
	company_name: [found('Acme, Inc.', 'Globex'), { values: ['Acme, Inc.', 'Globex'] }],
	total_experience_months: [
		{ gte: 12, lte: 120 },
		{ gte: 12, lte: 120 },
	],
	current_role_months: [{ lte: 6 }, { lte: 6 }],
};

const savedOf = (names = Object.keys(ALL)) =>
	Object.fromEntries(names.map((name) => [name, ALL[name]?.[0]]));
const sentOf = (names = Object.keys(ALL)) =>
	Object.fromEntries(names.map((name) => [name, ALL[name]?.[1]]));

test.each(Object.entries(ALL))('%s as saved by the editor', (name, [saved, sent]) => {
	expect(read({ [name]: saved })).toStrictEqual({ [name]: sent });
});

test('the filters and the switch for related titles are what there is to add', () => {
	const shown = (property.options ?? []).map(({ name }) => name);
	expect([...shown].sort()).toEqual([...Object.keys(ALL), 'include_related_job_titles'].sort());
});

test('any filters together: each is sent, and no other', () => {
	fc.assert(
		fc.property(fc.subarray(Object.keys(ALL)), (names) => {
			expect(read(savedOf(names))).toStrictEqual(sentOf(names));
		}),
	);
});

test.each<[string, unknown]>([
	['has_email', ''],
	['has_phone_number', null],
	['job_title', locator('')],
	['job_title', locator('  ', 'value')],
	['job_title', locator(null)],
	['job_title', ''],
	['job_title', { mode: 'list', value: '' }],
	['job_level', []],
	['job_department', ''],
	['company_size', undefined],
	['business_id', ' \n'],
	['business_id', ',;'],
	['prospect_id', []],
	['country_code', {}],
	['country_code', { values: [] }],
	['country_code', found('')],
	['country_code', { values: [{ value: { mode: 'list', value: '' } }] }],
	['company_name', { values: [{}] }],
	['company_name', found(null, undefined, ' ')],
	['city_region_country', found([])],
	['city_region_country', '[]'],
	['total_experience_months', {}],
	['current_role_months', { gte: null, lte: '' }],
	['current_role_months', []],
])('%s that holds %j is empty', (name, saved) => {
	const { sent, empty } = searchFilters.read({ company_revenue: ['10T+'], [name]: saved });
	expect(Object.keys(sent)).toEqual(['company_revenue']);
	expect(empty.map((filter) => filter.name)).toEqual([name]);
});

test.each<[string, unknown]>([
	['has_email', 'any'],
	['include_related_job_titles', true],
])('%s that holds %j restricts nothing', (name, saved) => {
	expect(read({ [name]: saved })).toStrictEqual({});
});

test.each([undefined, null, {}, ''])('no filters (%j): none are sent', (saved) => {
	expect(read(saved)).toStrictEqual({});
});

test.each<[string, string, unknown, unknown[]]>([
	['a list in one By Value', 'country_code', found(['us', 'de']), ['us', 'de']],
	['a list of lists', 'country_code', found([['us'], ['de', null]], 'fr'), ['us', 'de', 'fr']],
	['codes with commas', 'country_code', found('US, de ,Fr'), ['us', 'de', 'fr']],
	['codes in lines', 'company_country_code', found('us\nde'), ['us', 'de']],
	['a list in text', 'country_code', found('["US","DE"]'), ['us', 'de']],
	['doubles', 'country_code', found('us', 'US', ' us '), ['us']],
	['regions with commas', 'region_country_code', found('us-tx, US-CA'), ['us-tx', 'us-ca']],
	['industries with commas', 'naics_category', found('51, 5112'), ['51', '5112']],
	['an industry as a number', 'naics_category', found(5112), ['5112']],
	['a place with commas', 'city_region_country', found('Austin, Texas, US'), ['Austin, Texas, US']],
	[
		'places in lines',
		'city_region_country',
		found('Austin, Texas, US\r\n Paris, Île-de-France, FR \n'),
		['Austin, Texas, US', 'Paris, Île-de-France, FR'],
	],
	['a company with a comma', 'company_name', found('Acme, Inc.'), ['Acme, Inc.']],
	[
		'companies as a list',
		'company_name',
		found(['Acme, Inc.', 'Globex']),
		['Acme, Inc.', 'Globex'],
	],
	['a company in brackets', 'company_name', found('[Acme] Inc.'), ['[Acme] Inc.']],
	[
		'a category with commas',
		'network_category',
		found('oil, gas, and mining'),
		['oil, gas, and mining'],
	],
	['a search category with commas', 'search_category', found('bar, grill'), ['bar, grill']],
	['sizes as text', 'company_size', '1-10, 11-50', ['1-10', '11-50']],
	['revenue as text', 'company_revenue', '10t+\n1m-5m', ['10T+', '1M-5M']],
	[
		'departments in other capitals',
		'job_department',
		'it, r&d, Human Resources',
		['IT', 'R&D', 'human resources'],
	],
	['other forms of levels', 'job_level', 'cxo, vp, senior', ['cxo', 'vp', 'senior']],
	['levels as a list', 'job_level', ['Vice President', 'C-Suite'], ['vice president', 'c-suite']],
	['businesses as a list', 'business_id', [BUSINESS.toUpperCase(), BUSINESS], [BUSINESS]],
	['people in lines', 'prospect_id', `${PERSON}\n${'d'.repeat(40)}`, [PERSON, 'd'.repeat(40)]],
	['an array instead of saved values', 'country_code', ['us', 'de'], ['us', 'de']],
	['values without a locator', 'country_code', { values: [{ value: 'us' }, 'de'] }, ['us', 'de']],
	['text instead of saved values', 'company_name', 'Acme, Inc.\nGlobex', ['Acme, Inc.', 'Globex']],
])('from an expression: %s', (_what, name, saved, values) => {
	expect(read({ [name]: saved })).toStrictEqual({ [name]: { values } });
});

test.each<[string, unknown, object]>([
	['one text', 'cto', { value: 'cto' }],
	[
		'words with commas stay one title',
		locator('head of sales, europe', 'value'),
		{ value: 'head of sales, europe' },
	],
])('job_title: %s', (_what, saved, sent) => {
	expect(read({ job_title: saved })).toStrictEqual({ job_title: sent });
});

test.each<[unknown, object]>([
	[true, { value: 'cto', include_related_job_titles: true }],
	['true', { value: 'cto', include_related_job_titles: true }],
	[false, { value: 'cto' }],
	['false', { value: 'cto' }],
	[undefined, { value: 'cto' }],
])('include_related_job_titles %j beside a title', (flag, sent) => {
	expect(read({ job_title: locator('cto'), include_related_job_titles: flag })).toStrictEqual({
		job_title: sent,
	});
});

test.each<[unknown, object]>([
	['yes', { value: true }],
	['no', { value: false }],
	[' Yes ', { value: true }],
	[true, { value: true }],
	[false, { value: false }],
	['true', { value: true }],
])('has_email %j', (saved, sent) => {
	expect(read({ has_email: saved })).toStrictEqual({ has_email: sent });
});

test.each<[unknown, object]>([
	[{ gte: 0 }, { gte: 0 }],
	[{ lte: 0 }, { lte: 0 }],
	[
		{ gte: 12, lte: 12 },
		{ gte: 12, lte: 12 },
	],
	[
		{ gte: '6', lte: ' 12 ' },
		{ gte: 6, lte: 12 },
	],
	[{ gte: 6, lte: null }, { gte: 6 }],
])('months %j', (saved, sent) => {
	expect(read({ total_experience_months: saved })).toStrictEqual({ total_experience_months: sent });
});

test.each<[string, unknown, string]>([
	['country_code', found('usa'), 'Countries: "usa" is not a two-letter country code such as us.'],
	['country_code', found('us', 'Germany'), 'Countries: "Germany" is not a two-letter country code'],
	['company_country_code', found('u1'), 'Company Countries: "u1" is not a two-letter country code'],
	['region_country_code', found('Texas'), 'Regions: "Texas" is not a region code (ISO 3166-2)'],
	['region_country_code', found('us-'), 'Regions: "us-" is not a region code'],
	['company_region_country_code', found('us'), 'Company Regions: "us" is not a region code'],
	['naics_category', found('511'), 'NAICS Industries: "511" is not an industry code of 2, 4'],
	['naics_category', found('5112000'), 'NAICS Industries: "5112000" is not an industry code'],
	['naics_category', found('software'), 'NAICS Industries: "software" is not an industry code'],
	['has_email', 'maybe', 'Has Email: "maybe" is none of: any, yes, no.'],
	['job_level', ['boss'], 'Job Levels: "boss" is not one of: '],
	['company_size', '1-11', 'Company Size: "1-11" is not one of: 1-10, '],
	['business_id', 'acme', 'Business IDs: "acme" is not a business ID.'],
	['business_id', PERSON, `Business IDs: "${PERSON}" is not a business ID.`],
	['prospect_id', BUSINESS, `Prospect IDs: "${BUSINESS}" is not a prospect ID.`],
	[
		'total_experience_months',
		{ gte: -1 },
		'Months of Experience: "-1" must be at least 0.',
	],
	['total_experience_months', { gte: 1.5 }, 'Months of Experience: "1.5" is not a whole number.'],
	['current_role_months', { gte: 9, lte: 3 }, 'Months in Current Role: '],
	['current_role_months', 12, 'Months in Current Role: "12" is not a range'],
	['job_title', locator(['a', 'b']), 'Job Title: "["a","b"]" is not a text.'],
	['company_name', found({ name: 'Acme' }), 'Company Names: "{"name":"Acme"}" is not a text or'],
	['country_code', { value: 'us' }, 'Countries: '],
	['include_related_job_titles', 'maybe', 'Include Related Job Titles: '],
])('%s of %j is refused by name, value and rule', (name, saved, words) => {
	expect(() => read({ job_title: locator('cto'), [name]: saved })).toThrow(words);
});

test('names that every object has are no filters', () => {
	const saved = JSON.parse('{"__proto__":{"has_email":"yes"},"constructor":{"values":["x"]}}');
	expect(read(saved)).toStrictEqual({});
});
