/** The filters of the statistics: from what a workflow saves to what is sent. */
import type { INodeProperties } from 'n8n-workflow';
import { statisticsFilters } from '../../../nodes/BusinessProspectData/operations/business/statisticsFilters';

const { read, property } = statisticsFilters;

const found = (...values: unknown[]) => ({
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
		'values found as you type',
		{ region_country_code: { values: found('us-tx', 'us-ca') } },
		{ region_country_code: { type: 'includes', values: ['us-tx', 'us-ca'] } },
	],
	[
		'excluded ones',
		{ company_size: { values: ['1-10'], negate: true } },
		{ company_size: { type: 'includes', values: ['1-10'], negate: true } },
	],
	[
		'not excluded ones: nothing is said of it',
		{ company_size: { values: ['1-10'], negate: false } },
		{ company_size: { type: 'includes', values: ['1-10'] } },
	],
	[
		'excluded by text from an expression',
		{ company_size: { values: '1-10, 11-50', negate: 'false' } },
		{ company_size: { type: 'includes', values: ['1-10', '11-50'] } },
	],
	[
		'values without their place, as an agent may give them',
		{ company_size: ['1-10'] },
		{ company_size: { type: 'includes', values: ['1-10'] } },
	],
])('%s', (_what, saved, sent) => {
	expect(read(saved)).toStrictEqual({ sent, empty: [] });
});

test.each<[string, object]>([
	['excluded, but no values', { company_size: { negate: true } }],
	['no values', { company_size: { values: [] } }],
	['no locators', { region_country_code: { values: {} } }],
	['nothing in it', { company_size: {} }],
])('%s: an empty filter', (_what, saved) => {
	const { sent, empty } = read(saved);
	expect(sent).toEqual({});
	expect(empty.map(({ name }) => name)).toEqual(Object.keys(saved));
});

test.each<[string, object, string]>([
	['an unknown value', { company_size: { values: ['huge'] } }, '"huge" is not one of: '],
	['another shape', { company_size: { value: '1-10' } }, 'Company Size: '],
])('%s: refused rather than counting the whole world', (_what, saved, words) => {
	expect(() => read(saved)).toThrow(words);
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
