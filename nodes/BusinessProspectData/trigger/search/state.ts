import type { IDataObject } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import { largestOf } from '../../core/collections';
import { isObject } from '../../core/json';
import type { Failure } from '../../core/outcome';
import { prospectKey } from '../../search/page';
import { fingerprintOf, pack, unpack } from '../fingerprints';
import type { Versioned } from '../memory';
import type { ReceivedRow } from '../runner';

export interface SearchWatch {
	/** In the form that a request takes. */
	readonly filters: IDataObject;
}

/** One pass over all pages of the search, which may take several polls. */
export interface SearchSweep {
	readonly number: number;
	readonly nextPage: number;
	readonly nextPageFailed: boolean;
	/** True if the sweep has left out a page. */
	readonly partial: boolean;
	/** How many people the sweep has found. They are the last entries of `known`. */
	readonly found: number;
	/** How many matches there are at least, according to the service; undefined if it reports no total. */
	readonly total?: number | undefined;
}

/** What the trigger remembers between polls, as plain JSON. */
export interface SearchCheckpoint extends Versioned {
	/** Fingerprint of the filters. */
	readonly searchKey: string;
	/** Packed fingerprints of the known people, least recently found first. */
	readonly known: string;
	/** How many sweeps have started. */
	readonly sweeps: number;
	/**
	 * How many sweeps of the baseline have reached their end; absent after the baseline. The baseline consists of a search's first
	 * sweeps, which record who already matches and output no one.
	 */
	readonly baselineSweeps?: number | undefined;
	readonly sweep?: SearchSweep | undefined;
}

export interface SearchJob {
	readonly searchKey: string;
	readonly sweepNumber: number;
	readonly startPage: number;
	/** Maximum number of pages; 0 if `startPage` is beyond `MAX_PAGES`. */
	readonly maxPages: number;
	/**
	 * True until the search's first page has been received. The poll then counts the matches before the first page, fetches none if
	 * there are more than Max Prospects, and finds out whether the pages changed meanwhile.
	 */
	readonly startsBaseline: boolean;
}

/** The part of a sweep that one poll fetched. */
export interface SweepPart {
	readonly rows: readonly ReceivedRow[];
	/**
	 * What happened to the poll's first page, or to the count before that page. Other pages are fetched only after `received`.
	 *
	 * - `rejected`: the service rejected a page other than page 1. The search has probably become shorter.
	 * - `postponed`: the poll ran out of time, or hit the rate limit.
	 * - `tooMany`: too many people match to watch the search.
	 */
	readonly firstPageStatus: 'received' | 'rejected' | 'failed' | 'postponed' | 'tooMany';
	/** The page at which the sweep continues after `received`; absent at the end of the search. */
	readonly resumeAt?: number | undefined;
	/** True after `rejected`, and after `received` if a page failed or lacks rows, and the sweep won't fetch it again. */
	readonly partial: boolean;
	/**
	 * True if people may have moved to pages that had already been fetched: the pages show that they changed, or the sweep took
	 * several polls. Not determined after the first sweep of a search.
	 */
	readonly changed: boolean;
	/** How many matches there are at least, according to the pages; undefined if they report no total. */
	readonly total?: number | undefined;
	/** The failed or defective pages that the log names. */
	readonly problemPages?: readonly number[];
	readonly failure?: Failure | undefined;
}

export interface SelectedPeople {
	/** People who weren't known before; none during the baseline. */
	readonly rows: readonly ReceivedRow[];
	readonly succeeded: boolean;
	/** True if the baseline goes on. */
	readonly inBaseline: boolean;
	/** How many people the last sweep of the baseline found; present only if this poll ended the baseline. */
	readonly baselineSize?: number;
	/** True to start the second sweep of the baseline at once, because pages changed during the first. */
	readonly continues: boolean;
	/** True if the last sweep of the baseline left out a page. */
	readonly isBaselinePartial?: boolean | undefined;
}

/** Maximum number of people that a search may match. */
export const MAX_PEOPLE = 20_000;
export const MAX_PAGES = MAX_PEOPLE / LIMITS.pageSize;

/** Room for the largest search, and for 10,000 people who no longer match. Keeps the checkpoint under 250 KB. */
export const MAX_REMEMBERED_PEOPLE = 30_000;

/** Limits the baseline, because the reported total may never be reached, or a page may always fail. */
const MAX_BASELINE_SWEEPS = 3;

/** How polls for people run (see `createRunner`). */
export const searchState = {
	open: openSearchCheckpoint,
	isWatching: isWatchingSearch,
	plan: planSearch,
	select: selectPeople,
};

export function openSearchCheckpoint(saved: unknown, { filters }: SearchWatch): SearchCheckpoint {
	const searchKey = searchKeyOf(filters);
	if (!isSearchCheckpoint(saved)) return { searchKey, known: '', sweeps: 0, baselineSweeps: 0 };
	if (saved.searchKey === searchKey) return saved;
	// Sweep numbers continue, so that pages fetched for the old search never count for the new one.
	return { searchKey, known: '', sweeps: saved.sweeps, baselineSweeps: 0 };
}

export function isWatchingSearch(saved: unknown, { filters }: SearchWatch): boolean {
	return isSearchCheckpoint(saved) && saved.searchKey === searchKeyOf(filters);
}

const isSearchCheckpoint = (saved: unknown): saved is SearchCheckpoint =>
	isObject(saved) &&
	[saved.searchKey, saved.known].every((text) => typeof text === 'string') &&
	Number.isFinite(saved.sweeps) &&
	(saved.baselineSweeps === undefined || Number.isFinite(saved.baselineSweeps)) &&
	(saved.sweep === undefined || isSweep(saved.sweep));

const isSweep = (saved: unknown): saved is SearchSweep =>
	isObject(saved) &&
	[saved.number, saved.nextPage, saved.found, saved.total ?? 0].every(Number.isFinite);

/** Identifies a search, regardless of the order of filters and values. */
const searchKeyOf = (filters: IDataObject): string => fingerprintOf(canonical(filters));

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
export function planSearch(
	checkpoint: SearchCheckpoint,
	maxPages: number,
): { readonly checkpoint: SearchCheckpoint; readonly job: SearchJob } {
	const { searchKey, sweeps, baselineSweeps } = checkpoint;
	const sweep = checkpoint.sweep ?? {
		number: sweeps + 1,
		nextPage: 1,
		nextPageFailed: false,
		partial: false,
		found: 0,
	};
	const remaining = Math.max(0, MAX_PAGES - sweep.nextPage + 1);
	return {
		checkpoint: { ...checkpoint, sweeps: sweep.number, sweep },
		job: {
			searchKey,
			sweepNumber: sweep.number,
			startPage: sweep.nextPage,
			maxPages: isInBaseline(checkpoint) ? remaining : Math.min(maxPages, remaining),
			startsBaseline: baselineSweeps === 0 && sweep.nextPage === 1,
		},
	};
}

/** Selects the people who are new, and advances the checkpoint. */
export function selectPeople(
	checkpoint: SearchCheckpoint,
	job: SearchJob,
	part: SweepPart,
): { readonly checkpoint: SearchCheckpoint | undefined; readonly result: SelectedPeople } {
	const { sweep } = checkpoint;
	const isSameSearch = job.searchKey === checkpoint.searchKey;
	const { next, added, found } =
		isSameSearch && sweep?.number === job.sweepNumber
			? addPeople(checkpoint, sweep, part)
			: // The sweep of these rows was abandoned, for example because the filters were edited during the poll.
				{ next: checkpoint, added: [], found: 0 };
	const wasInBaseline = isInBaseline(checkpoint);
	const inBaseline = isInBaseline(next);
	const isPartial = sweep?.partial === true || part.partial;
	// If too many people match new filters, the old filters' checkpoint stays, because the user may go back to them. A poll that
	// starts after page 1 can't keep it, because an earlier poll has already replaced it. If the search keys differ, the filters
	// were edited during the poll, and `tooMany` is about the earlier ones.
	const keepsPreviousSearch =
		wasInBaseline && part.firstPageStatus === 'tooMany' && job.startPage === 1 && isSameSearch;
	return {
		checkpoint: keepsPreviousSearch ? undefined : next,
		result: {
			rows: wasInBaseline ? [] : added,
			// A missing page can prolong the baseline, during which no one is output. The poll counts as failed, so that the user learns
			// why.
			succeeded: firstPageSucceeded(part) && !(inBaseline && part.partial),
			inBaseline,
			continues:
				checkpoint.baselineSweeps === 0 && next.baselineSweeps === 1 && part.changed && !isPartial,
			...(wasInBaseline &&
				!inBaseline && {
					baselineSize: found,
					isBaselinePartial: isPartial || part.firstPageStatus === 'failed',
				}),
		},
	};
}

const isInBaseline = ({ baselineSweeps }: SearchCheckpoint): boolean =>
	baselineSweeps !== undefined;

/** A rejected page counts as success, because the search has probably become shorter. */
export const firstPageSucceeded = ({ firstPageStatus }: SweepPart): boolean =>
	firstPageStatus === 'received' || firstPageStatus === 'rejected';

function addPeople(checkpoint: SearchCheckpoint, sweep: SearchSweep, part: SweepPart) {
	const before = unpack(checkpoint.known);
	const known = new Set(before);
	const found = new Set(before.slice(before.length - sweep.found));
	const added: ReceivedRow[] = [];
	for (const received of part.rows) {
		const fingerprint = fingerprintOf(prospectKey(received.row));
		if (!known.delete(fingerprint)) added.push(received);
		// Deleted above and added again, so that the people found last come last.
		known.add(fingerprint);
		found.add(fingerprint);
	}
	const next: SearchCheckpoint = {
		...checkpoint,
		known: pack([...known].slice(-MAX_REMEMBERED_PEOPLE)),
		...advance(checkpoint, { ...sweep, found: found.size }, part),
	};
	return { next, added, found: found.size };
}

function advance(
	{ baselineSweeps }: SearchCheckpoint,
	sweep: SearchSweep,
	part: SweepPart,
): Pick<SearchCheckpoint, 'sweep' | 'baselineSweeps'> {
	const { firstPageStatus, resumeAt } = part;
	if (firstPageStatus === 'postponed') return { baselineSweeps, sweep };
	if (firstPageStatus === 'tooMany') return { baselineSweeps, sweep: undefined };
	if (firstPageStatus === 'failed') {
		// Page 1 is never skipped: without page 1, nothing is known about the search.
		if (!sweep.nextPageFailed || sweep.nextPage === 1) {
			return { baselineSweeps, sweep: { ...sweep, nextPageFailed: true } };
		}
		const skipped = {
			...sweep,
			nextPage: sweep.nextPage + 1,
			nextPageFailed: false,
			partial: true,
		};
		return skipped.nextPage > MAX_PAGES
			? endSweep(baselineSweeps, skipped, part)
			: { baselineSweeps, sweep: skipped };
	}
	const advanced: SearchSweep = {
		...sweep,
		nextPageFailed: false,
		partial: sweep.partial || part.partial,
		total: largestOf([sweep.total, part.total]),
	};
	return resumeAt === undefined
		? endSweep(baselineSweeps, advanced, part)
		: { baselineSweeps, sweep: { ...advanced, nextPage: resumeAt } };
}

function endSweep(
	baselineSweeps: number | undefined,
	{ partial, found, total = Infinity }: SearchSweep,
	{ changed }: SweepPart,
): Pick<SearchCheckpoint, 'sweep' | 'baselineSweeps'> {
	if (baselineSweeps === undefined) return { baselineSweeps, sweep: undefined };
	// Without a total, it is unknown whether all were found, so the baseline takes all its sweeps.
	const foundAll = !partial && found >= total;
	// People whom the first sweep missed because pages changed are found by the second.
	const endsBaseline =
		(foundAll && !(changed && baselineSweeps === 0)) || baselineSweeps + 1 === MAX_BASELINE_SWEEPS;
	return { baselineSweeps: endsBaseline ? undefined : baselineSweeps + 1, sweep: undefined };
}
