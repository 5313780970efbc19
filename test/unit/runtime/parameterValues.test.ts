/** How the parameters of item after item are read. */
import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import { idsParameter } from '../../../nodes/BusinessProspectData/runtime/lists';
import { options } from '../../../nodes/BusinessProspectData/runtime/options';
import {
	integerParameter,
	stringParameter,
} from '../../../nodes/BusinessProspectData/runtime/parameters';
import { createValuesReader } from '../../../nodes/BusinessProspectData/runtime/parameterValues';

const company = stringParameter({
	displayName: 'Company',
	name: 'company',
	type: 'string',
	default: 'none',
});
const limit = integerParameter({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 5,
	typeOptions: { minValue: 1 },
});
const prospectIds = idsParameter(
	{ displayName: 'IDs', name: 'ids', type: 'string', default: '' },
	{ pattern: /^[a-f]{2}$/, description: 'an ID' },
);

type Saved = Record<string, NodeParameterValueType>;

/** A node whose expressions give what `perItem` says; counts how often n8n is asked to evaluate a parameter. */
function nodeWith(saved: Saved, perItem: (name: string, item: number) => unknown = () => null) {
	const evaluated: string[] = [];
	const context = {
		getNodeParameter(
			name: string,
			item: number,
			fallback: unknown,
			given?: { rawExpressions?: boolean },
		) {
			if (given?.rawExpressions) return saved[name] ?? fallback;
			evaluated.push(`${name} ${item}`);
			return JSON.stringify(saved[name] ?? '').includes('"=')
				? perItem(name, item)
				: (saved[name] ?? fallback);
		},
	};
	return { evaluated, context: context as unknown as IExecuteFunctions };
}

test('what has no expression is read once for a thousand items', () => {
	const { context, evaluated } = nodeWith({ company: 'Acme', limit: 7 });
	const read = createValuesReader(context, [company, limit]);
	const all = Array.from({ length: 1_000 }, (_, item) => read(item).value);
	expect(all).toEqual(all.map(() => ({ company: 'Acme', limit: 7 })));
	expect(evaluated).toEqual(['company 0', 'limit 0']);
});

test.each<[string, Saved, string, unknown]>([
	['a field', { company: '={{ $json.name }}' }, 'company', 'Acme'],
	[
		'a choice by value',
		{ company: { __rl: true, mode: 'value', value: '={{ $json.name }}' } },
		'company',
		{ __rl: true, mode: 'value', value: 'Acme' },
	],
])('an expression in %s is read for every item', (_what, saved, name, value) => {
	const { context, evaluated } = nodeWith(saved, () => value);
	const read = createValuesReader(context, [company]);
	expect([0, 1, 2].map((item) => read(item).value)).toEqual([
		{ company: 'Acme' },
		{ company: 'Acme' },
		{ company: 'Acme' },
	]);
	expect(evaluated).toEqual([`${name} 0`, `${name} 1`, `${name} 2`]);
});

test('an expression deep in a list of choices or among the options is seen', () => {
	const deep = [{ values: [{ value: { __rl: true, mode: 'value', value: '={{ $json.x }}' } }] }];
	const filters = { ...company, read: (raw: unknown) => raw };
	const found = nodeWith({ company: deep }, (_name, item) => item);
	const read = createValuesReader(found.context, [filters]);
	expect([0, 1].map((item) => read(item).value)).toEqual([{ company: 0 }, { company: 1 }]);

	const shared = options('e.g. full_name');
	const set = nodeWith({ options: { fields: '={{ $json.fields }}' } }, (_name, item) => ({
		fields: `field${item}`,
	}));
	const readOptions = createValuesReader(set.context, [shared]);
	expect([0, 1].map((item) => readOptions(item).value?.options.fields)).toEqual([
		['field0'],
		['field1'],
	]);
});

test('an item without a value gets the default, not the value of the item before', () => {
	const given = ['Acme', null, undefined, '', 'Globex'];
	const { context } = nodeWith({ company: '={{ $json.name }}' }, (_name, item) => given[item]);
	const read = createValuesReader(context, [company]);
	expect(given.map((_, item) => read(item).value?.company)).toEqual([
		'Acme',
		'none',
		'none',
		'',
		'Globex',
	]);
});

test('what is wrong for every item is told for every item', () => {
	const { context } = nodeWith({ ids: 'zz' });
	const read = createValuesReader(context, [prospectIds]);
	for (const item of [0, 1, 2]) {
		expect(read(item).failure).toMatchObject({
			kind: 'input',
			message: 'IDs: "zz" is not an ID.',
			field: 'ids',
		});
	}
});

test('one bad item does not spoil the next', () => {
	const given = ['ab', 'zz', 'cd'];
	const { context } = nodeWith({ ids: '={{ $json.id }}' }, (_name, item) => given[item]);
	const read = createValuesReader(context, [prospectIds]);
	expect(read(0).value).toEqual({ ids: ['ab'] });
	expect(read(1).failure?.message).toContain('"zz"');
	expect(read(2).value).toEqual({ ids: ['cd'] });
});

test("an expression that n8n cannot evaluate: n8n's words, and the field that they are about", () => {
	const { context } = nodeWith({ company: '={{ $json.name }}' }, () => {
		throw new TypeError('Cannot read properties of undefined.');
	});
	expect(createValuesReader(context, [limit, company])(0).failure).toMatchObject({
		kind: 'input',
		message: 'Company: Cannot read properties of undefined.',
		field: 'company',
	});
});
