import { type Failure, rootCause, type Outcome } from '../core/outcome';
import { type Page, lastPageWithTotals, type PagingOptions, reportedPageCount } from './page';
import { createPageInspector, type PageDefect, type PageInspector } from './pageDefects';

/** Pages received, including incomplete ones, and the numbers of the pages that failed. */
export interface FetchedPages {
	readonly received: readonly Page[];
	readonly failedPages: readonly number[];
	/** True if every failed page was received, but incomplete. */
	readonly failedAreIncomplete: boolean;
	readonly failure?: Failure;
	/**
	 * The failed page at which a search without a page count broke off. A later search must start there: what follows is
	 * unknown.
	 */
	readonly brokeOffAt?: number | undefined;
	/** True if pages after `brokeOffAt` were wanted. */
	readonly lacksRest: boolean;
	/** Rows missing from the last page, according to the total. */
	readonly missingRows: number;
	/** The latest number of rows on all pages, if the responses have it. */
	readonly totalRows?: number | undefined;
	/** The page after the last one wanted; absent if the search doesn't seem to continue there, or if the first page failed. */
	readonly next?: number;
}

type FetchPage = (page: number) => Promise<Outcome<Page>>;

/**
 * Fetches the first page, then the reported ones in parallel, then those that a later total adds. If the first page doesn't
 * report a page count, goes on page by page until one isn't full: the total may be too low. Keeps the other pages if one
 * fails. A page that is still defective after a second request counts as failed, unless it is a last page with too few rows.
 */
export async function fetchPages(fetch: FetchPage, paging: PagingOptions): Promise<FetchedPages> {
	const { startPage, pageSize, limit } = paging;
	const lastWanted = startPage + Math.ceil(limit / pageSize) - 1;
	const outcomes = new Map<number, Outcome<Page>>();
	const inspector = createPageInspector(outcomes, paging);
	const repair = createRepair(outcomes, inspector, fetch);
	const fetchAll = async (wanted: readonly number[]) => {
		await Promise.all(wanted.map(async (page) => outcomes.set(page, await fetch(page))));
	};

	/**
	 * Fetches the pages that totals report, none after `lastWanted`. Returns the largest page count ever reported (at least
	 * `startPage`), and the one that the last page reports.
	 */
	async function fetchReported(first: Page) {
		let maxPageCount = startPage;
		let pageCount = reportedPageCount(first, pageSize);
		do {
			await fetchAll(range(maxPageCount + 1, Math.min(lastWanted, pageCount)));
			await repair();
			maxPageCount = Math.max(maxPageCount, pageCount);
			const lastPage = lastPageWithTotals(outcomes, pageSize);
			if (lastPage !== undefined) pageCount = reportedPageCount(lastPage, pageSize);
		} while (pageCount > maxPageCount && maxPageCount < lastWanted);
		return { maxPageCount, pageCount };
	}

	/** Fetches the pages after `after`, one by one, until one isn't full or no more are wanted. Returns the last page. */
	async function fetchUnreported(after: number): Promise<number> {
		let last = after;
		while (last < lastWanted && isFull(outcomes.get(last), pageSize)) {
			await fetchAll([++last]);
			await repair(last);
		}
		return last;
	}

	function fetchedPages(hasMore: boolean, brokeOffAt?: number): FetchedPages {
		const inOrder = [...outcomes].sort(([a], [b]) => a - b);
		const failed = inOrder.flatMap(([page, { value, failure }]) =>
			failure === undefined ? [] : [{ page, value, failure }],
		);
		return {
			received: inOrder.flatMap(([, { value }]) => (value === undefined ? [] : [value])),
			failedPages: failed.map(({ page }) => page),
			failedAreIncomplete: failed.every(({ value }) => value !== undefined),
			failure: rootCause(failed)?.failure,
			brokeOffAt,
			lacksRest: brokeOffAt !== undefined && brokeOffAt < lastWanted,
			missingRows: inspector.inspectAll().reduce((sum, defect) => sum + defect.missingRows, 0),
			totalRows: lastPageWithTotals(outcomes, pageSize)?.totalRows,
			...(hasMore && { next: lastWanted + 1 }),
		};
	}

	await fetchAll([startPage]);
	const first = outcomes.get(startPage)?.value;
	if (first === undefined) return fetchedPages(false);
	const { maxPageCount, pageCount } = await fetchReported(first);
	if (first.totalPages) return fetchedPages(pageCount > lastWanted);
	const last = await fetchUnreported(Math.min(maxPageCount, lastWanted));
	// If more pages were reported than wanted, the last wanted one isn't the end.
	const hasFailedEnd = maxPageCount <= lastWanted && outcomes.get(last)?.failure !== undefined;
	const hasMore = pageCount > lastWanted || isFull(outcomes.get(lastWanted), pageSize);
	return fetchedPages(hasMore, hasFailedEnd ? last : undefined);
}

/**
 * Creates the function that repairs a search's pages. With `from`, the first inspection starts at that page.
 *
 * It requests each defective page a second time, along with the earlier pages whose rows it repeats, because either page may be
 * the wrong one, and keeps the response with more rows, not counting rows that a defective page repeats. A page that is still defective is marked as failed, unless it is a last
 * page with too few rows. Of two pages that share rows, only the later one is marked. No page is requested more than twice.
 */
function createRepair(
	outcomes: Map<number, Outcome<Page>>,
	{ inspectAll, inspectFrom }: PageInspector,
	fetch: FetchPage,
): (from?: number) => Promise<void> {
	const requested = new Set<number>();
	const refetch = async (page: number) => {
		requested.add(page);
		const second = await fetch(page);
		const first = outcomes.get(page);
		if (second.value !== undefined) {
			if (rowCount(second) >= rowCount(first)) outcomes.set(page, { value: second.value });
		} else if (first?.failure !== undefined) {
			// The second request's own failure explains more than the defect.
			outcomes.set(page, { ...first, failure: second.failure });
		}
	};
	return async (from) => {
		/**
		 * For each defective page, the outcome with the most rows so far. In `refetch`, a second response counts with all its rows. If
		 * it is defective too, it is compared again here, without the rows that it repeats.
		 */
		const best = new Map<number, PageDefect['outcome']>();
		let defects = from === undefined ? inspectAll() : inspectFrom(from);
		while (defects.length > 0) {
			// Marks the pages as failed for now; `refetch` replaces the mark if the second response is no worse.
			for (const { page, outcome } of defects) {
				const known = best.get(page) ?? outcome;
				const fuller = rowCount(known) > rowCount(outcome) ? known : outcome;
				best.set(page, fuller);
				outcomes.set(page, fuller);
			}
			const affected = new Set(defects.flatMap(({ page, repeats }) => [page, ...repeats]));
			const remaining = [...affected].filter((page) => !requested.has(page));
			// Defects that a second request doesn't repair stay.
			if (remaining.length === 0) return;
			await Promise.all(remaining.map(refetch));
			// A new response may change which page is the first to have a row's ID, so all pages are inspected again.
			defects = inspectAll();
		}
	};
}

const rowCount = (outcome: Outcome<Page> | undefined): number => outcome?.value?.rows.length ?? 0;

const isFull = (outcome: Outcome<Page> | undefined, pageSize: number): boolean =>
	outcome?.failure === undefined && rowCount(outcome) >= pageSize;

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
