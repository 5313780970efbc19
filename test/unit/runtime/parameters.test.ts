/** What a parameter's saved value, or what an expression made of it, becomes; and what the user is told when it is wrong. */
import fc from 'fast-check';
import { type INodeProperties, UserError } from 'n8n-workflow';
import {
	idsParameter,
	multiOptionsParameter,
} from '../../../nodes/BusinessProspectData/runtime/lists';
import {
	booleanParameter,
	collectionParameter,
	integerParameter,
	jsonParameter,
	optionsParameter,
	type Parameter,
	parameterError,
	stringParameter,
} from '../../../nodes/BusinessProspectData/runtime/parameters';

const named = <Name extends string>(name: Name, more: Partial<INodeProperties> = {}) => ({
	displayName: 'Job Title',
	type: 'string' as const,
	default: '',
	...more,
	name,
});

const locator = (value: unknown, mode = 'list') => ({
	__rl: true,
	mode,
	value,
	cachedResultName: 'Shown in the editor',
});

const title = stringParameter(named('title', { default: 'owner' }));
const simplify = booleanParameter(named('simplify', { default: true }));
const limit = integerParameter(
	named('limit', { default: 50, typeOptions: { minValue: 1, maxValue: 60_000 } }),
);
const mode = optionsParameter(
	named('mode', {
		default: 'batched',
		options: [
			{ name: 'Batched', value: 'batched' },
			{ name: 'One per Prospect', value: 'single' },
		],
	}),
);
const context = jsonParameter(named('context'));

const MODES = 'is not one of: batched, single.';

test.each<[string, Parameter, unknown, unknown]>([
	['a text', title, 'cto', 'cto'],
	['a text with blanks around it', title, ' \t cto \n', 'cto'],
	['a text in another script', title, ' директор ', 'директор'],
	['a number for a text', title, 5112, '5112'],
	['zero for a text', title, 0, '0'],
	['a switch for a text', title, false, 'false'],
	['an empty text', title, '', ''],
	['a text that is not filled in', title, undefined, 'owner'],
	['null for a text', title, null, 'owner'],
	['a choice from a list', title, locator('cto'), 'cto'],
	['a typed-in choice', title, locator(' cto ', 'value'), 'cto'],
	['a choice that was not made', title, locator(''), ''],
	['a choice of nothing', title, locator(null), ''],
	['on', simplify, true, true],
	['off', simplify, false, false],
	['on as text', simplify, ' TRUE ', true],
	['off as text', simplify, 'False', false],
	['an expression that gave an empty text', simplify, '', false],
	['a switch that is not set', simplify, undefined, true],
	['null for a switch', simplify, null, true],
	['a number', limit, 7, 7],
	['a number as text', limit, ' 7 ', 7],
	['the least', limit, 1, 1],
	['the most as text', limit, '60000', 60_000],
	['a number that is not filled in', limit, undefined, 50],
	['null for a number', limit, null, 50],
	['an option', mode, 'single', 'single'],
	['an option with blanks around it', mode, ' single ', 'single'],
	['an option that is not chosen', mode, undefined, 'batched'],
	['a JSON object', context, { a: { b: [1, null] } }, { a: { b: [1, null] } }],
	['a JSON object as text', context, ' { "a": 1 }\n', { a: 1 }],
	['an empty JSON object', context, {}, undefined],
	['an empty JSON object as text', context, '{}', undefined],
	['empty JSON', context, '', undefined],
	['blank JSON', context, ' \n', undefined],
	['JSON that is not filled in', context, undefined, undefined],
	['null for JSON', context, null, undefined],
])('%s', (_what, { read }, raw, expected) => {
	expect(read(raw)).toStrictEqual(expected);
});

test.each<[string, Parameter, unknown, string]>([
	['a list for one text', title, ['cto', 'ceo'], '"["cto","ceo"]" must be text.'],
	['an object for a text', title, { name: 'cto' }, '"{"name":"cto"}" must be text.'],
	['a chosen object', title, locator({ a: 1 }), '"{"a":1}" must be text.'],
	['another word for on', simplify, 'yes', '"yes" is neither true nor false.'],
	['a number for a switch', simplify, 1, '"1" is neither true nor false.'],
	['a list for a switch', simplify, [true], '"[true]" is neither true nor false.'],
	['nothing for a number', limit, '', '"" is not a whole number.'],
	['a blank for a number', limit, ' ', '" " is not a whole number.'],
	['a fraction', limit, 1.5, '"1.5" is not a whole number.'],
	['a fraction as text', limit, '1.5', '"1.5" is not a whole number.'],
	['a word for a number', limit, 'ten', '"ten" is not a whole number.'],
	['a number for people', limit, '1,000', '"1,000" is not a whole number.'],
	['a switch for a number', limit, true, '"true" is not a whole number.'],
	['a list for a number', limit, [5], '"[5]" is not a whole number.'],
	['too little', limit, 0, '"0" must be at least 1.'],
	['less than nothing', limit, '-3', '"-3" must be at least 1.'],
	['too much', limit, 60_001, '"60001" must be at most 60000.'],
	['too much as text', limit, '60001', '"60001" must be at most 60000.'],
	['endlessly much', limit, 'Infinity', '"Infinity" is not a whole number.'],
	['no option', mode, 'both', `"both" ${MODES}`],
	['an option in capitals that nobody saves', mode, 'SINGLES', `"SINGLES" ${MODES}`],
	['a name of every object', mode, 'constructor', `"constructor" ${MODES}`],
	['a list for JSON', context, [1], '"[1]" is not a JSON object such as { "key": "value" }.'],
	['a list as text', context, '[1]', '"[1]" is not a JSON object such as { "key": "value" }.'],
	['null as text', context, 'null', '"null" is not a JSON object such as { "key": "value" }.'],
	['a number for JSON', context, 7, '"7" is not a JSON object such as { "key": "value" }.'],
	['a broken object', context, '{ "a": ', '"{ "a": " is not valid JSON.'],
	['a bare word', context, 'spring', '"spring" is not valid JSON.'],
])('%s is refused with the field, the value and the rule', (_what, { name, read }, raw, rule) => {
	const error = errorOf(() => read(raw));
	expect(error).toBeInstanceOf(UserError);
	expect(error?.message).toBe(`Job Title: ${rule}`);
	expect(error?.extra).toEqual({ field: name });
});

test('a value of any length is named in one line', () => {
	const { message } = parameterError(named('title'), 'must be text.', 'x'.repeat(5_000));
	expect(message).toBe(`Job Title: "${'x'.repeat(80)}..." must be text.`);
	expect(parameterError(named('title'), 'choose at least one.').message).toBe(
		'Job Title: choose at least one.',
	);
});

test('a whole number is taken if and only if it is within the bounds, as number and as text', () => {
	fc.assert(
		fc.property(fc.integer({ min: -70_000, max: 70_000 }), (value) => {
			for (const raw of [value, String(value), ` ${value}\n`]) {
				const error = errorOf(() => expect(limit.read(raw)).toBe(value));
				expect(error === undefined).toBe(value >= 1 && value <= 60_000);
			}
		}),
	);
});

test('names of every object stay names: nothing is inherited and nothing is polluted', () => {
	const typed = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
	const value = context.read(typed);
	expect(JSON.stringify(value)).toBe(typed);
	expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
	expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

const added = collectionParameter('options', 'Options', 'Add option', [title, simplify, limit]);

test.each<[string, unknown, object]>([
	['nothing added', {}, {}],
	['no collection', undefined, {}],
	['null', null, {}],
	['a text', 'title', {}],
	['a list', [{ title: 'cto' }], {}],
	['one added', { title: ' cto ' }, { title: 'cto' }],
	[
		'all added',
		{ title: 'cto', simplify: 'false', limit: '2' },
		{ title: 'cto', simplify: false, limit: 2 },
	],
	['one from a newer version', { unknown: 1, limit: 3 }, { limit: 3 }],
	['names of every object', JSON.parse('{"__proto__":{"limit":9},"constructor":1}'), {}],
])('options: %s, the others have their defaults', (_what, raw, given) => {
	expect(added.read(raw)).toStrictEqual({ title: 'owner', simplify: true, limit: 50, ...given });
	expect(added.property).toMatchObject({ type: 'collection', default: {} });
});

test('a wrong option is named by its own field', () => {
	expect(errorOf(() => added.read({ limit: 0 }))?.extra).toEqual({ field: 'limit' });
});

const anyField: Parameter[] = [
	title,
	simplify,
	limit,
	mode,
	context,
	added,
	multiOptionsParameter(named('kinds', { options: [{ name: 'A', value: 'a' }] })),
	idsParameter(named('ids'), { pattern: /^[a-f0-9]{4}$/, description: 'an ID' }),
];

test.each(anyField.map((parameter) => [parameter.name, parameter] as const))(
	'whatever an expression gives: %s is read, or refused by name',
	(_name, parameter) => {
		const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true });
		fc.assert(
			fc.property(fc.oneof(anything, fc.record({ title: anything, limit: anything })), (raw) => {
				const error = errorOf(() => parameter.read(raw));
				if (error === undefined) return;
				expect(error).toBeInstanceOf(UserError);
				expect(error.message).toMatch(/^Job Title: /);
			}),
			{ numRuns: 300 },
		);
	},
);

function errorOf(act: () => unknown): (Error & { extra?: unknown }) | undefined {
	try {
		act();
		return undefined;
	} catch (error) {
		return error as Error;
	}
}
