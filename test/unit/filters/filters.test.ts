/** The filters of searches and statistics: what the editor offers, and from saved values or expressions to the request. */
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { searchFilters } from '../../../nodes/BusinessProspectData/filters/kinds';
import { statisticsFilters } from '../../../nodes/BusinessProspectData/operations/business/getStatistics';
import { COMPANY_REVENUES, COMPANY_SIZES } from '../../sandbox/contract/limits';
import { DEPARTMENTS, LEVELS } from '../../sandbox/world/vocabulary';

const groupsOf = ({ options = [] }: INodeProperties) => options as INodePropertyCollection[];
const fieldsOf = (name: string) =>
	groupsOf(searchFilters.property).find((group) => group.name === name)?.values ?? [];

describe('in the editor', () => {
	test('filters are in alphabetical order, each with a label and a description of its own', () => {
		const groups = groupsOf(searchFilters.property);
		const labels = groups.map(({ displayName }) => displayName);

		expect(labels).toEqual([...new Set(labels)].sort((a, b) => a.localeCompare(b)));
		for (const { displayName, values } of groups) {
			expect(values.map((field) => field.displayName)).not.toContain(displayName);
			expect(values.filter(({ description }) => !description)).toEqual([]);
		}
	});

	test('lists that load as you type are those of the same name, or of all regions', () => {
		const { listSearch } = new BusinessProspectData().methods;
		for (const { name, values } of groupsOf(searchFilters.property)) {
			const method = values[0]?.modes?.[0]?.typeOptions?.searchListMethod;
			if (method === undefined) continue;
			expect(method).toBe(`search_${name.replace(/^company_region/, 'region')}`);
			expect(listSearch[method]).toBeInstanceOf(Function);
		}
	});

	test.each([
		['job_level', Object.keys(LEVELS)],
		['job_department', DEPARTMENTS],
		['company_size', COMPANY_SIZES],
		['company_revenue', COMPANY_REVENUES],
	])('%s offers the values of the contract', (name, values) => {
		const options = (fieldsOf(name)[0]?.options ?? []).map((option) =>
			'value' in option ? [option.name, String(option.value)] : [],
		);
		const offered = options.map(([, value = '']) => value);

		expect([...offered].sort()).toEqual([...values].sort());
		// From small to large; other labels are in title case.
		if (name.startsWith('company')) expect(offered).toEqual(values);
		else
			for (const [label] of options) expect(label).toMatch(/^[A-Z][A-Za-z&]*([ -][A-Z][a-z]*)*$/);
	});
});

/** The request's filters, if none is empty. */
function read(saved: unknown) {
	const { byName, empty } = searchFilters.read(saved);
	expect(empty).toEqual([]);
	return byName;
}

const locator = (value: unknown) => ({ __rl: true, mode: 'list', value, cachedResultName: 'X' });
/** Rows of a filter, as the editor saves them. */
const rows = (...values: unknown[]) => values.map((value) => ({ value }));
/** Rows of a filter with suggestions. */
const listed = (...values: unknown[]) => rows(...values.map(locator));

const BUSINESS = '0b'.repeat(16);
const PERSON = '0c'.repeat(20);

test.each<[string, unknown]>([
	['job_title', listed('  ')],
	['job_title', [{ include_related_job_titles: true }]],
	['job_level', rows([])],
	['business_id', rows(',;')],
	['country_code', { values: ['us'] }],
	['company_name', listed(null, undefined, ' ')],
	['current_role_months', [{ gte: null, lte: '' }]],
	['has_email', rows(NaN)],
])('%s with the value %j is empty', (name, saved) => {
	const { byName, empty } = searchFilters.read({ company_revenue: rows(['10T+']), [name]: saved });

	expect(Object.keys(byName)).toEqual(['company_revenue']);
	expect(empty.map((filter) => filter.name)).toEqual([name]);
});

test('without filters, the request has none; anything but an object is an error', () => {
	expect(read({})).toStrictEqual({});
	const saved = '{"__proto__":{"has_email":[{"value":true}]},"constructor":[{"value":"x"}]}';
	expect(read(JSON.parse(saved))).toStrictEqual({});
	for (const other of [undefined, null, '', 'us', []]) {
		expect(() => read(other)).toThrow('must be an object with one field per filter.');
	}
});

test.each<[name: string, saved: unknown, values: string[]]>([
	['country_code', listed([['us'], ['de', null]], 'fr'), ['us', 'de', 'fr']],
	['country_code', listed('US, de ,Fr', 'us'), ['us', 'de', 'fr']],
	['naics_category', listed('51, 5112', 5112), ['51', '5112']],
	['city_region_country', listed('Austin, Texas, US\r\n Paris \n'), ['Austin, Texas, US', 'Paris']],
	['company_name', listed('[Acme] Inc.'), ['[Acme] Inc.']],
	['network_category', listed('oil, gas, and mining'), ['oil, gas, and mining']],
	['company_revenue', rows('10t+\n1m-5m'), ['10T+', '1M-5M']],
	['job_department', rows('it, r&d, Human Resources'), ['IT', 'R&D', 'human resources']],
	[
		'job_department',
		rows('HR; R&amp;D, r & d, Customer_Success'),
		['human resources', 'R&D', 'customer success'],
	],
	['job_level', rows('CXO, vp, senior'), ['cxo', 'vp', 'senior']],
	['job_level', rows([{ id: 3, name: 'CXO' }, { value: 'VP' }]), ['cxo', 'vp']],
	[
		'job_level',
		rows('C_Level, C-Level, c suite, V.P., Vice_President'),
		['c-suite', 'vp', 'vice president'],
	],
	['company_size', rows('1,001-5,000, 51-200, 10,001+'), ['1001-5000', '51-200', '10001+']],
	['company_size', rows('51–200'), ['51-200']],
	['company_size', rows('201 to 500 employees\n50-200\n60-100'), ['201-500', '51-200']],
	// As a spreadsheet takes them for dates.
	['company_size', rows('10-Jan\nNov-50\n01-Oct'), ['1-10', '11-50']],
	['company_size', rows('2-10 employees\n120\n1K-5K'), ['1-10', '51-200', '1001-5000']],
	['company_size', rows('1.001-5.000; 10K+'), ['1001-5000', '10001+']],
	['company_size', rows([10, 11, '5001']), ['1-10', '11-50', '5001-10000']],
	['company_revenue', rows('$3,200,000\n2-4 million'), ['1M-5M']],
	['company_revenue', rows('$5 - $10 million'), ['5M-10M']],
	['company_revenue', rows('$1,000,000 - $5,000,000'), ['1M-5M']],
	['country_code', listed('Germany, USA; UK, uk, gb'), ['de', 'us', 'gb']],
	['company_country_code', listed('U.S.A.\nthe Netherlands\nTürkiye'), ['us', 'nl', 'tr']],
	['country_code', listed('Turkey\nCôte d’Ivoire\nMyanmar (Burma)\nxk'), ['tr', 'ci', 'mm', 'xk']],
	['region_country_code', listed('US-TX, uk-lnd, us_ca'), ['us-tx', 'gb-lnd', 'us-ca']],
	['business_id', rows(`business_id\n"${BUSINESS}"\nn/a`), [BUSINESS]],
	['prospect_id', rows(`${PERSON}\n${'d'.repeat(40)}`), [PERSON, 'd'.repeat(40)]],
	['country_code', listed('', 'us'), ['us']],
	['country_code', [{ value: 'us' }, 'de'], ['us', 'de']],
	['company_name', 'Acme, Inc.\nGlobex', ['Acme, Inc.', 'Globex']],
])('%s with %j', (name, saved, values) => {
	expect(read({ [name]: saved })).toStrictEqual({ [name]: { values } });
});

test.each([
	[true, { value: 'cto', include_related_job_titles: true }],
	['false', { value: 'cto' }],
	[undefined, { value: 'cto' }],
])('include_related_job_titles %j beside a title', (flag, value) => {
	const saved = [{ value: locator('cto'), include_related_job_titles: flag }];

	expect(read({ job_title: saved })).toStrictEqual({ job_title: value });
});

test('has_email is yes or no, however it is written', () => {
	const valueOf = (saved: unknown) => read({ has_email: rows(saved) });

	for (const yes of [' Yes ', true, [true], 'TRUE', 1, '1', 'Y', 'on']) {
		expect(valueOf(yes)).toStrictEqual({ has_email: { value: true } });
	}
	for (const no of ['no', false, [false], 0, '0', 'n', 'FALSE']) {
		expect(valueOf(no)).toStrictEqual({ has_email: { value: false } });
	}
});

test.each<[string, unknown, string]>([
	['country_code', listed('us, zz'), 'Person Country: "zz" is not a country. Enter its two-letter'],
	['company_country_code', listed('Mars, Venus'), 'Company Country: "Mars, Venus" is not a'],
	['region_country_code', listed('eu-by'), 'Person Region: "eu-by" is not a region code'],
	...['11-60', '50-100', '51-20'].map((size): [string, unknown, string] => [
		...(['company_size', rows(size), `Company Size: "${size}" is not one of: 1-10, `] as const),
	]),
	['company_size', rows('Jan 2024'), 'Company Size: "Jan 2024" is not one of: 1-10, '],
	['company_revenue', rows('€1M-€5M'), 'Company Revenue: "€1M-€5M" is not one of: 0-500K, '],
	['company_revenue', rows('5M'), 'Company Revenue: "5M" is not one of: 0-500K, '],
	['naics_category', listed('511'), 'NAICS Code): "511" is not an industry code of 2, 4'],
	['business_id', rows(PERSON), `Business IDs: "${PERSON}" is not a business ID.`],
	['prospect_id', rows(BUSINESS), `Prospect IDs: "${BUSINESS}" is not a prospect ID.`],
	['total_experience_months', [{ gte: -1 }], 'Months of Experience: "-1" must be at least 0.'],
	['current_role_months', [{ gte: 9, lte: 3 }], 'At Least (9) is greater than At Most (3).'],
	['has_email', rows(true, false), 'Has Email is in Filters more than once. Keep one of them.'],
	['job_title', listed('cto', 'ceo'), 'Job Title is in Filters more than once.'],
	['job_title', listed(['a', 'b']), 'Job Title: "["a","b"]" must be text.'],
	['company_name', listed({ size: '51-200' }), 'Name: "{"size":"51-200"}" must be text or a list'],
])('%s with the value %j fails: %s', (name, saved, message) => {
	expect(() => read({ company_revenue: rows(['10T+']), [name]: saved })).toThrow(message);
});

describe('of the statistics', () => {
	const values = ['1-10', '11-50'];

	test.each<[name: string, company_size: unknown, byName: object]>([
		['values without a row', values, { company_size: { type: 'includes', values } }],
		[
			'a row without its value, which does not exclude',
			[{ value: values }, { match: 'exclude' }],
			{ company_size: { type: 'includes', values } },
		],
		[
			'a row that excludes',
			[{ value: values, match: 'exclude' }],
			{ company_size: { type: 'includes', values, negate: true } },
		],
		['a row without its value: empty rather than every company', [{ values: '1-10' }], {}],
	])('%s', (_name, company_size, byName) => {
		const filters = statisticsFilters.read({ company_size });

		expect(filters.byName).toStrictEqual(byName);
		expect(filters.empty).toHaveLength(Object.keys(byName).length === 0 ? 1 : 0);
	});

	test('a filter with rows that include and rows that exclude fails', () => {
		const company_size = [{ value: ['1-10'] }, { value: ['11-50'], match: 'exclude' }];

		expect(() => statisticsFilters.read({ company_size })).toThrow(
			"Company Size: can't both include and exclude values. Use one of them.",
		);
	});
});
