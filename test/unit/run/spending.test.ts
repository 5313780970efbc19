/** Which inputs a limit leaves out. */
import { newEntry } from '../../../nodes/BusinessProspectData/run/inputs';
import { applySpending } from '../../../nodes/BusinessProspectData/run/spending';

interface Input {
	readonly id: string;
	readonly set: string;
}

const SPEC = {
	requests: {
		groupKey: ({ set }: Input) => set,
		key: ({ id }: Input) => id,
		maxBatchSize: ({ set }: Input) => (set === 'z' ? 1 : 3),
	},
	priceOf: () => ({ name: 'Records' }),
};

type Prepared = Parameters<typeof applySpending>[0];
type Spec = Parameters<typeof applySpending>[2];

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
])('%j with a limit of %j: %j are left out', async (texts, maxRecordsToPay, excluded) => {
	const lists = texts.map((text) => inputsOf(text).map((input) => newEntry<Input, string>(input)));
	const items = lists.map((entries, itemIndex) => ({ itemIndex, entries }));

	const { failure } = await applySpending(
		items as unknown as Prepared,
		[{ value: { maxRecordsToPay, options: { estimateOnly: false } } }],
		SPEC as unknown as Spec,
	);

	const settled = lists.flat().map((entry) => entry.settled);
	expect(settled.flatMap((isSettled, index) => (isSettled ? [index] : []))).toEqual(excluded);
	expect(failure !== undefined).toBe(excluded.length > 0);
});
