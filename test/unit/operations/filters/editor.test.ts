/** The filters of the prospect search as the editor shows them, and so as workflows save them. */
import type { INodeProperties } from 'n8n-workflow';
import { BusinessProspectData } from '../../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { searchFilters } from '../../../../nodes/BusinessProspectData/operations/prospect/getAll';

const { property: filters } = searchFilters;
const properties = (filters.options ?? []) as INodeProperties[];

const of = (name: string): INodeProperties => {
	const property = properties.find((candidate) => candidate.name === name);
	if (property === undefined) throw new TypeError(`There is no filter ${name}`);
	return property;
};

const { listSearch } = new BusinessProspectData().methods as {
	listSearch: Record<string, unknown>;
};

/** The locator of a filter whose values have suggestions. */
function locatorOf(property: INodeProperties): INodeProperties | undefined {
	if (property.type === 'resourceLocator') return property;
	const [values] = (property.options ?? []) as Array<{ name: string; values: INodeProperties[] }>;
	expect(values?.name).toBe('values');
	expect(values?.values.map(({ name }) => name)).toEqual(['value']);
	return values?.values[0];
}

test('Filters is an empty collection at first, in alphabetical order', () => {
	expect(filters).toMatchObject({ name: 'filters', type: 'collection', default: {} });
	const names = properties.map(({ displayName }) => displayName);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	expect(properties.every(({ description }) => (description ?? '') !== '')).toBe(true);
});

const AUTOCOMPLETE = {
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

test.each(Object.entries({ ...AUTOCOMPLETE, job_title: 'job_title' }))(
	'%s suggests the values of %s, or takes any value',
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

test.each(Object.keys(AUTOCOMPLETE))('%s takes several values, one compact row each', (name) => {
	const property = of(name);
	expect(property).toMatchObject({
		type: 'fixedCollection',
		default: {},
		typeOptions: { multipleValues: true, fixedCollection: { layout: 'inline' } },
	});
	const button = property.typeOptions?.multipleValueButtonText ?? property.placeholder;
	expect(button).toMatch(/^Add [a-z]/);
});

test('filters share a list only if they have the same values', () => {
	const methods = Object.keys({ ...AUTOCOMPLETE, job_title: '' }).map(
		(name) => locatorOf(of(name))?.modes?.[0]?.typeOptions?.searchListMethod,
	);
	expect(new Set(methods).size).toBe(
		new Set(Object.values({ ...AUTOCOMPLETE, t: 'job_title' })).size,
	);
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
])('%s lists the values of the contract', (name, values) => {
	const property = of(name);
	expect(property).toMatchObject({ type: 'multiOptions', default: [] });
	const offered = (property.options ?? []).map((option) => ('value' in option ? option.value : ''));
	expect([...offered].sort()).toEqual([...values].sort());
});

test.each([
	['company_size', SIZES],
	['company_revenue', REVENUES],
])('%s is sorted from small to large', (name, values) => {
	expect((of(name).options ?? []).map(({ name: label }) => label)).toEqual(values);
});

test.each(['has_email', 'has_phone_number'])('%s is any, yes or no; any at first', (name) => {
	const property = of(name);
	expect(property).toMatchObject({ type: 'options', default: 'any' });
	const offered = (property.options ?? []).map((option) => ('value' in option ? option.value : ''));
	expect([...offered].sort()).toEqual(['any', 'no', 'yes']);
});

test.each(['total_experience_months', 'current_role_months'])(
	'%s is a range of gte and lte, without bounds at first',
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

test.each(['business_id', 'prospect_id'])('%s is a text field for IDs from elsewhere', (name) => {
	expect(of(name)).toMatchObject({ type: 'string', default: '' });
});

test('related titles are off at first', () => {
	expect(of('include_related_job_titles')).toMatchObject({ type: 'boolean', default: false });
});
