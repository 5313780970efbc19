/** What rows hold where a workflow expects a value: good ones in every form, and everything that is none. */
import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import type { World } from '../sandbox/world/world';
import type { Slot } from './slots';

/** Keys with which JSON reaches into prototypes. */
export const POLLUTING = ['__proto__', 'constructor', 'prototype'];

/** JSON text that would give every object a member `polluted`, were it merged into one. */
export const POLLUTION = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';

/** Good values of parameters for which the editor shows no example. */
const GOOD: Readonly<Record<string, (world: World) => unknown>> = {
	prospectIds: (world) => world.prospectId(1),
	prospect_id: (world) => world.prospectId(1),
	exclude: (world) => world.prospectId(2),
	businessIds: (world) => world.businessId(1),
	business_id: (world) => world.businessId(1),
	businessId: () => '',
	// One that is not there: to delete it a second time gives the same.
	enrollmentId: () => 'en_0123456789abcdef',
	fromDate: () => '2026-11-01T09:00:00',
	toDate: () => '2026-11-08T09:00:00',
	timestampFrom: () => '2026-11-01',
	timestampTo: () => '2026-11-08T09:00:00Z',
	fullName: () => '',
	companyName: () => '',
	limit: () => 3,
	query: () => 'market',
};

/** A value that the parameter takes: its own, the example in the editor, the first option, or the default. */
export function goodValue(property: INodeProperties, world: World): unknown {
	const own = GOOD[property.name];
	if (own !== undefined) return own(world);
	const [, example] = /^e\.g\. (.+)$/s.exec(examplesIn(property) ?? '') ?? [];
	if (example !== undefined && !example.startsWith('{{')) return example;
	return property.default;
}

const examplesIn = ({ placeholder, modes = [] }: INodeProperties): string | undefined =>
	modes.find(({ type }) => type === 'string')?.placeholder ?? placeholder;

/** Whatever the parameter: nothing, blanks, the wrong type, too much, odd characters, words that mean something elsewhere. */
const ANYWHERE: readonly unknown[] = [
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
	...[...POLLUTING, 'toString', 'hasOwnProperty'].flatMap((key) => [key, [key], `${key},${key}`]),
];

function nested(depth: number): unknown {
	return depth === 0 ? 'x' : [nested(depth - 1)];
}

/** A good value in every form in which it may come, and what is almost one. */
function formsOf(good: unknown): unknown[] {
	const text = String(good);
	const locator = { __rl: true, mode: 'list', value: good, cachedResultName: text };
	return [
		...[good, text.toUpperCase(), text.toLowerCase(), ` ${text}\n`, text.slice(0, -1), `${text}x`],
		...[[good], [good, good], [[good], [[good]]], `${text},${text}`, `${text}\n${text}`],
		...[[good, null, ''], [good, {}], [good, 5], [good, 'oops'], JSON.stringify([good, good])],
		...[locator, [locator], { values: [{ value: locator }] }, { values: { value: good } }],
		...[
			`${text}\0`,
			`${text}\u00e9`,
			`\ufeff${text}`,
			{ values: good },
			{ values: [good, locator] },
		],
	];
}

/** All values to try for a parameter. */
export function valuesFor(property: INodeProperties, good: unknown): unknown[] {
	const { minValue, maxValue } = property.typeOptions ?? {};
	const bounds = [minValue, maxValue].flatMap((bound) =>
		bound === undefined ? [] : [bound - 1, bound, bound + 1, String(bound), `${bound}.0`],
	);
	const chosen = (property.options ?? []).flatMap((option) =>
		'value' in option ? [option.value, String(option.value).toUpperCase()] : [],
	);
	return [...formsOf(good), ...bounds, ...chosen, [chosen], ...ANYWHERE];
}

/** Any of them, or any JSON or text at all. */
export const anyValueFor = (property: INodeProperties, good: unknown): fc.Arbitrary<unknown> =>
	fc.oneof(
		{ arbitrary: fc.constant(good), weight: 4 },
		{ arbitrary: fc.constantFrom(...valuesFor(property, good)), weight: 3 },
		{ arbitrary: fc.string({ unit: 'binary', maxLength: 60 }), weight: 1 },
		{ arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
	);

/** Whether an operation does nothing without the parameter. */
export const isNeeded = ({ name, property }: Pick<Slot, 'name' | 'property'>): boolean =>
	property.required === true || ['email', 'limit'].includes(name);
