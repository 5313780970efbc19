import { deepCopy } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import { perItem } from '../../runtime/operation';
import { options, requestContext, simplify } from '../../runtime/options';
import { filtersToSend, ignoredFiltersHint, ignoreEmptyFilters } from '../filters/collection';
import { countOnly, exclude, limit, returnAll, startPage } from './getAllParameters';
import { countMatches, search, type SearchQuery } from './search';
import { searchFilters } from './searchFilters';
import { searchHints, searchWarnings } from './searchHints';

/** The prospects that filters select, one row each, or only their number (contract: Fetch prospects). */
export const getAll = perItem({
	resource: 'prospect',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many prospects',
	description: 'Search people by job, place, company and more',
	parameters: [countOnly, returnAll, limit, searchFilters, exclude, simplify],
	options: options(ignoreEmptyFilters, requestContext, startPage),
	identifiers: ['prospect_id'],
	input: (values, given, setting): SearchQuery => ({
		filters: filtersToSend(values.filters, given, setting),
		exclude: values.exclude,
		limit: values.returnAll ? LIMITS.searchSize : values.limit,
		startPage: given.startPage,
		countOnly: values.countOnly,
		requestContext: given.requestContext,
	}),
	send: async (client, ask) =>
		ask.countOnly ? await countMatches(client, ask) : await search(client, ask),
	rows: ({ pages, total }, values) => {
		if (values.countOnly) return [{ json: { total_results: total ?? null } }];
		return pages.flatMap(({ rows, responseContext }) =>
			rows.map((row) => ({
				json: values.simplify ? row : { ...row, response_context: deepCopy(responseContext) },
			})),
		);
	},
	wording: { verb: 'Returned', one: 'row' },
	warnings: searchWarnings,
	hints: (answered, _setting, values) => [
		...searchHints(answered),
		...ignoredFiltersHint(
			values.map(({ filters }) => filters),
			'everyone',
		),
	],
});
