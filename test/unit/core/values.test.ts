import { isEmpty } from '../../../nodes/BusinessProspectData/core/json';
import { trimInvisible, truncate } from '../../../nodes/BusinessProspectData/core/text';

/** As CRM exports fill empty cells: zero-width space, non-joiner, joiner, word joiner, byte order mark. */
const ZERO_WIDTH = '\u200b\u200c\u200d\u2060\ufeff';

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
	['abc', 3, 'abc'],
	['abcd', 3, 'abc...'],
	['a😀', 3, 'a😀'],
	['a😀bc', 2, 'a...'],
])('truncates %j to %d: %j', (text, maxLength, expected) => {
	expect(truncate(text, maxLength)).toBe(expected);
});
