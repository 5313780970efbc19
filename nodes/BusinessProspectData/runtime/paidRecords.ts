import type { Outcome } from '../core/outcome';
import type { BatchResult, Grouping } from './batches';
import { type Estimate, estimateRun } from './estimate';
import {
	type LimitedRecords,
	limitRecords,
	overLimitFailure,
	type SpendingOptions,
} from './spending';

/** What costs credits: the match of an item's details, or one of its inputs. */
export type PaidRecord<Input, Details> = { readonly details: Details } | { readonly input: Input };

interface ItemToPay<Input, Details> {
	readonly inputs: readonly Input[];
	readonly details?: Details;
}

/** The records of an item. One with details needs at most these: another item's details may be those of the same person. */
const paidRecords = <Input, Details>({
	details,
	inputs,
}: ItemToPay<Input, Details>): Array<PaidRecord<Input, Details>> => [
	...(details === undefined ? [] : [{ details }]),
	...inputs.map((input) => ({ input })),
];

/** How records become requests: matches and inputs have requests of their own. */
export const paidGrouping = <Input, Details>(
	config: Grouping<Input>,
	matching: Grouping<Details> | undefined,
): Grouping<PaidRecord<Input, Details>> => ({
	groupKey: (record) =>
		'input' in record
			? config.groupKey(record.input)
			: `match ${String(matching?.groupKey(record.details))}`,
	key: (record) =>
		'input' in record ? config.key(record.input) : (matching?.key(record.details) ?? ''),
	maxBatchSize: (record) =>
		'input' in record
			? config.maxBatchSize(record.input)
			: (matching?.maxBatchSize(record.details) ?? 1),
});

/** What an item's spending options do to the run: an estimate in its place, or what a limit leaves out. */
interface Guard {
	readonly estimate?: Estimate;
	readonly limited?: LimitedRecords | undefined;
}

/** @param price see `BatchSpec`; operations without one have no spending options */
export function guardRun<Input, Details>(
	items: ReadonlyArray<
		ItemToPay<Input, Details> & { readonly item: number; readonly options: SpendingOptions }
	>,
	grouping: Grouping<PaidRecord<Input, Details>>,
	price: ((input: Input) => number | string) | undefined,
): Guard {
	const isEstimate = items.some(({ options }) => options.estimateOnly);
	const isLimited = items.some(({ options }) => options.maxRecordsToPay !== undefined);
	if (price === undefined || !(isEstimate || isLimited)) return {};
	const records = items.map((item) => ({ ...item, inputs: paidRecords(item) }));
	const limited = limitRecords(records, grouping);
	if (!isEstimate) return { limited };
	const estimate = estimateRun(
		records.flatMap(({ inputs }) => inputs),
		grouping,
		(record) => ('input' in record ? price(record.input) : 'Match'),
		limited,
		items.some(({ details }) => details !== undefined),
	);
	return { estimate };
}

/** The items of a run with a limit, and the inputs that are left out of it. */
interface ItemsWithinLimit<Item, Input> {
	/** Items with details beyond the limit have failed: they aren't even matched. */
	readonly items: ReadonlyArray<Outcome<Item>>;
	readonly excluded: ReadonlySet<Input>;
}

/** @param limited what a limit leaves out of the records of all valid items */
export function itemsWithinLimit<Item extends ItemToPay<Input, unknown>, Input>(
	prepared: ReadonlyArray<Outcome<Item>>,
	limited: LimitedRecords | undefined,
): ItemsWithinLimit<Item, Input> {
	const excluded = new Set<Input>();
	if (limited === undefined) return { items: prepared, excluded };
	const failure = overLimitFailure(limited);
	let index = 0;
	const items = prepared.map((outcome): Outcome<Item> => {
		const item: ItemToPay<Input, unknown> | undefined = outcome.value;
		if (item === undefined) return outcome;
		const records = paidRecords(item);
		const beyond = records.filter(() => limited.excluded.has(index++));
		if (beyond.length > 0 && item.details !== undefined) return { failure };
		for (const record of beyond) if ('input' in record) excluded.add(record.input);
		return outcome;
	});
	return { items, excluded };
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
