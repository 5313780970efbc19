import type { IDataObject } from 'n8n-workflow';
import type { Client, SkipIf } from '../api/client';
import { correlationIdOf, reportedStatus } from '../api/responseBody';
import { LIMITS, PATHS, PROSPECT_RECORD_FIELDS } from '../catalog/service';
import { asCount, asObjects, asText, isObject, type JsonValue, simplifyRecord } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import { recordOutput } from '../runtime/output';

/** The response to the request for one page of a search. */
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
	/**
	 * The number of excluded people. As many rows may be missing: the contract doesn't say whether the service leaves people out
	 * before or after it splits the result into pages.
	 */
	readonly excludedCount?: number;
	/** Identifies a row; rows without an ID are never duplicates. */
	readonly idOf: (row: IDataObject) => string | undefined;
}

/** The number of pages according to a response's totals: the larger one if they differ, 0 if there are none. */
export const reportedPageCount = (
	{ totalRows = 0, totalPages = 0 }: Page,
	pageSize: number,
): number => Math.max(totalPages, Math.ceil(totalRows / pageSize));

/**
 * The page with the latest totals: of the pages that have rows, the highest-numbered one that its own totals include. (A page
 * beyond its own totals reports wrong ones.) Undefined if there is none.
 */
export const lastPageWithTotals = (
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	pageSize: number,
): Page | undefined =>
	[...outcomes]
		.sort(([a], [b]) => b - a)
		.find(
			([page, { value }]) => value?.rows.length && reportedPageCount(value, pageSize) >= page,
		)?.[1].value;

/** Formats page numbers, in ascending order, as ranges: `3, 7-9`. */
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
	readonly requestContext?: IDataObject;
}

export const prospectIdOf = (row: IDataObject): string | undefined => asText(row.prospect_id);

/** Identifies a person across searches: the prospect ID or, without one, the whole row as JSON. */
export const prospectKey = (row: IDataObject): string => prospectIdOf(row) ?? JSON.stringify(row);

const NO_ANSWER: Failure = {
	kind: 'unreadable',
	message:
		"The service's response has neither people nor a total, so it is unknown whether anyone matches. Check Base URL in the credential; if it is correct, try again later.",
};

/** True if a response has neither people nor anything that shows whether anyone matches: an empty list, a total or a miss. */
const lacksAnswer = (data: unknown, page: Page): boolean =>
	page.rows.length === 0 &&
	!(Array.isArray(data) && data.length === 0) &&
	page.totalRows === undefined &&
	page.totalPages === undefined &&
	!page.missed;

/** Which page of a search is fetched. */
interface PageRequest {
	readonly page: number;
	readonly pageSize: number;
	/** The maximum number of rows on all pages, counted from page 1. */
	readonly size: number;
}

/** Fetches one page (contract: Fetch prospects). A response that doesn't show whether anyone matches is a failure. */
export async function fetchSearchPage(
	client: Client,
	{ filters, exclude = [], requestContext }: SearchCriteria,
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
				request_context: requestContext,
			},
			safeToRetry: true,
		},
		skipIf,
	);
	if (failure !== undefined) return { failure };
	const response = isObject(value) ? value : {};
	const received: Page = {
		rows: asObjects(response.data),
		totalRows: asCount(response.total_results),
		totalPages: asCount(response.total_pages),
		missed: reportedStatus(response) === 'miss',
		responseContext: response.response_context,
		correlationId: correlationIdOf(response, client.redact),
	};
	return lacksAnswer(response.data, received)
		? { failure: { ...NO_ANSWER, correlationId: received.correlationId } }
		: { value: received };
}

/**
 * Counts the matches with a single one-row request; `total` is undefined if the response doesn't show it. The larger of the two
 * totals counts: there are as many pages of one row as matches, and `total_results` may count only the rows of the page. `size`
 * stays at its maximum: the contract doesn't say whether `size` limits the totals.
 */
export async function countProspects(
	client: Client,
	criteria: SearchCriteria,
): Promise<Outcome<{ readonly total?: number | undefined }>> {
	const request = { page: 1, pageSize: 1, size: LIMITS.searchSize };
	const { value, failure } = await fetchSearchPage(client, criteria, request);
	if (failure !== undefined) return { failure };
	const { rows, totalRows, totalPages, missed } = value;
	// An empty result may still have one page.
	const isEmptyResult =
		rows.length === 0 &&
		(totalRows === 0 || (totalRows === undefined && (missed || totalPages === 1)));
	if (isEmptyResult) return { value: { total: 0 } };
	const isKnown = totalRows !== undefined || totalPages !== undefined;
	return { value: { total: isKnown ? reportedPageCount(value, 1) : undefined } };
}

export const prospectRow = (row: IDataObject, responseContext: JsonValue, simplify: boolean) => ({
	dedupeKey: prospectKey(row),
	...recordOutput(
		simplifyRecord(row, PROSPECT_RECORD_FIELDS),
		() => row,
		responseContext,
		simplify,
	),
});
