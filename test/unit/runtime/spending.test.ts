/** Which inputs a limit leaves out, and that an estimate counts the requests that are sent. */
import fc from 'fast-check';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import {
	type BatchConfig,
	executeBatches,
} from '../../../nodes/BusinessProspectData/runtime/batches';
import {
	combinedGrouping,
	estimateRun,
	guardRun,
	withExcluded,
} from '../../../nodes/BusinessProspectData/runtime/guardRun';
import {
	limitRecords,
	lowestLimit,
	spendingOptions,
} from '../../../nodes/BusinessProspectData/runtime/spending';

interface Input {
	readonly id: string;
	readonly set: string;
}

const CONFIG = {
	groupKey: ({ set }: Input) => set,
	key: ({ id }: Input) => id,
	maxBatchSize: ({ set }: Input) => (set === 'alone' ? 1 : 3),
};

/** Items of texts such as `a1 b1`: the data sets and the ID. */
const itemsOf = (texts: readonly string[]) =>
	texts.map((text, item) => ({
		item,
		inputs: text
			.split(' ')
			.filter(Boolean)
			.map((one) => ({ set: one.slice(0, 1), id: one.slice(1) })),
	}));

test.each<[string[], number | undefined, number[] | undefined]>([
	[['a1', 'a2', 'a3'], undefined, undefined],
	[['a1', 'a2', 'a3'], 3, undefined],
	[['a1', 'a2', 'a3'], 2, [2]],
	[['a1', 'a2', 'a3'], 0, [0, 1, 2]],
	[['a1', 'a1', 'a2', 'a1'], 1, [2]],
	// The data sets of an ID stay together, and nothing new follows.
	[['a1 b1', 'a2 b2', 'a3'], 3, [2, 3, 4]],
	[['a1 a2 b1 b2'], 3, [1, 3]],
	// What was requested before stays free.
	[['a1', 'a2', 'a1 b1', 'b2'], 2, [3, 4]],
	[['', 'a1', ''], 0, [0]],
	[['', ''], 0, undefined],
])('%j with a limit of %j: %j are left out', (texts, limit, excluded) => {
	const limited = limitRecords(itemsOf(texts), limit ?? Infinity, CONFIG);

	expect(limited && [...limited.excludedIndexes]).toEqual(excluded);
});

test('the first item beyond the limit is named, and the lowest limit applies', () => {
	const items = itemsOf(['a1', 'oops', 'a2', 'a3']);
	const limit = lowestLimit([9, undefined, 1, 4].map((maxRecordsToPay) => ({ maxRecordsToPay })));
	const valid = items.filter(({ item }) => item !== 1);

	expect(limitRecords(valid, limit, CONFIG)).toEqual({
		limit: 1,
		needed: 3,
		allowed: 1,
		excludedIndexes: new Set([1, 2]),
	});
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

	const priceOf = ({ id }: Input) => prices[Number(id)];
	const { row } = estimateRun(inputs, CONFIG, priceOf, undefined, false);

	expect(row).toMatchObject({ credits, credits_reason: reason });
});

test('an estimate has the requests and records that are sent, whatever the inputs', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(anyInput, { maxLength: 40 }), async (inputs) => {
			const { batches } = await sentFor(inputs);

			const { row } = estimateRun(inputs, CONFIG, () => 2, undefined, false);

			expect(row).toEqual({
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

test('a limit is never exceeded, keeps the order, and gives every input a result', async () => {
	const anyItems = fc.array(fc.array(anyInput, { maxLength: 5 }), { minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(anyItems, fc.nat(25), async (lists, limit) => {
			const items = lists.map((inputs, item) => ({ item, inputs }));
			const inputs = lists.flat();
			const limited = limitRecords(items, limit, CONFIG);
			if (limited === undefined) {
				expect((await sentFor(inputs)).batches.flat().length).toBeLessThanOrEqual(limit);
				return;
			}
			const { batches, results } = await sentFor(
				inputs.filter((_, index) => !limited.excludedIndexes.has(index)),
			);

			expect(batches.flat()).toHaveLength(limited.allowed);
			expect(limited.allowed).toBeLessThanOrEqual(limit);
			const prepared = items.map((value) => ({ value }));
			const { excludedInputs } = guardRun<(typeof items)[number], Input, never>(
				prepared,
				[{ maxRecordsToPay: limit }],
				{ grouping: combinedGrouping<Input, never>(CONFIG, undefined), price: () => 1 },
			);
			const all = withExcluded(inputs, results, excludedInputs, limited);
			expect(all.map(({ input }) => input)).toEqual(inputs);
			expect(all.map(({ outcome }) => outcome.failure?.kind ?? outcome.value)).toEqual(
				inputs.map(({ id }, index) => (limited.excludedIndexes.has(index) ? 'overLimit' : id)),
			);
		}),
	);
});
