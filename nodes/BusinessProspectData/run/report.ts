import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { AccountUsage } from '../api/accountLimit';
import { toOutcome } from '../api/errors';
import { isEmpty, isObject } from '../core/json';
import { formatNumber, pluralize } from '../core/text';
import type { OutputOptions, SharedOptions } from '../parameters/options';
import type { ColumnMessages } from '../parameters/read';
import { type BlankWording, isWithoutData, type RowState, stateOf } from '../fields/row';
import { ENTITIES, isData } from '../fields/about';
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
	readonly requests: number;
	readonly lostResponses: number;
	readonly records?: number;
	/** Answers of earlier runs. Undefined without Remember In. */
	readonly remembered?: number | undefined;
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
		if (options?.dropRowsWithoutData && isWithoutData(row)) dropped++;
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
	const requests = pluralize(stats.requests, 'request');
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
					countsOf(stats, requests),
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

function countsOf({ records = 0, remembered }: RunStats, requests: string): string {
	if (remembered === undefined) {
		return records > 0 ? `${requests}, ${pluralize(records, 'record')}` : requests;
	}
	return `${formatNumber(remembered)} remembered, ${formatNumber(records)} bought, ${requests}`;
}

const usageHint = (usage: AccountUsage | undefined): string[] =>
	usage === undefined
		? []
		: [
				`The account had used ${formatNumber(usage.used)} of ${pluralize(usage.limit, 'credit')} this month.`,
			];

/** Answers that the memory lacks although they were paid for. */
const unwrittenWarning = (count = 0): string[] =>
	count === 0
		? []
		: [
				`${pluralize(count, 'answer')} could not be written to the data table in Remember In, so the next run pays for ${count === 1 ? 'it' : 'them'} again. The data tables may have reached n8n's size limit: delete old rows.`,
			];

export function runMessages<Types extends SpecTypes>(
	spec: BatchSpec<Types>,
	run: RunContext,
	sent: SentRun<Types> & {
		readonly remembered?: number | undefined;
		readonly unwritten?: number | undefined;
	},
	remaining: RemainingRows<Types['options']>,
	input: readonly INodeExecutionData[],
	output: readonly INodeExecutionData[],
	columns: ColumnMessages,
): { readonly hints: readonly string[]; readonly warnings: readonly string[] } {
	const { items, lookupHints, requests, lostResponses, records, remembered } = sent;
	const hasMessages = spec.hints !== undefined || spec.warnings !== undefined;
	const valid = hasMessages ? items.filter((item) => item.failure === undefined) : [];
	const results = valid.flatMap((item) => item.entries);
	const stats = {
		...rowStats(remaining.rows),
		duplicates: duplicateCount(items, spec.key),
		records,
		remembered,
		requests,
		lostResponses,
	};
	const report = reportMessage(stats, spec.wording);
	const onlyBlank = stats.blank.size > 0 && Object.keys(stats.states).length === 1;
	return {
		hints: [
			...(onlyBlank ? [] : [report]),
			...usageHint(sent.usage),
			...columns.hints,
			...lookupHints,
			// An error in a hint must not fail the run, because its rows may have been paid for.
			...(toOutcome(() => spec.hints?.(results, run, valid)).value ?? []),
			...(remaining.hint === undefined ? [] : [remaining.hint]),
		],
		warnings: [
			...unwrittenWarning(sent.unwritten),
			...blankWarning(stats.blank),
			...columns.warnings,
			...(toOutcome(() => spec.warnings?.(results)).value ?? []),
			...doubtfulWarning(remaining.rows),
			...lostIdWarning(remaining.rows, input),
			...missingFieldsWarning(remaining.rows, input, output),
		],
	};
}

function blankWarning(blank: RunStats['blank']): string[] {
	if (blank.size === 0) return [];
	const what = [...blank].map(
		([{ rows, advice }, count]) => `${pluralize(count, 'row')} ${rows}. ${advice}`,
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

/** Without an ID, nothing shows that what the row has is about another person or company. */
function lostIdWarning(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
): string[] {
	const included = rows.filter(({ options }) => options?.includeInputFields);
	return ENTITIES.flatMap((entity) => {
		const { idField } = entity;
		const columns = new Set<string>();
		const count = included.filter(({ layout, itemIndex }) => {
			const json = input[itemIndex]?.json ?? {};
			if (!layout?.owners.has(idField) || !isEmpty(json[idField])) return false;
			const isOwn = (name: string) =>
				ENTITIES.every((each) => isData(each, name, json[name]) === (each === entity));
			const own = Object.keys(json).filter((name) => isOwn(name) && !isEmpty(json[name]));
			for (const name of own) columns.add(name);
			return own.length > 0;
		}).length;
		const [example] = columns;
		return example === undefined
			? []
			: [
					`${pluralize(count, 'row has', 'rows have')} values of an earlier run, such as ${example}, but no ${idField}. They are taken to be about the same one. Keep ${idField} in your table.`,
				];
	});
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

function missingFieldsWarning(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
	output: readonly INodeExecutionData[],
): string[] {
	const shown = output.filter(({ json }) => !isObject(json.error));
	if (shown.length === 0) return [];
	const unknown = new Set(
		rows.flatMap(({ options, layout }) =>
			(options?.fields ?? []).filter((name) => !layout?.owners.has(name)),
		),
	);
	const missing = [...unknown].filter(
		(name) =>
			shown.every(({ json }) => isEmpty(json[name])) &&
			input.every(({ json }) => !Object.hasOwn(json, name)),
	);
	if (missing.length === 0) return [];
	const names = missing.map((name) => `"${name}"`).join(', ');
	return [`Fields: no row has ${names}. Check the spelling.`];
}
