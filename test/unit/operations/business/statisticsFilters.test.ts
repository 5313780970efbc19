/** The filters of the statistics: from the saved value to the request. */
import type { INodeProperties } from 'n8n-workflow';
import { statisticsFilters } from '../../../../nodes/BusinessProspectData/operations/business/statisticsFilters';

const { read, property } = statisticsFilters;

const listed = (...values: unknown[]) => ({
	values: values.map((value) => ({ value: { __rl: true, mode: 'list', value } })),
});

test.each<[string, object, object]>([
	['nothing', {}, {}],
	[
		'values of a fixed list',
		{ company_size: { values: ['1-10', '11-50'] } },
		{ company_size: { type: 'includes', values: ['1-10', '11-50'] } },
	],
	[
		'values with suggestions',
		{ region_country_code: { values: listed('us-tx', 'us-ca') } },
		{ region_country_code: { type: 'includes', values: ['us-tx', 'us-ca'] } },
	],
	[
		'excluded values',
		{ company_size: { values: ['1-10'], negate: true } },
		{ company_size: { type: 'includes', values: ['1-10'], negate: true } },
	],
	[
		'values that are not excluded: no negate',
		{ company_size: { values: ['1-10'], negate: false } },
		{ company_size: { type: 'includes', values: ['1-10'] } },
	],
	[
		'excluded by text from an expression',
		{ company_size: { values: '1-10, 11-50', negate: 'false' } },
		{ company_size: { type: 'includes', values: ['1-10', '11-50'] } },
	],
	[
		'values without their collection, as an agent may enter them',
		{ company_size: ['1-10'] },
		{ company_size: { type: 'includes', values: ['1-10'] } },
	],
])('%s', (_name, saved, values) => {
	expect(read(saved)).toStrictEqual({ values, empty: [] });
});

test.each<[string, object]>([
	['excluded, but no values', { company_size: { negate: true } }],
	['no values', { company_size: { values: [] } }],
	['no locators', { region_country_code: { values: {} } }],
	['an empty object', { company_size: {} }],
])('%s: an empty filter', (_name, saved) => {
	const { values, empty } = read(saved);
	expect(values).toEqual({});
	expect(empty.map(({ name }) => name)).toEqual(Object.keys(saved));
});

test.each<[string, object, string]>([
	['an unknown value', { company_size: { values: ['huge'] } }, '"huge" is not one of: '],
	['another shape', { company_size: { value: '1-10' } }, 'Company Size: '],
])('%s: fails rather than counting every company', (_name, saved, message) => {
	expect(() => read(saved)).toThrow(message);
});

test('each filter is saved as its values with negate beside them', () => {
	for (const filter of (property.options ?? []) as INodeProperties[]) {
		const parts = (filter.options ?? []) as INodeProperties[];
		expect(parts.map(({ name }) => name).sort()).toEqual(['negate', 'values']);
		expect(filter).toMatchObject({ type: 'collection', default: {} });
	}
	const names = (property.options ?? []).map(({ name }) => name);
	for (const category of ['search_category', 'network_category', 'naics_category']) {
		expect(names).toContain(category);
	}
});
