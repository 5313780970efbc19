/** Which inputs a limit leaves out. */
import fc from 'fast-check';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import { type BatchConfig, executeBatches } from '../../../nodes/BusinessProspectData/run/batches';
import { type BatchEntry, newEntry } from '../../../nodes/BusinessProspectData/run/inputs';
import { applySpending } from '../../../nodes/BusinessProspectData/run/spending';
import {
	type Spending,
	spendingParameters,
} from '../../../nodes/BusinessProspectData/parameters/spending';

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

const CHARGE = { value: 'profile', label: 'Prospect: Profile', name: 'Profile' };

/** What a run of items with these inputs does under the spending options. Every input costs two credits. */
function apply(
	lists: ReadonlyArray<readonly Input[]>,
	{ maxRecordsToPay, maxCreditsToPay, estimateOnly = false }: Partial<Spending>,
) {
	const entries = lists.map((inputs) => inputs.map((input) => newEntry<Input, string>(input)));
	const items = entries.map((own, itemIndex) => ({ itemIndex, entries: own }));
	const spec = { ...CONFIG, charge: () => CHARGE } as unknown as Spec;
	const applied = applySpending(
		items as unknown as Prepared,
		[{ value: { maxRecordsToPay, maxCreditsToPay, estimateOnly } }],
		spec,
		{ value: new Map([[CHARGE.value, 2]]) },
	);
	return { ...applied, entries };
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
	const lists = texts.map(inputsOf);

	const run = apply(lists, { maxRecordsToPay });

	const settled = run.entries.flat().map((entry) => entry.settled);
	expect(settled.flatMap((isSettled, index) => (isSettled ? [index] : []))).toEqual(excluded);
	expect(run.failure !== undefined).toBe(excluded.length > 0);
});

test('nothing is limited or estimated by default; an empty value is an error', () => {
	const [limit, credits, estimate] = spendingParameters;
	for (const { read, property } of spendingParameters) {
		for (const empty of [undefined, null, '', ' \u200b']) {
			expect(() => read(empty)).toThrow(`${property.displayName} is empty.`);
		}
	}
	expect([limit, credits, estimate].map(({ read, property }) => read(property.default))).toEqual([
		undefined,
		undefined,
		false,
	]);
	expect([limit.read(0), limit.read('500'), estimate.read('true')]).toEqual([0, 500, true]);
});

const anyInput: fc.Arbitrary<Input> = fc.record({
	set: fc.constantFrom('a', 'b', 'alone'),
	id: fc.nat(9).map(String),
});

/** How many records are sent. */
async function countSent(entries: ReadonlyArray<BatchEntry<Input, string>>): Promise<number> {
	let count = 0;
	const config: BatchConfig<Input, string> = {
		...CONFIG,
		send: async (_client, batch) => {
			count += batch.length;
			return { value: ({ id }) => ({ value: id }) };
		},
	};
	await executeBatches({ recordFailure: () => {} } as Client, entries, config);
	return count;
}

test('a limit is never exceeded, and keeps the order', async () => {
	const anyItems = fc.array(fc.array(anyInput, { maxLength: 5 }), { minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(anyItems, fc.nat(25), fc.boolean(), async (lists, limit, inCredits) => {
			const spending = inCredits ? { maxCreditsToPay: 2 * limit + 1 } : { maxRecordsToPay: limit };
			const { entries, failure } = apply(lists, spending);
			const excluded = new Set(entries.flat().filter(({ settled }) => settled));
			const allowed = entries.flat().filter((entry) => !excluded.has(entry));

			const unique = await countSent(entries.flat());

			expect(unique).toBeLessThanOrEqual(limit);
			const { row } = apply(lists, { ...spending, estimateOnly: true }).estimate ?? {};
			expect(row?.records_over_limit).toBe(Number(row?.unique_records) - unique);
			expect(failure === undefined).toBe(excluded.size === 0);
			// Duplicates share their fate, and nothing new follows the first item that doesn't fit.
			const keyOf = ({ input: { set, id } }: { input: Input }) => `${set} ${id}`;
			const excludedKeys = new Set([...excluded].map(keyOf));
			expect(allowed.filter((entry) => excludedKeys.has(keyOf(entry)))).toEqual([]);
			const full = entries.findIndex((list) => list.some((entry) => excluded.has(entry)));
			const before = new Set(
				entries
					.slice(0, full + 1)
					.flat()
					.map(keyOf),
			);
			const after = full < 0 ? [] : entries.slice(full + 1).flat();
			expect(after.filter((entry) => !excluded.has(entry) && !before.has(keyOf(entry)))).toEqual(
				[],
			);
		}),
	);
});
