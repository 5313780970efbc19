import type { IDataObject } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import { formatPageRanges, type Page, lastPageWithTotals, type PagingOptions } from './page';

/**
 * A page that repeats more than this share of its rows from earlier pages is defective. Fewer duplicates are normal
 * when data changes during a search.
 */
const MAX_REPEATED_SHARE = 0.1;

/** A page that can't be right: it has too few rows, or too many of its rows are on earlier pages. */
export interface PageDefect {
	readonly page: number;
	/** The earlier pages that have rows of this page, if too many rows are repeated; otherwise empty. */
	readonly repeats: readonly number[];
	/** Rows missing from the last page according to the total, minus those that excluded people may explain; 0 for other pages. */
	readonly missingRows: number;
	/**
	 * The page, without the repeated rows if they are too many, and a failure. For a last page with too few rows: the page as it
	 * is, without a failure.
	 */
	readonly outcome: Outcome<Page> & { readonly value: Page };
}

/** Finds the defective pages of a search. Remembers which page each row was on first. */
export interface PageInspector {
	/** Forgets earlier inspections and inspects all pages. */
	readonly inspectAll: () => PageDefect[];
	/** Inspects the pages from `page` on. Those before it must have been inspected, and not have changed since. */
	readonly inspectFrom: (page: number) => PageDefect[];
}

/**
 * Creates the inspector of a search's pages.
 *
 * - A page before the last must have as many rows as are wanted: a full page, or what `limit` leaves. The last page needs only
 *   those that the total leaves for it. On all pages together, as many rows may be missing as people are excluded.
 * - No page may have a larger share of duplicates than `MAX_REPEATED_SHARE`, except a last page that isn't full.
 * - A page's own totals decide whether it is the last, because totals may shrink during a search. Without plausible ones, the
 *   first page's totals decide. A page is never the last if a later page has rows.
 * - If as many different IDs were received as the latest total leaves from `startPage` on, no page counts as defective.
 *
 * @param outcomes by page number; may change between inspections
 */
export function createPageInspector(
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	{ startPage, pageSize, limit, excludedCount = 0, idOf }: PagingOptions,
): PageInspector {
	/** For each ID, the first page that has it. */
	const seen = new Map<string, number>();
	/** How many more rows may be missing, because they may be those of excluded people. */
	let allowedMissing = excludedCount;

	/**
	 * Records in `seen` the first page of each row that has an ID. Returns the rows that no earlier page has (`newRows`) and, if
	 * too many rows are repeated, the earlier pages that have them (`repeats`).
	 */
	function splitRepeats(page: number, rows: readonly IDataObject[]) {
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

	/**
	 * True if a page count is known and covers the page that reports it. An empty page needn't be covered: it may lie beyond
	 * the last one.
	 */
	const isPlausiblePageCount = (count: number, page: number, { rows }: Page) =>
		count > 0 && (rows.length === 0 || count >= page);

	/**
	 * The number of the last page according to a response's totals; 0 if none is plausible. Unlike `reportedPageCount`, prefers
	 * the row total to a larger page count: a good last page would count as defective if more pages seemed to follow.
	 */
	const lastPageNumber = (page: number, response: Page): number =>
		[Math.ceil((response.totalRows ?? 0) / pageSize), response.totalPages ?? 0].find((count) =>
			isPlausiblePageCount(count, page, response),
		) ?? 0;

	/**
	 * How many rows the last page should have, by its own total if that is plausible, otherwise by the first page's. Without a
	 * total, 0 or less: then no row counts as missing.
	 */
	function expectedRows(page: number, response: Page, first: Page): number {
		const ownTotal = response.totalRows ?? 0;
		const isPlausible = isPlausiblePageCount(Math.ceil(ownTotal / pageSize), page, response);
		const total = isPlausible ? ownTotal : (first.totalRows ?? 0);
		return total - (page - 1) * pageSize;
	}

	function inspectFrom(from: number): PageDefect[] {
		const first = outcomes.get(startPage)?.value;
		if (first === undefined) return [];
		const inOrder = [...outcomes].sort(([a], [b]) => a - b);
		const lastWithRows = inOrder.findLast(([, { value }]) => value?.rows.length)?.[0] ?? 0;

		const defects = inOrder.flatMap(([page, { value, failure }]): PageDefect[] => {
			if (page < from || value === undefined) return [];
			// Failed pages too: later pages may repeat their rows.
			const { newRows, repeats } = splitRepeats(page, value.rows);
			if (failure !== undefined) return [];
			const last = Math.max(
				lastWithRows,
				lastPageNumber(page, value) || lastPageNumber(startPage, first),
			);
			const wanted = Math.min(pageSize, limit - (page - startPage) * pageSize);
			const count = value.rows.length;
			if (repeats.length > 0 && (page < last || count >= pageSize)) {
				const repeated = count - newRows.length;
				const rows = repeated === count ? 'All rows' : `${repeated} of ${count} rows`;
				const pages = `${repeats.length === 1 ? 'page' : 'pages'} ${formatPageRanges(repeats)}`;
				const what = `${rows} ${repeated === 1 ? 'was' : 'were'} already on ${pages}`;
				return [defective(page, { ...value, rows: newRows }, repeats, what)];
			}
			if (page === last) {
				const expected = Math.min(wanted, expectedRows(page, value, first));
				const missingRows = expected - count - allowedMissing;
				return missingRows > 0 ? [{ page, repeats, missingRows, outcome: { value } }] : [];
			}
			if (page > last || count >= wanted) return [];
			if (wanted - count <= allowedMissing) {
				allowedMissing -= wanted - count;
				return [];
			}
			return [defective(page, value, [], `The service sent ${count} of ${wanted} rows`)];
		});
		const total = lastPageWithTotals(outcomes, pageSize)?.totalRows ?? first.totalRows;
		if (total === undefined) return defects;
		const expected = total - (startPage - 1) * pageSize;
		return seen.size === expected ? [] : defects;
	}

	return {
		inspectAll() {
			seen.clear();
			allowedMissing = excludedCount;
			return inspectFrom(startPage);
		},
		inspectFrom,
	};
}

/** @param what begins the message, which is shown only if a second request doesn't help */
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
