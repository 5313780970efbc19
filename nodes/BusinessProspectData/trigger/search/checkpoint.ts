import type { IDataObject } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import { isObject } from '../../core/json';
import { fingerprintOf } from '../fingerprints';
import type { Versioned } from '../memory';

/** The search whose new people the trigger outputs. */
export interface SearchWatch {
	/** In the form that a request takes. */
	readonly filters: IDataObject;
}

/** One pass over all pages of the search, which may take several polls. */
export interface SearchSweep {
	readonly number: number;
	/** The next page to fetch. */
	readonly nextPage: number;
	/** True if `nextPage` failed when it was last requested. */
	readonly nextFailed: boolean;
	/** True if the sweep has left out a page, because it failed or the service rejected it. */
	readonly partial: boolean;
	/** How many people the sweep has found. They are the last entries of `known`. */
	readonly found: number;
	/** Largest number of matches that the service reported, if any. */
	readonly total?: number | undefined;
}

/** What the trigger remembers between polls: plain JSON of bounded size. Apart from `serial`, it depends on no clock. */
export interface SearchCheckpoint extends Versioned {
	/** Fingerprint of the filters. */
	readonly searchKey: string;
	/** Packed fingerprints of the known people. Those found longest ago come first. */
	readonly known: string;
	/** How many sweeps have started. */
	readonly sweeps: number;
	/**
	 * How many sweeps of the baseline have ended, not counting those broken off because too many people match. The baseline learns
	 * who matches already, in at most three sweeps, and outputs nobody. Absent once the baseline has ended.
	 */
	readonly baselineSweeps?: number | undefined;
	readonly sweep?: SearchSweep | undefined;
}

export const isInBaseline = ({ baselineSweeps }: SearchCheckpoint): boolean =>
	baselineSweeps !== undefined;

/** What a poll fetches. */
export interface SearchJob {
	readonly searchKey: string;
	readonly sweepNumber: number;
	readonly startPage: number;
	/** Maximum number of pages; 0 if the search has more pages than a sweep covers. */
	readonly maxPages: number;
	/** True if the poll counts the matches first. */
	readonly countsFirst: boolean;
}

/** Maximum number of people that a search may match. */
export const MAX_PEOPLE = 20_000;
export const MAX_PAGES = MAX_PEOPLE / LIMITS.pageSize;

/** The saved checkpoint if it belongs to the search; otherwise a new one, which knows nobody. */
export function openSearchCheckpoint(saved: unknown, { filters }: SearchWatch): SearchCheckpoint {
	const searchKey = searchKeyOf(filters);
	if (!isSearchCheckpoint(saved)) return { searchKey, known: '', sweeps: 0, baselineSweeps: 0 };
	if (saved.searchKey === searchKey) return saved;
	// Sweep numbers continue, so that pages fetched for the old search never count for the new one.
	return { searchKey, known: '', sweeps: saved.sweeps, baselineSweeps: 0 };
}

/** True if the saved checkpoint belongs to the search of the settings. */
export const isWatchingSearch = (saved: unknown, { filters }: SearchWatch): boolean =>
	isSearchCheckpoint(saved) && saved.searchKey === searchKeyOf(filters);

/**
 * The checkpoint with its unfinished sweep, or with a new one, and the pages to fetch.
 *
 * @param maxPages maximum number of pages, once the baseline has ended. It doesn't limit the baseline, which therefore usually
 *   ends in the activation's poll, whose checkpoint n8n saves (except with durable cursors, see `createMemory`).
 */
export function planSweep(
	checkpoint: SearchCheckpoint,
	maxPages: number,
): { readonly checkpoint: SearchCheckpoint; readonly job: SearchJob } {
	const { searchKey, sweeps, baselineSweeps } = checkpoint;
	const sweep = checkpoint.sweep ?? {
		number: sweeps + 1,
		nextPage: 1,
		nextFailed: false,
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
			countsFirst: baselineSweeps === 0 && sweep.nextPage === 1,
		},
	};
}

/** Identifies a search, regardless of the order of filters and values. */
const searchKeyOf = (filters: IDataObject): string => fingerprintOf(canonical(filters));

function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
	if (!isObject(value)) return JSON.stringify(value) ?? '';
	const members = Object.entries(value).map(([name, member]) => `${name}:${canonical(member)}`);
	return `{${members.sort().join()}}`;
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
