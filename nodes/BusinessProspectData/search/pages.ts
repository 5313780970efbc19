import type { Failure, Outcome } from '../core/outcome';
import {
	type Page,
	lastPageWithPlausibleTotals,
	type PagingOptions,
	reportedPageCount,
} from './page';
import { inspectPages, type PageDefect } from './pageDefects';

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
	const { startPage, pageSize, limit, excludedCount = 0, idOf } = paging;
	const lastWanted = startPage + Math.ceil(limit / pageSize) - 1;
	const outcomes = new Map<number, Outcome<Page>>();
	const repair = createRepair(outcomes, paging, fetch);
	let lastRequested = startPage - 1;

	async function requestUpTo(page: number): Promise<void> {
		const added = range(lastRequested + 1, page);
		lastRequested = Math.max(lastRequested, page);
		const fetched = added.map(async (number) => ({ number, outcome: await fetch(number) }));
		for (const { number, outcome } of await Promise.all(fetched)) outcomes.set(number, outcome);
	}

	/** Goes on while later totals add pages. Returns the latest page count. */
	async function fetchReported(first: Page): Promise<number> {
		let pageCount = reportedPageCount(first, pageSize);
		do {
			await requestUpTo(Math.min(lastWanted, pageCount));
			await repair();
			const lastPage = lastPageWithPlausibleTotals(outcomes, pageSize);
			if (lastPage !== undefined) pageCount = reportedPageCount(lastPage, pageSize);
		} while (Math.min(lastWanted, pageCount) > lastRequested);
		return pageCount;
	}

	/** Excluded people may be missing from a full page. */
	const isFull = (page: number): boolean => {
		const outcome = outcomes.get(page);
		const minRows = Math.max(1, pageSize - excludedCount);
		return outcome?.failure === undefined && rowCount(outcome) >= minRows;
	};

	const receivedIds = () =>
		new Set([...outcomes.values()].flatMap(({ value }) => value?.rows.map(idOf) ?? []));

	async function fetchUnreported(): Promise<void> {
		let known = receivedIds();
		while (lastRequested < lastWanted && isFull(lastRequested)) {
			await requestUpTo(lastRequested + 1);
			const { rows = [] } = outcomes.get(lastRequested)?.value ?? {};
			const ids = rows.flatMap((row) => idOf(row) ?? []);
			// A full page of new people has no defect. Inspecting all pages after each one would be slow.
			if (rows.length >= pageSize && !ids.some((id) => known.has(id))) {
				for (const id of ids) known.add(id);
			} else {
				await repair();
				known = receivedIds();
			}
		}
	}

	function buildResult(continues: boolean, brokeOffAt?: number): FetchedPages {
		return {
			received: [...outcomes].flatMap(([, { value }]) => value ?? []),
			failed: [...outcomes].flatMap(([page, { value, failure }]) =>
				failure === undefined ? [] : { page, value, failure },
			),
			brokeOffAt,
			// `defect.missingRows` is 0 for every page but the last.
			missingRows: inspectPages(outcomes, paging).reduce(
				(sum, defect) => sum + defect.missingRows,
				0,
			),
			totalRows: lastPageWithPlausibleTotals(outcomes, pageSize)?.totalRows,
			...(continues && { continuesAt: lastWanted + 1 }),
		};
	}

	await requestUpTo(startPage);
	const first = outcomes.get(startPage)?.value;
	if (first === undefined) return buildResult(false);
	const pageCount = await fetchReported(first);
	const moreReported = pageCount > lastWanted;
	if (first.totalPages) return buildResult(moreReported);
	await fetchUnreported();
	// If the last page requested failed, it is unknown whether pages follow, unless a total says so.
	const brokeOff = !moreReported && outcomes.get(lastRequested)?.failure !== undefined;
	return buildResult(moreReported || isFull(lastWanted), brokeOff ? lastRequested : undefined);
}

/**
 * Requests defective pages a second time, and also the earlier pages whose rows they repeat, because either may be wrong. Pages
 * that stay defective count as failed, except a last page with too few rows.
 *
 * @returns a function that repairs the pages received so far
 */
function createRepair(
	outcomes: Map<number, Outcome<Page>>,
	paging: PagingOptions,
	fetch: FetchPage,
): () => Promise<void> {
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
	return async () => {
		/**
		 * For each defective page, the outcome with the most new rows. `refetch` doesn't know which rows of a second response are
		 * repeated, so it may replace a better first response.
		 */
		const best = new Map<number, PageDefect['outcome']>();
		let defects = inspectPages(outcomes, paging);
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
			defects = inspectPages(outcomes, paging);
		}
	};
}

const rowCount = (outcome: Outcome<Page> | undefined): number => outcome?.value?.rows.length ?? 0;

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
