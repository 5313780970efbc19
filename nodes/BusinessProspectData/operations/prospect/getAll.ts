import { isObject } from '../../core/json';
import { simplifyRecord } from '../../core/simplify';
import { SEARCH_FIELDS } from '../../catalog/dataSets';
import { SEARCH_FILTERS } from '../../catalog/filters';
import { LIMITS, PROSPECT_ID } from '../../catalog/service';
import { idsParameter } from '../../runtime/lists';
import { perItem } from '../../runtime/operation';
import { options, requestContext, simplify } from '../../runtime/options';
import { recordOutput } from '../../runtime/output';
import { booleanParameter, integerParameter, type Parameter } from '../../runtime/parameters';
import {
	filterCollection,
	type Filters,
	ignoredFiltersHint,
	ignoreEmptyFilters,
	requestFilters,
} from '../filters/collection';
import { filterParameter } from '../filters/kinds';
import { countMatches, search, searchHints, type SearchQuery, searchWarnings } from './search';

const countOnly = booleanParameter({
	displayName: 'Count Only',
	name: 'countOnly',
	type: 'boolean',
	default: false,
	description:
		'Whether to return only the number of matching people, using a single one-row request',
});

const returnAll = booleanParameter({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	displayOptions: { show: { countOnly: [false] } },
	description: 'Whether to return all results or only up to a given limit',
});

const limit = integerParameter({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 50,
	typeOptions: { minValue: 1, maxValue: LIMITS.searchSize },
	displayOptions: { show: { countOnly: [false], returnAll: [false] } },
	description: 'Max number of results to return',
});

const relatedTitles = booleanParameter({
	displayName: 'Include Related Job Titles',
	name: 'include_related_job_titles',
	type: 'boolean',
	default: false,
	description: 'Whether to also find titles related to Job Title',
});

const filters = filterCollection(SEARCH_FILTERS.map(filterParameter), [relatedTitles]);

/** The filters of the prospect search (contract: Fetch prospects). The title's filter includes related titles. */
export const searchFilters: Parameter<'filters', Filters> = {
	...filters,
	read: (raw) => {
		const { values, empty } = filters.read(raw);
		const { job_title: title } = values;
		if (!isObject(title) || !isObject(raw)) return { values, empty };
		if (!relatedTitles.read(raw[relatedTitles.name])) return { values, empty };
		const related = { ...title, include_related_job_titles: true };
		return { values: { ...values, job_title: related }, empty };
	},
};

const exclude = idsParameter(
	{
		displayName: 'Exclude Prospect IDs',
		name: 'exclude',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.known_ids }}',
		description:
			'People to leave out: IDs separated by commas, spaces or line breaks, or a list. Leave empty to exclude no one.',
	},
	PROSPECT_ID,
);

const startPage = integerParameter({
	displayName: 'Start Page',
	name: 'startPage',
	type: 'number',
	default: 1,
	typeOptions: { minValue: 1, maxValue: LIMITS.searchSize / LIMITS.pageSize },
	description: `Page of ${LIMITS.pageSize} rows to start from, to continue where an earlier run stopped`,
});

/** The prospects that match the filters, one row each, or only their number (contract: Fetch prospects). */
export const getAll = perItem({
	resource: 'prospect',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many prospects',
	description: 'Search people by job, location, company and more',
	parameters: [countOnly, returnAll, limit, searchFilters, exclude, simplify],
	options: options('e.g. full_name, skills', ignoreEmptyFilters, requestContext, startPage),
	identifiers: ['prospect_id'],
	input: (values, itemOptions, run): SearchQuery => ({
		filters: requestFilters(values.filters, itemOptions, run),
		exclude: values.exclude,
		limit: values.returnAll ? LIMITS.searchSize : values.limit,
		startPage: itemOptions.startPage,
		countOnly: values.countOnly,
		requestContext: itemOptions.requestContext,
	}),
	send: async (client, query) =>
		query.countOnly ? await countMatches(client, query) : await search(client, query),
	rows: ({ pages, total }, values) => {
		if (values.countOnly) return [{ json: { total_results: total ?? null } }];
		return pages.flatMap(({ rows, responseContext }) =>
			rows.map((row) =>
				recordOutput(simplifyRecord(row, SEARCH_FIELDS), row, responseContext, values.simplify),
			),
		);
	},
	wording: { verb: 'Returned', one: 'row' },
	warnings: searchWarnings,
	hints: (results, _run, values) => [
		...searchHints(results),
		...ignoredFiltersHint(
			values.map((itemValues) => itemValues.filters),
			'everyone',
		),
	],
});
