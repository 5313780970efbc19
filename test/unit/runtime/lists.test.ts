/** Fields that take several values: one, a list from an expression, or text. */
import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import {
	idsParameter,
	multiOptionsParameter,
	noChoiceError,
	stringListParameter,
} from '../../../nodes/BusinessProspectData/runtime/lists';

const A = 'a'.repeat(40);
const B = 'b1'.repeat(20);
const C = '0123456789'.repeat(4);

const property = (more: Partial<INodeProperties> = {}) => ({
	displayName: 'Prospect IDs',
	type: 'string' as const,
	default: '',
	...more,
	name: 'prospectIds' as const,
});
const locator = (value: unknown) => ({ __rl: true, mode: 'value', value });

const { read } = idsParameter(property(), {
	pattern: /^[a-f0-9]{40}$/,
	description: 'a prospect ID',
});

test.each<[string, unknown, string[]]>([
	['one', A, [A]],
	['blanks around it', `  ${A}\n`, [A]],
	['capitals', A.toUpperCase(), [A]],
	['commas', `${A},${B},${C}`, [A, B, C]],
	['commas and blanks', `${A}, ${B} ,${C}`, [A, B, C]],
	['lines', `${A}\n${B}\n${C}\n`, [A, B, C]],
	['lines of Windows', `${A}\r\n${B}\r\n`, [A, B]],
	['blanks', `${A} ${B}   ${C}`, [A, B, C]],
	['tabs of a sheet', `${A}\t${B}`, [A, B]],
	['blanks that do not break', `${A}\u00a0${B}`, [A, B]],
	['semicolons', `${A};${B}; ${C}`, [A, B, C]],
	['stray separators', `,, ${A},\n,;${B} ,`, [A, B]],
	['a list', [A, B], [A, B]],
	['a list of lists', [[A], [[B, [C]]], []], [A, B, C]],
	['a list with gaps', [A, null, undefined, '', '  ', B], [A, B]],
	['a list of texts with several', [`${A},${B}`, C], [A, B, C]],
	['a list written as JSON', JSON.stringify([A, B]), [A, B]],
	['a list of lists written as JSON', ` ${JSON.stringify([[A], [B, null]])} `, [A, B]],
	['a list with a list written as JSON in it', [JSON.stringify([A]), B], [A, B]],
	['doubles, case aside, keep the first place', `${B},${A},${B.toUpperCase()},${A}`, [B, A]],
	['a typed-in choice', locator(`${A}, ${B}`), [A, B]],
	['a list of typed-in choices', [locator(A), locator(B)], [A, B]],
	['nothing', '', []],
	['a blank', ' \n ', []],
	['commas only', ' , ,', []],
	['not filled in', undefined, []],
	['null', null, []],
	['an empty list', [], []],
	['an empty list as JSON', '[]', []],
	['an empty choice', locator(''), []],
	['a missing choice', locator(null), []],
])('ids: %s', (_what, raw, expected) => {
	expect(read(raw)).toEqual(expected);
});

const LIST_RULE = 'must be text or a list of text values.';

test.each<[string, unknown, string]>([
	['too short', 'abc', '"abc" is not a prospect ID.'],
	['too long', `${A}a`, `"${A}a" is not a prospect ID.`],
	['another letter', `${A.slice(1)}g`, `"${A.slice(1)}g" is not a prospect ID.`],
	['one bad among good ones', `${A}, oops ,${B}`, '"oops" is not a prospect ID.'],
	['one bad in a list', [A, ['oops', B]], '"oops" is not a prospect ID.'],
	['one bad among good ones without commas', `${A} oops ${B}`, '"oops" is not a prospect ID.'],
	['a name, whole and as it was written', 'Jane Smith', '"Jane Smith" is not a prospect ID.'],
	['a name among IDs', `${A}, Jane Smith`, '"Jane Smith" is not a prospect ID.'],
	['a long text, up to its first part', 'word '.repeat(50), `"${'word '.repeat(16)}..." is not`],
	['a number', 12345, '"12345" is not a prospect ID.'],
	['quotes from a sheet', `"${A}"`, `""${A}"" is not a prospect ID.`],
	['a broken list', `[${A}`, `"[${A}" is not a prospect ID.`],
	['a switch', true, `"true" ${LIST_RULE}`],
	['a row instead of its id', { prospect_id: 'x' }, `"{"prospect_id":"x"}" ${LIST_RULE}`],
	['rows instead of their ids', [{ id: 1 }], `"{"id":1}" ${LIST_RULE}`],
	['rows written as JSON', '[{"id":1}]', `"{"id":1}" ${LIST_RULE}`],
])('ids: %s is refused by value', (_what, raw, rule) => {
	expect(() => read(raw)).toThrow(`Prospect IDs: ${rule}`);
});

const hex = fc
	.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 })
	.map((letters) => letters.join(''));
const mixedCase = (id: string) =>
	fc
		.array(fc.boolean(), { minLength: 40, maxLength: 40 })
		.map((up) => [...id].map((char, at) => (up[at] ? char.toUpperCase() : char)).join(''));
const separator = fc.constantFrom(',', ' ', '\n', '\r\n', ';', '\t', ' , ', ',\n', ' ; ');

test('ids: however a list is written, the same ones are read, each once, in their order', () => {
	const pool = fc.array(hex, { minLength: 1, maxLength: 4 });
	const drawn = pool.chain((some) =>
		fc.array(
			fc.constantFrom(...some).chain((id) => mixedCase(id)),
			{ maxLength: 12 },
		),
	);
	fc.assert(
		fc.property(drawn, separator, fc.nat(12), (given, between, cut) => {
			const expected = [...new Set(given.map((id) => id.toLowerCase()))];
			const joined = given.join(between);
			const halves = [given.slice(0, cut), [given.slice(cut).join(between)]];
			for (const raw of [given, joined, JSON.stringify(given), [joined], halves, locator(given)]) {
				expect(read(raw)).toEqual(expected);
			}
		}),
	);
});

const dataSets = multiOptionsParameter({
	...property({ displayName: 'Data Sets', default: ['profile'] }),
	options: [
		{ name: 'Network Posts', value: 'networkPosts' },
		{ name: 'Profile', value: 'profile' },
		{ name: 'R&D', value: 'R&D' },
		{ name: 'Board', value: 'board member' },
	],
});

test.each<[string, unknown, string[]]>([
	['as saved', ['profile', 'networkPosts'], ['profile', 'networkPosts']],
	['one text', 'profile', ['profile']],
	['text with commas', 'profile, networkPosts', ['profile', 'networkPosts']],
	['text with lines', 'profile\nboard member', ['profile', 'board member']],
	['a list in text', '["profile","R&D"]', ['profile', 'R&D']],
	['a list of lists', [['profile'], 'R&D'], ['profile', 'R&D']],
	['other capitals', ['PROFILE', 'networkposts', 'r&d'], ['profile', 'networkPosts', 'R&D']],
	['doubles', ['profile', 'Profile', ' profile '], ['profile']],
	['a blank inside a value', 'board member', ['board member']],
	['none', [], []],
	['an empty text', '', []],
	['a missing field', undefined, []],
	['null', null, []],
])('choices: %s', (_what, raw, expected) => {
	expect(dataSets.read(raw)).toEqual(expected);
});

test.each<[string, unknown, string]>([
	['unknown', ['profile', 'salary'], 'salary'],
	['unknown in text', 'profile,salary', 'salary'],
	['two in one', 'board member profile', 'board member profile'],
	['a name of every object', ['constructor'], 'constructor'],
	['a number', 3, '3'],
])('choices: %s is refused with all that there are', (_what, raw, value) => {
	expect(() => dataSets.read(raw)).toThrow(
		`Data Sets: "${value}" is not one of: networkPosts, profile, R&D, board member.`,
	);
});

test('where one must be chosen, all that there are are named', () => {
	expect(noChoiceError(dataSets.property).message).toBe(
		'Data Sets: choose at least one of: networkPosts, profile, R&D, board member.',
	);
});

test('names with commas in them are split by lines and lists only', () => {
	const name = fc
		.string({ minLength: 1 })
		.filter((text) => text.trim() !== '' && !/[\n[]/.test(text))
		.map((text) => `${text.trim()}, Inc.`);
	fc.assert(
		fc.property(fc.array(name, { maxLength: 6 }), (names) => {
			for (const raw of [names, names.join('\n'), names.map((text) => ` ${text}\n`)]) {
				expect(stringListParameter(property(), /\n/).read(raw)).toEqual(names);
			}
		}),
	);
});
