/** Which inputs a limit leaves out. */
import fc from 'fast-check';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type { Spending } from '../../../nodes/BusinessProspectData/parameters/spending';
import { executeBatches } from '../../../nodes/BusinessProspectData/run/batches';
import { newEntry } from '../../../nodes/BusinessProspectData/run/inputs';
import { applySpending } from '../../../nodes/BusinessProspectData/run/spending';

interface Input {
	readonly id: string;
	readonly set: string;
}

const SPEC = {
	groupKey: ({ set }: Input) => set,
	key: ({ id }: Input) => id,
	maxBatchSize: ({ set }: Input) => (set === 'z' ? 1 : 3),
	isPaid: true,
};

type Prepared = Parameters<typeof applySpending>[0];
type Spec = Parameters<typeof applySpending>[2];

/** What a run of items with these inputs does under a limit. */
function apply(lists: ReadonlyArray<readonly Input[]>, spending: Partial<Spending>) {
	const entries = lists.map((inputs) => inputs.map((input) => newEntry<Input, string>(input)));
	const items = entries.map((own, itemIndex) => ({ itemIndex, entries: own }));
	const { estimate, failure } = applySpending(
		items as unknown as Prepared,
		[{ value: { maxRecordsToPay: undefined, estimateOnly: false, ...spending } }],
		SPEC as unknown as Spec,
	);
	return { estimate: estimate?.row, failure, entries };
}

/** Inputs of texts such as `a1 b1`: the data sets and the ID. */
const inputsOf = (text: string): Input[] =>
	text
		.split(' ')
		.filter(Boolean)
		.map((one) => ({ set: one.slice(0, 1), id: one.slice(1) }));

test.each<[string[], number | undefined, number[]]>([
	[['a1', 'a2', 'a3'], undefined, []],
	[['a1', 'a2', 'a3'], 3, []],
	[['a1', 'a2', 'a3'], 2, [2]],
	[['a1', 'a1', 'a2', 'a1'], 1, [2]],
	// The data sets of an ID stay together, and nothing new follows.
	[['a1 b1', 'a2 b2', 'a3'], 3, [2, 3, 4]],
	[['a1 a2 b1 b2'], 3, [1, 3]],
	// What was requested before stays free.
	[['a1', 'a2', 'a1 b1', 'b2'], 2, [3, 4]],
	[['', 'a1', ''], 0, [0]],
])('%j with a limit of %j: %j are left out', (texts, maxRecordsToPay, excluded) => {
	const { entries, failure } = apply(texts.map(inputsOf), { maxRecordsToPay });

	const settled = entries.flat().map((entry) => entry.settled);
	expect(settled.flatMap((isSettled, index) => (isSettled ? [index] : []))).toEqual(excluded);
	expect(failure !== undefined).toBe(excluded.length > 0);
});

const anyInput: fc.Arbitrary<Input> = fc.record({
	set: fc.constantFrom('a', 'b', 'z'),
	id: fc.nat(9).map(String),
});

test('a limit is never exceeded, and keeps the order', async () => {
	const anyItems = fc.array(fc.array(anyInput, { maxLength: 5 }), { minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(anyItems, fc.nat(25), async (lists, maxRecordsToPay) => {
			const { entries, failure } = apply(lists, { maxRecordsToPay });
			const isExcluded = (entry: object) => excluded.has(entry);
			const excluded = new Set<object>(entries.flat().filter(({ settled }) => settled));
			const allowed = entries.flat().filter((entry) => !isExcluded(entry));

			let sent = 0;
			let requests = 0;
			await executeBatches<Input, string>({ recordFailure: () => {} } as Client, entries.flat(), {
				...SPEC,
				send: async (_client, batch) => {
					sent += batch.length;
					requests++;
					return { value: ({ id }) => ({ value: id }) };
				},
			});

			expect(sent).toBeLessThanOrEqual(maxRecordsToPay);
			expect(failure === undefined).toBe(excluded.size === 0);
			const { estimate } = apply(lists, { maxRecordsToPay, estimateOnly: true });
			expect(estimate?.records_over_limit).toBe(Number(estimate?.unique_records) - sent);
			if (failure === undefined) expect(estimate).toMatchObject({ requests, unique_records: sent });
			// Duplicates share their fate, and nothing new follows the first item that doesn't fit.
			const keyOf = ({ input: { set, id } }: { input: Input }) => `${set} ${id}`;
			const excludedKeys = new Set(entries.flat().filter(isExcluded).map(keyOf));
			expect(allowed.filter((entry) => excludedKeys.has(keyOf(entry)))).toEqual([]);
			const full = entries.findIndex((list) => list.some(isExcluded));
			const before = new Set(entries.slice(0, full + 1).flatMap((list) => list.map(keyOf)));
			const after = full < 0 ? [] : entries.slice(full + 1).flat();
			expect(after.filter((entry) => !isExcluded(entry) && !before.has(keyOf(entry)))).toEqual([]);
		}),
	);
});
