import type { IDataObject } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import type { JsonValue } from '../core/json';

/** One page of a search. */
export interface Page {
	readonly rows: readonly IDataObject[];
	/** The number of rows on all pages, if the response has it. */
	readonly totalRows?: number;
	/** The number of pages, if the response has it. */
	readonly totalPages?: number;
	/** True if the response says that nothing matches. */
	readonly missed?: boolean;
	readonly responseContext: JsonValue;
	readonly correlationId?: string;
}

/** Which pages of a search are fetched. */
export interface PagingOptions {
	readonly startPage: number;
	readonly pageSize: number;
	/** The number of rows wanted, counted from `startPage`; no page beyond them is fetched. */
	readonly limit: number;
	/** Identifies a row; rows without an ID are never duplicates. */
	readonly idOf: (row: IDataObject) => string | undefined;
}

/** The number of pages according to a response's totals: the larger one if they differ, 0 if there are none. */
export const reportedPages = ({ totalRows = 0, totalPages = 0 }: Page, pageSize: number): number =>
	Math.max(totalPages, Math.ceil(totalRows / pageSize));

/** The page with the latest totals: the last page that has rows and lies within its own totals, if any. */
export const pageWithLatestTotals = (
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	pageSize: number,
): Page | undefined =>
	[...outcomes]
		.sort(([a], [b]) => b - a)
		.find(([page, { value }]) => value?.rows.length && reportedPages(value, pageSize) >= page)?.[1]
		.value;

/** Formats page numbers, in ascending order, as ranges: `3, 7-9`. */
export function formatPageRanges(pages: readonly number[]): string {
	const found: Array<[from: number, to: number]> = [];
	for (const page of pages) {
		const last = found.at(-1);
		if (last !== undefined && last[1] === page - 1) last[1] = page;
		else found.push([page, page]);
	}
	return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
