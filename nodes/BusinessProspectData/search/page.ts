import type { IDataObject } from 'n8n-workflow';
import type { Client, SkipIf } from '../api/client';
import type { Expectation } from '../api/httpRequest';
import { correlationIdOf, reportedStatus } from '../api/responseBody';
import { LIMITS, PATHS, PROSPECT_RECORD_FIELDS, PROSPECT_RECORD_MEMBERS } from '../catalog/service';
import { asCount, asObjects, asText, isObject, type JsonValue, nameOf } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import {
	type ColumnSet,
	type Layout,
	layoutOf,
	plainSet,
	type Records,
	recordSet,
	RESPONSE_CONTEXT,
} from '../fields/columns';

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

const RECORD = { fields: PROSPECT_RECORD_FIELDS, members: PROSPECT_RECORD_MEMBERS };
const PERSON: ColumnSet = {
	...recordSet('person', RECORD, true, (name) => name),
	hasCommonNames: true,
};
const RAW_PERSON = plainSet(
	'person',
	[...PROSPECT_RECORD_FIELDS.map(nameOf), ...PROSPECT_RECORD_MEMBERS],
	{
		hasCommonNames: true,
		isOpen: true,
	},
);
const SIMPLE_LAYOUT = layoutOf([PERSON]);
const RAW_LAYOUT = layoutOf([RAW_PERSON, RESPONSE_CONTEXT]);

export const prospectLayout = (simplify: boolean): Layout =>
	simplify ? SIMPLE_LAYOUT : RAW_LAYOUT;

export const prospectRecords = (person: IDataObject, responseContext: JsonValue): Records => ({
	person,
	responseContext,
});
