/** Parameters with several values: as text, or as a list from an expression. */
import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import {
	idsParameter,
	multiOptionsParameter,
	noChoiceError,
	stringListParameter,
} from '../../../nodes/BusinessProspectData/parameters/lists';

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
	['one ID', A, [A]],
	['white space around it', `  ${A}\n`, [A]],
	['commas', `${A},${B},${C}`, [A, B, C]],
	['lines', `${A}\n${B}\n${C}\n`, [A, B, C]],
	['non-breaking spaces', `${A}\u00a0${B}`, [A, B]],
	['stray separators', `,, ${A},\n,;${B} ,`, [A, B]],
	['nested lists', [[A], [[B, [C]]], []], [A, B, C]],
	['a list with empty values', [A, null, undefined, '', '  ', B], [A, B]],
	['nested JSON lists', ` ${JSON.stringify([[A], [B, null]])} `, [A, B]],
	['a list with a JSON list', [JSON.stringify([A]), B], [A, B]],
	['a resource locator', locator(`${A}, ${B}`), [A, B]],
	['a list of resource locators', [locator(A), locator(B)], [A, B]],
	['in quotes', `"${A}", '${B}'`, [A, B]],
	['in brackets', `[${A}] (${B})`, [A, B]],
	['an incomplete list', `[${A}, ${B}`, [A, B]],
	['in curly quotes', `“${A}”`, [A]],
	['as text in a spreadsheet', `="${A}"`, [A]],
	["after a spreadsheet's apostrophe", `'${A}`, [A]],
	['a sentence', `${A}.`, [A]],
	['a pasted column with its header', `prospect_id\n${A}\n${B}`, [A, B]],
	['a header in other words', `Prospect ID\n${A}`, [A]],
	['a header before a space', `prospect_id ${A}`, [A]],
	['a quoted header', `"id","${A}"`, [A]],
	['a header alone', 'prospect_ids', []],
	['nothing', 'n/a', []],
	['nothing among IDs', `${A}, N/A, #REF!, -, none\n(blank), ${B}`, [A, B]],
	['zero', 0, []],
	['empty text', '', []],
	['white space', ' \n ', []],
	['an invisible character', '\u200b', []],
	['an invisible character after an ID', `${A}\u200b, ${B}`, [A, B]],
	['an invisible character between IDs', `${A}\u200b \u200b ${B}`, [A, B]],
	['false', false, []],
	['no number', Number.NaN, []],
	['only commas', ' , ,', []],
	['undefined', undefined, []],
	['null', null, []],
	['an empty list', [], []],
	['an empty JSON list', '[]', []],
	['an empty resource locator', locator(''), []],
	['a resource locator of null', locator(null), []],
])('reads IDs: %s', (_name, raw, expected) => {
	expect(read(raw)).toEqual(expected);
});

const LIST_RULE = 'must be text or a list of text values.';

test.each<[string, unknown, string]>([
	['too short', 'abc', '"abc" is not a prospect ID.'],
	['too long', `${A}a`, `"${A}a" is not a prospect ID.`],
	['with another letter', `${A.slice(1)}g`, `"${A.slice(1)}g" is not a prospect ID.`],
	['one of several', `${A}, oops ,${B}`, '"oops" (number 2 in the list) is not a prospect ID.'],
	['one in a list', [A, ['oops', B]], '"oops" (number 2 in the list) is not a prospect ID.'],
	[
		'one of several without commas',
		`${A} ${A} oops ${B}`,
		'"oops" (number 3 in the list) is not a prospect ID.',
	],
	['a name, quoted whole', 'Jane Smith', '"Jane Smith" is not a prospect ID.'],
	[
		'a name among IDs',
		`${A}, Jane Smith`,
		'"Jane Smith" (number 2 in the list) is not a prospect ID.',
	],
	['a long text, quoted in part', 'word '.repeat(50), `"${'word '.repeat(16)}..." is not`],
	['a number', 12345, '"12345" is not a prospect ID.'],
	['in the middle of text', `x${A}`, `"x${A}" is not a prospect ID.`],
	[
		'a business ID',
		A.slice(8),
		`"${A.slice(8)}" is not a prospect ID. It looks like a business ID.`,
	],
	[
		'a business ID in quotes among IDs',
		`${B} "${A.slice(8)}"`,
		`"${A.slice(8)}" (number 2 in the list) is not a prospect ID. It looks like a business ID.`,
	],
	['a boolean', true, `"true" ${LIST_RULE}`],
	['a row', { prospect_id: 'x' }, `"{"prospect_id":"x"}" ${LIST_RULE}`],
	['rows', [{ id: 1 }], `"{"id":1}" ${LIST_RULE}`],
	['rows as JSON', '[{"id":1}]', `"{"id":1}" ${LIST_RULE}`],
])('rejects an ID: %s', (_name, raw, rule) => {
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

test('reads the same IDs in any form, each once, in order', () => {
	const pool = fc.array(hex, { minLength: 1, maxLength: 4 });
	const anyIds = pool.chain((some) =>
		fc.array(
			fc.constantFrom(...some).chain((id) => mixedCase(id)),
			{ maxLength: 12 },
		),
	);
	fc.assert(
		fc.property(anyIds, separator, fc.nat(12), (ids, between, cut) => {
			const expected = [...new Set(ids.map((id) => id.toLowerCase()))];
			const joined = ids.join(between);
			const halves = [ids.slice(0, cut), [ids.slice(cut).join(between)]];
			for (const raw of [ids, joined, JSON.stringify(ids), [joined], halves, locator(ids)]) {
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
	['one value', 'profile', ['profile']],
	['text with commas', 'profile, networkPosts', ['profile', 'networkPosts']],
	['text with lines', 'profile\nboard member', ['profile', 'board member']],
	['a JSON list', '["profile","R&D"]', ['profile', 'R&D']],
	['nested lists', [['profile'], 'R&D'], ['profile', 'R&D']],
	['another case', ['PROFILE', 'networkposts', 'r&d'], ['profile', 'networkPosts', 'R&D']],
	['duplicates', ['profile', 'Profile', ' profile '], ['profile']],
	['a value with a space', 'board member', ['board member']],
	['an empty list', [], []],
	['empty text', '', []],
	['undefined', undefined, []],
	['null', null, []],
])('reads choices: %s', (_name, raw, expected) => {
	expect(dataSets.read(raw)).toEqual(expected);
});

test.each<[string, unknown, string]>([
	['unknown', ['profile', 'salary'], 'salary'],
	['unknown in text', 'profile,salary', 'salary'],
	['two values without a separator', 'board member profile', 'board member profile'],
	['a member of every object', ['constructor'], 'constructor'],
	['a number', 3, '3'],
])('rejects a choice and lists all choices: %s', (_name, raw, value) => {
	expect(() => dataSets.read(raw)).toThrow(
		`Data Sets: "${value}" is not one of: networkPosts, profile, R&D, board member.`,
	);
});

test('lists all choices if none is chosen', () => {
	expect(noChoiceError(dataSets.property).message).toBe(
		'Data Sets: choose at least one of: networkPosts, profile, R&D, board member.',
	);
});

test('splits names only at line breaks if they may contain commas', () => {
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

test('an invalid ID is told with the advice where to get one, if there is any', () => {
	const format = { pattern: /^[a-f0-9]{40}$/, description: 'a prospect ID' };
	const errorWith = (advice?: string) => () =>
		idsParameter(property(), { ...format, advice }).read('oops');

	expect(errorWith('Run Match first.')).toThrow(
		/^Prospect IDs: "oops" is not a prospect ID\. Run Match first\.$/,
	);
	expect(errorWith()).toThrow(/^Prospect IDs: "oops" is not a prospect ID\.$/);
});
