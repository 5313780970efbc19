import { type Failure, rootCause, type Outcome } from '../core/outcome';
import {
	announcedPages,
	createInspection,
	type PageDefect,
	type Inspect,
	newestTotals,
	formatPageRanges,
	type Page,
	type PagingOptions,
} from './pageDefects';

/** The pages that arrived, in order, and what is missing. */
export interface FetchedPages {
	readonly received: readonly Page[];
	readonly missing: readonly number[];
	readonly failure?: Failure;
	/** True if nobody knows how many pages follow the missing one. */
	readonly isOpenEnded: boolean;
	/** How many rows the last page has too few, by the total. */
	readonly missingRows: number;
}

type FetchPage = (page: number) => Promise<Outcome<Page>>;

/**
 * Fetches the first page, then the announced ones in parallel, then those that a newer total adds. If no page announces a
 * number, fetches one page after the other until one isn't full. Keeps the other pages when one fails. A page that is
 * still defective after a second request has failed.
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
	let isOpenEnded = false;
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
				isOpenEnded = before?.failure !== undefined;
				if (isOpenEnded || (before?.value?.rows.length ?? 0) < pageSize) break;
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
		isOpenEnded,
		missingRows: inspect().reduce((sum, defect) => sum + defect.missingRows, 0),
	};
}

/**
 * Creates the function that repairs a search's pages, from a page on.
 *
 * It requests defective pages once more, and the pages that they repeat, because either of two equal pages may be wrong.
 * Pages that are still defective have failed; of equal pages, the later ones. The response with more rows is kept. No
 * page is requested more than twice.
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
				const hadMore = (before?.value.rows.length ?? 0) > outcome.value.rows.length;
				const better = before !== undefined && hadMore ? before : outcome;
				kept.set(page, better);
				outcomes.set(page, better);
			}
			const affected = new Set(defects.flatMap(({ page, repeats }) => [page, ...repeats]));
			const remaining = [...affected].filter((page) => !requested.has(page));
			if (remaining.length === 0) return;
			await Promise.all(remaining.map(requestAgain));
		}
	};
}

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);

/** The failure of a search with missing pages: which ones, why, and how to get them. */
export function missingPagesFailure(
	{ missing, isOpenEnded }: FetchedPages,
	failure: Failure,
): Failure {
	const [first = 1] = missing;
	const pages = `${missing.length === 1 ? 'Page' : 'Pages'} ${formatPageRanges(missing)}${isOpenEnded ? ' and all after it' : ''}`;
	return {
		...failure,
		message: `${pages} could not be fetched: ${failure.message} To get the missing rows, run again with Start Page ${first} under Options.`,
		details: { ...failure.details, missing_pages: [...missing], start_page: first },
	};
}
