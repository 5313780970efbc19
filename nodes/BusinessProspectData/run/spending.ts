import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getOrCreate, groupBy } from '../core/collections';
import { aboutRun, type Advice, type Failure, type Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import { planBatches } from './batches';
import { flatMapInSlices, forEachInSlices, mapInSlices } from './slices';
import { type BatchEntry, isOpen, settle } from './inputs';
import { provisionalIdOf } from './lookupStep';
import type { Spending } from '../parameters/spending';
import { errorItem, SET_ON_ERROR } from './output';
import type { Items, PreparedItem, Price, RunSpec, SpecTypes } from './spec';

/** The lookup of an item's details, or one of the item's inputs, if it may cost credits. */
interface PaidRecord {
	readonly itemIndex: number;
	/** Shared by the records of an item that belong together, such as the data sets of one ID. */
	readonly key: string;
	/** The same object for duplicates, which are paid for once. */
	readonly unique: object;
	/** More than 1 for a lookup that may search many people. */
	readonly count: number;
	readonly price: Price;
	/** Absent for a lookup. */
	readonly entry?: BatchEntry<unknown, unknown>;
}

interface RunPlan {
	readonly requests: number;
	/** Those of each item, in the order of the items. */
	readonly byItem: ReadonlyArray<readonly PaidRecord[]>;
	/** If true, the run may send less than planned: details may resolve to no ID, or to another item's ID. */
	readonly hasLookups: boolean;
}

type Spec<Types extends SpecTypes> = Pick<RunSpec<Types>, 'requests' | 'priceOf'>;

async function planRun<Types extends SpecTypes>(
	items: Items<Types>,
	{ priceOf, requests }: Spec<Types>,
	batchSize: number | undefined,
): Promise<RunPlan> {
	const prepared = items.flatMap((item) => (item.failure === undefined ? [item] : []));
	const open = await flatMapInSlices(prepared, ({ entries }) => entries.filter(isOpen));
	const inputs = requests && (await planBatches(open, requests, batchSize));
	const lookups = await planLookups(prepared, batchSize);
	const byItem = await mapInSlices(prepared, (item): PaidRecord[] => {
		const { itemIndex } = item;
		const paid: PaidRecord[] = [...(lookups.records.get(itemIndex) ?? [])];
		if (priceOf === undefined || requests === undefined) return paid;
		for (const entry of item.entries) {
			const { input } = entry;
			if (!isOpen(entry)) continue;
			const unique = inputs?.firsts.get(entry) ?? entry;
			const price = priceOf(input);
			paid.push({ itemIndex, key: requests.key(input), unique, count: 1, price, entry });
		}
		return paid;
	});
	return {
		requests: (inputs?.maxRequests ?? 0) + lookups.requests,
		byItem,
		hasLookups: lookups.requests > 0,
	};
}

/** All steps of the lookups, as if every one found an ID. `records` is by item index. */
async function planLookups<Types extends SpecTypes>(
	items: ReadonlyArray<PreparedItem<Types>>,
	batchSize: number | undefined,
): Promise<{
	readonly requests: number;
	readonly records: ReadonlyMap<number, readonly PaidRecord[]>;
}> {
	const records = new Map<number, PaidRecord[]>();
	let requests = 0;
	let open = await flatMapInSlices(items, (item) => {
		if (item.state !== 'unidentified') return [];
		const { itemIndex, lookup } = item;
		// The item's inputs have this provisional ID as their key, so the lookups are counted together with them.
		return [{ itemIndex, lookup, key: provisionalIdOf(lookup) }];
	});
	while (open.length > 0) {
		for (const [step, ofStep] of groupBy(open, ({ lookup }) => lookup.step)) {
			const lookups = ofStep.map(({ lookup }) => lookup);
			const { firsts, maxRequests } = await planBatches(lookups, step, batchSize);
			requests += maxRequests;
			const byGroup = new Map<string | object, object>();
			await forEachInSlices(ofStep, ({ itemIndex, lookup, key }) => {
				// Groups that are never split share one search.
				const unique =
					step.maxBatchSize(lookup.input) === Infinity
						? getOrCreate(byGroup, step.groupKey(lookup.input), () => lookup)
						: (firsts.get(lookup) ?? lookup);
				const price = { name: step.isSearch ? 'People searched' : 'Matches' };
				const record = { itemIndex, key, unique, count: step.maxRecords, price };
				getOrCreate(records, itemIndex, (): PaidRecord[] => []).push(record);
			});
		}
		open = await flatMapInSlices(open, ({ lookup, ...item }) => {
			const next = lookup.next?.(item.key);
			return next === undefined ? [] : [{ ...item, lookup: next }];
		});
	}
	return { requests, records };
}

/** The records that a run may not request. */
interface Exclusion {
	/** By item index. */
	readonly excluded: ReadonlyMap<number, readonly PaidRecord[]>;
	/** Unique records that the run may request. */
	readonly allowedCount: number;
	readonly failureOf: (itemIndex: number) => Failure;
	readonly runFailure: Failure;
	readonly warning: string;
}

const countOf = (records: readonly PaidRecord[]): number =>
	records.reduce((sum, { count }) => sum + count, 0);

const withoutDuplicates = (records: readonly PaidRecord[]): PaidRecord[] => [
	...new Map(records.map((record) => [record.unique, record])).values(),
];

/** If items differ, the lowest limit applies. Infinity if no item has one. */
const lowestLimit = (spending: ReadonlyArray<Outcome<Spending>>): number =>
	spending.reduce((max, { value }) => Math.min(max, value?.maxRecordsToPay ?? Infinity), Infinity);

/**
 * Once records that belong together would exceed the limit, they and all later records are excluded, except duplicates of
 * allowed records. Undefined if no record is excluded.
 */
async function excludeRecords(
	byItem: RunPlan['byItem'],
	max: number,
): Promise<Exclusion | undefined> {
	const allowed = new Set<object>();
	const excluded = new Map<number, PaidRecord[]>();
	const excludedOnce = new Set<object>();
	/** What items need whose records that belong together exceed the limit alone. */
	const tooMany = new Map<number, number>();
	let [allowedCount, excludedCount] = [0, 0];
	let limitReached = false;
	await forEachInSlices(byItem, (ofItem) => {
		for (const together of groupBy(ofItem, ({ key }) => key).values()) {
			const added = together.filter(({ unique }) => !allowed.has(unique));
			const addedCount = countOf(added);
			limitReached ||= allowedCount + addedCount > max;
			if (!limitReached) allowedCount += addedCount;
			for (const record of added) {
				const { itemIndex, unique, count } = record;
				if (addedCount > max) tooMany.set(itemIndex, addedCount);
				if (!limitReached) allowed.add(unique);
				else {
					getOrCreate(excluded, itemIndex, (): PaidRecord[] => []).push(record);
					if (!excludedOnce.has(unique)) excludedCount += count;
					excludedOnce.add(unique);
				}
			}
		}
	});
	if (!limitReached) return undefined;
	const needed = allowedCount + excludedCount;
	const limit = formatNumber(max);
	const largest = Math.max(0, ...new Set(tooMany.values()));
	const failure = (message: string): Failure => ({
		kind: 'overLimit',
		field: 'maxRecordsToPay',
		message,
	});
	return {
		excluded,
		allowedCount,
		failureOf: (itemIndex) => {
			const alone = tooMany.get(itemIndex);
			return failure(
				alone === undefined
					? `Not requested: this row would exceed the limit of ${pluralize(max, 'record')} (Max Records to Pay); all rows together need ${formatNumber(needed)}. Raise the limit, or run the remaining rows later.`
					: `Not requested: this row alone may need ${pluralize(alone, 'record')}, and Max Records to Pay allows ${limit}. Raise the limit to at least ${formatNumber(alone)}.`,
			);
		},
		runFailure: failure(
			`Nothing was requested: all rows together need ${pluralize(needed, 'record')}, and Max Records to Pay allows ${limit}. ${
				largest === 0
					? `Raise the limit, or send fewer rows. To get those within it, ${SET_ON_ERROR}`
					: `One row alone may need ${formatNumber(largest)}: raise the limit to at least that.`
			}`,
		),
		warning: `${pluralize(needed, 'record')} ${needed === 1 ? 'is' : 'are'} more than Max Records to Pay (${limit}). A run requests ${formatNumber(allowedCount)} of them; the other rows fail. If On Error is Stop Workflow, it fails and requests nothing.`,
	};
}

interface Estimate {
	/** Counts every record, including those beyond a limit. */
	readonly row: IDataObject;
	readonly hint: string;
	readonly advice: readonly Advice[];
}

function estimateOf(
	{ requests, byItem, hasLookups }: RunPlan,
	exclusion: Exclusion | undefined,
): Estimate {
	const records = byItem.flat();
	const unique = withoutDuplicates(records);
	const uniqueRecords = countOf(unique);
	const credits = unique.reduce((sum, { price }) => sum + (price.credits ?? 0), 0);
	const unpriced = unique.filter(({ price }) => price.credits === undefined);
	const names = [...new Set(unpriced.map(({ price }) => price.name))].join(', ');
	const prices = [
		credits > 0 && `Known price: ${pluralize(credits, 'credit')}.`,
		names !== '' && `No price is published for ${names}.`,
	];
	const atMost = hasLookups ? 'at most ' : '';
	return {
		row: {
			// Counts duplicates too.
			records: countOf(records),
			unique_records: uniqueRecords,
			requests,
			at_most: hasLookups,
			records_over_limit: exclusion === undefined ? 0 : uniqueRecords - exclusion.allowedCount,
			known_credits: credits,
			without_known_price: names,
		},
		hint: [
			`Estimate, nothing was sent: the run takes ${atMost}${pluralize(requests, 'request')} for ${pluralize(uniqueRecords, 'record')}.`,
			...prices.filter(Boolean),
		].join(' '),
		advice: exclusion === undefined ? [] : [aboutRun(exclusion.warning)],
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
export async function applySpending<Types extends SpecTypes>(
	items: Items<Types>,
	spending: ReadonlyArray<Outcome<Spending>>,
	spec: Spec<Types>,
	batchSize?: number,
): Promise<AppliedSpending<Types>> {
	const unreadable = spending.findIndex(({ failure }) => failure !== undefined);
	const unreadableFailure = spending[unreadable]?.failure;
	if (unreadableFailure !== undefined) {
		return { items: failAllItems(items, unreadableFailure, unreadable + 1) };
	}
	const isEstimate = spending.some(({ value }) => value?.options.estimateOnly);
	const isLimited = spending.some(({ value }) => value?.maxRecordsToPay !== undefined);
	const hasValidItem = items.some(({ failure }) => failure === undefined);
	// If no item is valid, nothing is sent, and the output is the error items.
	if (!hasValidItem || (!isEstimate && !isLimited)) return { items };

	const plan = await planRun(items, spec, batchSize);
	const exclusion = await excludeRecords(plan.byItem, lowestLimit(spending));
	if (isEstimate) return { items, estimate: estimateOf(plan, exclusion) };
	if (exclusion === undefined) return { items };
	const { failureOf, excluded } = exclusion;
	return {
		failure: exclusion.runFailure,
		items: await mapInSlices(items, (item) => {
			const { itemIndex } = item;
			const records = excluded.get(itemIndex);
			if (item.failure !== undefined || records === undefined) return item;
			const failure = failureOf(itemIndex);
			// The whole item fails, so that its details aren't looked up.
			if (item.state === 'unidentified') return { itemIndex, failure };
			for (const { entry } of records) if (entry !== undefined) settle(entry, { failure });
			return item;
		}),
	};
}
