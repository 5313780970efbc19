import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { countOf, isObject, objectsIn, textOf } from '../../api/json';
import type { Outcome } from '../../api/outcome';
import { fetchPages, type Page, pagesMissing } from '../../api/pages';
import { correlationIdOf } from '../../api/responseContext';
import { LIMITS } from '../../catalog/limits';
import { PATHS } from '../../catalog/paths';

/** What a search asks for (contract: Fetch prospects). */
export interface SearchAsk {
	readonly filters: IDataObject;
	readonly exclude: readonly string[];
	readonly limit: number;
	readonly startPage: number;
	readonly countOnly: boolean;
	readonly requestContext?: IDataObject;
}

/** What came of it. */
export interface SearchAnswer {
	readonly pages: readonly Page[];
	/** Rows that were left out because the same person came before. */
	readonly doubles: number;
	/** How many rows the last page lacks by the total. */
	readonly fewer: number;
	/** How many match, by the answer. */
	readonly total?: number;
}

/** How many match, by one request of one row; `size` is not made small, since it would limit the count. */
export async function countMatches(client: Client, ask: SearchAsk): Promise<Outcome<SearchAnswer>> {
	const { value, failure } = await fetchPage(client, ask, 1, 1, LIMITS.searchSize);
	return failure === undefined
		? { value: { pages: [], doubles: 0, fewer: 0, total: value.total } }
		: { failure };
}

/** All pages of a search, without doubles; a page that fails does not take the others with it. */
export async function search(client: Client, ask: SearchAsk): Promise<Outcome<SearchAnswer>> {
	const pageSize = ask.startPage === 1 ? Math.min(ask.limit, LIMITS.pageSize) : LIMITS.pageSize;
	const skipped = (ask.startPage - 1) * pageSize;
	const wanted = Math.min(ask.limit, LIMITS.searchSize - skipped);
	// The service may leave the last page empty where `size` cuts it.
	const size = skipped + Math.ceil(wanted / pageSize) * pageSize;
	const fetched = await fetchPages(
		async (page) => await fetchPage(client, ask, page, pageSize, size),
		{ startPage: ask.startPage, pageSize, limit: wanted, idOf },
	);
	const { received, failure, fewer } = fetched;
	const value = { ...withoutDoubles(received, wanted), fewer, total: received[0]?.total };
	if (failure === undefined) return { value };
	return received.length === 0 ? { failure } : { value, failure: pagesMissing(fetched, failure) };
}

const idOf = (row: IDataObject): string | undefined => textOf(row.prospect_id);

/** One page (contract: Fetch prospects). `size` counts from page 1 on. */
async function fetchPage(
	client: Client,
	{ filters, exclude, requestContext }: SearchAsk,
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
		free: true,
	});
	if (failure !== undefined) return { failure };
	const answer = isObject(value) ? value : {};
	return {
		value: {
			rows: objectsIn(answer.data),
			total: countOf(answer.total_results),
			pages: countOf(answer.total_pages),
			responseContext: answer.response_context,
			correlationId: correlationIdOf(answer, client.mask),
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
): Pick<SearchAnswer, 'pages' | 'doubles'> {
	const seen = new Set<string>();
	let left = limit;
	let doubles = 0;
	const pages = received.map((page) => {
		const rows = page.rows.filter((row) => {
			if (left === 0) return false;
			const id = idOf(row);
			if (id !== undefined && seen.has(id)) {
				doubles++;
				return false;
			}
			if (id !== undefined) seen.add(id);
			left--;
			return true;
		});
		return { ...page, rows };
	});
	return { pages, doubles };
}
