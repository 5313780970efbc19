/** The rows of an item: duplicates have their own, and an item whose rows can't be built fails. */
import type { IDataObject } from 'n8n-workflow';
import { itemRows } from '../../../nodes/BusinessProspectData/run/execute';

type Spec = Parameters<typeof itemRows>[0];
type Item = Parameters<typeof itemRows>[1];

/** An item with a result for each of `duplicates`, which says whether that result is a duplicate. */
const itemWith = (itemIndex: number, duplicates = [false]) => {
	const results = duplicates.map((duplicate) => ({
		input: { itemIndex },
		outcome: { value: '' },
		duplicate,
	}));
	return { itemIndex, entries: results } as unknown as Item;
};

test('an item whose rows cannot be built fails alone', () => {
	const spec: Spec = {
		rows: (results) =>
			results.map(({ input }) => {
				if ('itemIndex' in input && input.itemIndex === 1) throw new Error('Not expected.');
				return { json: { ...input } };
			}),
	};

	expect([0, 1, 2].flatMap((itemIndex) => itemRows(spec, itemWith(itemIndex)))).toMatchObject([
		{ row: { json: { itemIndex: 0 } }, itemIndex: 0 },
		{ row: { failure: { message: 'Not expected.' } }, itemIndex: 1 },
		{ row: { json: { itemIndex: 2 } }, itemIndex: 2 },
	]);
});

test('the rows of an item with a duplicate are complete copies', () => {
	const json = JSON.parse('{"constructor":1,"a":{"prototype":2,"__proto__":3}}') as IDataObject;
	const spec: Spec = { rows: () => [{ json }] };

	const [first, second] = [[false], [false, true]]
		.flatMap((duplicates, itemIndex) => itemRows(spec, itemWith(itemIndex, duplicates)))
		.map(({ row }) => ('json' in row ? row.json : undefined));

	expect(first).toBe(json);
	expect(second).not.toBe(json);
	expect(second?.a).not.toBe(json.a);
	expect(JSON.stringify(second)).toBe(JSON.stringify(json));
});
