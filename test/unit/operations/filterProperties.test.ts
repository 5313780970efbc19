/** What the editor shows for the filters of the prospect search, which is what workflows save. */
import type { INodeProperties } from 'n8n-workflow';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { searchFilters } from '../../../nodes/BusinessProspectData/operations/prospect/searchFilters';

const { property: filters } = searchFilters;
const shown = (filters.options ?? []) as INodeProperties[];

const of = (name: string): INodeProperties => {
	const property = shown.find((candidate) => candidate.name === name);
	if (property === undefined) throw new TypeError(`There is no filter ${name}`);
	return property;
};

const { listSearch } = new BusinessProspectData().methods as {
	listSearch: Record<string, unknown>;
};

/** The one locator of a filter whose values are found as you type. */
function locatorOf(property: INodeProperties): INodeProperties | undefined {
	if (property.type === 'resourceLocator') return property;
	const [values] = (property.options ?? []) as Array<{ name: string; values: INodeProperties[] }>;
	expect(values?.name).toBe('values');
	expect(values?.values.map(({ name }) => name)).toEqual(['value']);
	return values?.values[0];
}

test('Filters is a collection that is empty at first, in the order of the alphabet', () => {
	expect(filters).toMatchObject({ name: 'filters', type: 'collection', default: {} });
	const names = shown.map(({ displayName }) => displayName);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	expect(shown.every(({ description }) => (description ?? '') !== '')).toBe(true);
});

const FOUND = {
	city_region_country: 'city_region_country',
	company_country_code: 'country',
	company_name: 'company_name',
	company_region_country_code: 'region_country_code',
	country_code: 'country',
	naics_category: 'naics_category',
	network_category: 'network_category',
	region_country_code: 'region_country_code',
	search_category: 'search_category',
};

test.each(Object.entries({ ...FOUND, job_title: 'job_title' }))(
	'%s is found as you type in the values of %s, or typed in',
	(name, field) => {
		const locator = locatorOf(of(name));
		expect(locator).toMatchObject({
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			modes: [
				{ name: 'list', type: 'list', typeOptions: { searchable: true } },
				{ name: 'value', type: 'string' },
			],
		});
		const method = locator?.modes?.[0]?.typeOptions?.searchListMethod ?? '';
		expect(method).toMatch(new RegExp(`${field}$`));
		expect(listSearch[method]).toBeInstanceOf(Function);
	},
);

test.each(Object.keys(FOUND))('%s takes several values, one compact row each', (name) => {
	const property = of(name);
	expect(property).toMatchObject({
		type: 'fixedCollection',
		default: {},
		typeOptions: { multipleValues: true, fixedCollection: { layout: 'inline' } },
	});
	const button = property.typeOptions?.multipleValueButtonText ?? property.placeholder;
	expect(button).toMatch(/^Add [a-z]/);
});

test('different kinds of filters do not share a list by mistake', () => {
	const methods = Object.keys({ ...FOUND, job_title: '' }).map(
		(name) => locatorOf(of(name))?.modes?.[0]?.typeOptions?.searchListMethod,
	);
	expect(new Set(methods).size).toBe(new Set(Object.values({ ...FOUND, t: 'job_title' })).size);
});

const LEVELS = [
	...['manager', 'president', 'senior manager', 'owner', 'advisor', 'freelancer', 'junior'],
	...['director', 'c-suite', 'board member', 'senior non-managerial', 'non-managerial'],
	...['partner', 'vice president', 'founder', 'cxo', 'vp', 'senior'],
];
const DEPARTMENTS = [
	...['retail', 'engineering', 'customer success', 'administration', 'education', 'security'],
	...['healthcare', 'public service', 'partnerships', 'creative', 'strategy', 'real estate'],
	...['procurement', 'IT', 'data', 'c-suite', 'manufacturing', 'support', 'logistics', 'product'],
	...['sales', 'design', 'marketing', 'finance', 'R&D', 'trade', 'human resources', 'legal'],
	'operations',
];
const SIZES = [
	...['1-10', '11-50', '51-200', '201-500', '501-1000', '1001-5000', '5001-10000', '10001+'],
];
const REVENUES = [
	...['0-500K', '500K-1M', '1M-5M', '5M-10M', '10M-25M', '25M-75M', '75M-200M', '200M-500M'],
	...['500M-1B', '1B-10B', '10B-100B', '100B-1T', '1T-10T', '10T+'],
];

test.each([
	['job_level', LEVELS],
	['job_department', DEPARTMENTS],
	['company_size', SIZES],
	['company_revenue', REVENUES],
])('%s is a list of the values that the contract has', (name, values) => {
	const property = of(name);
	expect(property).toMatchObject({ type: 'multiOptions', default: [] });
	const offered = (property.options ?? []).map((option) => ('value' in option ? option.value : ''));
	expect([...offered].sort()).toEqual([...values].sort());
});

test.each([
	['company_size', SIZES],
	['company_revenue', REVENUES],
])('%s goes from small to large', (name, values) => {
	expect((of(name).options ?? []).map(({ name: label }) => label)).toEqual(values);
});

test.each(['has_email', 'has_phone_number'])('%s is any, yes or no; any at first', (name) => {
	const property = of(name);
	expect(property).toMatchObject({ type: 'options', default: 'any' });
	const offered = (property.options ?? []).map((option) => ('value' in option ? option.value : ''));
	expect([...offered].sort()).toEqual(['any', 'no', 'yes']);
});

test.each(['total_experience_months', 'current_role_months'])(
	'%s is a range of gte and lte, neither set at first',
	(name) => {
		const property = of(name);
		expect(property).toMatchObject({ type: 'collection', default: {} });
		const bounds = (property.options ?? []) as INodeProperties[];
		expect(bounds.map((bound) => [bound.name, bound.type])).toEqual([
			['gte', 'number'],
			['lte', 'number'],
		]);
	},
);

test.each(['business_id', 'prospect_id'])('%s is text, for ids from elsewhere', (name) => {
	expect(of(name)).toMatchObject({ type: 'string', default: '' });
});

test('related titles are off at first', () => {
	expect(of('include_related_job_titles')).toMatchObject({ type: 'boolean', default: false });
});
