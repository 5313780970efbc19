import type { Outcome } from '../core/outcome';
import type { BatchResult, Grouping } from './batches';
import { type Estimate, estimateRun } from './estimate';
import {
	type LimitedRecords,
	limitRecords,
	overLimitFailure,
	type SpendingOptions,
} from './spending';

/** What a run sends: the details of an item, to identify it, or one of its inputs. */
export type RunInput<Input, Details> = { readonly details: Details } | { readonly input: Input };

/** How the records of a run become requests, and what they cost. */
interface RunPlan<Input, Details> {
	readonly grouping: Grouping<RunInput<Input, Details>>;
	/** As `price` in `BatchSpec`; undefined for a record that costs no credits. */
	readonly price: (record: RunInput<Input, Details>) => number | string | undefined;
}

interface ItemToPay<Input, Details> {
	readonly inputs: readonly Input[];
	readonly details?: Details;
}

/** The records of an item. One with details needs at most these: another item's details may have the same ID. */
const recordsOf = <Input, Details>({
	details,
	inputs,
}: ItemToPay<Input, Details>): Array<RunInput<Input, Details>> => [
	...(details === undefined ? [] : [{ details }]),
	...inputs.map((input) => ({ input })),
];

/** How records become requests: details and inputs have requests of their own. */
export const runGrouping = <Input, Details>(
	config: Grouping<Input>,
	identifying: Grouping<Details> | undefined,
): Grouping<RunInput<Input, Details>> => ({
	groupKey: (record) =>
		'input' in record
			? config.groupKey(record.input)
			: `identify ${String(identifying?.groupKey(record.details))}`,
	key: (record) =>
		'input' in record ? config.key(record.input) : (identifying?.key(record.details) ?? ''),
	maxBatchSize: (record) =>
		'input' in record
			? config.maxBatchSize(record.input)
			: (identifying?.maxBatchSize(record.details) ?? 1),
});

/** What the spending options of a run do: an estimate in its place, or a limit that leaves inputs out. */
export interface GuardedRun<Item, Input> {
	readonly estimate?: Estimate;
	readonly limited?: LimitedRecords | undefined;
	/** Items with details beyond the limit have failed: they aren't even identified. */
	readonly items: ReadonlyArray<Outcome<Item>>;
	readonly excluded: ReadonlySet<Input>;
}

/** Applies the spending options of all valid items to the run. */
export function guardRun<
	Item extends ItemToPay<Input, Details> & { readonly options: SpendingOptions },
	Input,
	Details,
>(
	prepared: ReadonlyArray<Outcome<Item>>,
	{ grouping, price }: RunPlan<Input, Details>,
): GuardedRun<Item, Input> {
	const excluded = new Set<Input>();
	const unguarded = { items: prepared, excluded };
	const isEstimate = prepared.some(({ value }) => value?.options.estimateOnly);
	const isLimited = prepared.some(({ value }) => value?.options.maxRecordsToPay !== undefined);
	if (!isEstimate && !isLimited) return unguarded;

	const isPaid = (record: RunInput<Input, Details>) => price(record) !== undefined;
	const valid = prepared.flatMap(({ value }, item) => {
		if (value === undefined) return [];
		const { options, details } = value;
		return [{ item, options, details, inputs: recordsOf<Input, Details>(value) }];
	});
	const records = valid.flatMap(({ inputs }) => inputs);
	const paid = valid.map((one) => ({ ...one, inputs: one.inputs.filter(isPaid) }));
	const limited = limitRecords(paid, grouping);
	if (isEstimate) {
		const atMost = valid.some(({ details }) => details !== undefined);
		return { ...unguarded, estimate: estimateRun(records, grouping, price, limited, atMost) };
	}
	if (limited === undefined) return unguarded;
	const failure = overLimitFailure(limited);
	const items = [...prepared];
	let index = 0;
	for (const { item, inputs, details } of paid) {
		const beyond = inputs.filter(() => limited.excluded.has(index++));
		if (beyond.length > 0 && details !== undefined) items[item] = { failure };
		else for (const record of beyond) if ('input' in record) excluded.add(record.input);
	}
	return { limited, items, excluded };
}

/** Adds the inputs beyond the limit to the results of the others, in the order of the inputs. */
export function withExcluded<Input, Result>(
	inputs: readonly Input[],
	results: ReadonlyArray<BatchResult<Input, Result>>,
	excluded: ReadonlySet<Input>,
	limited: LimitedRecords,
): Array<BatchResult<Input, Result>> {
	const outcome = { failure: overLimitFailure(limited) };
	let next = 0;
	return inputs.flatMap((input) =>
		excluded.has(input) ? [{ input, outcome, duplicate: false }] : results.slice(next, ++next),
	);
}
