import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/json';
import type { Outcome } from '../../api/outcome';
import { CATEGORY_FILTERS } from '../../catalog/filters';
import { PATHS } from '../../catalog/paths';
import { perItem } from '../../runtime/operation';
import { options, requestContext } from '../../runtime/options';
import { refusal } from '../../runtime/parameters';
import { filtersToSend, ignoredHint, ignoreEmptyFilters } from '../filterCollection';
import { outputChoice } from '../outputChoice';
import { additionalFilters, allFilters } from './additionalFilters';
import { statisticsFilters } from './statisticsFilters';
import { statisticsRows } from './statisticsRows';

const output = outputChoice(
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
	ask: (values, given, setting) => {
		const filters = filtersToSend(allFilters(values), given, setting);
		const categories = CATEGORY_FILTERS.filter((name) => filters[name] !== undefined);
		if (categories.length > 1) {
			throw refusal(
				statisticsFilters.property,
				`${categories.join(' and ')} cannot be combined: the service takes one category filter at most.`,
			);
		}
		return { filters, request_context: given.requestContext };
	},
	send: async (client, body): Promise<Outcome<IDataObject>> => {
		const path = PATHS.statistics;
		const { value, failure } = await client.send({ method: 'POST', path, body, free: true });
		return failure === undefined ? { value: isObject(value) ? value : {} } : { failure };
	},
	rows: (answer, values) =>
		(values.output === 'rows' ? statisticsRows(answer) : [answer]).map((json) => ({ json })),
	wording: { verb: 'Returned', one: 'row' },
	hints: (_answered, _setting, values) => ignoredHint(values.map(allFilters), 'every company'),
});
