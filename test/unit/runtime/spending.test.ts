/** Which inputs a limit leaves out, and that an estimate counts the requests that are sent. */
import fc from 'fast-check';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import {
	type BatchConfig,
	executeBatches,
} from '../../../nodes/BusinessProspectData/runtime/batches';
import {
	applySpending,
	lowestLimit,
} from '../../../nodes/BusinessProspectData/runtime/applySpending';
import { spendingOptions } from '../../../nodes/BusinessProspectData/runtime/options';

interface Input {
	readonly id: string;
	readonly set: string;
}

const CONFIG = {
	groupKey: ({ set }: Input) => set,
	key: ({ id }: Input) => id,
	maxBatchSize: ({ set }: Input) => (set === 'alone' ? 1 : 3),
};

type Prepared = Parameters<typeof applySpending>[0];
type Spec = Parameters<typeof applySpending>[2];

/** What a run of items with these inputs does under the spending options. Every input costs `price` credits. */
function apply(
	/** `failed` for an item that has failed. */
	lists: ReadonlyArray<readonly Input[] | 'failed'>,
	options: Parameters<typeof applySpending>[1],
	price: (input: Input) => unknown = () => 1,
) {
	const items = lists.map((inputs, itemIndex) =>
		inputs === 'failed'
			? { itemIndex, failure: { kind: 'input', message: 'No.' } }
			: { itemIndex, inputs },
	) as unknown as Prepared;
	const applied = applySpending(items, options, { ...CONFIG, price } as unknown as Spec);
	const inputs = lists.flatMap((list) => (list === 'failed' ? [] : list));
	return {
		...applied,
		excludedIndexes: [...applied.excluded.keys()].map((input) => inputs.indexOf(input as Input)),
	};
}

const estimate = [{ estimateOnly: true }];

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
	[['a1', 'a2', 'a3'], 0, [0, 1, 2]],
	[['a1', 'a1', 'a2', 'a1'], 1, [2]],
	// The data sets of an ID stay together, and nothing new follows.
	[['a1 b1', 'a2 b2', 'a3'], 3, [2, 3, 4]],
	[['a1 a2 b1 b2'], 3, [1, 3]],
	// What was requested before stays free.
	[['a1', 'a2', 'a1 b1', 'b2'], 2, [3, 4]],
	[['', 'a1', ''], 0, [0]],
	[['', ''], 0, []],
])('%j with a limit of %j: %j are left out', (texts, maxRecordsToPay, excluded) => {
	const { excludedIndexes, failure } = apply(texts.map(inputsOf), [{ maxRecordsToPay }]);

	expect(excludedIndexes).toEqual(excluded);
	expect(failure !== undefined).toBe(excluded.length > 0);
});

test('the lowest limit applies, and the failure says how many records are needed', () => {
	const options = [9, undefined, 1, 4].map((maxRecordsToPay) => ({ maxRecordsToPay }));

	const { excludedIndexes, failure } = apply(['a1', 'a2', 'a3'].map(inputsOf), options);

	expect(lowestLimit(options)).toBe(1);
	expect(excludedIndexes).toEqual([1, 2]);
	expect(failure?.message).toMatch(
		/^Nothing was requested: all rows together need 3 records, .* 1\./,
	);
});

test('an item that has failed needs nothing, and stays as it is', () => {
	const [a1, a2] = ['a1', 'a2'].map(inputsOf);
	const { excludedIndexes, items } = apply(
		[a1 ?? [], 'failed', a2 ?? []],
		[{ maxRecordsToPay: 1 }],
	);

	expect(excludedIndexes).toEqual([1]);
	expect(items[1]).toMatchObject({ itemIndex: 1, failure: { kind: 'input' } });
});

test('options that are not added have no effect; an empty value is an error', () => {
	for (const { read, property } of spendingOptions) {
		expect(read(undefined)).toBeUndefined();
		for (const empty of [null, '', ' \u200b']) {
			expect(() => read(empty)).toThrow(`${property.displayName} is empty.`);
		}
	}
	const [limit, estimate] = spendingOptions;
	expect([limit.read(0), limit.read('500'), estimate.read('false')]).toEqual([0, 500, false]);
});

test('the default of Estimate Only is to estimate: adding it must not run and pay', () => {
	const [limit, estimate] = spendingOptions;
	expect([limit.property.default, estimate.property.default]).toEqual([500, true]);
});

const anyInput: fc.Arbitrary<Input> = fc.record({
	set: fc.constantFrom('a', 'b', 'alone'),
	id: fc.nat(9).map(String),
});

/** The batches that are sent. */
async function sentFor(inputs: readonly Input[]) {
	const batches: Array<readonly Input[]> = [];
	const config: BatchConfig<Input, string> = {
		...CONFIG,
		send: async (_client, batch) => {
			batches.push(batch);
			return { value: batch.map(({ id }) => ({ value: id })) };
		},
	};
	const client = { stop: () => {} } as Client;
	return { batches, results: await executeBatches(client, inputs, config) };
}

test.each([
	[[2, 5, 5], 12, null],
	[
		[2, { unpriced: 'Profile' }, { unpriced: 'Match' }, { unpriced: 'Profile' }],
		null,
		"The service doesn't publish the price of: Profile, Match.",
	],
])('prices %j: %j credits', (prices, credits, reason) => {
	const inputs = prices.map((_, index) => ({ set: 'a', id: String(index) }));

	const estimated = apply([inputs], estimate, ({ id }) => prices[Number(id)]).estimate;

	expect(estimated?.row).toMatchObject({ credits, credits_reason: reason });
});

test('an estimate has the requests and records that are sent, whatever the inputs', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(anyInput, { maxLength: 40 }), async (inputs) => {
			const { batches } = await sentFor(inputs);

			const estimated = apply([inputs], estimate, () => 2).estimate;

			expect(estimated?.row).toEqual({
				records: inputs.length,
				unique_records: batches.flat().length,
				requests: batches.length,
				credits: 2 * batches.flat().length,
				credits_reason: null,
				at_most: false,
				records_over_limit: 0,
			});
		}),
	);
});

test('a limit is never exceeded, and keeps the order', async () => {
	const anyItems = fc.array(fc.array(anyInput, { maxLength: 5 }), { minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(anyItems, fc.nat(25), async (lists, limit) => {
			const inputs = lists.flat();
			const { excluded, failure } = apply(lists, [{ maxRecordsToPay: limit }]);
			const allowed = inputs.filter((input) => !excluded.has(input));

			const { batches } = await sentFor(allowed);

			const unique = batches.flat().length;
			expect(unique).toBeLessThanOrEqual(limit);
			const { row } = apply(lists, [{ maxRecordsToPay: limit, estimateOnly: true }]).estimate ?? {};
			expect(row?.records_over_limit).toBe(Number(row?.unique_records) - unique);
			expect(failure === undefined).toBe(excluded.size === 0);
			// Duplicates share their fate, and nothing new follows the first item that doesn't fit.
			const keyOf = ({ set, id }: Input) => `${set} ${id}`;
			const excludedKeys = new Set(inputs.filter((input) => excluded.has(input)).map(keyOf));
			expect(allowed.filter((input) => excludedKeys.has(keyOf(input)))).toEqual([]);
			const full = lists.findIndex((list) => list.some((input) => excluded.has(input)));
			const before = new Set(
				lists
					.slice(0, full + 1)
					.flat()
					.map(keyOf),
			);
			const after = full < 0 ? [] : lists.slice(full + 1).flat();
			expect(after.filter((input) => !excluded.has(input) && !before.has(keyOf(input)))).toEqual(
				[],
			);
		}),
	);
});
