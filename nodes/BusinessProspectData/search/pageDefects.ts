import type { IDataObject } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import {
	formatPageRanges,
	lacksRows,
	type Page,
	lastPageWithPlausibleTotals,
	type PagingOptions,
} from './page';

/** Up to this share of a page's rows may also be on earlier pages, because data may change during a search. */
const MAX_REPEATED_SHARE = 0.1;

/** A page with too few rows, or with too many rows that are also on earlier pages. */
export interface PageDefect {
	readonly page: number;
	/** If too many rows are repeated: the earlier pages that have them. */
	readonly repeats: readonly number[];
	/** Only for the last page: the number of missing rows that excluded people can't explain. */
	readonly missingRows: number;
	/** A last page with too few rows has no failure: the total may be wrong, so users get a warning instead. */
	readonly outcome: Outcome<Page> & { readonly value: Page };
}

/**
 * Returns the defective pages that don't count as failed yet. Prefers a page's own totals, if plausible, to the first page's,
 * because totals may shrink during a search.
 *
 * @param outcomes by page number, in order
 */
export function inspectPages(
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	{ startPage, pageSize, limit, excludedCount = 0, idOf }: PagingOptions,
): PageDefect[] {
	const first = outcomes.get(startPage)?.value;
	if (first === undefined) return [];
	const lastWithRows = [...outcomes].findLast(([, { value }]) => value?.rows.length)?.[0] ?? 0;
	/** For each ID, the first page that has it. */
	const seen = new Map<string, number>();
	/** The number of further missing rows that excluded people may explain. */
	let allowedMissing = excludedCount;
	const defects: PageDefect[] = [];
	for (const [page, { value, failure }] of outcomes) {
		if (value === undefined) continue;
		// Includes the rows of pages that count as failed, because later pages may repeat them.
		const { newRows, repeats } = splitRepeats(page, value.rows, seen, idOf);
		if (failure !== undefined) continue;
		const last = Math.max(
			lastWithRows,
			lastPageNumber(page, value, pageSize) || lastPageNumber(startPage, first, pageSize),
		);
		const wanted = Math.min(pageSize, limit - (page - startPage) * pageSize);
		const count = value.rows.length;
		// On a short last page, one person who has moved there may already be too many.
		if (repeats.length > 0 && (page < last || count >= pageSize)) {
			const repeated = count - newRows.length;
			const rows = repeated === count ? 'All rows' : `${repeated} of ${count} rows`;
			const pages = `${repeats.length === 1 ? 'page' : 'pages'} ${formatPageRanges(repeats)}`;
			const what = `${rows} ${repeated === 1 ? 'was' : 'were'} already on ${pages}`;
			defects.push(defective(page, { ...value, rows: newRows }, repeats, what));
		} else if (page === 1 && lacksRows(value, excludedCount)) {
			defects.push(defective(page, value, [], `The service sent 0 of ${wanted} rows`));
		} else if (page === last) {
			const expected = Math.min(wanted, expectedRows(page, value, first, pageSize));
			const missingRows = expected - count - allowedMissing;
			if (missingRows > 0) defects.push({ page, repeats, missingRows, outcome: { value } });
		} else if (page < last && count < wanted) {
			const missing = wanted - count;
			if (missing <= allowedMissing) allowedMissing -= missing;
			else defects.push(defective(page, value, [], `The service sent ${count} of ${wanted} rows`));
		}
	}
	const total = lastPageWithPlausibleTotals(outcomes, pageSize)?.totalRows ?? first.totalRows;
	// If the number of different people is as expected, no one seems to be missing.
	return total !== undefined && seen.size === total - (startPage - 1) * pageSize ? [] : defects;
}

/** Adds new IDs to `seen`. If too many rows are repeated, `repeats` lists the earlier pages that have them. */
function splitRepeats(
	page: number,
	rows: readonly IDataObject[],
	seen: Map<string, number>,
	idOf: PagingOptions['idOf'],
) {
	const earlierPages = new Set<number>();
	const newRows = rows.filter((row) => {
		const id = idOf(row);
		const firstPage = id === undefined ? page : (seen.get(id) ?? page);
		if (id !== undefined) seen.set(id, firstPage);
		if (firstPage !== page) earlierPages.add(firstPage);
		return firstPage === page;
	});
	const tooMany = rows.length - newRows.length > rows.length * MAX_REPEATED_SHARE;
	return { newRows, repeats: tooMany ? [...earlierPages].sort((a, b) => a - b) : [] };
}

/** An unknown count is 0. An empty page may lie beyond the last page. */
const isPlausiblePageCount = (count: number, page: number, { rows }: Page) =>
	count > 0 && (rows.length === 0 || count >= page);

/**
 * Returns 0 if no total is plausible. Prefers the row total: with a page count that is too large, a good last page would seem
 * to have too few rows.
 */
const lastPageNumber = (page: number, response: Page, pageSize: number): number =>
	[Math.ceil((response.totalRows ?? 0) / pageSize), response.totalPages ?? 0].find((count) =>
		isPlausiblePageCount(count, page, response),
	) ?? 0;

/** Presumes that `page` is the last. Without a total, returns 0 or less, so that no row counts as missing. */
function expectedRows(page: number, response: Page, first: Page, pageSize: number): number {
	const ownTotal = response.totalRows ?? 0;
	const isPlausible = isPlausiblePageCount(Math.ceil(ownTotal / pageSize), page, response);
	const total = isPlausible ? ownTotal : (first.totalRows ?? 0);
	return total - (page - 1) * pageSize;
}

/** Users see the failure only if a second request didn't help. */
const defective = (
	page: number,
	value: Page,
	repeats: readonly number[],
	what: string,
): PageDefect => ({
	page,
	repeats,
	missingRows: 0,
	outcome: {
		value,
		failure: {
			kind: 'unreadable',
			message: `${what}, even after a second request.`,
			correlationId: value.correlationId,
		},
	},
});
