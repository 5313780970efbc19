import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toOutcome } from '../api/errors';
import { isEmpty, isObject } from '../core/json';
import { formatNumber, pluralize } from '../core/text';
import type { OutputOptions, SharedOptions } from '../parameters/options';
import type { ColumnMessages } from './columns';
import { type BlankWording, isDropped, type RowState, stateOf } from '../fields/row';
import { OPEN_SET } from '../fields/columns';
import { MATCH_CHECK } from '../fields/ownSets';
import type { ItemRow } from './output';
import type { SentRun } from './send';
import type {
	BatchSpec,
	FailedItem,
	PreparedItem,
	RemainingRows,
	ReportWording,
	RunContext,
	SpecTypes,
} from './spec';

export interface RunStats {
	/** Rows of each state, even if dropped. */
	readonly states: Readonly<Partial<Record<RowState, number>>>;
	/** Blank rows, by what they lack. */
	readonly blank: ReadonlyMap<BlankWording, number>;
	/** Rows left out because they have no data or no match. */
	readonly dropped: number;
	readonly duplicates: number;
	readonly successfulRequests: number;
	readonly lostResponses: number;
	readonly records?: number;
	/** Among `records`. */
	readonly lookupRecords?: number;
}

export function rowStats(
	rows: ReadonlyArray<ItemRow<SharedOptions>>,
): Pick<RunStats, 'states' | 'blank' | 'dropped'> {
	const states: Partial<Record<RowState, number>> = {};
	const blankRows = new Map<BlankWording, number>();
	let dropped = 0;
	for (const { row, options, blank } of rows) {
		const state = stateOf(row);
		states[state] = (states[state] ?? 0) + 1;
		if (blank !== undefined) blankRows.set(blank, (blankRows.get(blank) ?? 0) + 1);
		if (isDropped(row, options)) dropped++;
	}
	return { states, blank: blankRows, dropped };
}

/**
 * Counts an item's duplicate inputs once per key: an ID that is a duplicate in several data sets is one duplicate. For an item
 * without inputs, counts a duplicate lookup instead.
 */
export function duplicateCount<Types extends SpecTypes>(
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
	keyOf: (input: Types['input']) => string,
): number {
	let count = 0;
	for (const item of items) {
		if (item.failure !== undefined) {
			if (item.duplicateLookup) count++;
			continue;
		}
		const { entries, duplicate: isDuplicate } = item;
		if (entries.length === 0 && isDuplicate) count++;
		const duplicates = entries.filter(({ duplicate }) => duplicate);
		if (duplicates.length > 0) count += new Set(duplicates.map(({ input }) => keyOf(input))).size;
	}
	return count;
}

/**
 * Reports a run. If each row stands for an input row (`wording.done`), the numbers add up: `1,000 rows: 960 enriched, 37 without
 * data, 3 failed. 40 requests, 2,000 records.` Otherwise, rows are results: `Returned 12 events in 1 request; 2 rows failed.`
 */
export function reportMessage(stats: RunStats, wording: ReportWording): string {
	const { done, empty = 'without data', unmatched = 'without a match' } = wording;
	const { states } = stats;
	const found = states.found ?? 0;
	const otherRows: ReadonlyArray<readonly [count: number | undefined, what: string]> = [
		[states.empty, empty],
		[states.unmatched, unmatched],
		...[...stats.blank].map(([{ rows }, count]) => [count, rows] as const),
		[states.overLimit, 'not requested (Max Records to Pay)'],
		[states.failed, 'failed'],
	];
	const others = otherRows.flatMap(([count, what]) => (count ? [[count, what] as const] : []));
	const requests = pluralize(stats.successfulRequests, 'request');
	const sentences =
		done === undefined
			? [
					[
						`${wording.verb} ${pluralize(found, wording.one, wording.many)} in ${requests}${stats.records ? ` for ${pluralize(stats.records, 'record')}` : ''}`,
						...others.map(([count, what]) => `${pluralize(count, 'row')} ${what}`),
					].join('; '),
				]
			: [
					kindsOfRows(found > 0 || others.length === 0 ? [[found, done], ...others] : others),
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
	{ records = 0, lookupRecords = 0 }: Pick<RunStats, 'records' | 'lookupRecords'>,
): string {
	const lookups =
		lookupRecords > 0 && lookupRecords < records
			? `, ${formatNumber(lookupRecords)} of them for lookups`
			: '';
	const parts = [requests, records > 0 && `${pluralize(records, 'record')}${lookups}`];
	return parts.filter(Boolean).join(', ');
}

export function runMessages<Types extends SpecTypes>(
	spec: BatchSpec<Types>,
	run: RunContext,
	sent: SentRun<Types>,
	rows: ReadonlyArray<ItemRow<Types['options']>>,
	remaining: RemainingRows<Types['options']>,
	input: readonly INodeExecutionData[],
	columns: ColumnMessages,
): { readonly hints: readonly string[]; readonly warnings: readonly string[] } {
	const { items, lookupHints, successfulRequests, lostResponses, records, lookupRecords } = sent;
	const hasMessages = spec.hints !== undefined || spec.warnings !== undefined;
	const valid = hasMessages ? items.filter((item) => item.failure === undefined) : [];
	const results = valid.flatMap((item) => item.entries);
	const stats = {
		...rowStats(remaining.rows),
		duplicates: duplicateCount(items, spec.key),
		records,
		lookupRecords,
		successfulRequests,
		lostResponses,
	};
	const report = reportMessage(stats, spec.wording);
	const onlyBlank = stats.blank.size > 0 && Object.keys(stats.states).length === 1;
	return {
		hints: [
			...(onlyBlank ? [] : [report]),
			...columns.hints,
			...lookupHints,
			// An error in a hint must not fail the run, because its rows may have been paid for.
			...(toOutcome(() => spec.hints?.(results, run, valid)).value ?? []),
			...keptIdHint(remaining.rows, input, spec.lookup),
			...(remaining.hint === undefined ? [] : [remaining.hint]),
		],
		warnings: [
			...(onlyBlank ? [report] : []),
			...blankWarning(stats.blank),
			...columns.warnings,
			...(toOutcome(() => spec.warnings?.(results)).value ?? []),
			...doubtfulWarning(remaining.rows),
			// Looks at all rows, because those that `removeKnown` left out also show which fields exist.
			...missingFieldsWarning(rows, input),
		],
	};
}

function blankWarning(blank: RunStats['blank']): string[] {
	if (blank.size === 0) return [];
	const what = [...blank].map(
		([{ rows, advice }, count]) => `${pluralize(count, 'row is', 'rows are')} ${rows}: ${advice}`,
	);
	return [`Not requested: ${what.join(' ')}`];
}

function doubtfulWarning(rows: ReadonlyArray<ItemRow<OutputOptions>>): string[] {
	const count = rows.filter(({ row }) => {
		const check = row.failure === undefined ? row.records[MATCH_CHECK.source] : undefined;
		return isObject(check) && check.match_check === 'differs';
	}).length;
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
	lookup: { readonly idField: string; readonly matchedField: string } | undefined,
): string[] {
	if (lookup === undefined) return [];
	const { idField, matchedField } = lookup;
	const kept = rows.filter(
		({ row, itemIndex, options }) =>
			options?.includeInputFields &&
			['unmatched', 'blank'].includes(stateOf(row)) &&
			!isEmpty(input[itemIndex]?.json[idField]),
	).length;
	if (kept === 0) return [];
	return [
		`${pluralize(kept, 'row')} without a match ${kept === 1 ? 'keeps its' : 'keep their'} own ${idField} from the input. Before you use the IDs, leave out rows in which ${matchedField} is false.`,
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

/** For operations whose columns aren't known before. */
function missingFieldsWarning(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
): string[] {
	const missing = new Set<string>();
	const found = new Set<string>();
	for (const { row, itemIndex, options } of rows) {
		const record = row.failure === undefined ? row.records[OPEN_SET.source] : undefined;
		if (!isObject(record) || stateOf(row) !== 'found') continue;
		for (const name of options?.fields ?? []) {
			const isKnown =
				Object.hasOwn(record, name) ||
				(options?.includeInputFields && Object.hasOwn(input[itemIndex]?.json ?? {}, name));
			(isKnown ? found : missing).add(name);
		}
	}
	const names = [...missing].filter((name) => !found.has(name)).map((name) => `"${name}"`);
	return names.length === 0 ? [] : [`Fields: no row has ${names.join(', ')}. Check the spelling.`];
}
