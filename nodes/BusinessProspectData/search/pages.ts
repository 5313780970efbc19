import type { IDataObject } from 'n8n-workflow';
import type { Client, SkipIf } from '../api/client';
import type { Expectation } from '../api/httpRequest';
import { correlationIdOf, reportedStatus } from '../api/responseBody';
import { LIMITS, PATHS } from '../catalog/service';
import { asCount, asObjects, asText, isObject, type JsonValue } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';

/** One page of a search. Its totals are those that the response reports. */
export interface Page {
	readonly rows: readonly IDataObject[];
	readonly totalRows?: number;
	readonly totalPages?: number;
	/** True if the response says that nothing matches. */
	readonly missed?: boolean;
	readonly responseContext: JsonValue;
	readonly correlationId?: string;
}

export interface PagingOptions {
	readonly startPage: number;
	readonly pageSize: number;
	/** The number of rows wanted, counted from `startPage`. */
	readonly limit: number;
	/**
	 * All pages together may lack this many rows: the contract doesn't say whether excluded people are left out before or after
	 * the result is split into pages.
	 */
	readonly excludedCount?: number;
}

export const reportedPageCount = (
	{ totalRows = 0, totalPages = 0 }: Page,
	pageSize: number,
): number => Math.max(totalPages, Math.ceil(totalRows / pageSize));

/** Formats ascending page numbers as ranges: `3, 7-9`. */
export function formatPageRanges(pages: readonly number[]): string {
	const ranges: Array<[from: number, to: number]> = [];
	for (const page of pages) {
		const last = ranges.at(-1);
		if (last !== undefined && last[1] === page - 1) last[1] = page;
		else ranges.push([page, page]);
	}
	return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** Which people a search finds (contract: Fetch prospects). */
export interface SearchCriteria {
	readonly filters: IDataObject;
	readonly exclude?: readonly string[];
}

export const prospectIdOf = (row: IDataObject): string | undefined => asText(row.prospect_id);

export const prospectKey = (row: IDataObject): string => prospectIdOf(row) ?? JSON.stringify(row);

const EXPECTED: Expectation = {
	isIn: (body) => {
		const { data, total_results: rows, total_pages: pages } = isObject(body) ? body : {};
		const isList = asObjects(data).length > 0 || (Array.isArray(data) && data.length === 0);
		return isList || asCount(rows) !== undefined || asCount(pages) !== undefined;
	},
	problem:
		"The service's response has neither people nor a total, so it is unknown whether anyone matches",
};

export const LACKS_ROWS: Failure = {
	kind: 'unreadable',
	message:
		"The service's response lacks the people that it reports, so it is unknown who matches. Run the row again.",
};

export const lacksRows = ({ rows, totalRows, totalPages = 0, missed }: Page): boolean =>
	rows.length === 0 && (totalRows ?? totalPages) > 0 && !missed;

interface PageRequest {
	readonly page: number;
	readonly pageSize: number;
	/** The maximum number of rows on all pages, counted from page 1. */
	readonly size: number;
}

/** Fetches one page (contract: Fetch prospects). A response that doesn't show whether anyone matches is a failure. */
export async function fetchSearchPage(
	client: Client,
	{ filters, exclude = [] }: SearchCriteria,
	{ page, pageSize, size }: PageRequest,
	skipIf?: SkipIf,
): Promise<Outcome<Page>> {
	const { value, failure } = await client.send(
		{
			method: 'POST',
			path: PATHS.search,
			body: {
				mode: 'full',
				size,
				page_size: pageSize,
				page,
				filters,
				...(exclude.length > 0 && { exclude }),
			},
			credits: pageSize,
			expects: EXPECTED,
			safeToRetry: true,
		},
		skipIf,
	);
	if (failure !== undefined) return { failure };
	const response = isObject(value) ? value : {};
	return {
		value: {
			rows: asObjects(response.data),
			totalRows: asCount(response.total_results),
			totalPages: asCount(response.total_pages),
			missed: reportedStatus(response) === 'miss',
			responseContext: response.response_context,
			correlationId: correlationIdOf(response, client.redact),
		},
	};
}

/**
 * Requests one page of one row, so that the page count is the number of matches: `total_results` may count only the page's
 * rows. `size` stays at its maximum, because the contract doesn't say whether `size` limits the totals. An unknown `total` is
 * undefined.
 */
export async function countProspects(
	client: Client,
	criteria: SearchCriteria,
): Promise<Outcome<{ readonly total?: number | undefined }>> {
	const request = { page: 1, pageSize: 1, size: LIMITS.searchSize };
	const { value, failure } = await fetchSearchPage(client, criteria, request);
	if (failure !== undefined) return { failure };
	const { rows, totalRows, totalPages, missed } = value;
	// The service may report one page for an empty result.
	const isEmptyResult =
		rows.length === 0 &&
		(totalRows === 0 || (totalRows === undefined && (missed || totalPages === 1)));
	if (isEmptyResult) return { value: { total: 0 } };
	const isKnown = totalRows !== undefined || totalPages !== undefined;
	return { value: { total: isKnown ? reportedPageCount(value, 1) : undefined } };
}

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
