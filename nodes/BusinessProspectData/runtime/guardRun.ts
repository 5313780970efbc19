import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import { type Grouping, type InputResult, planBatches } from './batches';
import { errorItem } from './output';
import type { LookupBatchConfig } from './spec';
import {
	type RecordsOverLimit,
	limitRecords,
	lowestLimit,
	overLimitFailure,
	type Price,
	type SpendingOptions,
} from './spending';

/** What a run would request. The row counts every record, including those beyond Max Records to Pay. */
export interface Estimate {
	readonly row: IDataObject;
	readonly hint: string;
	/** Warnings about records that the limit would leave out. */
	readonly warnings: readonly string[];
}

/**
 * Estimates a run without sending anything.
 *
 * @param price returns undefined for an input that costs no credits; such an input doesn't count as a record
 * @param atMost true if items with details are looked up first: the run may take less, as unmatched items send nothing more
 */
export function estimateRun<Input>(
	inputs: readonly Input[],
	grouping: Grouping<Input>,
	price: (input: Input) => Price | undefined,
	overLimit: RecordsOverLimit | undefined,
	atMost: boolean,
): Estimate {
	const batches = planBatches(inputs, grouping).groups.flat();
	const prices = batches
		.flat()
		.map(({ input }) => price(input))
		.filter((one) => one !== undefined);
	const requests = batches.length;
	const uniqueRecords = prices.length;
	const { credits, reason } = totalOf(prices);
	const cost = credits === null ? `${reason}` : `They cost ${pluralize(credits, 'credit')}.`;
	return {
		row: {
			// Counts duplicates too; everywhere else, a record is a unique input.
			records: inputs.filter((input) => price(input) !== undefined).length,
			unique_records: uniqueRecords,
			requests,
			credits,
			credits_reason: reason,
			at_most: atMost,
			records_over_limit: overLimit === undefined ? 0 : uniqueRecords - overLimit.allowed,
		},
		hint: `Estimate, nothing was sent: the run takes ${atMost ? 'at most ' : ''}${pluralize(requests, 'request')} for ${pluralize(uniqueRecords, 'record')}. ${cost}`,
		warnings: overLimit === undefined ? [] : [overLimitWarning(overLimit)],
	};
}

function overLimitWarning({ limit, needed, allowed }: RecordsOverLimit): string {
	const together = allowed < limit ? ', because the data sets of one ID stay together' : '';
	return `${pluralize(needed, 'record')} ${needed === 1 ? 'is' : 'are'} more than Max Records to Pay (${formatNumber(limit)}). A run requests ${formatNumber(allowed)} of them${together}; the other rows fail. If On Error is Stop Workflow, it fails and requests nothing.`;
}

/** The credits of all records, or why they aren't known. */
function totalOf(prices: readonly Price[]) {
	const unpriced = new Set<string>();
	let credits = 0;
	for (const price of prices) {
		if (typeof price === 'number') credits += price;
		else unpriced.add(price.unpriced);
	}
	if (unpriced.size === 0) return { credits, reason: null };
	const names = [...unpriced].join(', ');
	return { credits: null, reason: `The service doesn't publish the price of: ${names}.` };
}

/** The row, linked to all valid items, and the error items of the others. */
export function estimateOutput(
	{ row }: Estimate,
	prepared: ReadonlyArray<Outcome<unknown>>,
): INodeExecutionData[] {
	const valid = [...prepared.keys()].filter((item) => prepared[item]?.failure === undefined);
	const invalid = prepared.flatMap(({ failure }, item) =>
		failure === undefined ? [] : [errorItem(failure, item)],
	);
	return [{ json: row, pairedItem: valid.map((item) => ({ item })) }, ...invalid];
}

/** One thing that a run sends: an item's details, for the lookup, or one of the item's inputs. Either may be free. */
type LookupOrInput<Input, Details> = { readonly details: Details } | { readonly input: Input };

/** How a run's inputs become requests, and what they cost. */
interface RunPlan<Input, Details> {
	readonly grouping: Grouping<LookupOrInput<Input, Details>>;
	/** Returns undefined for an input that costs no credits. */
	readonly price: (input: LookupOrInput<Input, Details>) => Price | undefined;
}

interface ItemToSend<Input, Details> {
	readonly inputs: readonly Input[];
	readonly details?: Details;
}

/** What an item sends. An item with details may send less: its details may have no match, or resolve to another item's ID. */
const lookupAndInputsOf = <Input, Details>({
	details,
	inputs,
}: ItemToSend<Input, Details>): Array<LookupOrInput<Input, Details>> => [
	...(details === undefined ? [] : [{ details }]),
	...inputs.map((input) => ({ input })),
];

/** One grouping for both lookups and inputs, for estimates and limits. A lookup never shares a request with an input. */
export const combinedGrouping = <Input, Details>(
	config: Grouping<Input>,
	identify: LookupBatchConfig<Details, unknown> | undefined,
): Grouping<LookupOrInput<Input, Details>> => ({
	groupKey: (lookupOrInput) =>
		'input' in lookupOrInput
			? config.groupKey(lookupOrInput.input)
			: `identify ${identify?.groupKey(lookupOrInput.details) ?? ''}`,
	key: (lookupOrInput) =>
		'input' in lookupOrInput
			? config.key(lookupOrInput.input)
			: (identify?.key(lookupOrInput.details) ?? ''),
	maxBatchSize: (lookupOrInput) =>
		'input' in lookupOrInput
			? config.maxBatchSize(lookupOrInput.input)
			: (identify?.maxBatchSize(lookupOrInput.details) ?? 1),
});

/** What the spending options do to a run: they replace it with an estimate, or leave out inputs beyond a limit. */
export interface GuardedRun<Item, Input> {
	readonly estimate?: Estimate;
	readonly overLimit?: RecordsOverLimit | undefined;
	/** An item with details has failed if any of its records is beyond the limit, so it isn't looked up. */
	readonly items: ReadonlyArray<Outcome<Item>>;
	/** Inputs beyond the limit, from items without details. Compared by identity: inputs are objects. */
	readonly excludedInputs: ReadonlySet<Input>;
}

/**
 * Applies spending options to the run.
 *
 * @param spending the valid spending options of all items, including failed ones: an invalid row must not disable a guard
 */
export function guardRun<Item extends ItemToSend<Input, Details>, Input, Details>(
	prepared: ReadonlyArray<Outcome<Item>>,
	spending: readonly SpendingOptions[],
	{ grouping, price }: RunPlan<Input, Details>,
): GuardedRun<Item, Input> {
	const excludedInputs = new Set<Input>();
	const unguarded = { items: prepared, excludedInputs };
	const isEstimate = spending.some(({ estimateOnly }) => estimateOnly);
	const limit = lowestLimit(spending);
	if (!isEstimate && limit === Infinity) return unguarded;

	const isPaid = (lookupOrInput: LookupOrInput<Input, Details>) =>
		price(lookupOrInput) !== undefined;
	const valid = prepared.flatMap(({ value }, item) => {
		if (value === undefined) return [];
		return [{ item, details: value.details, inputs: lookupAndInputsOf<Input, Details>(value) }];
	});
	if (valid.length === 0) return unguarded;
	const paid = valid.map((validItem) => ({
		...validItem,
		inputs: validItem.inputs.filter(isPaid),
	}));
	const overLimit = limitRecords(paid, limit, grouping);
	if (isEstimate) {
		const lookupsAndInputs = valid.flatMap(({ inputs }) => inputs);
		const atMost = valid.some(({ details }) => details !== undefined);
		return {
			...unguarded,
			estimate: estimateRun(lookupsAndInputs, grouping, price, overLimit, atMost),
		};
	}
	if (overLimit === undefined) return unguarded;
	const failure = overLimitFailure(overLimit);
	const items = [...prepared];
	let next = 0;
	for (const { item, inputs, details } of paid) {
		const start = next;
		next += inputs.length;
		const beyond = inputs.filter((_, at) => overLimit.excludedIndexes.has(start + at));
		if (beyond.length > 0 && details !== undefined) items[item] = { failure };
		else
			for (const lookupOrInput of beyond)
				if ('input' in lookupOrInput) excludedInputs.add(lookupOrInput.input);
	}
	return { overLimit, items, excludedInputs };
}

/** Adds a failed result for each excluded input to the results of the other inputs, in the order of the inputs. */
export function withExcluded<Input, Result>(
	inputs: readonly Input[],
	results: ReadonlyArray<InputResult<Input, Result>>,
	excludedInputs: ReadonlySet<Input>,
	overLimit: RecordsOverLimit,
): Array<InputResult<Input, Result>> {
	const outcome = { failure: overLimitFailure(overLimit) };
	let next = 0;
	return inputs.flatMap((input) => {
		if (excludedInputs.has(input)) return [{ input, outcome, duplicate: false }];
		const result = results[next++];
		return result === undefined ? [] : [result];
	});
}
