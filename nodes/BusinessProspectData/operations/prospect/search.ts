import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { countOf, isObject, objectsIn, textOf } from '../../api/json';
import type { Outcome } from '../../api/outcome';
import { fetchPages, type Page, pagesMissing } from '../../api/pages';
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
	/** How many match, by the answer. */
	readonly total?: number;
}

/** How many match, by one request of one row; `size` is not made small, since it would limit the count. */
export async function countMatches(client: Client, ask: SearchAsk): Promise<Outcome<SearchAnswer>> {
	const { value, failure } = await fetchPage(client, ask, 1, 1, LIMITS.searchSize);
	return failure === undefined ? { value: { pages: [], total: value.total } } : { failure };
}

/** All pages of a search, without doubles; a page that fails does not take the others with it. */
export async function search(client: Client, ask: SearchAsk): Promise<Outcome<SearchAnswer>> {
	const pageSize = ask.startPage === 1 ? Math.min(ask.limit, LIMITS.pageSize) : LIMITS.pageSize;
	const skipped = (ask.startPage - 1) * pageSize;
	const wanted = Math.min(ask.limit, LIMITS.searchSize - skipped);
	const fetched = await fetchPages(
		async (page) => await fetchPage(client, ask, page, pageSize, skipped + wanted),
		{ startPage: ask.startPage, pageSize, limit: wanted },
	);
	const { received, failure } = fetched;
	const value = { pages: withoutDoubles(received, wanted), total: received[0]?.total };
	if (failure === undefined) return { value };
	return received.length === 0 ? { failure } : { value, failure: pagesMissing(fetched, failure) };
}

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
		},
	};
}

/** Drops people who came before, which happens when the service's data change between two pages. */
function withoutDoubles(pages: readonly Page[], limit: number): Page[] {
	const seen = new Set<string>();
	let left = limit;
	return pages.map((page) => {
		const rows = page.rows
			.filter((row) => {
				const id = textOf(row.prospect_id);
				if (id === undefined) return true;
				const isNew = !seen.has(id);
				seen.add(id);
				return isNew;
			})
			.slice(0, left);
		left -= rows.length;
		return { ...page, rows };
	});
}
