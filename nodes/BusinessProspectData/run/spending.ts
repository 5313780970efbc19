import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { groupBy } from '../core/collections';
import type { Failure, Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import { planBatches } from './batches';
import { type BatchEntry, newEntry, settle } from './inputs';
import type { Spending } from '../parameters/spending';
import { errorItem } from './output';
import type { BatchSpec, FailedItem, PreparedItem, Price, SpecTypes } from './spec';

/** The lookup of an item's details, or one of the item's inputs, if it counts towards Max Records to Pay. */
interface PaidRecord {
	readonly itemIndex: number;
	/** Shared by the records of an item that belong together, such as the data sets of one ID. */
	readonly key: string;
	/** The same object for duplicates, which are paid for once. */
	readonly unique: object;
	readonly price: Price;
	/** Absent for a lookup. */
	readonly entry?: BatchEntry<unknown, unknown>;
}

interface RunPlan {
	readonly requests: number;
	/** In the order of the items. */
	readonly records: ReadonlyArray<PaidRecord>;
	/** If true, the run may send less than planned: details may resolve to no ID, or to another item's ID. */
	readonly hasLookups: boolean;
}

type Items<Types extends SpecTypes> = ReadonlyArray<FailedItem | PreparedItem<Types>>;

type Spec<Types extends SpecTypes> = Pick<
	BatchSpec<Types>,
	'groupKey' | 'key' | 'maxBatchSize' | 'maxRequests' | 'price' | 'lookup'
>;

function planRun<Types extends SpecTypes>(
	items: Items<Types>,
	{ price, lookup, ...grouping }: Spec<Types>,
	batchSize: number | undefined,
): RunPlan {
	const prepared = items.flatMap((item) => (item.failure === undefined ? [item] : []));
	const inputs = planBatches(
		prepared.flatMap(({ entries }) => entries),
		grouping,
		batchSize,
	);
	const lookups = planLookups(prepared, lookup, batchSize);
	const records = prepared.flatMap((item): PaidRecord[] => {
		const { itemIndex } = item;
		const paid: PaidRecord[] = [...(lookups.records.get(itemIndex) ?? [])];
		if (price === undefined) return paid;
		for (const entry of item.entries) {
			const { input } = entry;
			const unique = inputs.firsts.get(entry) ?? entry;
			paid.push({ itemIndex, key: grouping.key(input), unique, price: price(input), entry });
		}
		return paid;
	});
	return {
		requests: inputs.maxRequests + lookups.requests,
		records,
		hasLookups: lookups.requests > 0,
	};
}

/** All steps of the lookups, as if every one found an ID. `records` is by item index. */
function planLookups<Types extends SpecTypes>(
	items: ReadonlyArray<PreparedItem<Types>>,
	lookup: Spec<Types>['lookup'],
	batchSize: number | undefined,
): { readonly requests: number; readonly records: ReadonlyMap<number, readonly PaidRecord[]> } {
	const records: PaidRecord[] = [];
	let requests = 0;
	if (lookup === undefined) return { requests, records: new Map() };
	let step = items.flatMap(({ itemIndex, details }) =>
		// The item's inputs have this provisional ID as their key, so the lookups are counted together with them.
		details === undefined ? [] : [{ itemIndex, details, key: lookup.provisionalId(details.input) }],
	);
	while (step.length > 0) {
		const allDetails = step.map(({ details }) => details);
		const { firsts, maxRequests } = planBatches(allDetails, lookup.batchConfig, batchSize);
		requests += maxRequests;
		for (const { itemIndex, details, key } of step) {
			const price = lookup.price?.(details.input);
			const unique = firsts.get(details) ?? details;
			if (price !== undefined) records.push({ itemIndex, key, unique, price });
		}
		step = step.flatMap(({ details, ...item }) => {
			const next = lookup.next?.(details.input, item.key);
			return next === undefined ? [] : [{ ...item, details: newEntry(next) }];
		});
	}
	return { requests, records: groupBy(records, ({ itemIndex }) => itemIndex) };
}

interface OverLimit {
	readonly limit: number;
	/** All records of the run. Duplicates count once. */
	readonly needed: number;
	/** How many of the needed records the run may request: `limit` or fewer. */
	readonly allowed: number;
	readonly excluded: ReadonlySet<PaidRecord>;
}

/** Infinity if no item has a limit. */
const lowestLimit = (spending: ReadonlyArray<Outcome<Spending>>): number =>
	spending.reduce(
		(lowest, { value }) => Math.min(lowest, value?.maxRecordsToPay ?? Infinity),
		Infinity,
	);

/**
 * Once records that belong together would exceed the limit, they and all later records are excluded, except duplicates of
 * allowed records. Undefined if no record is excluded.
 */
function limitRecords(records: ReadonlyArray<PaidRecord>, limit: number): OverLimit | undefined {
	const allowed = new Set<object>();
	const excluded = new Set<PaidRecord>();
	let limitReached = false;
	for (const ofItem of groupBy(records, ({ itemIndex }) => itemIndex).values()) {
		for (const together of groupBy(ofItem, ({ key }) => key).values()) {
			const added = together.filter(({ unique }) => !allowed.has(unique));
			limitReached ||= allowed.size + added.length > limit;
			for (const record of added) {
				if (limitReached) excluded.add(record);
				else allowed.add(record.unique);
			}
		}
	}
	if (!limitReached) return undefined;
	const needed = new Set(records.map(({ unique }) => unique)).size;
	return { limit, needed, allowed: allowed.size, excluded };
}

interface Estimate {
	/** Counts every record, including those beyond Max Records to Pay. */
	readonly row: IDataObject;
	readonly hint: string;
	readonly warnings: readonly string[];
}

function estimateOf(
	{ requests, records, hasLookups }: RunPlan,
	overLimit: OverLimit | undefined,
): Estimate {
	const priceByUnique = new Map(records.map(({ unique, price }) => [unique, price]));
	const uniqueRecords = priceByUnique.size;
	const { credits, reason } = totalOf([...priceByUnique.values()]);
	const cost = credits === null ? reason : `They cost ${pluralize(credits, 'credit')}.`;
	const atMost = hasLookups ? 'at most ' : '';
	return {
		row: {
			// Counts duplicates too.
			records: records.length,
			unique_records: uniqueRecords,
			requests,
			credits,
			credits_reason: reason,
			at_most: hasLookups,
			records_over_limit: overLimit === undefined ? 0 : uniqueRecords - overLimit.allowed,
		},
		hint: `Estimate, nothing was sent: the run takes ${atMost}${pluralize(requests, 'request')} for ${pluralize(uniqueRecords, 'record')}. ${cost}`,
		warnings: overLimit === undefined ? [] : [overLimitWarning(overLimit)],
	};
}

function totalOf(
	prices: readonly Price[],
): { credits: number; reason: null } | { credits: null; reason: string } {
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

function overLimitWarning({ limit, needed, allowed }: OverLimit): string {
	const together =
		allowed < limit ? ', because the records of one person or business stay together' : '';
	return `${pluralize(needed, 'record')} ${needed === 1 ? 'is' : 'are'} more than Max Records to Pay (${formatNumber(limit)}). A run requests ${formatNumber(allowed)} of them${together}; the other rows fail. If On Error is Stop Workflow, it fails and requests nothing.`;
}

export function estimateOutput(
	{ row }: Estimate,
	items: ReadonlyArray<{ readonly itemIndex: number; readonly failure?: Failure | undefined }>,
): INodeExecutionData[] {
	const valid = items.filter(({ failure }) => failure === undefined);
	const invalid = items.flatMap(({ failure, itemIndex }) =>
		failure === undefined ? [] : [errorItem(failure, itemIndex)],
	);
	return [{ json: row, pairedItem: valid.map(({ itemIndex: item }) => ({ item })) }, ...invalid];
}

const overLimitFailure = ({ limit, needed }: OverLimit): Failure => ({
	kind: 'overLimit',
	field: 'maxRecordsToPay',
	message: `Not requested: this row would exceed the limit of ${pluralize(limit, 'record')} (Max Records to Pay); all rows together need ${formatNumber(needed)}. Raise the limit, or run the remaining rows later.`,
});

const runOverLimitFailure = (overLimit: OverLimit): Failure => ({
	...overLimitFailure(overLimit),
	message: `Nothing was requested: all rows together need ${pluralize(overLimit.needed, 'record')}, and Max Records to Pay allows ${formatNumber(overLimit.limit)}. Raise the limit, or send fewer rows.`,
});

interface AppliedSpending<Types extends SpecTypes> {
	/** If present, replaces the run. */
	readonly estimate?: Estimate;
	/** The failure of the run, if it stops on failure. Absent with an estimate, or if no record is beyond the limit. */
	readonly failure?: Failure;
	readonly items: Items<Types>;
}

/** A limit or an estimate that can't be read might have applied to all rows. */
function failAllItems<Types extends SpecTypes>(
	items: Items<Types>,
	{ field, message, kind }: Failure,
	row: number,
): Items<Types> {
	const failure = {
		kind,
		...(field !== undefined && { field }),
		message: `Nothing was requested, because of row ${formatNumber(row)}: ${message}`,
	};
	return items.map((item) =>
		item.failure === undefined ? { itemIndex: item.itemIndex, failure } : item,
	);
}

/** Settles the inputs beyond the limit. */
export function applySpending<Types extends SpecTypes>(
	items: Items<Types>,
	spending: ReadonlyArray<Outcome<Spending>>,
	spec: Spec<Types>,
	batchSize?: number,
): AppliedSpending<Types> {
	const unreadable = spending.findIndex(({ failure }) => failure !== undefined);
	const unreadableFailure = spending[unreadable]?.failure;
	if (unreadableFailure !== undefined) {
		return { items: failAllItems(items, unreadableFailure, unreadable + 1) };
	}
	const isEstimate = spending.some(({ value }) => value?.estimateOnly);
	const limit = lowestLimit(spending);
	const hasValidItem = items.some(({ failure }) => failure === undefined);
	// Without a valid item, nothing is sent, and the output is the error items.
	if (!hasValidItem || (!isEstimate && limit === Infinity)) return { items };

	const plan = planRun(items, spec, batchSize);
	const overLimit = limitRecords(plan.records, limit);
	if (isEstimate) return { items, estimate: estimateOf(plan, overLimit) };
	if (overLimit === undefined) return { items };
	const failure = overLimitFailure(overLimit);
	const beyond = groupBy([...overLimit.excluded], ({ itemIndex }) => itemIndex);
	return {
		failure: runOverLimitFailure(overLimit),
		items: items.map((item) => {
			const { itemIndex } = item;
			const records = beyond.get(itemIndex);
			if (item.failure !== undefined || records === undefined) return item;
			// The whole item fails, so that its details aren't looked up.
			if (item.details !== undefined) return { itemIndex, failure };
			for (const { entry } of records) if (entry !== undefined) settle(entry, { failure });
			return item;
		}),
	};
}
