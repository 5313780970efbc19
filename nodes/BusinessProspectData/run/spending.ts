import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Charge } from '../catalog/prices';
import { groupBy } from '../core/collections';
import type { Failure, Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import { planBatches } from './batches';
import { type BatchEntry, newEntry, settle } from './inputs';
import { type Prices, roundCredits } from '../parameters/prices';
import type { Spending } from '../parameters/spending';
import { errorItem } from './output';
import { creditsOf, estimatedCost, NO_PRICES, unknownPrices } from './prices';
import type { BatchSpec, FailedItem, PreparedItem, SpecTypes } from './spec';

/** The lookup of an item's details, or one of the item's inputs, if it may cost credits. */
interface PaidRecord {
	readonly itemIndex: number;
	/** Shared by the records of an item that belong together, such as the data sets of one ID. */
	readonly key: string;
	/** The same object for duplicates, which are paid for once. */
	readonly unique: object;
	readonly charge: Charge;
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
	'groupKey' | 'key' | 'maxBatchSize' | 'maxRequests' | 'charge' | 'lookup'
>;

function planRun<Types extends SpecTypes>(
	items: Items<Types>,
	{ charge, lookup, ...grouping }: Spec<Types>,
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
		if (charge === undefined) return paid;
		for (const entry of item.entries) {
			const { input } = entry;
			const unique = inputs.firsts.get(entry) ?? entry;
			paid.push({ itemIndex, key: grouping.key(input), unique, charge: charge(input), entry });
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
			const charge = lookup.charge?.(details.input);
			const unique = firsts.get(details) ?? details;
			if (charge !== undefined) records.push({ itemIndex, key, unique, charge });
		}
		step = step.flatMap(({ details, ...item }) => {
			const next = lookup.next?.(details.input, item.key);
			return next === undefined ? [] : [{ ...item, details: newEntry(next) }];
		});
	}
	return { requests, records: groupBy(records, ({ itemIndex }) => itemIndex) };
}

/** The records that a run may not request. */
interface Exclusion {
	readonly excluded: ReadonlySet<PaidRecord>;
	/** Unique records that the run may request. */
	readonly allowedCount: number;
	/** The failure of an excluded record. */
	readonly failure: Failure;
	/** The failure of a run that stops on failure. */
	readonly runFailure: Failure;
	/** For an estimate. */
	readonly warning: string;
}

/** A limit, and how much of it a record takes. */
interface Limit {
	readonly field: string;
	readonly displayName: string;
	readonly unit: 'credit' | 'record';
	readonly verb: string;
	readonly max: number;
	readonly amountOf: (record: PaidRecord) => number;
}

/** If items differ, the lowest limit applies. Infinity if no item has one. */
const lowest = (
	spending: ReadonlyArray<Outcome<Spending>>,
	field: 'maxCreditsToPay' | 'maxRecordsToPay',
): number =>
	spending.reduce((max, { value }) => Math.min(max, value?.[field] ?? Infinity), Infinity);

/** Undefined if no record is excluded. */
function excludeRecords(
	records: readonly PaidRecord[],
	spending: ReadonlyArray<Outcome<Spending>>,
	prices: Outcome<Prices>,
): Exclusion | undefined {
	const maxRecords: Limit = {
		field: 'maxRecordsToPay',
		displayName: 'Max Records to Pay',
		unit: 'record',
		verb: 'requests',
		max: lowest(spending, 'maxRecordsToPay'),
		amountOf: () => 1,
	};
	const byRecords = applyLimit(records, maxRecords);
	const max = lowest(spending, 'maxCreditsToPay');
	if (max === Infinity || records.length === 0) return byRecords;
	const maxCredits: Limit = {
		field: 'maxCreditsToPay',
		displayName: 'Max Credits to Pay',
		unit: 'credit',
		verb: 'pays',
		max,
		amountOf: ({ charge }) => creditsOf(charge, prices.value ?? NO_PRICES) ?? Infinity,
	};
	const unknown = unknownPrices(
		records.map(({ charge }) => charge),
		prices,
	);
	const byCredits =
		unknown === undefined
			? applyLimit(records, maxCredits)
			: excludeAll(records, maxCredits, unknown);
	// A limit excludes all that follows the first excluded record, so the larger exclusion contains the other.
	return (byCredits?.excluded.size ?? 0) > (byRecords?.excluded.size ?? 0) ? byCredits : byRecords;
}

/**
 * Once records that belong together would exceed the limit, they and all later records are excluded, except duplicates of
 * allowed records.
 */
function applyLimit(records: readonly PaidRecord[], limit: Limit): Exclusion | undefined {
	const { max, amountOf } = limit;
	const allowed = new Set<object>();
	const excluded = new Set<PaidRecord>();
	let amount = 0;
	let limitReached = false;
	for (const ofItem of groupBy(records, ({ itemIndex }) => itemIndex).values()) {
		for (const together of groupBy(ofItem, ({ key }) => key).values()) {
			const added = together.filter(({ unique }) => !allowed.has(unique));
			const newAmount = total([amount, ...added.map(amountOf)]);
			limitReached ||= newAmount > max;
			if (!limitReached) amount = newAmount;
			for (const record of added) {
				if (limitReached) excluded.add(record);
				else allowed.add(record.unique);
			}
		}
	}
	if (!limitReached) return undefined;
	const needed = total([
		...new Map(records.map((record) => [record.unique, amountOf(record)])).values(),
	]);
	return { excluded, allowedCount: allowed.size, ...overLimitMessages(limit, needed, amount) };
}

const total = (amounts: readonly number[]): number =>
	roundCredits(amounts.reduce((sum, amount) => sum + amount, 0));

function overLimitMessages(
	{ field, displayName, unit, verb, max }: Limit,
	needed: number,
	allowed: number,
): Pick<Exclusion, 'failure' | 'runFailure' | 'warning'> {
	const together =
		unit === 'record' && allowed < max
			? ', because the records of one person or business stay together'
			: '';
	return {
		failure: {
			kind: 'overLimit',
			field,
			message: `Not requested: this row would exceed the limit of ${pluralize(max, unit)} (${displayName}); all rows together need ${formatNumber(needed)}. Raise the limit, or run the remaining rows later.`,
		},
		runFailure: {
			kind: 'overLimit',
			field,
			message: `Nothing was requested: all rows together need ${pluralize(needed, unit)}, and ${displayName} allows ${formatNumber(max)}. Raise the limit, or send fewer rows.`,
		},
		warning: `${pluralize(needed, unit)} ${needed === 1 ? 'is' : 'are'} more than ${displayName} (${formatNumber(max)}). A run ${verb} ${formatNumber(allowed)} of them${together}; the other rows fail. If On Error is Stop Workflow, it fails and requests nothing.`,
	};
}

/** Without a price for every record, no limit of credits could be kept. */
function excludeAll(
	records: readonly PaidRecord[],
	{ field, displayName }: Limit,
	reason: string,
): Exclusion {
	const message = `${displayName} needs a price for each record. ${reason} Or set ${displayName} to "unlimited".`;
	const failure: Failure = {
		kind: 'overLimit',
		field,
		message: `Nothing was requested: ${message}`,
	};
	return {
		excluded: new Set(records),
		allowedCount: 0,
		failure,
		runFailure: failure,
		warning: `A run requests nothing: ${message}`,
	};
}

interface Estimate {
	/** Counts every record, including those beyond a limit. */
	readonly row: IDataObject;
	readonly hint: string;
	readonly warnings: readonly string[];
}

function estimateOf(
	{ requests, records, hasLookups }: RunPlan,
	exclusion: Exclusion | undefined,
	prices: Outcome<Prices>,
	skipped: number,
): Estimate {
	const chargeByUnique = new Map(records.map(({ unique, charge }) => [unique, charge]));
	const uniqueRecords = chargeByUnique.size;
	const { credits, reason, sentence } = estimatedCost([...chargeByUnique.values()], prices);
	const atMost = hasLookups ? 'at most ' : '';
	const skippedRows =
		skipped > 0 ? ` ${pluralize(skipped, 'row is', 'rows are')} skipped and not counted.` : '';
	return {
		row: {
			// Counts duplicates too.
			records: records.length,
			unique_records: uniqueRecords,
			requests,
			credits,
			credits_reason: reason,
			at_most: hasLookups,
			records_over_limit: exclusion === undefined ? 0 : uniqueRecords - exclusion.allowedCount,
		},
		hint: `Estimate, nothing was sent: the run takes ${atMost}${pluralize(requests, 'request')} for ${pluralize(uniqueRecords, 'record')}. ${sentence}${skippedRows}`,
		warnings: exclusion === undefined ? [] : [exclusion.warning],
	};
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
	prices: Outcome<Prices>,
	batchSize?: number,
): AppliedSpending<Types> {
	const unreadable = spending.findIndex(({ failure }) => failure !== undefined);
	const unreadableFailure = spending[unreadable]?.failure;
	if (unreadableFailure !== undefined) {
		return { items: failAllItems(items, unreadableFailure, unreadable + 1) };
	}
	const isEstimate = spending.some(({ value }) => value?.estimateOnly);
	const isLimited = spending.some(
		({ value }) => value?.maxRecordsToPay !== undefined || value?.maxCreditsToPay !== undefined,
	);
	const hasValidItem = items.some(({ failure }) => failure === undefined);
	// Without a valid item, nothing is sent, and the output is the error items.
	if (!hasValidItem || (!isEstimate && !isLimited)) return { items };

	const plan = planRun(items, spec, batchSize);
	const exclusion = excludeRecords(plan.records, spending, prices);
	if (isEstimate) {
		const skipped = items.filter((item) => item.failure === undefined && item.skipped).length;
		return { items, estimate: estimateOf(plan, exclusion, prices, skipped) };
	}
	if (exclusion === undefined) return { items };
	const { failure } = exclusion;
	const beyond = groupBy([...exclusion.excluded], ({ itemIndex }) => itemIndex);
	return {
		failure: exclusion.runFailure,
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
