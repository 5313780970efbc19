import { isObject } from '../../core/json';
import { LIMITS, PROSPECT_ID_FORMAT } from '../../catalog/service';
import { idsParameter } from '../../parameters/lists';
import { perItem } from '../../run/operation';
import { includeInputFields, operationOptions, simplify } from '../../parameters/options';
import { maxRecordsOfTool } from '../../parameters/spending';
import { booleanParameter, integerParameter, parameterError } from '../../parameters/parameter';
import {
	type Filters,
	filtersAdvice,
	ignoreEmptyFilters,
	isUnfiltered,
	requestFilters,
} from '../../filters/collection';
import { searchFilters } from '../../filters/kinds';
import { layoutOf, plainSet, prospectLayout, prospectRecords } from '../../fields/columns';
import { prospectKey } from '../../search/pages';
import { searchAdvice, searchProspects, type SearchQuery, totalMatches } from './searchResult';
import { onlyNew } from '../onlyNew';
import { type Advice, aboutRun } from '../../core/outcome';

const countOnly = booleanParameter({
	displayName: 'Count Only',
	name: 'countOnly',
	type: 'boolean',
	default: false,
	description: 'Whether to return only the number of people, in one request',
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

const titleAdvice = (all: readonly Filters[]): Advice[] =>
	all.some(
		({ byName: { job_title: title } }) => isObject(title) && /[,;\n]/.test(String(title.value)),
	)
		? [
				aboutRun(
					'Job Title takes one title: several titles, separated by commas, are searched as one that contains all the words. Include Related Job Titles finds similar titles too. To find several titles, use one row for each.',
				),
			]
		: [];

const exclude = idsParameter(
	{
		displayName: 'Exclude Prospect IDs',
		name: 'exclude',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.known_ids }}',
		description: 'IDs of people to leave out. Leave empty for none.',
	},
	PROSPECT_ID_FORMAT,
);

const startPage = integerParameter({
	displayName: 'Start Page',
	name: 'startPage',
	type: 'number',
	default: 1,
	typeOptions: { minValue: 1, maxValue: LIMITS.searchSize / LIMITS.pageSize },
	description: `Page of ${LIMITS.pageSize} rows to start from, to continue where an earlier run stopped`,
});

const simplifyRows = {
	...simplify,
	property: { ...simplify.property, displayOptions: { show: { countOnly: [false] } } },
};

const { option: onlyNewProspects, removeKnown } = onlyNew({
	name: 'onlyNewProspects',
	displayName: 'Only New Prospects',
	pluralNoun: 'people',
	tooManyAdvice:
		'Narrow the filters, or use the Business and Prospect Data Trigger, which remembers larger searches.',
});

const COUNT = plainSet('count', ['total_results']);
const COUNT_LAYOUT = layoutOf([COUNT]);

/** See contract: Fetch prospects. */
export const getAll = perItem({
	resource: 'prospect',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many prospects',
	description:
		'Search for people by job, location, company and more. To look up people you already know, use Match.',
	parameters: [countOnly, returnAll, limit, maxRecordsOfTool, searchFilters, simplifyRows],
	options: operationOptions('e.g. first_name, last_name, skills', [
		includeInputFields,
		exclude,
		startPage,
		ignoreEmptyFilters,
		onlyNewProspects,
	]),
	input: (values, itemOptions, run): SearchQuery => {
		const filters = requestFilters(values.filters, itemOptions, run);
		// n8n drops filters that it doesn't know, so none may also mean that they were lost.
		if (values.returnAll && !values.countOnly && isUnfiltered(filters)) {
			throw parameterError(returnAll.property, 'add a filter, or turn it off and set Limit.');
		}
		const { maxRecordsToPay: max = Infinity } = run.isTool ? values : {};
		return {
			filters,
			exclude: itemOptions.exclude,
			limit: Math.min(values.returnAll ? LIMITS.searchSize : values.limit, max),
			startPage: itemOptions.startPage,
			countOnly: values.countOnly,
		};
	},
	send: searchProspects,
	layout: (values) => (values.countOnly ? COUNT_LAYOUT : prospectLayout(values.simplify)),
	rows: ({ pages, total }, values) => {
		if (values.countOnly) return [{ records: { count: { total_results: total } } }];
		return pages.flatMap(({ rows, responseContext }) =>
			rows.map((row) => ({
				dedupeKey: prospectKey(row),
				records: prospectRecords(row, responseContext),
			})),
		);
	},
	removeKnown,
	wording: { verb: 'Returned', one: 'row' },
	total: totalMatches,
	advice: (results, run, items) => {
		const all = items.map(({ values }) => values.filters);
		return [...titleAdvice(all), ...searchAdvice(results), ...filtersAdvice(all, 'everyone', run)];
	},
});
