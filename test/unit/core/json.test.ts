import {
	asCount,
	asObjects,
	asText,
	isEmpty,
	isObject,
} from '../../../nodes/BusinessProspectData/core/json';

/** As CRM exports fill empty cells: zero-width space, non-joiner, joiner, word joiner, byte order mark. */
const ZERO_WIDTH = '\u200b\u200c\u200d\u2060\ufeff';

test.each<[value: unknown, expected: boolean]>([
	[{}, true],
	[{ a: 1 }, true],
	[[], false],
	[null, false],
	[undefined, false],
	['{}', false],
	[7, false],
])('isObject of %j is %j', (value, expected) => {
	expect(isObject(value)).toBe(expected);
});

test.each<[value: unknown, expected: object[]]>([
	[
		[{ a: 1 }, null, [], 'x', { b: 2 }],
		[{ a: 1 }, { b: 2 }],
	],
	[{ a: 1 }, [{ a: 1 }]],
	[[{}], [{}]],
	[{}, []],
	[null, []],
	['x', []],
])('asObjects of %j is %j', (value, expected) => {
	expect(asObjects(value)).toEqual(expected);
});

test.each<[value: unknown, expected: string | undefined]>([
	['a', 'a'],
	[' a ', ' a '],
	[`a${ZERO_WIDTH}`, `a${ZERO_WIDTH}`],
	[0, '0'],
	['', undefined],
	[' \n', undefined],
	[ZERO_WIDTH, undefined],
	[` ${ZERO_WIDTH}\n`, undefined],
	[null, undefined],
	[true, undefined],
	[['a'], undefined],
])('asText of %j is %j', (value, expected) => {
	expect(asText(value)).toBe(expected);
});

test.each<[value: unknown, expected: number | undefined]>([
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
])('asCount of %j is %j', (value, expected) => {
	expect(asCount(value)).toBe(expected);
});

test.each<[value: unknown, expected: boolean]>([
	[null, true],
	[undefined, true],
	['', true],
	[' \n', true],
	[ZERO_WIDTH, true],
	[[], true],
	[{}, true],
	[{ a: null, b: [], c: { d: '' } }, true],
	[[null, {}], true],
	['a', false],
	[0, false],
	[false, false],
	[{ a: null, b: 0 }, false],
	[new Date(0), false],
	[[{ a: [false] }], false],
])('isEmpty of %j is %j', (value, expected) => {
	expect(isEmpty(value)).toBe(expected);
});
