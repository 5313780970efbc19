import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toOutcome } from '../api/errors';
import type { Outcome } from '../core/outcome';
import { isEmpty, isObject } from '../core/json';
import { formatNumber, pluralize } from '../core/text';
import type { OutputOptions, SharedOptions } from '../parameters/options';
import type { Prices } from '../parameters/prices';
import { spendingParameters } from '../parameters/spending';
import type { ColumnMessages } from './columns';
import { isDropped, type ItemRow, MATCHED_FIELDS } from './output';
import { hasInvalidPrice, NO_PRICES, reportedCost, unknownPrices } from './prices';
import type { SentRun } from './send';
import type {
	BatchSpec,
	BlankWording,
	FailedItem,
	PreparedItem,
	RemainingRows,
	ReportWording,
	RunContext,
	SpecTypes,
} from './spec';

export interface RunStats {
	/** Rows with or without data, even if dropped. Error rows, and rows marked `withoutId` or `unmatched`, don't count. */
	readonly rows: number;
	readonly successfulRequests: number;
	readonly lostResponses: number;
	readonly records?: number;
	/** Among `records`. */
	readonly lookupRecords?: number;
	/** What the records cost, such as `about 240 credits`, if the credential has prices. */
	readonly cost?: string | undefined;
	readonly duplicates: number;
	/** Rows without data, among those counted in `rows`. */
	readonly empty: number;
	/** Items whose details have no match, or several. */
	readonly unmatched: number;
	/** Rows left out because they have no data or no match. */
	readonly dropped: number;
	/** Items that sent nothing because their ID, or all their details, are blank. */
	readonly itemsWithoutId: number;
	/** Rows that Skip Rows left out of the requests. */
	readonly skipped: number;
	/** Error rows, except those counted in `overLimit`. */
	readonly failed: number;
	/** Error rows of records beyond a limit. */
	readonly overLimit: number;
	/** The parameter of that limit, as workflows save it. */
	readonly overLimitField?: string | undefined;
}

export function rowStats(
	rows: ReadonlyArray<ItemRow<SharedOptions>>,
): Pick<
	RunStats,
	'rows' | 'empty' | 'unmatched' | 'dropped' | 'skipped' | 'failed' | 'overLimit' | 'overLimitField'
> {
	const stats = {
		rows: 0,
		empty: 0,
		unmatched: 0,
		dropped: 0,
		skipped: 0,
		failed: 0,
		overLimit: 0,
	};
	let overLimitField: string | undefined;
	for (const { row, options, withoutId, unmatched, skipped } of rows) {
		if (row.failure?.kind === 'overLimit') {
			stats.overLimit++;
			overLimitField = row.failure.field;
		} else if (row.failure !== undefined) stats.failed++;
		else if (skipped) stats.skipped++;
		else {
			if (unmatched) stats.unmatched++;
			else if (!withoutId) stats.rows++;
			if (!withoutId && !unmatched && row.empty) stats.empty++;
			if (isDropped(row, options)) stats.dropped++;
		}
	}
	return { ...stats, overLimitField };
}

/**
 * Counts an item's duplicate inputs once per key: an ID that is a duplicate in several data sets is one duplicate. For an item
 * without inputs, counts a duplicate lookup instead.
 */
export function itemStats<Types extends SpecTypes>(
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
	keyOf: (input: Types['input']) => string,
): Pick<RunStats, 'itemsWithoutId' | 'duplicates'> & { readonly validItems: number } {
	const stats = { validItems: 0, itemsWithoutId: 0, duplicates: 0 };
	for (const item of items) {
		if (item.failure !== undefined) {
			if (item.duplicateLookup) stats.duplicates++;
			continue;
		}
		if (item.skipped) continue;
		stats.validItems++;
		const { entries, lookup } = item;
		if (lookup === undefined && entries.length === 0) stats.itemsWithoutId++;
		if (lookup?.id === null && lookup.duplicate) stats.duplicates++;
		const duplicates = entries.filter(({ duplicate }) => duplicate);
		if (duplicates.length > 0) {
			stats.duplicates += new Set(duplicates.map(({ input }) => keyOf(input))).size;
		}
	}
	return stats;
}

/**
 * Reports a run. If each row stands for an input row (`wording.done`), the numbers add up: `1,000 rows: 960 enriched, 37 without
 * data, 3 failed. 40 requests, 2,000 records.` Otherwise, rows are results: `Returned 12 events in 1 request; 2 rows failed.`
 */
export function reportMessage(stats: RunStats, wording: ReportWording): string {
	const { done, empty = 'without data', blank = NO_ID } = wording;
	const withData = stats.rows - stats.empty;
	const limitName = spendingParameters.find(({ name }) => name === stats.overLimitField)?.property
		.displayName;
	const otherRows: ReadonlyArray<readonly [count: number, what: string]> = [
		[stats.empty, empty],
		[stats.unmatched, 'without a match'],
		[stats.itemsWithoutId, blank.rows],
		[stats.skipped, 'skipped'],
		[stats.overLimit, `not requested (${limitName})`],
		[stats.failed, 'failed'],
	];
	const others = otherRows.filter(([count]) => count > 0);
	const requests = pluralize(stats.successfulRequests, 'request');
	const cost = stats.cost === undefined ? '' : `, ${stats.cost}`;
	const sentences =
		done === undefined
			? [
					[
						`${wording.verb} ${pluralize(stats.rows, wording.one, wording.many)} in ${requests}${stats.records ? ` for ${pluralize(stats.records, 'record')}${cost}` : ''}`,
						...others.map(([count, what]) => `${pluralize(count, 'row')} ${what}`),
					].join('; '),
				]
			: [
					kindsOfRows(withData > 0 || others.length === 0 ? [[withData, done], ...others] : others),
					requestsAndRecords(requests, stats),
				];
	return [
		...sentences,
		stats.duplicates > 0 &&
			`${pluralize(stats.duplicates, "duplicate wasn't", "duplicates weren't")} sent again`,
		stats.dropped > 0 && `${pluralize(stats.dropped, 'row was', 'rows were')} left out`,
		stats.lostResponses > 0 &&
			`${pluralize(stats.lostResponses, 'request')} got no usable response and may have been charged`,
	]
		.flatMap((sentence) => (sentence === false ? [] : [`${sentence}.`]))
		.join(' ');
}

function kindsOfRows(kinds: ReadonlyArray<readonly [count: number, what: string]>): string {
	const total = pluralize(
		kinds.reduce((sum, [count]) => sum + count, 0),
		'row',
	);
	const [only, ...others] = kinds;
	return only !== undefined && others.length === 0
		? `${total} ${only[1]}`
		: `${total}: ${kinds.map(([count, what]) => `${formatNumber(count)} ${what}`).join(', ')}`;
}

function requestsAndRecords(
	requests: string,
	{ records = 0, lookupRecords = 0, cost }: Pick<RunStats, 'records' | 'lookupRecords' | 'cost'>,
): string {
	const lookups =
		lookupRecords > 0 && lookupRecords < records
			? `, ${formatNumber(lookupRecords)} of them for lookups`
			: '';
	const parts = [requests, records > 0 && `${pluralize(records, 'record')}${lookups}`, cost];
	return parts.filter(Boolean).join(', ');
}

export function runMessages<Types extends SpecTypes>(
	spec: BatchSpec<Types>,
	run: RunContext,
	sent: SentRun<Types> & { readonly prices: Outcome<Prices> },
	rows: ReadonlyArray<ItemRow<Types['options']>>,
	remaining: RemainingRows<Types['options']>,
	input: readonly INodeExecutionData[],
	columns: ColumnMessages,
): { readonly hints: readonly string[]; readonly warnings: readonly string[] } {
	const { items, lookupHints, successfulRequests, lostResponses, charges, lookupRecords, prices } =
		sent;
	// Counts the items, not their rows, because Get Events has no row for an item without an ID.
	const { validItems, ...counts } = itemStats(items, spec.key);
	const noItemHasId = validItems > 0 && counts.itemsWithoutId === validItems;
	const hasMessages = spec.hints !== undefined || spec.warnings !== undefined;
	const valid = hasMessages ? items.filter((item) => item.failure === undefined) : [];
	const results = valid.flatMap((item) => item.entries);
	const stats = {
		...rowStats(remaining.rows),
		...counts,
		records: charges.length,
		lookupRecords,
		cost: reportedCost(charges, prices.value ?? NO_PRICES),
		successfulRequests,
		lostResponses,
	};
	const { wording, lookup } = spec;
	const [blankLookup] = items.flatMap((item) =>
		item.failure === undefined && item.blank && lookup !== undefined
			? [lookup.blank(item.values)]
			: [],
	);
	const blank = blankLookup ?? wording.blank ?? NO_ID;
	const report = reportMessage(stats, { ...wording, blank });
	return {
		hints: [
			...(noItemHasId ? [] : [report]),
			...columns.hints,
			...lookupHints,
			// An error in a hint must not fail the run, because its rows may have been paid for.
			...(toOutcome(() => spec.hints?.(results, run, valid)).value ?? []),
			...keptIdHint(remaining.rows, input, spec.requiredFields ?? []),
			...(remaining.hint === undefined ? [] : [remaining.hint]),
		],
		warnings: [
			...(noItemHasId ? [columns.warnings.length > 0 ? report : `${report} ${blank.advice}`] : []),
			...columns.warnings,
			...(hasInvalidPrice(prices) ? [unknownPrices(charges, prices) ?? ''] : []),
			...(toOutcome(() => spec.warnings?.(results)).value ?? []),
			...doubtfulWarning(remaining.rows),
			// Looks at all rows, because those that `removeKnown` left out also show which fields exist.
			...missingFieldsWarning(rows, input),
		],
	};
}

const NO_ID: BlankWording = {
	rows: 'without an ID',
	advice: 'Check that the ID field points to the input column that holds the IDs.',
};

function doubtfulWarning(rows: ReadonlyArray<ItemRow<OutputOptions>>): string[] {
	const count = rows.filter(({ row }) => row.failure === undefined && row.doubtful).length;
	return count === 0
		? []
		: [
				`${pluralize(count, 'row')} may be about another person: match_check is "differs" there. Check ${count === 1 ? 'it' : 'them'} before you use the data.`,
			];
}

/** With Include Input Fields, an ID of the input row stays, so that a later node may take it for the one that was found. */
function keptIdHint(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
	idFields: readonly string[],
): string[] {
	let kept = 0;
	let names: { readonly id: string; readonly matched: string } | undefined;
	for (const { row, itemIndex, options } of rows) {
		if (row.failure !== undefined || !options?.includeInputFields) continue;
		const { json } = row;
		const matched = MATCHED_FIELDS.find((name) => json[name] === false);
		const id = idFields.find((name) => !isEmpty(input[itemIndex]?.json[name]));
		if (matched === undefined || id === undefined || !isEmpty(json[id])) continue;
		names = { id, matched };
		kept++;
	}
	if (names === undefined) return [];
	return [
		`${pluralize(kept, 'row')} without a match ${kept === 1 ? 'keeps its' : 'keep their'} own ${names.id} from the input. Before you use the IDs, leave out rows in which ${names.matched} is false.`,
	];
}

/** Before n8n 1.118, the context of a tool has no `addExecutionHints`. */
export function addHints(
	context: Pick<IExecuteFunctions, 'getNode'> &
		Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>,
	hints: readonly string[],
	ownWarnings: readonly string[],
): void {
	const { retryOnFail } = context.getNode();
	const warnings = retryOnFail ? [RETRY_ON_FAIL, ...ownWarnings] : ownWarnings;
	const add = (message: string, type?: 'warning') =>
		context.addExecutionHints?.({ message, ...(type && { type }), location: 'outputPane' });
	// A box for each would push the rows out of sight.
	if (hints.length > 0) add(hints.join('\n'));
	if (warnings.length > 0) add(warnings.join('\n'), 'warning');
}

const RETRY_ON_FAIL =
	"Retry On Fail is on in this node's settings. If the node fails, n8n reruns all of it and you pay for every row again. Turn it off: the node already retries requests that can succeed later.";

/** Empty if no path in Fields is known to be missing. */
export function missingFieldsWarning(
	rows: ReadonlyArray<ItemRow<Pick<OutputOptions, 'fields' | 'includeInputFields'>>>,
	input: readonly INodeExecutionData[] = [],
): string[] {
	const presence = new Map<string, Presence>();
	for (const { row, itemIndex, options } of rows) {
		if (row.failure !== undefined || row.ignoresFields) continue;
		const inputFields = options?.includeInputFields ? input[itemIndex]?.json : undefined;
		let allFields: IDataObject | undefined;
		for (const path of options?.fields ?? []) {
			const keys = path.split('.');
			if (presence.get(path) === 'found') continue;
			allFields ??= row.allFields?.() ?? row.json;
			const inInput = inputFields !== undefined && Object.hasOwn(inputFields, keys[0] ?? '');
			const inRow = inInput ? 'found' : presenceOf(allFields, keys);
			if (inRow === 'found' || (inRow === 'missing' && !row.empty)) presence.set(path, inRow);
		}
	}
	const missing = [...presence].flatMap(([path, state]) =>
		state === 'missing' ? [`"${path}"`] : [],
	);
	if (missing.length === 0) return [];
	return [
		`Fields: no row has ${missing.join(', ')}. Check the spelling. To see all names, run a single row with Fields empty and Simplify off.`,
	];
}

/** `unknown`: the data ends before the path does, at an empty object or list, a plain value, or null. */
type Presence = 'found' | 'missing' | 'unknown';

function presenceOf(value: unknown, [key, ...rest]: readonly string[]): Presence {
	if (key === undefined) return 'found';
	if (Array.isArray(value)) {
		const inside = value.map((entry) => presenceOf(entry, [key, ...rest]));
		if (inside.includes('found')) return 'found';
		return inside.includes('missing') ? 'missing' : 'unknown';
	}
	if (!isObject(value) || Object.keys(value).length === 0) return 'unknown';
	return Object.hasOwn(value, key) ? presenceOf(value[key], rest) : 'missing';
}
