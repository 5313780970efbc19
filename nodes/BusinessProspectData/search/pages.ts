import type { Failure, Outcome } from '../core/outcome';
import { type Page, lastPageWithTotals, type PagingOptions, reportedPageCount } from './page';
import { createPageInspector, type PageDefect, type PageInspector } from './pageDefects';

/** A page that failed, with its rows if it was received but is defective. */
interface FailedPage {
	readonly page: number;
	readonly value?: Page | undefined;
	readonly failure: Failure;
}

export interface FetchedPages {
	/** The pages received, in order, including defective ones. */
	readonly received: readonly Page[];
	/** The pages that failed, in order. */
	readonly failed: readonly FailedPage[];
	/**
	 * The failed page at which a search without a page count broke off. A later search must start there: what follows is
	 * unknown.
	 */
	readonly brokeOffAt?: number | undefined;
	/** Rows missing from the last page according to the total, minus those that excluded people may explain. */
	readonly missingRows: number;
	/** The number of rows on all pages, as the service reports it; undefined if it doesn't, or if no page has rows. */
	readonly totalRows?: number | undefined;
	/**
	 * The page after the last one wanted; absent if the search doesn't seem to continue there, or if the first page wasn't
	 * received.
	 */
	readonly continuesAt?: number;
}

type FetchPage = (page: number) => Promise<Outcome<Page>>;

/**
 * Fetches the first page, then the reported ones in parallel, then those that a later total adds. If the first page doesn't
 * report a page count, goes on page by page until one isn't full: the total may be too low. If the first page isn't received,
 * fetches no other; if a later one fails, keeps the rest. A page that is still defective after a second request counts as
 * failed, unless it is a last page with too few rows.
 */
export async function fetchPages(fetch: FetchPage, paging: PagingOptions): Promise<FetchedPages> {
	const { startPage, pageSize, limit, excludedCount = 0 } = paging;
	// Excluded people may be missing from a full page.
	const isFull = (page: number): boolean => {
		const outcome = outcomes.get(page);
		const minRows = Math.max(1, pageSize - excludedCount);
		return outcome?.failure === undefined && rowCount(outcome) >= minRows;
	};
	const lastWanted = startPage + Math.ceil(limit / pageSize) - 1;
	const outcomes = new Map<number, Outcome<Page>>();
	const inspector = createPageInspector(outcomes, paging);
	const repair = createRepair(outcomes, inspector, fetch);
	const fetchAll = async (wanted: readonly number[]) => {
		await Promise.all(wanted.map(async (page) => outcomes.set(page, await fetch(page))));
	};

	/**
	 * Fetches the pages that totals report, none after `lastWanted`, until a total adds no more. Returns the latest page count, and
	 * the largest one that decided which pages to fetch (`lastReported`, at least `startPage`): all pages up to it were fetched,
	 * except unwanted ones.
	 */
	async function fetchReported(first: Page) {
		let lastReported = startPage;
		let pageCount = reportedPageCount(first, pageSize);
		do {
			await fetchAll(range(lastReported + 1, Math.min(lastWanted, pageCount)));
			await repair();
			lastReported = Math.max(lastReported, pageCount);
			const lastPage = lastPageWithTotals(outcomes, pageSize);
			if (lastPage !== undefined) pageCount = reportedPageCount(lastPage, pageSize);
		} while (pageCount > lastReported && lastReported < lastWanted);
		return { lastReported, pageCount };
	}

	/**
	 * Fetches the pages after `page`, one by one, until one isn't full or no more are wanted. Returns the number of the last page
	 * fetched.
	 */
	async function fetchUnreported(page: number): Promise<number> {
		let last = page;
		while (last < lastWanted && isFull(last)) {
			await fetchAll([++last]);
			await repair(last);
		}
		return last;
	}

	function buildResult(continues: boolean, brokeOffAt?: number): FetchedPages {
		const inOrder = [...outcomes].sort(([a], [b]) => a - b);
		return {
			received: inOrder.flatMap(([, { value }]) => value ?? []),
			failed: inOrder.flatMap(([page, { value, failure }]) =>
				failure === undefined ? [] : { page, value, failure },
			),
			brokeOffAt,
			// Only the last page can have missing rows: other defective pages have failed.
			missingRows: inspector.inspectAll().reduce((sum, defect) => sum + defect.missingRows, 0),
			totalRows: lastPageWithTotals(outcomes, pageSize)?.totalRows,
			...(continues && { continuesAt: lastWanted + 1 }),
		};
	}

	await fetchAll([startPage]);
	const first = outcomes.get(startPage)?.value;
	if (first === undefined) return buildResult(false);
	const { lastReported, pageCount } = await fetchReported(first);
	if (first.totalPages) return buildResult(pageCount > lastWanted);
	const last = await fetchUnreported(Math.min(lastReported, lastWanted));
	// If `last` failed, what follows it is unknown, unless `lastReported` shows that pages follow the last wanted one.
	const brokeOff = lastReported <= lastWanted && outcomes.get(last)?.failure !== undefined;
	const continues = pageCount > lastWanted || isFull(lastWanted);
	return buildResult(continues, brokeOff ? last : undefined);
}

/**
 * Creates the function that repairs a search's pages. With `from`, the first inspection starts at that page.
 *
 * - Requests each defective page once more, and also the earlier pages whose rows it repeats, because either may be wrong. No
 *   page is requested more than twice.
 * - Keeps the response with more rows, or the second if both have as many. Rows that a defective page repeats don't count.
 * - Marks a page that is still defective as failed, unless it is a last page with too few rows. Of two pages that share rows,
 *   only the later one is marked.
 */
function createRepair(
	outcomes: Map<number, Outcome<Page>>,
	{ inspectAll, inspectFrom }: PageInspector,
	fetch: FetchPage,
): (from?: number) => Promise<void> {
	const refetched = new Set<number>();
	const refetch = async (page: number) => {
		refetched.add(page);
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
		 * For each defective page, the outcome with the most rows that aren't repeated. `refetch` can't tell which rows of a second
		 * response are repeated, so it may replace a better first response, which is then restored from here.
		 */
		const best = new Map<number, PageDefect['outcome']>();
		let defects = from === undefined ? inspectAll() : inspectFrom(from);
		while (defects.length > 0) {
			// Marks the pages as failed, except a last page with too few rows. `refetch` removes the mark if the second response has
			// at least as many rows.
			for (const { page, outcome } of defects) {
				const known = best.get(page) ?? outcome;
				const fuller = rowCount(known) > rowCount(outcome) ? known : outcome;
				best.set(page, fuller);
				outcomes.set(page, fuller);
			}
			const affected = new Set(defects.flatMap(({ page, repeats }) => [page, ...repeats]));
			const toRefetch = [...affected].filter((page) => !refetched.has(page));
			// Defects that a second request didn't repair stay.
			if (toRefetch.length === 0) return;
			await Promise.all(toRefetch.map(refetch));
			// A new response may change which page is the first to have a row's ID, so all pages are inspected again.
			defects = inspectAll();
		}
	};
}

const rowCount = (outcome: Outcome<Page> | undefined): number => outcome?.value?.rows.length ?? 0;

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
