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
	/** The number of rows wanted; no page beyond them is fetched. */
	readonly limit: number;
	/** Identifies a row; rows without an ID are never duplicates. */
	readonly idOf: (row: IDataObject) => string | undefined;
}

/** The number of pages according to a response's totals; if they differ, the larger one. */
export const reportedPages = ({ totalRows = 0, totalPages = 0 }: Page, pageSize: number): number =>
	Math.max(totalPages, Math.ceil(totalRows / pageSize));

/** The page with the latest totals: the last one that has rows and totals that cover it. */
export const pageWithLatestTotals = (
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	pageSize: number,
): Page | undefined =>
	[...outcomes]
		.sort(([a], [b]) => b - a)
		.find(([page, { value }]) => value?.rows.length && reportedPages(value, pageSize) >= page)?.[1]
		.value;

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
