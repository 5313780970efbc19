import {
	asCount,
	isEmpty,
	isObject,
	asObjects,
	asText,
} from '../../../nodes/BusinessProspectData/core/json';
import { groupBy } from '../../../nodes/BusinessProspectData/core/groupBy';
import { pluralize, formatNumber } from '../../../nodes/BusinessProspectData/core/text';

test.each<[value: unknown, object: boolean]>([
	[{}, true],
	[{ a: 1 }, true],
	[[], false],
	[null, false],
	[undefined, false],
	['{}', false],
	[7, false],
])('%j is an object: %j', (value, object) => {
	expect(isObject(value)).toBe(object);
});

test('the objects of a list leave out the rest', () => {
	expect(asObjects([{ a: 1 }, null, [], 'x', { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
	expect(asObjects(null)).toEqual([]);
	expect(asObjects('x')).toEqual([]);
});

test('one object in place of a list is a list of one', () => {
	expect(asObjects({ a: 1 })).toEqual([{ a: 1 }]);
});

test.each<[value: unknown, text: string | undefined]>([
	['a', 'a'],
	[' a ', ' a '],
	[0, '0'],
	['', undefined],
	[' \n', undefined],
	[null, undefined],
	[true, undefined],
	[['a'], undefined],
])('the text of %j is %j', (value, text) => {
	expect(asText(value)).toBe(text);
});

test.each<[value: unknown, count: number | undefined]>([
	[0, 0],
	[7, 7],
	['7', 7],
	[' 60000 ', 60_000],
	[-1, undefined],
	[1.5, undefined],
	['', undefined],
	[' ', undefined],
	['many', undefined],
	[null, undefined],
	[undefined, undefined],
	[NaN, undefined],
	[Infinity, undefined],
	[true, undefined],
	[[], undefined],
])('the count of %j is %j', (value, count) => {
	expect(asCount(value)).toBe(count);
});

test.each<[value: unknown, empty: boolean]>([
	[null, true],
	[undefined, true],
	['', true],
	[' \n', true],
	[[], true],
	[{}, true],
	[{ a: null, b: [], c: { d: '' } }, true],
	[[null, {}], true],
	['a', false],
	[0, false],
	[false, false],
	[{ a: null, b: 0 }, false],
	[[{ a: [false] }], false],
])('%j is empty: %j', (value, empty) => {
	expect(isEmpty(value)).toBe(empty);
});

test('groups keep the order of their members', () => {
	const groups = groupBy(['b1', 'a1', 'b2'], (member) => member[0] ?? '');

	expect([...groups]).toEqual([
		['b', ['b1', 'b2']],
		['a', ['a1']],
	]);
});

test('numbers and counts read as people write them', () => {
	expect([0, 999, 1_000, 12_345, 1_234_567].map(formatNumber)).toEqual([
		'0',
		'999',
		'1,000',
		'12,345',
		'1,234,567',
	]);
	expect(pluralize(1, 'request')).toBe('1 request');
	expect(pluralize(0, 'request')).toBe('0 requests');
	expect(pluralize(2_000, 'match', 'matches')).toBe('2,000 matches');
});
