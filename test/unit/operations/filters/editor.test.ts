/** The filters of the prospect search as the editor shows them, and so as workflows save them. */
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { BusinessProspectData } from '../../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { searchFilters } from '../../../../nodes/BusinessProspectData/filters/kinds';
import { COMPANY_REVENUES, COMPANY_SIZES } from '../../../sandbox/contract/limits';
import { DEPARTMENTS, LEVELS } from '../../../sandbox/world/vocabulary';

const { property: filters } = searchFilters;
const groups = (filters.options ?? []) as INodePropertyCollection[];

/** The fields of a row of a filter. */
function of(name: string): INodeProperties[] {
	const group = groups.find((candidate) => candidate.name === name);
	if (group === undefined) throw new TypeError(`There is no filter ${name}`);
	return group.values;
}

const { listSearch, loadOptions } = new BusinessProspectData().methods;

test('Filters is empty at first; each filter can be added, in alphabetical order', () => {
	expect(filters).toMatchObject({
		name: 'filters',
		type: 'fixedCollection',
		default: {},
		typeOptions: { multipleValues: true },
	});
	const names = groups.map(({ displayName }) => displayName);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	expect(groups.flatMap(({ values }) => values).every(({ description = '' }) => description)).toBe(
		true,
	);
});

test('each filter has a label of its own, which its fields do not repeat', () => {
	for (const { displayName, name } of groups) {
		expect(of(name).map((field) => field.displayName)).not.toContain(displayName);
	}
	expect(new Set(groups.map(({ displayName }) => displayName)).size).toBe(groups.length);
});

const AUTOCOMPLETE = {
	city_region_country: 'city_region_country',
	company_name: 'company_name',
	company_region_country_code: 'region_country_code',
	naics_category: 'naics_category',
	network_category: 'network_category',
	region_country_code: 'region_country_code',
	search_category: 'search_category',
	job_title: 'job_title',
};

test.each(Object.entries(AUTOCOMPLETE))(
	'%s suggests the values of %s, or takes any value',
	(name, field) => {
		const [locator] = of(name);
		expect(locator).toMatchObject({
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			modes: [
				{ name: 'list', type: 'list', typeOptions: { searchable: true } },
				{ name: 'value', type: 'string' },
			],
		});
		const method = locator?.modes?.[0]?.typeOptions?.searchListMethod ?? '';
		// Filters share a list only if they have the same values.
		expect(method).toBe(`search_${field}`);
		expect(listSearch[method]).toBeInstanceOf(Function);
	},
);

test.each(['country_code', 'company_country_code'])(
	'%s takes several countries from a list that needs no request',
	async (name) => {
		const [property] = of(name);
		expect(property).toMatchObject({
			type: 'multiOptions',
			default: [],
			typeOptions: { loadOptionsMethod: 'getCountries' },
		});
		const countries = await loadOptions.getCountries();
		expect(countries).toHaveLength(250);
		expect(countries[0]).toEqual({ name: 'Afghanistan', value: 'af' });
		expect(countries).toContainEqual({ name: 'United States', value: 'us' });
	},
);

test.each([
	['job_level', Object.keys(LEVELS)],
	['job_department', DEPARTMENTS],
	['company_size', COMPANY_SIZES],
	['company_revenue', COMPANY_REVENUES],
])('%s lists the values of the contract', (name, values) => {
	const [property] = of(name);
	expect(property).toMatchObject({ type: 'multiOptions', default: [] });
	const offered = (property?.options ?? []).map((option) =>
		'value' in option ? option.value : '',
	);
	expect([...offered].sort()).toEqual([...values].sort());
});

test.each([
	['company_size', COMPANY_SIZES],
	['company_revenue', COMPANY_REVENUES],
])('%s is sorted from small to large', (name, values) => {
	expect((of(name)[0]?.options ?? []).map(({ name: label }) => label)).toEqual(values);
});

test.each([
	['job_level', ['C-Suite', 'Non-Managerial', 'Vice President']],
	['job_department', ['Customer Success', 'Human Resources', 'IT', 'R&D']],
])('%s is shown in Title Case, each thing once', (name, some) => {
	const labels = (of(name)[0]?.options ?? []).map(({ name: label }) => label);
	expect(labels).toEqual(expect.arrayContaining(some));
	expect(labels.filter((label) => !/^[A-Z][A-Za-z&]*([ -][A-Z][a-z]*)*$/.test(label))).toEqual([]);
	expect(labels.filter((label) => /^(cxo|vp|senior)$/i.test(label))).toEqual([]);
});

test.each(['has_email', 'has_phone_number'])('%s is a switch, on at first', (name) => {
	expect(of(name)).toMatchObject([{ type: 'boolean', default: true }]);
});

test.each(['total_experience_months', 'current_role_months'])(
	'%s is a range of At Least and At Most, without values at first',
	(name) => {
		expect(of(name)).toMatchObject([
			{ displayName: 'At Least', name: 'gte', type: 'number', default: '' },
			{ displayName: 'At Most', name: 'lte', type: 'number', default: '' },
		]);
	},
);

test.each(['business_id', 'prospect_id'])('%s is a text field for IDs from elsewhere', (name) => {
	expect(of(name)).toMatchObject([{ type: 'string', default: '' }]);
});

test('related titles are off at first', () => {
	expect(of('job_title')[1]).toMatchObject({
		name: 'include_related_job_titles',
		type: 'boolean',
		default: false,
	});
});
