/** The filters of the statistics: how they are saved, and values that the editor would not save. */
import type { INodePropertyCollection } from 'n8n-workflow';
import {
	additionalFilters,
	statisticsFilters,
} from '../../../../nodes/BusinessProspectData/operations/business/getStatistics';

const { read, property } = statisticsFilters;
const groups = (property.options ?? []) as INodePropertyCollection[];

test('values without a row, as in a hand-written workflow', () => {
	expect(read({ company_size: ['1-10', '11-50'] })).toStrictEqual({
		byName: { company_size: { type: 'includes', values: ['1-10', '11-50'] } },
		empty: [],
	});
});

test('a row without its value is empty rather than counting every company', () => {
	const { byName, empty } = read({ company_size: [{ values: '1-10' }] });

	expect(byName).toEqual({});
	expect(empty).toMatchObject([{ name: 'company_size' }]);
});

test('a filter with rows that include and rows that exclude fails', () => {
	const rows = [{ value: ['1-10'] }, { value: ['11-50'], match: 'exclude' }];

	expect(() => read({ company_size: rows })).toThrow(
		"Company Size: can't both include and exclude values. Use one of them.",
	);
});

test('a row without its value neither includes nor excludes', () => {
	const rows = [{ value: ['1-10'] }, { match: 'exclude' }];

	expect(read({ company_size: rows }).byName).toEqual(read({ company_size: [rows[0]] }).byName);
});

test('an additional filter has negate only if it is true', () => {
	const filter = { type: 'includes', values: ['us'] };
	const filters = {
		country_code: { ...filter, negate: false },
		city: { ...filter, negate: true },
		region: filter,
	};

	expect(additionalFilters.read(JSON.stringify(filters))).toStrictEqual({
		byName: { country_code: filter, city: { ...filter, negate: true }, region: filter },
		empty: [],
	});
});

test('each filter has its value and Include or Exclude in one row', () => {
	for (const { values } of groups) {
		expect(values.map(({ name }) => name)).toEqual(['value', 'match']);
	}
	const names = groups.map(({ name }) => name);
	for (const category of ['search_category', 'network_category', 'naics_category']) {
		expect(names).toContain(category);
	}
});
