import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../core/json';
import type { Outcome } from '../../core/outcome';
import { CATEGORY_FILTERS } from '../../catalog/filters';
import { PATHS } from '../../catalog/paths';
import { perItem } from '../../runtime/operation';
import { options, requestContext } from '../../runtime/options';
import { parameterError } from '../../runtime/parameters';
import { filtersToSend, ignoredFiltersHint, ignoreEmptyFilters } from '../filters/collection';
import { outputParameter } from '../outputChoice';
import { additionalFilters, allFilters } from './additionalFilters';
import { statisticsFilters } from './statisticsFilters';
import { statisticsRows } from './statisticsRows';

const output = outputParameter(
	{ name: 'Rows', value: 'rows', description: 'One row for each category and location' },
	'The answer as the service sends it',
);

/** How many companies there are (contract: Business statistics). */
export const getStatistics = perItem({
	resource: 'business',
	value: 'getStatistics',
	name: 'Get Statistics',
	action: 'Get statistics of businesses',
	description: 'Count companies by category and location for a selection',
	parameters: [statisticsFilters, additionalFilters, output],
	options: options(ignoreEmptyFilters, requestContext),
	input: (values, given, setting) => {
		const filters = filtersToSend(allFilters(values), given, setting);
		const categories = CATEGORY_FILTERS.filter((name) => filters[name] !== undefined);
		if (categories.length > 1) {
			throw parameterError(
				statisticsFilters.property,
				`${categories.join(' and ')} cannot be combined: the service takes one category filter at most.`,
			);
		}
		return { filters, request_context: given.requestContext };
	},
	send: async (client, body): Promise<Outcome<IDataObject>> => {
		const path = PATHS.statistics;
		const { value, failure } = await client.send({ method: 'POST', path, body, idempotent: true });
		return failure === undefined ? { value: isObject(value) ? value : {} } : { failure };
	},
	rows: (answer, values) =>
		(values.output === 'rows' ? statisticsRows(answer) : [answer]).map((json) => ({ json })),
	wording: { verb: 'Returned', one: 'row' },
	hints: (_answered, _setting, values) =>
		ignoredFiltersHint(values.map(allFilters), 'every company'),
});
