import type { IDataObject } from 'n8n-workflow';
import { largestOf } from '../../core/collections';
import { prospectKey } from '../../search/page';
import { fingerprintOf, pack, unpack } from '../fingerprints';
import {
	isInBaseline,
	MAX_PAGES,
	type SearchCheckpoint,
	type SearchJob,
	type SearchSweep,
} from './checkpoint';

/** The part of a sweep that one poll fetched. */
export interface SweepPart {
	readonly rows: readonly IDataObject[];
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
	/** True after `rejected`, and after `received` if a page is missing that the sweep won't fetch again. */
	readonly partial: boolean;
	/** Largest number of matches that the pages report, if any. */
	readonly total?: number | undefined;
}

/** A rejected page counts as success, because the search has probably become shorter. */
export const firstPageSucceeded = ({ firstPageStatus }: SweepPart): boolean =>
	firstPageStatus === 'received' || firstPageStatus === 'rejected';

/** Room for the largest search, and for 10,000 people who no longer match. Keeps the checkpoint under 250 KB. */
export const MAX_REMEMBERED_PEOPLE = 30_000;

/** Limits the baseline, because the reported total may never be reached, or a page may always fail. */
const MAX_BASELINE_SWEEPS = 3;

export interface SelectedPeople {
	/** People who weren't known before; none during the baseline. */
	readonly people: readonly IDataObject[];
	/** How many people the last sweep of the baseline found; present only if this poll ended the baseline. */
	readonly baselineSize?: number;
	/** True if the last sweep of the baseline left out a page. */
	readonly isBaselinePartial?: boolean;
}

/**
 * Selects the people who are new, and advances the checkpoint.
 *
 * @param checkpoint may be newer than the one that the poll started from
 */
export function selectPeople(
	checkpoint: SearchCheckpoint,
	job: SearchJob,
	part: SweepPart,
): SelectedPeople & { readonly checkpoint: SearchCheckpoint } {
	const { sweep } = checkpoint;
	// The sweep of these rows was abandoned, for example because the filters were edited during the poll.
	if (checkpoint.searchKey !== job.searchKey || sweep?.number !== job.sweepNumber) {
		return { people: [], checkpoint };
	}
	const isBaseline = isInBaseline(checkpoint);
	const before = unpack(checkpoint.known);
	const known = new Set(before);
	const found = new Set(before.slice(before.length - sweep.found));
	const added: IDataObject[] = [];
	for (const row of part.rows) {
		const fingerprint = fingerprintOf(prospectKey(row));
		if (!known.delete(fingerprint)) added.push(row);
		// Deleted above and added again, so that the people found last come last.
		known.add(fingerprint);
		found.add(fingerprint);
	}
	const next: SearchCheckpoint = {
		...checkpoint,
		known: pack([...known].slice(-MAX_REMEMBERED_PEOPLE)),
		...advance(checkpoint, { ...sweep, found: found.size }, part),
	};
	return {
		people: isBaseline ? [] : added,
		checkpoint: next,
		...(isBaseline &&
			!isInBaseline(next) && {
				baselineSize: found.size,
				isBaselinePartial: sweep.partial || part.partial || part.firstPageStatus === 'failed',
			}),
	};
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
			? endSweep(baselineSweeps, skipped)
			: { baselineSweeps, sweep: skipped };
	}
	const advanced: SearchSweep = {
		...sweep,
		nextPageFailed: false,
		partial: sweep.partial || part.partial,
		total: largestOf([sweep.total, part.total]),
	};
	return resumeAt === undefined
		? endSweep(baselineSweeps, advanced)
		: { baselineSweeps, sweep: { ...advanced, nextPage: resumeAt } };
}

function endSweep(
	baselineSweeps: number | undefined,
	{ partial, found, total = Infinity }: SearchSweep,
): Pick<SearchCheckpoint, 'sweep' | 'baselineSweeps'> {
	if (baselineSweeps === undefined) return { baselineSweeps, sweep: undefined };
	// People may have moved to pages that had already been fetched. Another sweep may find them.
	// Without a total, it is unknown whether all were found, so the baseline takes all its sweeps.
	const endsBaseline = (!partial && found >= total) || baselineSweeps + 1 === MAX_BASELINE_SWEEPS;
	return { baselineSweeps: endsBaseline ? undefined : baselineSweeps + 1, sweep: undefined };
}
