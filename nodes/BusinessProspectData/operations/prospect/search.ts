import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { asCount, isObject, asObjects, asText } from '../../core/json';
import type { Outcome } from '../../core/outcome';
import { fetchPages, missingPagesFailure } from '../../runtime/pages';
import type { Page } from '../../runtime/pageDefects';
import { correlationIdOf } from '../../api/responseBody';
import { LIMITS } from '../../catalog/service';
import { PATHS } from '../../catalog/paths';

/** What a search asks for (contract: Fetch prospects). */
export interface SearchQuery {
	readonly filters: IDataObject;
	readonly exclude: readonly string[];
	readonly limit: number;
	readonly startPage: number;
	readonly countOnly: boolean;
	readonly requestContext?: IDataObject;
}

/** What came of it. */
export interface SearchResult {
	readonly pages: readonly Page[];
	/** Rows that were left out because the same person came before. */
	readonly duplicates: number;
	/** How many rows the last page lacks by the total. */
	readonly missingRows: number;
	/** How many match, by the answer. */
	readonly total?: number;
}

/** How many match, by one request of one row; `size` is not made small, since it would limit the count. */
export async function countMatches(
	client: Client,
	ask: SearchQuery,
): Promise<Outcome<SearchResult>> {
	const { value, failure } = await fetchPage(client, ask, 1, 1, LIMITS.searchSize);
	return failure === undefined
		? { value: { pages: [], duplicates: 0, missingRows: 0, total: value.total } }
		: { failure };
}

/** All pages of a search, without duplicates; a page that fails does not take the others with it. */
export async function search(client: Client, ask: SearchQuery): Promise<Outcome<SearchResult>> {
	const pageSize = ask.startPage === 1 ? Math.min(ask.limit, LIMITS.pageSize) : LIMITS.pageSize;
	const skipped = (ask.startPage - 1) * pageSize;
	const wanted = Math.min(ask.limit, LIMITS.searchSize - skipped);
	// The service may leave the last page empty where `size` cuts it.
	const size = skipped + Math.ceil(wanted / pageSize) * pageSize;
	const fetched = await fetchPages(
		async (page) => await fetchPage(client, ask, page, pageSize, size),
		{ startPage: ask.startPage, pageSize, limit: wanted, idOf },
	);
	const { received, failure, missingRows } = fetched;
	const value = {
		...withoutDoubles(received, wanted),
		missingRows,
		total: received[0]?.total,
	};
	if (failure === undefined) return { value };
	return received.length === 0
		? { failure }
		: { value, failure: missingPagesFailure(fetched, failure) };
}

const idOf = (row: IDataObject): string | undefined => asText(row.prospect_id);

/** One page (contract: Fetch prospects). `size` counts from page 1 on. */
async function fetchPage(
	client: Client,
	{ filters, exclude, requestContext }: SearchQuery,
	page: number,
	pageSize: number,
	size: number,
): Promise<Outcome<Page>> {
	const { value, failure } = await client.send({
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
		idempotent: true,
	});
	if (failure !== undefined) return { failure };
	const answer = isObject(value) ? value : {};
	return {
		value: {
			rows: asObjects(answer.data),
			total: asCount(answer.total_results),
			pages: asCount(answer.total_pages),
			responseContext: answer.response_context,
			correlationId: correlationIdOf(answer, client.redact),
		},
	};
}

/**
 * Drops people who came before, which happens when the service's data change between two pages, and what is beyond the
 * limit.
 */
function withoutDoubles(
	received: readonly Page[],
	limit: number,
): Pick<SearchResult, 'pages' | 'duplicates'> {
	const seen = new Set<string>();
	let left = limit;
	let duplicates = 0;
	const pages = received.map((page) => {
		const rows = page.rows.filter((row) => {
			if (left === 0) return false;
			const id = idOf(row);
			if (id !== undefined && seen.has(id)) {
				duplicates++;
				return false;
			}
			if (id !== undefined) seen.add(id);
			left--;
			return true;
		});
		return { ...page, rows };
	});
	return { pages, duplicates: duplicates };
}
