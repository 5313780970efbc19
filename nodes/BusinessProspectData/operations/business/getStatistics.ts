import type { IDataObject } from 'n8n-workflow';
import { CATEGORY_FILTERS } from '../../catalog/filters';
import { PATHS } from '../../catalog/service';
import { asCount, isObject } from '../../core/json';
import type { Outcome } from '../../core/outcome';
import type { InputResult } from '../../runtime/batches';
import { perItem } from '../../runtime/operation';
import { operationOptions, requestContext } from '../../runtime/options';
import { parameterError } from '../../runtime/parameters';
import { ignoredFiltersHint, ignoreEmptyFilters, requestFilters } from '../../filters/collection';
import { outputParameter, summaryRow } from '../parameters';
import { additionalFilters, allFilters, statisticsFilters } from './statisticsFilters';

const output = outputParameter(
	{ name: 'Rows', value: 'rows', description: 'One row for each category and location' },
	'The response as the service sends it',
);

/** The number of companies (contract: Business statistics). */
export const getStatistics = perItem({
	resource: 'business',
	value: 'getStatistics',
	name: 'Get Statistics',
	action: 'Get business statistics',
	description:
		'Count the companies that match filters, by category and location. Returns numbers, not companies.',
	parameters: [statisticsFilters, output],
	options: operationOptions(
		'e.g. category, count',
		[additionalFilters, ignoreEmptyFilters],
		[requestContext],
	),
	input: (values, itemOptions, run) => {
		const own = allFilters(values.filters, itemOptions.additionalFilters);
		const filters = requestFilters(own, itemOptions, run);
		const categories = CATEGORY_FILTERS.filter(({ name }) => filters[name] !== undefined);
		if (categories.length > 1) {
			const names = categories.map(({ displayName }) => displayName).join(' and ');
			throw parameterError(
				statisticsFilters.property,
				`${names} can't be combined. Use only one of them.`,
			);
		}
		return { filters, request_context: itemOptions.requestContext };
	},
	send: async (client, body): Promise<Outcome<IDataObject>> => {
		const path = PATHS.statistics;
		const { value, failure } = await client.send({ method: 'POST', path, body, safeToRetry: true });
		return failure === undefined ? { value: isObject(value) ? value : {} } : { failure };
	},
	rows: (response, values) =>
		(values.output === 'rows' ? statisticsRows(response) : [summaryRow(response)]).map((json) => ({
			json,
		})),
	wording: { verb: 'Returned', one: 'row' },
	hints: (results, _run, values, itemOptions) => [
		...nothingCountedHint(results),
		...ignoredFiltersHint(
			values.map(({ filters }, item) => allFilters(filters, itemOptions[item]?.additionalFilters)),
			'every company',
		),
	],
});

/** One row for each business category and location, without the totals (contract: Statistics result). */
function statisticsRows(response: IDataObject): IDataObject[] {
	const stats = isObject(response.stats) ? response.stats : {};
	const { business_categories_per_location: byCategory } = stats;
	return Object.entries(isObject(byCategory) ? byCategory : {})
		.filter(([category]) => category !== 'total_per_location')
		.flatMap(([category, locations]) =>
			Object.entries(isObject(locations) ? locations : {})
				.filter(([location]) => location !== 'total')
				.map(([location, count]): IDataObject => ({ category, location, count })),
		);
}

function nothingCountedHint(results: ReadonlyArray<InputResult<unknown, IDataObject>>): string[] {
	const nothingCounted = results.every(
		({ outcome: { value } }) =>
			value !== undefined && statisticsRows(value).length === 0 && !asCount(value.total_results),
	);
	if (results.length === 0 || !nothingCounted) return [];
	return [
		"No company was counted. Filters accept only the service's exact values: choose them from the list, or find them with Filter Value: Search.",
	];
}
