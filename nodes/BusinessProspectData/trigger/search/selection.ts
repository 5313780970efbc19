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

/** What a poll fetched: a part of a sweep. */
export interface SweepPart {
	readonly rows: readonly IDataObject[];
	/**
	 * What happened to the poll's first page, or to the count before it. If the page wasn't received, the others weren't fetched.
	 *
	 * - `rejected`: it isn't page 1 and the service rejects it. The search has probably become shorter, so the sweep ends.
	 * - `failed`: the next poll requests it again. If it fails twice in a row, the sweep skips it, unless it is page 1.
	 * - `postponed`: the poll ran out of time, or hit the rate limit. The next poll requests it again.
	 * - `tooMany`: more people match than the trigger may watch. The page or the count says so, or the sweep has reached
	 *   `MAX_PAGES` before the end of the search.
	 */
	readonly startStatus: 'received' | 'rejected' | 'failed' | 'postponed' | 'tooMany';
	/** The first page still to be fetched; absent at the end of the search, or if the poll's first page wasn't received. */
	readonly resumeAt?: number | undefined;
	/**
	 * True if the sweep goes on or ends without a page: the poll's first page, if the service rejected it, or a later page that
	 * wasn't received. Pages from `resumeAt` on don't count.
	 */
	readonly partial: boolean;
	/** Largest number of matches that the pages report, if any. */
	readonly total?: number | undefined;
}

/** True if the start page was received, or is beyond the end of a search that has become shorter. */
export const startSucceeded = ({ startStatus }: SweepPart): boolean =>
	startStatus === 'received' || startStatus === 'rejected';

/**
 * Maximum number of remembered people: a full search, and 10,000 people who left it. Beyond it, those found longest ago are
 * forgotten. The checkpoint stays under 250 KB.
 */
export const MAX_REMEMBERED_PEOPLE = 30_000;

/** Maximum number of sweeps in the baseline: the reported total may never be reached, or a page may always fail. */
const MAX_BASELINE_SWEEPS = 3;

/** What a poll selects: the people to output and, if it ended the baseline, what to log about that. */
export interface SelectedPeople {
	/** People who weren't known, in the service's order; none during the baseline. */
	readonly people: readonly IDataObject[];
	/** How many people the baseline's last sweep found, if this poll ended the baseline. All of them are known now. */
	readonly baselineSize?: number;
	/** True if the baseline's last sweep left out a page: people on that page may not be known. */
	readonly isBaselinePartial?: boolean;
}

/**
 * Selects the people who weren't known before, and advances the checkpoint.
 *
 * @param checkpoint the current one, which may be newer than the one that the poll started from
 */
export function selectPeople(
	checkpoint: SearchCheckpoint,
	job: SearchJob,
	part: SweepPart,
): SelectedPeople & { readonly checkpoint: SearchCheckpoint } {
	const { sweep } = checkpoint;
	// The filters were edited while the poll was running. Even if they were changed back, the sweep of these rows was abandoned.
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
		// Deleted above and added again, so that those found last come last.
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
				isBaselinePartial: sweep.partial || part.partial || part.startStatus === 'failed',
			}),
	};
}

/** The sweep after a poll, and how many sweeps of the baseline have ended. */
function advance(
	{ baselineSweeps }: SearchCheckpoint,
	sweep: SearchSweep,
	part: SweepPart,
): Pick<SearchCheckpoint, 'sweep' | 'baselineSweeps'> {
	const { startStatus, resumeAt } = part;
	if (startStatus === 'postponed') return { baselineSweeps, sweep };
	if (startStatus === 'tooMany') return { baselineSweeps, sweep: undefined };
	if (startStatus === 'failed') {
		// Without page 1, nothing is known about the search, so only later pages are skipped.
		if (!sweep.nextFailed || sweep.nextPage === 1) {
			return { baselineSweeps, sweep: { ...sweep, nextFailed: true } };
		}
		const skipped = { ...sweep, nextPage: sweep.nextPage + 1, nextFailed: false, partial: true };
		return skipped.nextPage > MAX_PAGES
			? endSweep(baselineSweeps, skipped)
			: { baselineSweeps, sweep: skipped };
	}
	const advanced: SearchSweep = {
		...sweep,
		nextFailed: false,
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
	// Fewer people were found than match if some moved to pages that had already been fetched: another sweep may find them.
	// People known from an earlier sweep don't count: they may have left.
	const endsBaseline = (!partial && found >= total) || baselineSweeps + 1 === MAX_BASELINE_SWEEPS;
	return { baselineSweeps: endsBaseline ? undefined : baselineSweeps + 1, sweep: undefined };
}
