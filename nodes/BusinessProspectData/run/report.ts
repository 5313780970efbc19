import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { AccountUsage } from '../api/accountLimit';
import { toOutcome } from '../api/errors';
import { groupBy } from '../core/collections';
import { isEmpty } from '../core/json';
import { formatNumber, pluralize, withFullStop } from '../core/text';
import type { MemoryProblems } from '../memory/memory';
import type { MadeTable } from '../memory/table';
import type { OutputOptions, SharedOptions } from '../parameters/options';
import { type Advice, aboutRun } from '../core/outcome';
import { type BlankWording, isWithoutData, type RowState, stateOf } from '../fields/row';
import { isDoubtful } from '../fields/fill';
import { cutCellsAdvice, formerIdAdvice, lostIdAdvice, missingColumnsAdvice } from './advice';
import type { ItemRow } from './output';
import type { RunResult } from './send';
import { countInSlices, flatMapInSlices, forEachInSlices } from './slices';
import type { Items, RemainingRows, ReportWording, RunContext, RunSpec, SpecTypes } from './spec';

interface RunStats extends Omit<RunResult<SpecTypes>, 'items' | 'usage'> {
	/** Rows of each state, even if dropped. */
	readonly states: Readonly<Partial<Record<RowState, number>>>;
	/** Blank rows, by what they lack. */
	readonly blank: ReadonlyMap<BlankWording, number>;
	/** Rows left out because they have no data or no match. */
	readonly dropped: number;
	readonly duplicates: number;
	/** How often the only result comes, once for each input row. Otherwise, absent. */
	readonly repeats?: number | undefined;
	/** What the found rows have, as in `640 emails`. */
	readonly counted?: readonly string[];
	/** Answers of earlier runs. Undefined without Remember In. */
	readonly remembered?: number | undefined;
}

async function rowStats(
	rows: ReadonlyArray<ItemRow<SharedOptions>>,
): Promise<Pick<RunStats, 'states' | 'blank' | 'dropped'>> {
	const states: Partial<Record<RowState, number>> = {};
	const blankRows = new Map<BlankWording, number>();
	let dropped = 0;
	await forEachInSlices(rows, ({ row, options, blank }) => {
		const state = stateOf(row);
		states[state] = (states[state] ?? 0) + 1;
		if (blank !== undefined) blankRows.set(blank, (blankRows.get(blank) ?? 0) + 1);
		if (options?.dropRowsWithoutData && isWithoutData(row)) dropped++;
	});
	return { states, blank: blankRows, dropped };
}

/**
 * Counts an item's duplicate inputs once per key: an ID that is a duplicate in several data sets is one duplicate. For an item
 * without inputs, counts a duplicate lookup instead.
 */
async function duplicateCount<Types extends SpecTypes>(
	items: Items<Types>,
	{ requests }: RunSpec<Types>,
): Promise<number> {
	let count = 0;
	await forEachInSlices(items, (item) => {
		const { entries = [] } = item.failure === undefined ? item : {};
		if (entries.length === 0 && item.duplicateLookup) count++;
		const duplicates = entries.filter(({ duplicate }) => duplicate);
		if (duplicates.length === 0) return;
		count += new Set(duplicates.map(({ input }) => requests?.key(input))).size;
	});
	return count;
}

/**
 * Reports a run. If each row stands for an input row (`wording.done`), the numbers add up: `1,000 rows: 960 enriched, 37 without
 * data, 3 failed. 40 requests, 2,000 records.` Otherwise, rows are results: `Returned 12 events in 1 request; 2 rows failed.`
 */
function reportMessage(stats: RunStats, wording: ReportWording): string {
	const { done, empty = 'without data', unmatched = 'without a match' } = wording;
	const { states, counted = [] } = stats;
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
					found > 0 &&
						stats.repeats !== undefined &&
						`The same result comes ${stats.repeats} times, once for each input row: to get it once, turn on Execute Once in the node's settings`,
					[
						`${wording.verb} ${pluralize(found, wording.one)} in ${requests}${stats.records ? ` for ${pluralize(stats.records, 'record')}` : ''}`,
						...others.map(([count, what]) => `${pluralize(count, 'row')} ${what}`),
					].join('; '),
				]
			: [
					kindsOfRows(
						found > 0 || others.length === 0
							? [
									[found, counted.length === 0 ? done : `${done} (${counted.join(', ')})`],
									...others,
								]
							: others,
					),
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

/** Counts the found rows that have a value in certain columns. */
async function countedIn(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	{ counted = [] }: ReportWording,
): Promise<string[]> {
	const words = counted.map(async ({ noun, columns }) => {
		let isShown = false;
		const count = await countInSlices(rows, ({ row, layout }) => {
			const owners = columns.flatMap((name) => layout?.owners.get(name) ?? []);
			if (row.failure !== undefined || owners.length === 0) return false;
			isShown = true;
			return owners.some(({ set, read }) => !isEmpty(read(row.records[set.source])));
		});
		return isShown ? [pluralize(count, noun)] : [];
	});
	return (await Promise.all(words)).flat();
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

function countsOf(
	{ records, matches, searched, credits, hasUnpriced, remembered }: RunStats,
	requests: string,
): string {
	const kinds = [
		matches > 0 && pluralize(matches, 'match', 'matches'),
		searched > 0 && `${pluralize(searched, 'person', 'people')} searched`,
		credits > 0 && `${hasUnpriced ? 'at least ' : ''}${pluralize(credits, 'credit')}`,
	].filter(Boolean);
	const ofThem = kinds.length > 0 ? ` (${kinds.join(', ')})` : '';
	if (remembered === undefined) {
		return records > 0 ? `${requests}, ${pluralize(records, 'record')}${ofThem}` : requests;
	}
	return `${formatNumber(remembered)} remembered, ${formatNumber(records)} bought${ofThem}, ${requests}`;
}

const usageSentence = ({ used, limit }: AccountUsage): string =>
	`The account had used ${formatNumber(used)} of ${pluralize(limit, 'credit')} this month.`;

const madeSentence = ({ name, similar }: MadeTable): string =>
	`The data table "${name}" (Remember In) was made${similar === undefined ? '' : `; there is also "${similar}"`}.`;

/** Answers that the memory lacks although they were paid for, or that were paid for although it may have them. */
function memoryAdvice(problems: MemoryProblems | undefined): Advice[] {
	const { unwritten = 0, unread = 0, reason = '' } = problems ?? {};
	if (unwritten + unread === 0) return [];
	const isFull = /\bsize\b/i.test(reason);
	const texts = [
		unread > 0 &&
			`${pluralize(unread, 'answer')} could not be looked for in the data table in Remember In, so ${unread === 1 ? 'it was' : 'they were'} requested, although the table may have ${unread === 1 ? 'it' : 'them'}.`,
		unwritten > 0 &&
			`${pluralize(unwritten, 'answer')} could not be written to the data table in Remember In, so the next run pays for ${unwritten === 1 ? 'it' : 'them'} again.`,
		reason !== '' && withFullStop(reason),
		isFull && 'Delete old rows, or ask your admin to raise the limit of data tables.',
	];
	return [aboutRun(texts.filter(Boolean).join(' '))];
}

export async function runMessages<Types extends SpecTypes>(
	spec: RunSpec<Types>,
	run: RunContext,
	result: RunResult<Types> & {
		readonly remembered?: number | undefined;
		readonly problems?: MemoryProblems | undefined;
		readonly made?: MadeTable | undefined;
	},
	remaining: RemainingRows<Types['options']>,
	input: readonly INodeExecutionData[],
	output: readonly INodeExecutionData[],
	columnAdvice: readonly Advice[],
): Promise<{
	readonly counts: string;
	readonly advice: readonly Advice[];
	/** The part of `advice` that is the operation's. */
	readonly ownAdvice: readonly Advice[];
}> {
	const { items } = result;
	const resolved = items.flatMap((item) => (item.state === 'ready' && item.resolved) || []);
	const hasMessages = spec.advice !== undefined || spec.total !== undefined;
	const valid = hasMessages ? items.filter((item) => item.failure === undefined) : [];
	const results = valid.flatMap((item) => item.entries);
	const duplicates = await duplicateCount(items, spec);
	const stats = {
		...result,
		...(await rowStats(remaining.rows)),
		duplicates,
		repeats: duplicates > 0 && duplicates === items.length - 1 ? items.length : undefined,
		// The number of matches says nothing more if only they are paid for.
		matches: spec.priceOf === undefined ? 0 : result.matches,
		counted: await countedIn(remaining.rows, spec.wording),
	};
	// An error in a message must not fail the run, because its rows may have been paid for.
	const total = toOutcome(() => spec.total?.(results)).value;
	const specAdvice = toOutcome(() => spec.advice?.(results, run, valid)).value ?? [];
	const ownAdvice = specAdvice.filter(({ rows }) => rows > 0);
	return {
		counts: [
			reportMessage(stats, spec.wording),
			total,
			await doubtfulSentence(remaining.rows),
			result.usage && usageSentence(result.usage),
			result.made && madeSentence(result.made),
		]
			.filter(Boolean)
			.join(' '),
		advice: [
			...memoryAdvice(result.problems),
			...ownAdvice,
			...(remaining.hint === undefined ? [] : [aboutRun(remaining.hint)]),
			...(await failureAdvice(remaining.rows)),
			...columnAdvice,
			...overLimitAdvice(stats.states),
			...blankAdvice(stats.blank),
			...(toOutcome(() => spec.lookup?.advice?.(resolved)).value ?? []),
			...(await missingColumnsAdvice(remaining.rows, input, output)),
			await cutCellsAdvice(output),
			...(await lostIdAdvice(remaining.rows, input)),
			...(await formerIdAdvice(remaining.rows, input)),
		],
		ownAdvice,
	};
}

/** The reason why most of the failed rows failed. */
async function failureAdvice(rows: ReadonlyArray<ItemRow<OutputOptions>>): Promise<Advice[]> {
	const messages = await flatMapInSlices(rows, ({ row: { failure } }) =>
		failure === undefined || failure.kind === 'overLimit' ? [] : [failure.message],
	);
	return [...groupBy(messages, (message) => message)].map(([message, { length }]) => ({
		rows: length,
		message: `${pluralize(length, 'row')} failed: ${message}`,
	}));
}

const overLimitAdvice = ({ overLimit: rows = 0 }: RunStats['states']): Advice[] => [
	{
		rows,
		message: `Max Records to Pay left out ${pluralize(rows, 'row')}. Raise it, or run them later: their errors say which helps.`,
	},
];

const blankAdvice = (blank: RunStats['blank']): Advice[] =>
	[...blank].map(([{ rows, advice }, count]) => ({
		rows: count,
		message: `${pluralize(count, 'row')} ${rows} ${count === 1 ? "wasn't" : "weren't"} requested. ${advice}`,
	}));

async function doubtfulSentence(rows: ReadonlyArray<ItemRow<OutputOptions>>): Promise<string> {
	const count = await countInSlices(
		rows,
		({ row }) => row.failure === undefined && isDoubtful(row),
	);
	const text = `${pluralize(count, 'row')} may be about another person (match_check is "differs").`;
	return count === 0 ? '' : text;
}

/**
 * Shows the counts, and the advice about the most rows. Returns the same for an AI agent. Before n8n 1.118, the context of a tool has no
 * `addExecutionHints`.
 */
export function addHints(
	context: Pick<IExecuteFunctions, 'getNode'> &
		Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>,
	counts: string,
	ownAdvice: readonly Advice[],
	isRemembering = false,
): string[] {
	const advice = context.getNode().retryOnFail
		? [retryOnFailAdvice(isRemembering), ...ownAdvice]
		: ownAdvice;
	const first = advice.reduce(
		(largest, each) => (each.rows > largest.rows ? each : largest),
		NO_ADVICE,
	);
	context.addExecutionHints?.({ message: counts, location: 'outputPane' });
	if (first.rows === 0) return [counts];
	context.addExecutionHints?.({
		message: first.message,
		type: 'warning',
		location: 'outputPane',
	});
	return [counts, first.forAgent ?? first.message];
}

const NO_ADVICE: Advice = { rows: 0, message: '' };

const retryOnFailAdvice = (isRemembering: boolean): Advice =>
	aboutRun(
		`Retry On Fail is on in this node's settings. If the node fails, n8n reruns all of it${isRemembering ? '' : ' and you pay for every row again'}. Turn it off: the node already retries requests that can succeed later.`,
	);
