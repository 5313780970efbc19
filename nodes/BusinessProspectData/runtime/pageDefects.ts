import type { IDataObject } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import type { JsonValue } from '../core/json';

/** One page of a search. */
export interface Page {
	readonly rows: readonly IDataObject[];
	/** The number of rows on all pages, if the response has it. */
	readonly total?: number;
	/** The number of pages, if the response has it. */
	readonly pages?: number;
	readonly responseContext: JsonValue;
	readonly correlationId?: string;
}

/** Which pages of a search are fetched. */
export interface PagingOptions {
	readonly startPage: number;
	readonly pageSize: number;
	/** The number of rows wanted; no page beyond them is fetched. */
	readonly limit: number;
	/** Identifies a row; rows without an ID are never duplicates. */
	readonly idOf: (row: IDataObject) => string | undefined;
}

/**
 * A page that repeats more than this share of its rows from earlier pages is defective. Fewer duplicates are normal
 * when data change during a search.
 */
const MAX_REPEATED_SHARE = 0.1;

/** A page that can't be right: it has too few rows, or too many of them are on earlier pages. */
export interface PageDefect {
	readonly page: number;
	/** The earlier pages that have its rows; empty if rows are missing. */
	readonly repeats: readonly number[];
	/** How many rows the last page has too few, by the total; 0 for other pages. */
	readonly missingRows: number;
	/** The page without repeated rows, and why it counts as failed. A last page with too few rows doesn't. */
	readonly outcome: Outcome<Page> & { readonly value: Page };
}

/** Finds the defective pages from a page on. Inspect pages in order; from the start page on, it starts over. */
export type Inspect = (from?: number) => PageDefect[];

/**
 * Creates the inspection of a search's pages.
 *
 * - Only the last page may have fewer rows than a full one: as many as the total leaves for it. Only a last page that
 *   isn't full may have more duplicates than `MAX_REPEATED_SHARE`.
 * - A page's own totals say whether it is the last: they shrink when data change during a search. Without them, the
 *   first page's do. A page is never the last if a later one has rows.
 * - If as many different rows arrived as the newest total announces, nothing is missing, whatever the pages look like.
 *
 * @param outcomes by page number; may grow between inspections
 */
export function createInspection(
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	{ startPage, pageSize, limit, idOf }: PagingOptions,
): Inspect {
	/** The first page of each ID. */
	const seen = new Map<string, number>();

	/** The rows that are on no earlier page, and the earlier pages that have too many of the others. */
	function compare(page: number, rows: readonly IDataObject[]) {
		const pages = new Set<number>();
		const own = rows.filter((row) => {
			const id = idOf(row);
			const first = id === undefined ? page : (seen.get(id) ?? page);
			if (id !== undefined) seen.set(id, first);
			if (first !== page) pages.add(first);
			return first === page;
		});
		const tooMany = rows.length - own.length > rows.length * MAX_REPEATED_SHARE;
		return { own, repeats: tooMany ? [...pages].sort((a, b) => a - b) : [] };
	}

	/** Whether a number of pages is known and fits the page that announces it. */
	const fits = (last: number, page: number, { rows }: Page) =>
		last > 0 && (rows.length === 0 || last >= page);

	/** The last page by a response's totals; 0 if it has none, or none that fit its rows. */
	const lastPageBy = (page: number, response: Page): number =>
		[Math.ceil((response.total ?? 0) / pageSize), response.pages ?? 0].find((last) =>
			fits(last, page, response),
		) ?? 0;

	/** How many rows a last page should have, by its own total or the first page's. */
	function expectedOn(page: number, response: Page, first: Page): number {
		const own = response.total ?? 0;
		const total = fits(Math.ceil(own / pageSize), page, response) ? own : (first.total ?? 0);
		return total - (page - 1) * pageSize;
	}

	return (from = startPage) => {
		const first = outcomes.get(startPage)?.value;
		if (first === undefined) return [];
		if (from === startPage) seen.clear();
		const inOrder = [...outcomes].sort(([a], [b]) => a - b);
		const lastWithRows = inOrder.findLast(([, { value }]) => value?.rows.length)?.[0] ?? 0;

		const defects = inOrder.flatMap(([page, { value, failure }]): PageDefect[] => {
			if (page < from || value === undefined) return [];
			const { own, repeats } = compare(page, value.rows);
			if (failure !== undefined) return [];
			const last = Math.max(lastWithRows, lastPageBy(page, value) || lastPageBy(startPage, first));
			const wanted = Math.min(pageSize, limit - (page - startPage) * pageSize);
			const count = value.rows.length;
			if (repeats.length > 0 && (page < last || count >= pageSize)) {
				const rows = own.length === 0 ? '' : `${count - own.length} of ${count} rows of `;
				const what = `repeats ${rows}${repeats.length === 1 ? 'page' : 'pages'} ${formatPageRanges(repeats)}`;
				return [defective(page, { ...value, rows: own }, repeats, what)];
			}
			if (page === last) {
				const missingRows = Math.min(wanted, expectedOn(page, value, first)) - count;
				return missingRows > 0 ? [{ page, repeats, missingRows, outcome: { value } }] : [];
			}
			if (page > last || count >= wanted) return [];
			return [defective(page, value, [], `sent ${count} of ${wanted} rows`)];
		});
		const newest = newestTotals(outcomes, pageSize)?.total ?? first.total ?? -1;
		const announced = newest - (startPage - 1) * pageSize;
		return seen.size === announced ? [] : defects;
	};
}

/** How many pages there are by a response's totals; the larger number, if they differ. */
export const announcedPages = ({ total = 0, pages = 0 }: Page, pageSize: number): number =>
	Math.max(pages, Math.ceil(total / pageSize));

/** The newest totals: those of the last page that has rows, and totals that fit it. */
export const newestTotals = (
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	pageSize: number,
): Page | undefined =>
	[...outcomes]
		.sort(([a], [b]) => b - a)
		.find(([page, { value }]) => value?.rows.length && announcedPages(value, pageSize) >= page)?.[1]
		.value;

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
			message: `The service ${what}, also when requested again.`,
			correlationId: value.correlationId,
		},
	},
});

/** `3, 7-9` */
export function formatPageRanges(pages: readonly number[]): string {
	const found: Array<[from: number, to: number]> = [];
	for (const page of pages) {
		const last = found.at(-1);
		if (last !== undefined && last[1] === page - 1) last[1] = page;
		else found.push([page, page]);
	}
	return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
