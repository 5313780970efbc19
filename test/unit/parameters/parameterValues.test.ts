/** Reads the parameters of every item. */
import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import { idsParameter } from '../../../nodes/BusinessProspectData/parameters/lists';
import {
	integerParameter,
	stringParameter,
} from '../../../nodes/BusinessProspectData/parameters/parameter';
import { createValuesReader } from '../../../nodes/BusinessProspectData/parameters/read';

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

/** A node whose expressions return `evaluate`. Records the evaluated parameters. */
function nodeWith(saved: Saved, evaluate: (item: number) => unknown = () => null) {
	const evaluated: string[] = [];
	const context = {
		getNodeParameter(
			name: string,
			item: number,
			fallback: unknown,
			{ rawExpressions = false }: { rawExpressions?: boolean } = {},
		) {
			if (rawExpressions) return saved[name] ?? fallback;
			evaluated.push(`${name} ${item}`);
			const isExpression = JSON.stringify(saved[name] ?? '').includes('"=');
			return isExpression ? evaluate(item) : (saved[name] ?? fallback);
		},
	};
	return { evaluated, context: context as unknown as IExecuteFunctions };
}

test('reads parameters without an expression once for a thousand items', () => {
	const { context, evaluated } = nodeWith({ company: 'Acme', limit: 7 });
	const read = createValuesReader(context, [company, limit]);

	const all = Array.from({ length: 1_000 }, (_, item) => read(item).value);

	expect(all).toEqual(all.map(() => ({ company: 'Acme', limit: 7 })));
	expect(evaluated).toEqual(['company 0', 'limit 0']);
});

test('evaluates an expression for every item', () => {
	const { context, evaluated } = nodeWith({ company: '={{ $json.name }}' }, () => 'Acme');
	const read = createValuesReader(context, [company]);

	expect([0, 1, 2].map((item) => read(item).value)).toEqual(Array(3).fill({ company: 'Acme' }));
	expect(evaluated).toEqual(['company 0', 'company 1', 'company 2']);
});

test('finds nested expressions', () => {
	const nested = [{ values: [{ value: { __rl: true, mode: 'value', value: '={{ $json.x }}' } }] }];
	const { context } = nodeWith({ company: nested }, (item) => item);
	const read = createValuesReader(context, [{ ...company, read: (raw: unknown) => raw }]);

	expect([0, 1].map((item) => read(item).value)).toEqual([{ company: 0 }, { company: 1 }]);
});

test('uses the default for an item without a value', () => {
	const values = ['Acme', null, undefined, '', 'Globex'];
	const { context } = nodeWith({ company: '={{ $json.name }}' }, (item) => values[item]);
	const read = createValuesReader(context, [company]);

	const companies = values.map((_, item) => read(item).value?.company);

	expect(companies).toEqual(['Acme', 'none', 'none', '', 'Globex']);
});

test('reports an invalid fixed value for every item', () => {
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
