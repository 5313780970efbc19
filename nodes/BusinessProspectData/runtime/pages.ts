import type { IDataObject } from 'n8n-workflow';
import type { JsonValue } from '../core/json';
import { type Failure, rootCause, type Outcome } from '../core/outcome';
import {
	announcedPages,
	createInspection,
	type PageDefect,
	type Inspect,
	newestTotals,
	formatPageRanges,
} from './pageDefects';

/** One page of a search. */
export interface Page {
	readonly rows: readonly IDataObject[];
	/** How many rows there are over all pages, by the answer; the contract does not keep it from being null. */
	readonly total?: number;
	/** How many pages there are, by the answer. */
	readonly pages?: number;
	readonly responseContext: JsonValue;
	readonly correlationId?: string;
}

/** The pages that arrived, in order, and what is missing. */
export interface FetchedPages {
	readonly received: readonly Page[];
	readonly missing: readonly number[];
	readonly failure?: Failure;
	/** Whether it is unknown what comes after the missing page. */
	readonly open: boolean;
	/** How many rows the last page lacks by the total. */
	readonly fewer: number;
}

export interface PagingOptions {
	readonly startPage: number;
	readonly pageSize: number;
	/** Rows that are wanted; no page beyond them is fetched. */
	readonly limit: number;
	/** Identifies a row; rows without an ID are all different. */
	readonly idOf: (row: IDataObject) => string | undefined;
}

type FetchPage = (page: number) => Promise<Outcome<Page>>;

/**
 * Fetches pages: the first, then side by side as many as it announces, then those by which a newer total has grown.
 * Where it announces none, one after the other until one is not full. A page that fails does not take the others with
 * it, and a defective page counts as failed when a second request does not help.
 */
export async function fetchPages(fetch: FetchPage, paging: PagingOptions): Promise<FetchedPages> {
	const { startPage, pageSize, limit } = paging;
	const lastWanted = startPage + Math.ceil(limit / pageSize) - 1;
	const outcomes = new Map<number, Outcome<Page>>();
	const inspect = createInspection(outcomes, paging);
	const repair = createRepair(outcomes, inspect, fetch);
	const fetchAll = async (wanted: readonly number[]) => {
		await Promise.all(wanted.map(async (page) => outcomes.set(page, await fetch(page))));
	};

	await fetchAll([startPage]);
	let open = false;
	const first = outcomes.get(startPage)?.value;
	if (first !== undefined) {
		let reached = startPage;
		let announced = announcedPages(first, pageSize);
		do {
			await fetchAll(range(reached + 1, Math.min(lastWanted, announced)));
			await repair(startPage);
			reached = Math.max(reached, announced);
			const newest = newestTotals(outcomes, pageSize);
			if (newest !== undefined) announced = announcedPages(newest, pageSize);
		} while (announced > reached && reached < lastWanted);
		if ((first.pages ?? 0) === 0) {
			for (let page = reached + 1; page <= lastWanted; page++) {
				const before = outcomes.get(page - 1);
				open = before?.failure !== undefined;
				if (open || (before?.value?.rows.length ?? 0) < pageSize) break;
				await fetchAll([page]);
				await repair(page);
			}
		}
	}
	const inOrder = [...outcomes].sort(([a], [b]) => a - b);
	const failed = inOrder.flatMap(([page, { failure }]) =>
		failure === undefined ? [] : [{ page, failure }],
	);
	return {
		received: inOrder.flatMap(([, { value }]) => (value === undefined ? [] : [value])),
		missing: failed.map(({ page }) => page),
		failure: rootCause(failed)?.failure,
		open,
		fewer: inspect().reduce((sum, { fewer }) => sum + fewer, 0),
	};
}

/**
 * Creates the repair of a search's pages, from a page on.
 *
 * Requests defective pages once more, and the pages that they repeat: nobody knows which of two equal pages is wrong.
 * Those that are still defective have failed; of equal pages, the later ones. The answer with more rows is kept. No page
 * is requested more than twice.
 */
function createRepair(
	outcomes: Map<number, Outcome<Page>>,
	inspect: Inspect,
	fetch: FetchPage,
): (from: number) => Promise<void> {
	const requested = new Set<number>();
	const requestAgain = async (page: number) => {
		requested.add(page);
		const { value, failure } = await fetch(page);
		const before = outcomes.get(page);
		const known = before?.value?.rows.length ?? 0;
		if (value !== undefined && value.rows.length >= known) outcomes.set(page, { value });
		if (failure !== undefined && before?.failure !== undefined) {
			outcomes.set(page, { ...before, failure });
		}
	};
	return async (from) => {
		/** Defective pages without the rows that they repeat. */
		const kept = new Map<number, PageDefect['outcome']>();
		for (let defects = inspect(from); defects.length > 0; defects = inspect()) {
			for (const { page, outcome } of defects) {
				const before = kept.get(page);
				const more = (before?.value.rows.length ?? 0) > outcome.value.rows.length;
				const better = before !== undefined && more ? before : outcome;
				kept.set(page, better);
				outcomes.set(page, better);
			}
			const again = new Set(defects.flatMap(({ page, repeats }) => [page, ...repeats]));
			const left = [...again].filter((page) => !requested.has(page));
			if (left.length === 0) return;
			await Promise.all(left.map(requestAgain));
		}
	};
}

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);

/** The failure of a search of which pages are missing: which, why, and how to get them. */
export function pagesMissing({ missing, open }: FetchedPages, failure: Failure): Failure {
	const [first = 1] = missing;
	const pages = `${missing.length === 1 ? 'Page' : 'Pages'} ${formatPageRanges(missing)}${open ? ' and all after it' : ''}`;
	return {
		...failure,
		message: `${pages} could not be fetched: ${failure.message} To get the missing rows, run again with Start Page ${first} under Options.`,
		details: { ...failure.details, missing_pages: [...missing], start_page: first },
	};
}
