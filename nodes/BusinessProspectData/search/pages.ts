import type { Failure, Outcome } from '../core/outcome';
import {
	type Page,
	lastPageWithPlausibleTotals,
	type PagingOptions,
	reportedPageCount,
} from './page';
import { createPageInspector, type PageDefect, type PageInspector } from './pageDefects';

interface FailedPage {
	readonly page: number;
	/** The page, if it was received but is defective. */
	readonly value?: Page | undefined;
	readonly failure: Failure;
}

export interface FetchedPages {
	/** The pages received, in order, including defective ones. */
	readonly received: readonly Page[];
	readonly failed: readonly FailedPage[];
	/** A search without a page count ended at this failed page. It is unknown which pages follow. */
	readonly brokeOffAt?: number | undefined;
	/** The number of rows missing from the last page that excluded people can't explain. */
	readonly missingRows: number;
	/** The service's total for the search, including pages that weren't fetched. */
	readonly totalRows?: number | undefined;
	/** The page after the last one wanted, if the search seems to continue there. */
	readonly continuesAt?: number;
}

type FetchPage = (page: number) => Promise<Outcome<Page>>;

/**
 * Fetches the first page, then the reported pages in parallel. If the first page reports no page count, goes on page by page
 * while pages are full, because the row total may be too low. If the first page isn't received, fetches no other.
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
	 * Repeats while later totals add pages. Returns the latest page count, and the largest one so far as `reportedUpTo`: of the
	 * pages up to it, all that are wanted were requested.
	 */
	async function fetchReported(first: Page) {
		let reportedUpTo = startPage;
		let pageCount = reportedPageCount(first, pageSize);
		do {
			await fetchAll(range(reportedUpTo + 1, Math.min(lastWanted, pageCount)));
			await repair();
			reportedUpTo = Math.max(reportedUpTo, pageCount);
			const lastPage = lastPageWithPlausibleTotals(outcomes, pageSize);
			if (lastPage !== undefined) pageCount = reportedPageCount(lastPage, pageSize);
		} while (pageCount > reportedUpTo && reportedUpTo < lastWanted);
		return { reportedUpTo, pageCount };
	}

	/** Returns the number of the last page requested. */
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
			// `defect.missingRows` is 0 for every page but the last.
			missingRows: inspector.inspectAll().reduce((sum, defect) => sum + defect.missingRows, 0),
			totalRows: lastPageWithPlausibleTotals(outcomes, pageSize)?.totalRows,
			...(continues && { continuesAt: lastWanted + 1 }),
		};
	}

	await fetchAll([startPage]);
	const first = outcomes.get(startPage)?.value;
	if (first === undefined) return buildResult(false);
	const { reportedUpTo, pageCount } = await fetchReported(first);
	if (first.totalPages) return buildResult(pageCount > lastWanted);
	const last = await fetchUnreported(Math.min(reportedUpTo, lastWanted));
	// If `last` failed, it is unknown which pages follow, unless a total reported more pages than are wanted.
	const brokeOff = reportedUpTo <= lastWanted && outcomes.get(last)?.failure !== undefined;
	const continues = pageCount > lastWanted || isFull(lastWanted);
	return buildResult(continues, brokeOff ? last : undefined);
}

/**
 * Requests defective pages a second time, and also the earlier pages whose rows they repeat, because either may be wrong. Pages
 * that stay defective count as failed, except a last page with too few rows.
 *
 * @returns a function that repairs the pages; `from` is the page at which the first inspection starts
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
		 * For each defective page, the outcome with the most new rows. `refetch` doesn't know which rows of a second response are
		 * repeated, so it may replace a better first response.
		 */
		const best = new Map<number, PageDefect['outcome']>();
		let defects = from === undefined ? inspectAll() : inspectFrom(from);
		while (defects.length > 0) {
			for (const { page, outcome } of defects) {
				const known = best.get(page) ?? outcome;
				const fuller = rowCount(known) > rowCount(outcome) ? known : outcome;
				best.set(page, fuller);
				outcomes.set(page, fuller);
			}
			const affected = new Set(defects.flatMap(({ page, repeats }) => [page, ...repeats]));
			const toRefetch = [...affected].filter((page) => !refetched.has(page));
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
