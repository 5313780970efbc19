/** Values that a row may have where a parameter expects one: valid ones in every form, and invalid ones. */
import type { INodeProperties } from 'n8n-workflow';
import { optionValues } from '../../nodes/BusinessProspectData/parameters/parameter';
import type { World } from '../sandbox/world/world';
import { personalEmail } from '../sandbox/world/prospect-data';
import type { ParameterPath } from './parameterPaths';

/** Keys through which JSON can reach prototypes. */
export const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype'];

/** JSON text that gives every object a member `polluted` if merged carelessly. */
export const POLLUTION = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';

/** Valid values of parameters without an example in the editor. */
const VALID: Readonly<Record<string, (world: World, property: INodeProperties) => unknown>> = {
	prospectIds: (world) => world.prospectId(1),
	prospect_id: (world) => world.prospectId(1),
	exclude: (world) => world.prospectId(2),
	businessIds: (world) => world.businessId(1),
	business_id: (world) => world.businessId(1),
	businessId: () => '',
	// It doesn't exist, so that each deletion has the same result.
	enrollmentId: () => 'en_0123456789abcdef',
	fromDate: () => '2026-11-01T09:00:00',
	toDate: () => '2026-11-08T09:00:00',
	timestampFrom: () => '2026-11-01',
	timestampTo: () => '2026-11-08T09:00:00Z',
	fullName: () => '',
	companyName: (world, { required }) =>
		required ? world.company(world.person(1).company).name : '',
	email: (world) => [1, 2, 3, 4].map((n) => personalEmail(world.person(n))).find(Boolean),
	limit: () => 3,
	query: () => 'market',
	rememberIn: () => '',
};

/** A valid value: from the list above, the example in the editor, or the default. */
export function validValue(property: INodeProperties, world: World): unknown {
	const own = VALID[property.name];
	if (own !== undefined) return own(world, property);
	const [, example] = /^e\.g\. (.+)$/s.exec(examplesIn(property) ?? '') ?? [];
	if (example !== undefined && !example.startsWith('{{')) return example;
	const [first] = optionValues(property);
	return property.type === 'multiOptions' && first !== undefined ? [first] : property.default;
}

const examplesIn = ({ placeholder, modes = [] }: INodeProperties): string | undefined =>
	modes.find(({ type }) => type === 'string')?.placeholder ?? placeholder;

/** For any parameter: empty and blank values, wrong types, limits, odd characters, names with a meaning elsewhere. */
const ODD_VALUES: readonly unknown[] = [
	...[undefined, null, '', '   ', '\n\t', '\u00a0', '\u200b', ',', ';,\n,'],
	...[true, false, 0, -1, 1.5, 61, 1e21, 1e308, Number.MAX_SAFE_INTEGER],
	...['true', 'NO', '0', '-0', '5', ' 7 ', '0x1f', '1e3', 'NaN', 'Infinity', 'null', 'undefined'],
	...[[], [[]], [null], [[[[]], null]], [undefined, ''], nested(500)],
	...[{}, { a: 1 }, { value: 1 }, { values: {} }, { values: [{}] }, { gte: 9, lte: 1 }],
	...[
		{ mode: 'list', value: { mode: 'list', value: null } },
		{ __rl: true, mode: 'value' },
	],
	...['x'.repeat(100_000), Array(1_000).fill('x'), '\u{1f600}', 'İstanbul', 'e\u0301', '\u202eabc'],
	...[
		'\ud800',
		'\0',
		'a\0b',
		'\ufeff',
		'ﬀ',
		'١٢٣',
		'<b>x</b>',
		'{{ 1 + 1 }}',
		'={{ 1 + 1 }}',
		'%00%',
	],
	...[
		'2026-02-30',
		'2026-13-01',
		'0000-01-01',
		'9999-12-31T23:59:59Z',
		'2026-11-05T25:00',
		'05.11.2026',
	],
	...[1_793_000_000_000, '1793000000', 'today', 'Europe/Nowhere', 'Not/AZone'],
	...['{"a":', '[1,2', '[]', '["a",["b"]]', '{"a":1}', '"a"', POLLUTION, JSON.parse(POLLUTION)],
	...[...PROTOTYPE_KEYS, 'toString', 'hasOwnProperty'].flatMap((key) => [
		key,
		[key],
		`${key},${key}`,
	]),
];

function nested(depth: number): unknown {
	return depth === 0 ? 'x' : [nested(depth - 1)];
}

/** A valid value in every form that it may have, and near misses. */
function formsOf(valid: unknown): unknown[] {
	const text = String(valid);
	const locator = { __rl: true, mode: 'list', value: valid, cachedResultName: text };
	return [
		...[valid, text.toUpperCase(), text.toLowerCase(), ` ${text}\n`, text.slice(0, -1), `${text}x`],
		...[[valid], [valid, valid], [[valid], [[valid]]], `${text},${text}`, `${text}\n${text}`],
		...[
			[valid, null, ''],
			[valid, {}],
			[valid, 5],
			[valid, 'oops'],
			JSON.stringify([valid, valid]),
		],
		...[locator, [locator], { values: [{ value: locator }] }, { values: { value: valid } }],
		...[
			`${text}\0`,
			`${text}\u00e9`,
			`\ufeff${text}`,
			{ values: valid },
			{ values: [valid, locator] },
		],
	];
}

export function valuesFor(property: INodeProperties, valid: unknown): unknown[] {
	const { minValue, maxValue } = property.typeOptions ?? {};
	const bounds = [minValue, maxValue].flatMap((bound) =>
		bound === undefined ? [] : [bound - 1, bound, bound + 1, String(bound), `${bound}.0`],
	);
	const chosen = (property.options ?? []).flatMap((option) =>
		'value' in option ? [option.value, String(option.value).toUpperCase()] : [],
	);
	return [...formsOf(valid), ...bounds, ...chosen, [chosen], ...ODD_VALUES];
}

/** What expressions return for an empty cell. */
export const EMPTY_VALUES: readonly unknown[] = [
	...['', [], null, ' ', [''], undefined],
	...['\n\t', [null, ' '], '\u00a0', {}],
];

/** What people and models write instead. */
export const WORDS_FOR_NOTHING: readonly unknown[] = [
	'n/a',
	'None',
	'-',
	['null'],
	'#N/A',
	'<nil>',
];

/** Whether an operation needs the parameter. */
export const isRequired = ({ path, property }: Pick<ParameterPath, 'path' | 'property'>): boolean =>
	property.required === true || ['email', 'limit'].includes(path);
