import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import { type Grouping, planBatches } from './batches';
import { errorItem } from './output';
import type { LimitedRecords, Price } from './spending';

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
	limited: LimitedRecords | undefined,
	atMost: boolean,
): Estimate {
	const batches = planBatches(inputs, grouping).groups.flat();
	const prices = batches
		.flat()
		.map(({ input }) => price(input))
		.filter((one) => one !== undefined);
	const requests = batches.length;
	const unique = prices.length;
	const { credits, reason } = totalOf(prices);
	const cost = credits === null ? `${reason}` : `They cost ${pluralize(credits, 'credit')}.`;
	return {
		row: {
			records: inputs.filter((input) => price(input) !== undefined).length,
			unique_records: unique,
			requests,
			credits,
			credits_reason: reason,
			at_most: atMost,
			records_over_limit: limited === undefined ? 0 : unique - limited.allowed,
		},
		hint: `Estimate, nothing was sent: the run takes ${atMost ? 'at most ' : ''}${pluralize(requests, 'request')} for ${pluralize(unique, 'record')}. ${cost}`,
		warnings: limited === undefined ? [] : [overLimitWarning(limited)],
	};
}

function overLimitWarning({ limit, needed, allowed }: LimitedRecords): string {
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
