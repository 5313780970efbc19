import type { IDataObject } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import { isObject } from '../../core/json';
import type { Failure } from '../../core/outcome';
import { prospectKey } from '../../search/pages';
import { fingerprintOf, unpack } from '../checkpointStore';
import {
	isReportDue,
	type PlanOptions,
	type PollCheckpoint,
	type PollResult,
	type ReceivedRow,
	REPORTED_FAILURES,
} from '../runner';

export interface SearchWatch {
	/** In the form that a request takes. */
	readonly filters: IDataObject;
}

/** What the trigger remembers between polls, as plain JSON. A sweep is one pass over all pages; it may take several polls. */
export interface SearchCheckpoint extends PollCheckpoint {
	/** Fingerprint of the filters. */
	readonly searchKey: string;
	/** Packed fingerprints of the known people, least recently found first. */
	readonly known: string;
	/** The page at which the next poll starts. */
	readonly nextPage: number;
	/** Sweeps in a row in which a page failed, and whether one has failed in the running sweep. */
	readonly failedSweeps?: number;
	readonly lacksPage?: boolean;
	/** When pages that keep failing were last reported. */
	readonly reportedAt?: number;
	/** Most sweeps until the end of the baseline, which records who already matches and outputs no one; then 0. */
	readonly baselineSweeps: number;
}

export interface SearchJob {
	readonly searchKey: string;
	/** True if the checkpoint is of another search, or of none. */
	readonly startsSearch: boolean;
	readonly inBaseline: boolean;
	readonly startPage: number;
	readonly maxPages: number;
}

/** The part of a sweep that one poll fetched. */
export interface SweepPart {
	readonly rows: readonly ReceivedRow[];
	/** False if the first page failed, so that no other was fetched. */
	readonly received: boolean;
	/** The page at which the sweep continues; beyond `MAX_PAGES` at its end. */
	readonly nextPage: number;
	/** The reported number of matches, if all pages report the same. */
	readonly total?: number | undefined;
	readonly failure?: Failure | undefined;
	/** The pages that the log names. */
	readonly failedPages?: readonly number[];
}

/** The rows are people who weren't known before; none during the baseline. */
export interface SelectedPeople extends PollResult {
	/** True if the baseline goes on. */
	readonly inBaseline: boolean;
	/** Present if a repeated sweep found fewer people than the service reports: how many fewer. */
	readonly unfound?: number;
	/** True if pages have failed in several sweeps in a row, and are to be reported now. */
	readonly keepsFailing: boolean;
	/** How many people the baseline found; present only if this poll ended the baseline. */
	readonly baselineSize?: number | undefined;
}

/** Maximum number of people that a search may match. */
export const MAX_PEOPLE = 20_000;
const MAX_PAGES = MAX_PEOPLE / LIMITS.pageSize;

/** Room for the largest search, and for 10,000 people who no longer match. Keeps the checkpoint under 250 KB. */
export const MAX_REMEMBERED_PEOPLE = 30_000;

/** Two sweeps, because people may move to a page that the first has already read; more if they find too few people. */
const MAX_BASELINE_SWEEPS = 6;
const MIN_BASELINE_SWEEPS = 2;

const newCheckpoint = (searchKey: string): SearchCheckpoint => ({
	searchKey,
	known: '',
	nextPage: 1,
	baselineSweeps: MAX_BASELINE_SWEEPS,
});

/** How polls for people run (see `createRunner`). A new search replaces the former one once its first page is received. */
export const searchState = {
	open: openSearchCheckpoint,
	hasMore: ({ searchKey, nextPage, baselineSweeps }: SearchCheckpoint, watch: SearchWatch) =>
		nextPage > 1 || baselineSweeps > 0 || searchKey !== searchKeyOf(watch),
	plan: planSearch,
	select: selectPeople,
};

function openSearchCheckpoint(saved: unknown): SearchCheckpoint {
	return isSearchCheckpoint(saved) ? saved : newCheckpoint('');
}

const isSearchCheckpoint = (saved: unknown): saved is SearchCheckpoint =>
	isObject(saved) && typeof saved.searchKey === 'string';

/** Identifies a search, regardless of the order of filters and values. */
const searchKeyOf = ({ filters }: SearchWatch): string => fingerprintOf(canonical(filters));

function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
	if (!isObject(value)) return JSON.stringify(value) ?? '';
	const members = Object.entries(value).map(([name, member]) => `${name}:${canonical(member)}`);
	return `{${members.sort().join()}}`;
}

/**
 * Continues the unfinished sweep, or starts a new one.
 *
 * @param maxPages doesn't apply to the baseline, which the activation's poll should complete
 */
function planSearch(
	checkpoint: SearchCheckpoint,
	maxPages: number,
	watch: SearchWatch,
	{ now }: PlanOptions,
): { readonly checkpoint: SearchCheckpoint; readonly job: SearchJob } {
	const searchKey = searchKeyOf(watch);
	const startsSearch = checkpoint.searchKey !== searchKey;
	const { nextPage, baselineSweeps } = startsSearch ? newCheckpoint(searchKey) : checkpoint;
	const inBaseline = baselineSweeps > 0;
	const remaining = MAX_PAGES - nextPage + 1;
	return {
		checkpoint: nextPage === 1 ? { ...checkpoint, startedAt: now } : checkpoint,
		job: {
			searchKey,
			startsSearch,
			inBaseline,
			startPage: nextPage,
			maxPages: inBaseline ? remaining : Math.min(maxPages, remaining),
		},
	};
}

/** Selects the people who are new, and advances the checkpoint. */
function selectPeople(
	checkpoint: SearchCheckpoint,
	{ searchKey, startsSearch, startPage }: SearchJob,
	{ rows, received, nextPage, total = 0, failure, failedPages = [] }: SweepPart,
	watch: SearchWatch,
	now: number,
): { readonly checkpoint: SearchCheckpoint; readonly result: SelectedPeople } {
	const { startedAt } = checkpoint;
	const before = startsSearch ? { ...newCheckpoint(searchKey), startedAt } : checkpoint;
	const wasInBaseline = before.baselineSweeps > 0;
	// The filters may have been edited during the poll.
	const isOutdated = searchKeyOf(watch) !== searchKey;
	const failed =
		failure !== undefined && failure.kind !== 'stopped' && (!received || wasInBaseline);
	if (isOutdated || (startsSearch && !received)) {
		const result = { rows: [], inBaseline: wasInBaseline, failed, keepsFailing: false };
		return { checkpoint, result };
	}
	const known = new Set(unpack(before.known));
	const current = new Set<string>();
	const added: ReceivedRow[] = [];
	for (const row of rows) {
		const fingerprint = fingerprintOf(prospectKey(row.row));
		if (!known.delete(fingerprint)) added.push(row);
		// Deleted above and added again, so that the people found last come last.
		known.add(fingerprint);
		current.add(fingerprint);
	}
	const endsSweep = nextPage > MAX_PAGES;
	const unfound = Math.max(0, total - known.size);
	const sweepsLeft = Math.max(0, before.baselineSweeps - 1);
	// If people stop matching during a sweep, others move to pages that have already been read, so the sweep misses them. The
	// numbers show that, unless as many start to match at the same moment, or the sweep takes several polls.
	const foundAll =
		(startPage === 1 && current.size === total) ||
		(unfound === 0 && sweepsLeft <= MAX_BASELINE_SWEEPS - MIN_BASELINE_SWEEPS);
	const { failedSweeps = 0 } = before;
	const lacksPage = before.lacksPage === true || (received && failedPages.length > 0);
	const keepsFailing =
		!wasInBaseline &&
		failedPages.length > 0 &&
		failedSweeps >= REPORTED_FAILURES - 1 &&
		isReportDue(before.reportedAt, now);
	const next: SearchCheckpoint = {
		...before,
		lacksPage: lacksPage && !endsSweep,
		failedSweeps: !endsSweep ? failedSweeps : lacksPage ? failedSweeps + 1 : 0,
		...(keepsFailing && { reportedAt: now }),
		known: [...known].slice(-MAX_REMEMBERED_PEOPLE).join(''),
		nextPage: endsSweep ? 1 : nextPage,
		baselineSweeps: !endsSweep ? before.baselineSweeps : foundAll ? 0 : sweepsLeft,
		// A check that received nothing is repeated.
		...(failed && nextPage === 1 && { startedAt: undefined }),
	};
	const inBaseline = next.baselineSweeps > 0;
	const isShort = endsSweep && inBaseline && unfound > 0 && sweepsLeft < MAX_BASELINE_SWEEPS - 1;
	return {
		checkpoint: next,
		result: {
			rows: wasInBaseline ? [] : added,
			inBaseline,
			failed: failed || isShort,
			keepsFailing,
			...(isShort && { unfound }),
			continues: endsSweep && inBaseline && !isShort,
			baselineSize: wasInBaseline && !inBaseline ? known.size : undefined,
		},
	};
}
