import {
	formatNumber,
	isBlank,
	pluralize,
	trimInvisible,
	truncate,
} from '../../../nodes/BusinessProspectData/core/text';

test.each([
	[0, '0'],
	[999, '999'],
	[1_000, '1,000'],
	[12_345, '12,345'],
	[1_234_567, '1,234,567'],
])('formats %d as %s', (value, expected) => {
	expect(formatNumber(value)).toBe(expected);
});

test.each([
	[pluralize(1, 'request'), '1 request'],
	[pluralize(0, 'request'), '0 requests'],
	[pluralize(2_000, 'match', 'matches'), '2,000 matches'],
])('%s', (text, expected) => {
	expect(text).toBe(expected);
});

test.each([
	[' \u200b a \u200b b\u00a0\n', 'a \u200b b'],
	['\u200b', ''],
	['é ', 'é'],
	['Ada Diaz \ud83d', 'Ada Diaz'],
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
	['a😀bc', 3, 'a😀...'],
])('truncates %j to %d: %j', (text, maxLength, expected) => {
	expect(truncate(text, maxLength)).toBe(expected);
});
