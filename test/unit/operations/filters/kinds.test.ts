/** The filters of the prospect search: from the saved value, or that of an expression, to the request. */
import { searchFilters } from '../../../../nodes/BusinessProspectData/filters/kinds';

/** The request's filters, if none is empty. */
function read(saved: unknown) {
	const { byName, empty } = searchFilters.read(saved);
	expect(empty).toEqual([]);
	return byName;
}

const locator = (value: unknown, mode = 'list') => ({
	__rl: true,
	mode,
	value,
	cachedResultName: `Label of ${String(value)}`,
});
/** Rows of a filter, as the editor saves them. */
const rows = (...values: unknown[]) => values.map((value) => ({ value }));
/** Rows of a filter with suggestions. */
const listed = (...values: unknown[]) => rows(...values.map((value) => locator(value)));

const BUSINESS = '0b'.repeat(16);
const PERSON = '0c'.repeat(20);

test.each<[string, unknown]>([
	['job_title', rows(locator('  ', 'value'))],
	['job_title', [{ include_related_job_titles: true }]],
	['job_level', rows([])],
	['company_size', undefined],
	['business_id', rows(',;')],
	['country_code', {}],
	['country_code', []],
	['country_code', { values: ['us'] }],
	['country_code', rows({ mode: 'list', value: '' })],
	['company_name', listed(null, undefined, ' ')],
	['city_region_country', listed([])],
	['city_region_country', '[]'],
	['current_role_months', [{ gte: null, lte: '' }]],
	['current_role_months', [{ gte: NaN }]],
	['has_email', rows(NaN)],
])('%s with the value %j is empty', (name, saved) => {
	const { byName, empty } = searchFilters.read({ company_revenue: rows(['10T+']), [name]: saved });
	expect(Object.keys(byName)).toEqual(['company_revenue']);
	expect(empty.map((filter) => filter.name)).toEqual([name]);
});

test('without filters, the request has none', () => {
	expect(read({})).toStrictEqual({});
});

test.each([undefined, null, '', 'us', []])('%j instead of the collection is an error', (saved) => {
	expect(() => read(saved)).toThrow('must be an object with one field per filter.');
});

test.each<[string, string, unknown, unknown[]]>([
	['a list in one value', 'country_code', listed(['us', 'de']), ['us', 'de']],
	['a list of lists', 'country_code', listed([['us'], ['de', null]], 'fr'), ['us', 'de', 'fr']],
	['codes with commas', 'country_code', listed('US, de ,Fr'), ['us', 'de', 'fr']],
	['codes in lines', 'company_country_code', listed('us\nde'), ['us', 'de']],
	['a list in text', 'country_code', listed('["US","DE"]'), ['us', 'de']],
	['duplicates', 'country_code', listed('us', 'US', ' us '), ['us']],
	['industries with commas', 'naics_category', listed('51, 5112'), ['51', '5112']],
	['an industry as a number', 'naics_category', listed(5112), ['5112']],
	[
		'places in lines',
		'city_region_country',
		listed('Austin, Texas, US\r\n Paris, Île-de-France, FR \n'),
		['Austin, Texas, US', 'Paris, Île-de-France, FR'],
	],
	['a company in brackets', 'company_name', listed('[Acme] Inc.'), ['[Acme] Inc.']],
	[
		'a category with commas',
		'network_category',
		listed('oil, gas, and mining'),
		['oil, gas, and mining'],
	],
	['sizes as text', 'company_size', rows('1-10, 11-50'), ['1-10', '11-50']],
	['revenue as text', 'company_revenue', rows('10t+\n1m-5m'), ['10T+', '1M-5M']],
	[
		'departments in other capitals',
		'job_department',
		rows('it, r&d, Human Resources'),
		['IT', 'R&D', 'human resources'],
	],
	['other forms of levels', 'job_level', rows('CXO, vp, senior'), ['cxo', 'vp', 'senior']],
	[
		'levels as a list',
		'job_level',
		rows(['Vice President', 'C-Suite']),
		['vice president', 'c-suite'],
	],
	[
		'departments of a CRM',
		'job_department',
		rows('HR; R&amp;D, r & d, it, Customer_Success'),
		[...['human resources', 'R&D', 'IT', 'customer success']],
	],
	['research in words', 'job_department', rows('Research and Development'), ['R&D']],
	[
		'levels of a CRM',
		'job_level',
		rows('C_Level, C-Level, c suite, VP, V.P., Vice_President, CXO'),
		[...['c-suite', 'vp', 'vice president', 'cxo']],
	],
	[
		'levels with dashes',
		'job_level',
		rows('Non_Managerial\nsenior-manager'),
		[...['non-managerial', 'senior manager']],
	],
	['a size with thousands', 'company_size', rows('1,001-5,000'), ['1001-5000']],
	[
		'sizes with thousands',
		'company_size',
		rows('1,001-5,000, 51-200, 10,001+'),
		[...['1001-5000', '51-200', '10001+']],
	],
	['sizes without blanks', 'company_size', rows('1-10,501-1000'), ['1-10', '501-1000']],
	['a size with a dash', 'company_size', rows('51–200'), ['51-200']],
	['a size in words', 'company_size', rows('51 - 200 Employees'), ['51-200']],
	['a size with to', 'company_size', rows('201 to 500 employees'), ['201-500']],
	[
		'sizes that a spreadsheet took for dates',
		'company_size',
		rows('10-Jan\nNov-50'),
		[...['1-10', '11-50']],
	],
	['revenue with a currency', 'company_revenue', rows('$1M-$5M'), ['1M-5M']],
	['revenue with one unit', 'company_revenue', rows('$5 - $10 million'), ['5M-10M']],
	['revenue in digits', 'company_revenue', rows('$1,000,000 - $5,000,000'), ['1M-5M']],
	['revenue from zero', 'company_revenue', rows('$0–$500K'), ['0-500K']],
	[
		'revenue in several units',
		'company_revenue',
		rows('500K - 1M, 500M-1B, 10t+'),
		[...['500K-1M', '500M-1B', '10T+']],
	],
	['countries by name', 'country_code', listed('Germany, USA; UK, uk, gb'), ['de', 'us', 'gb']],
	['a country with a comma', 'country_code', listed('Korea, Republic of'), ['kr']],
	[
		'spellings of countries',
		'company_country_code',
		listed('U.S.A.\nthe Netherlands\nTürkiye'),
		[...['us', 'nl', 'tr']],
	],
	[
		'more spellings',
		'country_code',
		listed("Turkey\nCôte d’Ivoire\nCote d'Ivoire\nHong Kong\nRussia"),
		[...['tr', 'ci', 'hk', 'ru']],
	],
	['names in brackets', 'country_code', listed('Myanmar (Burma)\nMyanmar\nxk'), ['mm', 'xk']],
	['regions', 'region_country_code', listed('US-TX, uk-lnd, us_ca'), ['us-tx', 'gb-lnd', 'us-ca']],
	['a pasted column of IDs', 'business_id', rows(`business_id\n"${BUSINESS}"\nn/a`), [BUSINESS]],
	['businesses as a list', 'business_id', rows([BUSINESS.toUpperCase(), BUSINESS]), [BUSINESS]],
	[
		'people in lines',
		'prospect_id',
		rows(`${PERSON}\n${'d'.repeat(40)}`),
		[PERSON, 'd'.repeat(40)],
	],
	['choices of two rows', 'company_size', rows(['1-10'], ['1-10', '11-50']), ['1-10', '11-50']],
	['a row without a value beside others', 'country_code', listed('', 'us'), ['us']],
	['an array instead of saved values', 'country_code', ['us', 'de'], ['us', 'de']],
	['values without a locator', 'country_code', [{ value: 'us' }, 'de'], ['us', 'de']],
	['text instead of saved values', 'company_name', 'Acme, Inc.\nGlobex', ['Acme, Inc.', 'Globex']],
])('from an expression: %s', (_case, name, saved, values) => {
	expect(read({ [name]: saved })).toStrictEqual({ [name]: { values } });
});

test('a job title without a locator', () => {
	expect(read({ job_title: rows('cto') })).toStrictEqual({ job_title: { value: 'cto' } });
});

test.each<[unknown, object]>([
	[true, { value: 'cto', include_related_job_titles: true }],
	['true', { value: 'cto', include_related_job_titles: true }],
	[false, { value: 'cto' }],
	['false', { value: 'cto' }],
	[undefined, { value: 'cto' }],
])('include_related_job_titles %j beside a title', (flag, value) => {
	const saved = [{ value: locator('cto'), include_related_job_titles: flag }];
	expect(read({ job_title: saved })).toStrictEqual({ job_title: value });
});

test.each<[unknown, object]>([
	['yes', { value: true }],
	['no', { value: false }],
	[' Yes ', { value: true }],
	[true, { value: true }],
	[false, { value: false }],
	[[false], { value: false }],
	[[true], { value: true }],
	['true', { value: true }],
	['TRUE', { value: true }],
	[1, { value: true }],
	['1', { value: true }],
	['Y', { value: true }],
	['on', { value: true }],
	[0, { value: false }],
	['0', { value: false }],
	['n', { value: false }],
	['FALSE', { value: false }],
])('has_email %j', (saved, value) => {
	expect(read({ has_email: rows(saved) })).toStrictEqual({ has_email: value });
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
	[{ gte: NaN, lte: 6 }, { lte: 6 }],
	[{ gte: 6, lte: false }, { gte: 6 }],
])('months %j', (saved, value) => {
	expect(read({ total_experience_months: [saved] })).toStrictEqual({
		total_experience_months: value,
	});
});

test.each<[string, unknown, string]>([
	[
		'country_code',
		listed('eu'),
		'Person Country: "eu" is not a country. Enter its two-letter code such as us,',
	],
	['company_country_code', listed('u1'), 'Company Country: "u1" is not a country'],
	['country_code', listed('us, zz'), 'Person Country: "zz" is not a country'],
	['country_code', listed('aa'), 'Person Country: "aa" is not a country'],
	['company_country_code', listed('North Pole'), 'Company Country: "North Pole" is not a country'],
	[
		'company_country_code',
		listed('Mars, Venus'),
		'Company Country: "Mars, Venus" is not a country',
	],
	['region_country_code', listed('eu-by'), 'Person Region: "eu-by" is not a region code'],
	['company_region_country_code', listed('zz-1'), 'Company Region: "zz-1" is not a region code'],
	['company_size', rows('1,002-5,000'), 'Company Size: "1,002-5,000" is not one of: 1-10, '],
	['company_size', rows('1-10, 250'), 'Company Size: "250" is not one of: 1-10, '],
	['company_revenue', rows('$2M-$5M'), 'Company Revenue: "$2M-$5M" is not one of: 0-500K, '],
	['company_size', rows('1150'), 'Company Size: "1150" is not one of: 1-10, '],
	[
		'region_country_code',
		listed('Texas'),
		'Person Region: "Texas" is not a region code (ISO 3166-2)',
	],
	['company_region_country_code', listed('us'), 'Company Region: "us" is not a region code'],
	['company_region_country_code', listed('us-'), 'Company Region: "us-" is not a region code'],
	[
		'naics_category',
		listed('511'),
		'Company Industry (NAICS Code): "511" is not an industry code of 2, 4',
	],
	[
		'naics_category',
		listed('5112000'),
		'Company Industry (NAICS Code): "5112000" is not an industry code',
	],
	['has_email', rows('maybe'), 'Has Email: "maybe" is not one of: true, false, yes, no.'],
	['job_level', rows(['boss']), 'Job Level: "boss" is not one of: '],
	['company_size', rows('1-11'), 'Company Size: "1-11" is not one of: 1-10, '],
	['business_id', rows('acme'), 'Business IDs: "acme" is not a business ID.'],
	['business_id', rows(PERSON), `Business IDs: "${PERSON}" is not a business ID.`],
	['prospect_id', rows(BUSINESS), `Prospect IDs: "${BUSINESS}" is not a prospect ID.`],
	['total_experience_months', [{ gte: -1 }], 'Months of Experience: "-1" must be at least 0.'],
	['total_experience_months', [{ gte: 1.5 }], 'Months of Experience: "1.5" is not a whole number.'],
	[
		'current_role_months',
		[{ gte: 9, lte: 3 }],
		'Months in Current Role: At Least (9) is greater than At Most (3).',
	],
	[
		'current_role_months',
		[{ gte: 9 }, { lte: 3 }],
		'Months in Current Role is in Filters more than once. Keep one of them.',
	],
	['has_email', rows(true, false), 'Has Email is in Filters more than once.'],
	['job_title', listed('cto', 'ceo'), 'Job Title is in Filters more than once.'],
	['job_title', rows(locator(['a', 'b'])), 'Job Title: "["a","b"]" must be text.'],
	['company_name', listed({ name: 'Acme' }), 'Company Name: "{"name":"Acme"}" must be text or'],
	['country_code', rows({ name: 'us' }), 'Person Country: '],
	[
		'job_title',
		[{ value: 'cto', include_related_job_titles: 'maybe' }],
		'Include Related Job Titles: ',
	],
])('%s with the value %j fails: %s', (name, saved, message) => {
	expect(() => read({ company_revenue: rows(['10T+']), [name]: saved })).toThrow(message);
});

test('names that every object has are not filters', () => {
	const saved = JSON.parse(
		'{"__proto__":{"has_email":[{"value":true}]},"constructor":[{"value":"x"}]}',
	);
	expect(read(saved)).toStrictEqual({});
});
