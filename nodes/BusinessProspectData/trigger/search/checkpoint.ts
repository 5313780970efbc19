import type { IDataObject } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import { isObject } from '../../core/json';
import { fingerprintOf } from '../fingerprints';
import type { Versioned } from '../memory';

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
	/** Largest number of matches that the service reported, if any. */
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

export const isInBaseline = ({ baselineSweeps }: SearchCheckpoint): boolean =>
	baselineSweeps !== undefined;

export interface SearchJob {
	readonly searchKey: string;
	readonly sweepNumber: number;
	readonly startPage: number;
	/** Maximum number of pages; 0 if `startPage` is beyond `MAX_PAGES`. */
	readonly maxPages: number;
	/** True to count the matches before the first page, and fetch none if there are more than Max Prospects. */
	readonly countsMatches: boolean;
}

/** Maximum number of people that a search may match. */
export const MAX_PEOPLE = 20_000;
export const MAX_PAGES = MAX_PEOPLE / LIMITS.pageSize;

export function openSearchCheckpoint(saved: unknown, { filters }: SearchWatch): SearchCheckpoint {
	const searchKey = searchKeyOf(filters);
	if (!isSearchCheckpoint(saved)) return { searchKey, known: '', sweeps: 0, baselineSweeps: 0 };
	if (saved.searchKey === searchKey) return saved;
	// Sweep numbers continue, so that pages fetched for the old search never count for the new one.
	return { searchKey, known: '', sweeps: saved.sweeps, baselineSweeps: 0 };
}

export const isWatchingSearch = (saved: unknown, { filters }: SearchWatch): boolean =>
	isSearchCheckpoint(saved) && saved.searchKey === searchKeyOf(filters);

/**
 * Continues the unfinished sweep, or starts a new one.
 *
 * @param maxPages doesn't apply to the baseline, which the activation's poll should complete
 */
export function planSweep(
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
			countsMatches: baselineSweeps === 0 && sweep.nextPage === 1,
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
