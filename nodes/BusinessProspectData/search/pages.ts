import type { Failure, Outcome } from '../core/outcome';
import { LACKS_ROWS, lacksRows, type Page, type PagingOptions, reportedPageCount } from './page';

export interface FetchedPages {
	/** In order. */
	readonly received: readonly Page[];
	readonly failed: ReadonlyArray<{ readonly page: number; readonly failure: Failure }>;
	/** A search without a page count ended at this failed page. It is unknown which pages follow. */
	readonly brokeOffAt?: number | undefined;
	/** The page after the last one wanted, if the search seems to continue there. */
	readonly continuesAt?: number;
}

/**
 * Fetches the first page, then the reported pages in parallel. If the first page reports no page count, goes on page by page
 * while pages are full, because the row total may be too low. If the first page isn't received, fetches no other.
 */
export async function fetchPages(
	fetch: (page: number) => Promise<Outcome<Page>>,
	{ startPage, pageSize, limit, excludedCount = 0 }: PagingOptions,
): Promise<FetchedPages> {
	const lastWanted = startPage + Math.ceil(limit / pageSize) - 1;
	const outcomes = new Map<number, Outcome<Page>>();
	let last = startPage - 1;

	async function fetchUpTo(page: number): Promise<void> {
		const numbers = Array.from({ length: Math.max(0, page - last) }, (_, at) => last + 1 + at);
		last = Math.max(last, page);
		const fetched = await Promise.all(numbers.map(fetch));
		fetched.forEach((outcome, at) => outcomes.set(numbers[at] ?? 0, outcome));
	}
	/** Excluded people may be missing from a full page. */
	const isFull = (page: number): boolean =>
		(outcomes.get(page)?.value?.rows.length ?? 0) >= Math.max(1, pageSize - excludedCount);

	await fetchUpTo(startPage);
	let first = outcomes.get(startPage)?.value;
	if (first !== undefined && startPage === 1 && excludedCount === 0 && lacksRows(first)) {
		outcomes.set(startPage, { failure: { ...LACKS_ROWS, correlationId: first.correlationId } });
		first = undefined;
	}
	const pageCount = first === undefined ? 0 : reportedPageCount(first, pageSize);
	await fetchUpTo(Math.min(lastWanted, pageCount));
	const hasPageCount = first === undefined || Boolean(first.totalPages);
	while (!hasPageCount && last < lastWanted && isFull(last)) await fetchUpTo(last + 1);

	const continues = pageCount > lastWanted || (!hasPageCount && isFull(lastWanted));
	// If the last page requested failed, it is unknown whether pages follow, unless a total says so.
	const brokeOff = !hasPageCount && !continues && outcomes.get(last)?.failure !== undefined;
	return {
		received: [...outcomes.values()].flatMap(({ value }) => value ?? []),
		failed: [...outcomes].flatMap(([page, { failure }]) =>
			failure === undefined ? [] : { page, failure },
		),
		brokeOffAt: brokeOff ? last : undefined,
		...(continues && { continuesAt: lastWanted + 1 }),
	};
}
