/** The rows of items: duplicates have their own, and an item whose rows can't be built fails. */
import type { IDataObject } from 'n8n-workflow';
import { buildItemRows } from '../../../nodes/BusinessProspectData/runtime/execute';
import type { InputResult } from '../../../nodes/BusinessProspectData/runtime/batches';

interface Types {
	parameters: [];
	options: never;
	input: string;
	result: string;
	details: never;
	lookupResult: never;
}
type Arguments = Parameters<typeof buildItemRows<Types>>;

test('an item whose rows cannot be built fails alone', () => {
	const inputs = ['a', 'odd', 'b'];
	const rowOf = ({ input }: InputResult<string, string>) => {
		if (input === 'odd') throw new Error('Not expected.');
		return { json: { input } };
	};
	const spec = { rows: (results) => results.map(rowOf) } as Partial<Arguments[0]> as Arguments[0];
	const items = inputs.map((input) => ({ value: { inputs: [input] } })) as unknown as Arguments[1];
	const results = inputs.map((input) => ({ input, outcome: { value: '' }, duplicate: false }));

	expect(buildItemRows(spec, items, results).rows).toMatchObject([
		{ row: { json: { input: 'a' } }, item: 0 },
		{ row: { failure: { message: 'Not expected.' } }, item: 1 },
		{ row: { json: { input: 'b' } }, item: 2 },
	]);
});

test('the rows of duplicates are complete copies', () => {
	const json = JSON.parse('{"constructor":1,"a":{"prototype":2,"__proto__":3}}') as IDataObject;
	const spec = { rows: () => [{ json }], key: () => '' } as Partial<Arguments[0]> as Arguments[0];
	const items = [0, 1].map(() => ({ value: { inputs: ['a'] } })) as unknown as Arguments[1];
	const results = [false, true].map((duplicate) => ({
		input: 'a',
		outcome: { value: '' },
		duplicate,
	}));

	const [first, second] = buildItemRows(spec, items, results).rows.map(({ row }) =>
		'json' in row ? row.json : undefined,
	);

	expect(first).toBe(json);
	expect(second).not.toBe(json);
	expect(second?.a).not.toBe(json.a);
	expect(JSON.stringify(second)).toBe(JSON.stringify(json));
});
