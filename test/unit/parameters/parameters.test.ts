/** Reads the saved or evaluated value of a parameter for each item, and reports invalid ones. */
import { type IExecuteFunctions, type INodeProperties, UserError } from 'n8n-workflow';
import {
	booleanParameter,
	collectionParameter,
	integerParameter,
	jsonParameter,
	optionsParameter,
	type Parameter,
	stringParameter,
} from '../../../nodes/BusinessProspectData/parameters/parameter';
import { createValuesReader } from '../../../nodes/BusinessProspectData/parameters/read';

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
const bounds = { minValue: 1, maxValue: 60_000 };
const limit = integerParameter(named('limit', { default: 50, typeOptions: bounds }));
const mode = optionsParameter({
	...named('mode', { default: 'batched' }),
	options: [
		{ name: 'Batched', value: 'batched' },
		{ name: 'One per Prospect', value: 'single' },
	],
});
const context = jsonParameter(named('context'));

test.each<[parameter: Parameter, raw: unknown, value: unknown]>([
	[title, ' \t cto \n', 'cto'],
	[title, 0, '0'],
	[title, undefined, 'owner'],
	[title, null, 'owner'],
	[title, [' cto '], 'cto'],
	[title, locator(' cto ', 'value'), 'cto'],
	// Blank cells.
	...[false, Number.NaN, [], [null], '', locator([]), locator('')].map(
		(raw): [Parameter, unknown, string] => [title, raw, ''],
	),
	[simplify, ' TRUE ', true],
	[simplify, 'False', false],
	[simplify, '', false],
	[simplify, undefined, true],
	[simplify, null, true],
	[limit, ' 60000 ', 60_000],
	[limit, undefined, 50],
	[limit, null, 50],
	[mode, ' Single ', 'single'],
	[mode, undefined, 'batched'],
	[context, { a: [1, null] }, { a: [1, null] }],
	[context, ' { "a": 1 }\n', { a: 1 }],
	...[{}, '{}', ' \n', undefined, null].map((raw): [Parameter, unknown, undefined] => [
		context,
		raw,
		undefined,
	]),
])('$name reads %j', ({ read }, raw, value) => {
	expect(read(raw)).toStrictEqual(value);
});

const NO_NUMBER = 'is not a whole number.';
const NO_JSON = 'is not a JSON object such as { "key": "value" }.';
const NO_OPTION = 'is not one of: batched, single.';

test.each<[parameter: Parameter, raw: unknown, rule: string]>([
	[title, ['cto', 'ceo'], '"["cto","ceo"]" must be text.'],
	[title, locator({ a: 1 }), '"{"a":1}" must be text.'],
	[simplify, 'yes', '"yes" is neither true nor false.'],
	[limit, ' ', `" " ${NO_NUMBER}`],
	[limit, '1,000', '"1,000" can be read in two ways. Enter digits only.'],
	[limit, ' 0\n', '" 0\n" must be at least 1.'],
	[limit, 60_001, '"60001" must be at most 60000.'],
	[mode, 'SINGLES', `"SINGLES" ${NO_OPTION}`],
	[context, '[1]', `"[1]" ${NO_JSON}`],
	[context, '{ "a": ', '"{ "a": " is not valid JSON.'],
])('$name rejects %j with the field, the value and the rule', ({ name, read }, raw, rule) => {
	const error = errorOf(() => read(raw));

	expect(error).toBeInstanceOf(UserError);
	expect(error?.message).toBe(`Job Title: ${rule}`);
	expect(error?.extra).toEqual({ field: name });
});

function errorOf(act: () => unknown): (Error & { extra?: unknown }) | undefined {
	try {
		act();
		return undefined;
	} catch (error) {
		return error as Error;
	}
}

test('reads a collection, with defaults for what it lacks', () => {
	const parts = [title, simplify, limit];
	const { property, read } = collectionParameter('options', 'Options', 'Add option', parts);
	const defaults = { title: 'owner', simplify: true, limit: 50 };

	expect(property).toMatchObject({ type: 'collection', default: {} });
	for (const [raw, expected] of [
		[
			{ title: ' cto ', simplify: 'false' },
			{ title: 'cto', simplify: false },
		],
		[{ unknown: 1, limit: 3 }, { limit: 3 }],
		[JSON.parse('{"__proto__":{"limit":9},"constructor":1}'), {}],
		...[undefined, null, 'title', [{ title: 'cto' }]].map((raw) => [raw, {}]),
	]) {
		expect(read(raw)).toStrictEqual({ ...defaults, ...expected });
	}
	expect(errorOf(() => read({ limit: 0 }))?.extra).toEqual({ field: 'limit' });
});

test('reads parameters without an expression once for a thousand items', () => {
	const saved: Record<string, unknown> = { title: 'cto', limit: 7 };
	const getNodeParameter = jest.fn((name: string) => saved[name]);
	const context = { getNodeParameter } as unknown as IExecuteFunctions;
	const { read } = createValuesReader(context, [title, limit]);

	const all = Array.from({ length: 1_000 }, (_, item) => read(item).value);

	expect(all).toEqual(all.map(() => saved));
	// What is saved, and its value.
	expect(getNodeParameter).toHaveBeenCalledTimes(2 * 2);
});
