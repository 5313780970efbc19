import { number } from '../../api/outcome';
import { PROSPECT_ID } from '../../catalog/ids';
import { LIMITS } from '../../catalog/limits';
import { ids } from '../../runtime/lists';
import type { Answered } from '../../runtime/batches';
import { perItem } from '../../runtime/operation';
import { options, simplify } from '../../runtime/options';
import { rowsOf } from '../../runtime/output';
import { count, flag } from '../../runtime/parameters';
import { searchFilters } from '../searchFilters';
import { countMatches, search, type SearchAnswer, type SearchAsk } from './search';

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
		description: 'People to leave out: IDs separated by commas, spaces or line breaks, or a list',
	},
	PROSPECT_ID,
);

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
	hints: (answered) => [...nobodyMatches(answered), ...moreMatch(answered)],
});

type AnsweredSearches = ReadonlyArray<Answered<SearchAsk, SearchAnswer>>;

function nobodyMatches(answered: AnsweredSearches): string[] {
	const filtered = answered.some(({ ask }) => Object.keys(ask.filters).length > 0);
	const nobody = answered.every(
		({ ask, outcome: { value, failure } }) =>
			!ask.countOnly &&
			ask.startPage === 1 &&
			failure === undefined &&
			value.pages.every(({ rows }) => rows.length === 0),
	);
	if (!filtered || !nobody) return [];
	return [
		'Nobody matches. Filters take the exact values of the service: choose them from the list, or find them with Filter Value: Search.',
	];
}

function moreMatch(answered: AnsweredSearches): string[] {
	const totals = answered
		.filter(({ ask }) => !ask.countOnly && ask.limit === LIMITS.searchSize)
		.map(({ outcome }) => outcome.value?.total ?? 0);
	const most = totals.reduce((largest, total) => Math.max(largest, total), 0);
	if (most <= LIMITS.searchSize) return [];
	return [
		`${number(most)} prospects match, and the service gives ${number(LIMITS.searchSize)} at most: ${number(most - LIMITS.searchSize)} were left. Narrow the filters, for example by country or company size, and run once for each part.`,
	];
}
