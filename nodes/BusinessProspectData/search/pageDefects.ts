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
 * Finds the defective pages of a search. Prefers a page's own totals, if plausible, to the first page's, because totals may
 * shrink during a search.
 *
 * @param outcomes by page number
 */
export function inspectPages(
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	{ startPage, pageSize, limit, excludedCount = 0, idOf }: PagingOptions,
): PageDefect[] {
	const first = outcomes.get(startPage)?.value;
	if (first === undefined) return [];
	const inOrder = [...outcomes].sort(([a], [b]) => a - b);
	const lastWithRows = inOrder.findLast(([, { value }]) => value?.rows.length)?.[0] ?? 0;
	/** For each ID, the first page that has it. */
	const seen = new Map<string, number>();
	/** The number of further missing rows that excluded people may explain. */
	let allowedMissing = excludedCount;

	/** Adds new IDs to `seen`. If too many rows are repeated, `repeats` lists the earlier pages that have them. */
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

	/** An unknown count is 0. An empty page may lie beyond the last page. */
	const isPlausiblePageCount = (count: number, page: number, { rows }: Page) =>
		count > 0 && (rows.length === 0 || count >= page);

	/**
	 * Returns 0 if no total is plausible. Prefers the row total: with a page count that is too large, a good last page would seem
	 * to have too few rows.
	 */
	const lastPageNumber = (page: number, response: Page): number =>
		[Math.ceil((response.totalRows ?? 0) / pageSize), response.totalPages ?? 0].find((count) =>
			isPlausiblePageCount(count, page, response),
		) ?? 0;

	/** Presumes that `page` is the last. Without a total, returns 0 or less, so that no row counts as missing. */
	function expectedRows(page: number, response: Page): number {
		const ownTotal = response.totalRows ?? 0;
		const isPlausible = isPlausiblePageCount(Math.ceil(ownTotal / pageSize), page, response);
		const total = isPlausible ? ownTotal : (first?.totalRows ?? 0);
		return total - (page - 1) * pageSize;
	}

	const defects = inOrder.flatMap(([page, { value, failure }]): PageDefect[] => {
		if (value === undefined) return [];
		// Includes the rows of defective pages, which count as failed after an earlier inspection: later pages may repeat them.
		const { newRows, repeats } = splitRepeats(page, value.rows);
		if (failure !== undefined) return [];
		const last = Math.max(
			lastWithRows,
			lastPageNumber(page, value) || lastPageNumber(startPage, first),
		);
		const wanted = Math.min(pageSize, limit - (page - startPage) * pageSize);
		const count = value.rows.length;
		// On a short last page, one person who has moved there may already be too many.
		if (repeats.length > 0 && (page < last || count >= pageSize)) {
			const repeated = count - newRows.length;
			const rows = repeated === count ? 'All rows' : `${repeated} of ${count} rows`;
			const pages = `${repeats.length === 1 ? 'page' : 'pages'} ${formatPageRanges(repeats)}`;
			const what = `${rows} ${repeated === 1 ? 'was' : 'were'} already on ${pages}`;
			return [defective(page, { ...value, rows: newRows }, repeats, what)];
		}
		if (page === 1 && lacksRows(value, excludedCount)) {
			return [defective(page, value, [], `The service sent 0 of ${wanted} rows`)];
		}
		if (page === last) {
			const expected = Math.min(wanted, expectedRows(page, value));
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
	const total = lastPageWithPlausibleTotals(outcomes, pageSize)?.totalRows ?? first.totalRows;
	if (total === undefined) return defects;
	const expected = total - (startPage - 1) * pageSize;
	// If the number of different people is as expected, no one seems to be missing.
	return seen.size === expected ? [] : defects;
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
