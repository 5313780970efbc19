/** The filters of the statistics: how they are saved, and values that the editor would not save. */
import type { INodeProperties } from 'n8n-workflow';
import { statisticsFilters } from '../../../../nodes/BusinessProspectData/operations/business/statisticsFilters';

const { read, property } = statisticsFilters;

test('values without their collection, as an agent may enter them', () => {
	expect(read({ company_size: ['1-10'] })).toStrictEqual({
		values: { company_size: { type: 'includes', values: ['1-10'] } },
		empty: [],
	});
});

test('an unknown member fails rather than counting every company', () => {
	expect(() => read({ company_size: { value: '1-10' } })).toThrow(
		'Company Size: "{"value":"1-10"}" is not an object with values and negate.',
	);
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
