import type { IDataObject } from 'n8n-workflow';
import { prospectKey } from '../search/query';
import { fingerprintOf, pack, unpack } from './fingerprints';
import type { Pass, PassJob, SearchCheckpoint } from './searchCheckpoint';

/** The pages that a poll fetched. */
export interface PassPages {
	readonly rows: readonly IDataObject[];
	/** What happened to the first page; without it, the others weren't fetched. */
	readonly first: 'received' | 'failed' | 'unsent' | 'tooMany';
	/** The first page still to be fetched; absent at the end of the search. */
	readonly next?: number | undefined;
	/** True if a page before `next` failed. */
	readonly partial: boolean;
	/** The largest number of matches that the pages report, if any does. */
	readonly total?: number | undefined;
}

/**
 * Maximum number of remembered people: a full search, and 10,000 people who left it. Above it, those found longest ago are
 * forgotten. The state stays under 250 KB.
 */
export const MAX_REMEMBERED = 30_000;

/** Maximum number of complete passes of the first check, for a search whose reported total is never reached. */
const MAX_FIRST_PASSES = 3;

/** What a poll outputs. */
export interface SelectedPeople {
	/** People who weren't known, in the service's order; none during the first check. */
	readonly people: readonly IDataObject[];
	/** How many people match, if this poll ended the first check: all of them are known now. */
	readonly firstKnown?: number;
}

/**
 * Selects the people who weren't known before, and advances the state.
 *
 * @param state the current state, which may be newer than the one that the poll started from
 */
export function selectPeople(
	state: SearchCheckpoint,
	job: PassJob,
	pages: PassPages,
): SelectedPeople & { readonly state: SearchCheckpoint } {
	const { pass } = state;
	// The filters were edited while the poll was running.
	if (state.search !== job.search || pass?.number !== job.pass) return { people: [], state };
	const isFirstCheck = state.firstPasses !== undefined;
	const known = new Set(unpack(state.known));
	const added: IDataObject[] = [];
	for (const row of pages.rows) {
		const fingerprint = fingerprintOf(prospectKey(row));
		if (!known.delete(fingerprint)) added.push(row);
		// Whoever was found last comes last.
		known.add(fingerprint);
	}
	const next: SearchCheckpoint = {
		...state,
		known: pack([...known].slice(-MAX_REMEMBERED)),
		...advance(state, pass, pages, known.size),
	};
	return {
		people: isFirstCheck ? [] : added,
		state: next,
		...(isFirstCheck && next.firstPasses === undefined && { firstKnown: known.size }),
	};
}

/** The largest of the numbers that are known. */
export const largest = (numbers: ReadonlyArray<number | undefined>): number | undefined => {
	const known = numbers.filter((number) => number !== undefined);
	return known.length === 0 ? undefined : Math.max(...known);
};

/** The pass after a poll, and the complete passes of the first check. */
function advance(
	{ firstPasses }: SearchCheckpoint,
	pass: Pass,
	pages: PassPages,
	knownCount: number,
): Pick<SearchCheckpoint, 'pass' | 'firstPasses'> {
	const { first, next } = pages;
	if (first === 'unsent') return { firstPasses, pass };
	if (first === 'tooMany') return { firstPasses, pass: undefined };
	if (first === 'failed') {
		// Nothing is known of the search without its first page, so only later ones are skipped.
		return pass.failed && pass.next > 1
			? { firstPasses, pass: { ...pass, next: pass.next + 1, failed: false, partial: true } }
			: { firstPasses, pass: { ...pass, failed: true } };
	}
	const advanced: Pass = {
		...pass,
		failed: false,
		partial: pass.partial || pages.partial,
		total: largest([pass.total, pages.total]),
	};
	if (next !== undefined) return { firstPasses, pass: { ...advanced, next } };
	if (firstPasses === undefined || advanced.partial) return { firstPasses, pass: undefined };
	// People may have moved to pages that were fetched already: then fewer are known than match.
	const isComplete =
		knownCount >= (advanced.total ?? Infinity) || firstPasses + 1 === MAX_FIRST_PASSES;
	return { firstPasses: isComplete ? undefined : firstPasses + 1, pass: undefined };
}
