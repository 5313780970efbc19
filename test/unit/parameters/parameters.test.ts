/** Reads the saved or evaluated value of a parameter, and reports invalid ones. */
import { type INodeProperties, UserError } from 'n8n-workflow';
import {
	booleanParameter,
	collectionParameter,
	integerParameter,
	jsonParameter,
	notice,
	optionsParameter,
	type Parameter,
	parameterError,
	stringParameter,
} from '../../../nodes/BusinessProspectData/parameters/parameter';

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
const mode = optionsParameter({
	...named('mode', { default: 'batched' }),
	options: [
		{ name: 'Batched', value: 'batched' },
		{ name: 'One per Prospect', value: 'single' },
	],
});
const context = jsonParameter(named('context'));

const MODES = 'is not one of: batched, single.';

test.each<[string, Parameter, unknown, unknown]>([
	['text', title, 'cto', 'cto'],
	['text with white space around it', title, ' \t cto \n', 'cto'],
	['text in another script', title, ' директор ', 'директор'],
	['a number as text', title, 5112, '5112'],
	['zero as text', title, 0, '0'],
	['true as text', title, true, 'true'],
	['false: a blank cell', title, false, ''],
	['no number: a blank cell', title, Number.NaN, ''],
	['an empty list: a blank cell', title, [], ''],
	['a list of one text', title, [' cto '], 'cto'],
	['a list of null: a blank cell', title, [null], ''],
	['a resource locator of an empty list', title, locator([]), ''],
	['a list of one option', mode, ['single'], 'single'],
	['empty text', title, '', ''],
	['no text', title, undefined, 'owner'],
	['null as text', title, null, 'owner'],
	['a resource locator from the list', title, locator('cto'), 'cto'],
	['a resource locator by value', title, locator(' cto ', 'value'), 'cto'],
	['an empty resource locator', title, locator(''), ''],
	['a resource locator of null', title, locator(null), ''],
	['true', simplify, true, true],
	['false', simplify, false, false],
	['true as text', simplify, ' TRUE ', true],
	['false as text', simplify, 'False', false],
	['empty text as a boolean', simplify, '', false],
	['no boolean', simplify, undefined, true],
	['null as a boolean', simplify, null, true],
	['a number', limit, 7, 7],
	['the minimum', limit, 1, 1],
	['the maximum in text', limit, '60000', 60_000],
	['no number', limit, undefined, 50],
	['null as a number', limit, null, 50],
	['an option', mode, 'single', 'single'],
	['an option with white space around it', mode, ' single ', 'single'],
	['no option', mode, undefined, 'batched'],
	['a JSON object', context, { a: { b: [1, null] } }, { a: { b: [1, null] } }],
	['a JSON object in text', context, ' { "a": 1 }\n', { a: 1 }],
	['an empty JSON object', context, {}, undefined],
	['an empty JSON object in text', context, '{}', undefined],
	['empty JSON', context, '', undefined],
	['JSON of white space', context, ' \n', undefined],
	['no JSON', context, undefined, undefined],
	['null as JSON', context, null, undefined],
])('reads %s', (_name, { read }, raw, expected) => {
	expect(read(raw)).toStrictEqual(expected);
});

test.each<[string, Parameter, unknown, string]>([
	['a list as text', title, ['cto', 'ceo'], '"["cto","ceo"]" must be text.'],
	['an object as text', title, { name: 'cto' }, '"{"name":"cto"}" must be text.'],
	['a BigInt as text', title, 7n, '""7"" must be text.'],
	['an object without a prototype', title, Object.create(null), '"{}" must be text.'],
	['a function as text', title, () => 'cto', '"undefined" must be text.'],
	['a resource locator of an object', title, locator({ a: 1 }), '"{"a":1}" must be text.'],
	['another word for true', simplify, 'yes', '"yes" is neither true nor false.'],
	['a number as a boolean', simplify, 1, '"1" is neither true nor false.'],
	['a list as a boolean', simplify, [true], '"[true]" is neither true nor false.'],
	['empty text as a number', limit, '', '"" is not a whole number.'],
	['a space as a number', limit, ' ', '" " is not a whole number.'],
	['a fraction', limit, 1.5, '"1.5" is not a whole number.'],
	['a fraction in text', limit, '1.5', '"1.5" is not a whole number.'],
	['a word as a number', limit, 'ten', '"ten" is not a whole number.'],
	['a number with a separator', limit, '1,000', '"1,000" is not a whole number.'],
	['a boolean as a number', limit, true, '"true" is not a whole number.'],
	['a list as a number', limit, [5], '"[5]" is not a whole number.'],
	['a number below the minimum', limit, ' 0\n', '" 0\n" must be at least 1.'],
	['a number above the maximum', limit, 60_001, '"60001" must be at most 60000.'],
	['infinity', limit, 'Infinity', '"Infinity" is not a whole number.'],
	['an empty list as an option', mode, [], `"" ${MODES}`],
	['a list of an object as text', title, [{ a: 1 }], '"{"a":1}" must be text.'],
	['another option', mode, 'both', `"both" ${MODES}`],
	['another option in upper case', mode, 'SINGLES', `"SINGLES" ${MODES}`],
	['a member of every object', mode, 'constructor', `"constructor" ${MODES}`],
	['a list as JSON', context, [1], '"[1]" is not a JSON object such as { "key": "value" }.'],
	['a list as JSON text', context, '[1]', '"[1]" is not a JSON object such as { "key": "value" }.'],
	['null as JSON text', context, 'null', '"null" is not a JSON object such as { "key": "value" }.'],
	['a number as JSON', context, 7, '"7" is not a JSON object such as { "key": "value" }.'],
	['incomplete JSON', context, '{ "a": ', '"{ "a": " is not valid JSON.'],
	['a word as JSON', context, 'spring', '"spring" is not valid JSON.'],
])('rejects %s with the field, the value and the rule', (_name, { name, read }, raw, rule) => {
	const error = errorOf(() => read(raw));
	expect(error).toBeInstanceOf(UserError);
	expect(error?.message).toBe(`Job Title: ${rule}`);
	expect(error?.extra).toEqual({ field: name });
});

test('truncates a long value; without one the message is a sentence', () => {
	const messageOf = (value: string) => parameterError(named('title'), 'is odd.', value).message;

	expect(messageOf('x'.repeat(80))).toBe(`Job Title: "${'x'.repeat(80)}" is odd.`);
	expect(messageOf('x'.repeat(81))).toBe(`Job Title: "${'x'.repeat(80)}..." is odd.`);
	expect(messageOf(`x${'😀'.repeat(60)}`)).toBe(`Job Title: "x${'😀'.repeat(39)}..." is odd.`);
	expect(parameterError(named('title'), 'is empty.').message).toBe('Job Title is empty.');
	expect(parameterError(named('title'), 'choose at least one.').message).toBe(
		'Job Title: choose at least one.',
	);
});

test('keeps the members of every object as plain members', () => {
	const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
	const value = context.read(text);
	expect(JSON.stringify(value)).toBe(text);
	expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
	expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

const collection = collectionParameter('options', 'Options', 'Add option', [
	title,
	simplify,
	limit,
]);

test.each<[string, unknown, object]>([
	['no option', {}, {}],
	['no collection', undefined, {}],
	['null', null, {}],
	['text', 'title', {}],
	['a list', [{ title: 'cto' }], {}],
	['one option', { title: ' cto ' }, { title: 'cto' }],
	['two options', { title: 'cto', simplify: 'false' }, { title: 'cto', simplify: false }],
	['an option of a newer version', { unknown: 1, limit: 3 }, { limit: 3 }],
	['members of every object', JSON.parse('{"__proto__":{"limit":9},"constructor":1}'), {}],
])('reads %s, with defaults for the others', (_name, raw, expected) => {
	expect(collection.read(raw)).toStrictEqual({
		title: 'owner',
		simplify: true,
		limit: 50,
		...expected,
	});
	expect(collection.property).toMatchObject({ type: 'collection', default: {} });
});

test('names the field of an invalid option', () => {
	expect(errorOf(() => collection.read({ limit: 0 }))?.extra).toEqual({ field: 'limit' });
});

function errorOf(act: () => unknown): (Error & { extra?: unknown }) | undefined {
	try {
		act();
		return undefined;
	} catch (error) {
		return error as Error;
	}
}

test('a notice shows its text where it applies, and has no value', () => {
	const displayOptions = { show: { resource: ['prospect'] } };
	const { name, property, read } = notice('costs', 'This costs credits.', displayOptions);

	expect(name).toBe('costs');
	expect(property).toEqual({
		displayName: 'This costs credits.',
		name: 'costs',
		type: 'notice',
		default: '',
		displayOptions,
	});
	expect(read('anything')).toBeUndefined();
});

test('a whole number without bounds may be any', () => {
	const { read } = integerParameter(named('size', { type: 'number' }));

	expect([-5_000_000, '0', 7_000_000].map(read)).toEqual([-5_000_000, 0, 7_000_000]);
});
