/** Parameters with several values: as text, or as a list from an expression. */
import type { INodeProperties } from 'n8n-workflow';
import {
	idFromCell,
	idsParameter,
	multiOptionsParameter,
	noChoiceError,
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

const format = {
	pattern: /^[a-f0-9]{40}$/,
	description: 'a prospect ID',
	advice: 'Run Match first.',
};
const { read } = idsParameter(property(), format);

test.each<[raw: unknown, ids: string[]]>([
	[`  ${A}\n`, [A]],
	[`,, ${A.toUpperCase()},\n,;${B} ,\t${A}`, [A, B]],
	[
		[[A], [[B, [C]]], []],
		[A, B, C],
	],
	[
		[A, null, undefined, '', '  ', B],
		[A, B],
	],
	[` ${JSON.stringify([[A], [B, null]])} `, [A, B]],
	[
		[JSON.stringify([A]), B],
		[A, B],
	],
	[locator(`${A}, ${B}`), [A, B]],
	[
		[locator(A), locator(B)],
		[A, B],
	],
	[`"${A}", '${B}'`, [A, B]],
	[`[${A}] (${B})`, [A, B]],
	[`="${A}"`, [A]],
	[`'${A}`, [A]],
	[`${A}.`, [A]],
	[`prospect_id\n${A}\n${B}`, [A, B]],
	[`Prospect ID\n${A}`, [A]],
	[`prospect_id ${A}`, [A]],
	[`"id","${A}"`, [A]],
	[`${A}, N/A, #REF!, -, none\n(blank), ${B}`, [A, B]],
	[`${A}\u200b \u200b ${B}\u200b`, [A, B]],
	...[
		'prospect_ids',
		'n/a',
		0,
		'',
		' \n ',
		'\u200b',
		false,
		Number.NaN,
		' , ,',
		undefined,
		null,
	].map((raw): [unknown, string[]] => [raw, []]),
	// Rows of Match or Get Many, as an expression gives them or pasted.
	[{ prospect_id: A, business_id: B.slice(8) }, [A]],
	[{ id: 'crm-7', 'Prospect ID': ` '${A.toUpperCase()}` }, [A]],
	[{ id: A }, [A]],
	[
		[{ prospect_id: A }, { prospect_id: null, id: 7 }, { business_id: B.slice(8), prospect_id: B }],
		[A, B],
	],
	[`[{"prospect_id": "${A}"}, {"prospect_id": "${B}"}]`, [A, B]],
	[`{"prospect_id": ["${A}"]}`, [A]],
	...[[], '[]', locator(''), locator(null)].map((raw): [unknown, string[]] => [raw, []]),
])('the IDs of %j', (raw, expected) => {
	expect(read(raw)).toEqual(expected);
});

test.each<[raw: unknown, message: string]>([
	['abc', '"abc" is not a prospect ID. Run Match first.'],
	[`x${A}`, `"x${A}" is not a prospect ID.`],
	[[A, ['oops', B]], '"oops" (number 2 in the list) is not a prospect ID.'],
	[`${A} ${A} oops ${B}`, '"oops" (number 3 in the list) is not a prospect ID.'],
	['Jane Smith', '"Jane Smith" is not a prospect ID.'],
	[`${A}, Jane Smith`, '"Jane Smith" (number 2 in the list) is not a prospect ID.'],
	['word '.repeat(50), `"${'word '.repeat(16)}..." is not`],
	[
		`${B} "${A.slice(8)}"`,
		`"${A.slice(8)}" (number 2 in the list) is not a prospect ID. It looks like a business ID.`,
	],
	[true, '"true" is not a prospect ID. Run Match first.'],
	[[{ id: 1 }], '"{"id":1}" is not a prospect ID.'],
	[{ id: '8', name: 'Jane' }, '"{"id":"8","name":"Jane"}" is not a prospect ID.'],
])('%j is not a list of IDs', (raw, message) => {
	expect(() => read(raw)).toThrow(`Prospect IDs: ${message}`);
});

test.each<[id: string | undefined, cell: unknown]>([
	...[
		A,
		` ${A.toUpperCase()} `,
		`"${A}"`,
		`'${A}`,
		`["${A}"]`,
		`[${A}]`,
		[A],
		`${A},`,
		`${A}\u200b`,
	].map((cell): [string, unknown] => [A, cell]),
	[A, { prospect_id: A }],
	[A, `${A}; ${B}`],
	...['-', 'n/a', '#N/A', 'null', '0', 0, '', null, undefined, [], 'crm-7', `${A} Jane`, true].map(
		(cell): [undefined, unknown] => [undefined, cell],
	),
])('the ID %j of the cell %j', (id, cell) => {
	expect(idFromCell(cell, format)).toBe(id);
});

const dataSets = multiOptionsParameter({
	...property({ displayName: 'Data Sets', default: ['profile'] }),
	options: ['networkPosts', 'profile', 'R&D', 'board member'].map((value) => ({
		name: `The ${value}`,
		value,
	})),
});

test.each<[raw: unknown, choices: string[]]>([
	['profile, networkPosts', ['profile', 'networkPosts']],
	['profile\nboard member', ['profile', 'board member']],
	['["profile","R&D"]', ['profile', 'R&D']],
	[
		[['PROFILE', 'networkposts'], 'r & d'],
		['profile', 'networkPosts', 'R&D'],
	],
	[['profile', 'Profile', ' profile '], ['profile']],
	[[], []],
	['', []],
	[null, []],
])('the choices of %j', (raw, expected) => {
	expect(dataSets.read(raw)).toEqual(expected);
});

test.each<[raw: unknown, value: string]>([
	['profile,salary', 'salary'],
	['board member profile', 'board member profile'],
	[['constructor'], 'constructor'],
])('rejects the choice %j and lists all choices', (raw, value) => {
	const choices = 'one of: networkPosts, profile, R&D, board member.';

	expect(() => dataSets.read(raw)).toThrow(`Data Sets: "${value}" is not ${choices}`);
	expect(noChoiceError(dataSets.property).message).toBe(`Data Sets: choose at least ${choices}`);
});
