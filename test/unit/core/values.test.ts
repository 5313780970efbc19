import { asCount, asText, isEmpty } from '../../../nodes/BusinessProspectData/core/json';
import { isBlank, trimInvisible, truncate } from '../../../nodes/BusinessProspectData/core/text';

/** As CRM exports fill empty cells: zero-width space, non-joiner, joiner, word joiner, byte order mark. */
const ZERO_WIDTH = '\u200b\u200c\u200d\u2060\ufeff';

test.each<[value: unknown, expected: string | undefined]>([
	[' a ', ' a '],
	[`a${ZERO_WIDTH}`, `a${ZERO_WIDTH}`],
	[0, '0'],
	['', undefined],
	[` ${ZERO_WIDTH}\n`, undefined],
])('asText of %j is %j', (value, expected) => {
	expect(asText(value)).toBe(expected);
});

test.each<[value: unknown, expected: number | undefined]>([
	[0, 0],
	[' 60000 ', 60_000],
	[-1, undefined],
	[1.5, undefined],
	[' ', undefined],
	['many', undefined],
	[null, undefined],
	[NaN, undefined],
	[Infinity, undefined],
	[true, undefined],
	[[], undefined],
])('asCount of %j is %j', (value, expected) => {
	expect(asCount(value)).toBe(expected);
});

test.each<[value: unknown, expected: boolean]>([
	[undefined, true],
	[`${ZERO_WIDTH}\n`, true],
	[{ a: null, b: [], c: { d: '' } }, true],
	[[null, {}], true],
	['a', false],
	[0, false],
	[false, false],
	[new Date(0), false],
	[[{ a: [false] }], false],
])('isEmpty of %j is %j', (value, expected) => {
	expect(isEmpty(value)).toBe(expected);
});

test.each([
	[' \u200b a \u200b b\u00a0\n', 'a \u200b b'],
	['é ', 'é'],
	['\ude00 Ada \ud83dDiaz 😀', 'Ada Diaz 😀'],
	['\ud83d\ud83d\ude00', '😀'],
	['Ada\ufffd\ufffd Diaz', 'Ada Diaz'],
])('trims %j to %j', (text, expected) => {
	expect(trimInvisible(text)).toBe(expected);
});

test('trims text with half a million spaces inside', () => {
	const text = `a${' '.repeat(500_000)}é`;
	expect(trimInvisible(`${text} `)).toBe(text);
});

test.each([
	['', true],
	[' \u200b', true],
	['\ud83d \ude00', true],
	['\ufffd', true],
	['😀', false],
	['\u200ba', false],
])('%j is blank: %s', (text, expected) => {
	expect(isBlank(text)).toBe(expected);
});

test.each([
	['abc', 3, 'abc'],
	['abcd', 3, 'abc...'],
	['a😀', 3, 'a😀'],
	['a😀bc', 2, 'a...'],
])('truncates %j to %d: %j', (text, maxLength, expected) => {
	expect(truncate(text, maxLength)).toBe(expected);
});
