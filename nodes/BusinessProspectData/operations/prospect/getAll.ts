import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { countOf, isObject, objectsIn, textOf } from '../../api/json';
import { number, type Outcome } from '../../api/outcome';
import { fetchPages, type Page, pagesMissing } from '../../api/pages';
import { PROSPECT_ID } from '../../catalog/ids';
import { LIMITS } from '../../catalog/limits';
import { perItem } from '../../runtime/operation';
import { rowsOf } from '../../runtime/output';
import { options } from '../../runtime/options';
import { ids } from '../../runtime/lists';
import { count, flag } from '../../runtime/parameters';
import { searchFilters } from '../searchFilters';
import { simplify } from '../shared';

const countOnly = flag({
	displayName: 'Count Only',
	name: 'countOnly',
	type: 'boolean',
	default: false,
	description: 'Whether to return only how many people match, with one request of one row',
});

const returnAll = flag({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	displayOptions: { show: { countOnly: [false] } },
	description: 'Whether to return all results or only up to a given limit',
});

const limit = count({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 50,
	typeOptions: { minValue: 1, maxValue: LIMITS.searchSize },
	displayOptions: { show: { countOnly: [false], returnAll: [false] } },
	description: 'Max number of results to return',
});

const exclude = ids(
	{
		displayName: 'Exclude Prospect IDs',
		name: 'exclude',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.known_ids }}',
		description: 'People to leave out: IDs separated by commas, blanks or lines, or a list',
	},
	PROSPECT_ID,
);

interface SearchAsk {
	readonly filters: IDataObject;
	readonly exclude: readonly string[];
	readonly limit: number;
	readonly startPage: number;
	readonly countOnly: boolean;
	readonly requestContext?: IDataObject;
}

interface SearchAnswer {
	readonly pages: readonly Page[];
	/** How many match, by the answer. */
	readonly total?: number;
}

export const getAll = perItem({
	resource: 'prospect',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many prospects',
	description: 'Search people by job, place, company and more',
	parameters: [countOnly, returnAll, limit, searchFilters(), exclude, simplify],
	options: options(
		count({
			displayName: 'Start Page',
			name: 'startPage',
			type: 'number',
			default: 1,
			typeOptions: { minValue: 1, maxValue: LIMITS.searchSize / LIMITS.pageSize },
			description: `Page of ${LIMITS.pageSize} rows to begin with, to go on where an earlier run ended`,
		}),
	),
	ask: (values, { startPage, requestContext }): SearchAsk => ({
		filters: values.filters,
		exclude: values.exclude,
		limit: values.returnAll ? LIMITS.searchSize : values.limit,
		startPage,
		countOnly: values.countOnly,
		requestContext,
	}),
	send: async (client, ask) =>
		ask.countOnly ? await countMatches(client, ask) : await search(client, ask),
	rows: (answered, values) =>
		answered.flatMap(({ outcome }) =>
			rowsOf(outcome, ({ pages, total }) => {
				if (values.countOnly) return [{ json: { total_results: total ?? null } }];
				return pages.flatMap(({ rows, responseContext }) =>
					rows.map((row) => ({
						json: values.simplify ? row : { ...row, response_context: responseContext },
					})),
				);
			}),
		),
	wording: { verb: 'Returned', one: 'row', many: 'rows' },
	hints: (answered) => {
		const totals = answered
			.filter(({ ask }) => !ask.countOnly && ask.limit === LIMITS.searchSize)
			.map(({ outcome }) => outcome.value?.total ?? 0);
		const most = Math.max(0, ...totals);
		if (most <= LIMITS.searchSize) return [];
		return [
			`${number(most)} prospects match, and the service gives ${number(LIMITS.searchSize)} at most: ${number(most - LIMITS.searchSize)} were left. Narrow the filters, for example by country or company size, and run once for each part.`,
		];
	},
});

async function countMatches(client: Client, ask: SearchAsk): Promise<Outcome<SearchAnswer>> {
	const { value, failure } = await fetchPage(client, ask, 1, 1, LIMITS.searchSize);
	return failure === undefined ? { value: { pages: [], total: value.total } } : { failure };
}

async function search(client: Client, ask: SearchAsk): Promise<Outcome<SearchAnswer>> {
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
	{ filters, exclude: left, requestContext }: SearchAsk,
	page: number,
	pageSize: number,
	size: number,
): Promise<Outcome<Page>> {
	const { value, failure } = await client.send({
		method: 'POST',
		path: '/v1/prospects',
		body: {
			mode: 'full',
			size,
			page_size: pageSize,
			page,
			filters,
			...(left.length > 0 && { exclude: left }),
			...(requestContext && { request_context: requestContext }),
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
