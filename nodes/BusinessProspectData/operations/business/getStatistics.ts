import type { IDataObject } from 'n8n-workflow';
import { CATEGORY_FILTERS, type Filter, STATISTICS_FILTERS } from '../../catalog/filters';
import { PATHS } from '../../catalog/service';
import { asCount, isEmpty, isObject } from '../../core/json';
import type { Advice, Outcome } from '../../core/outcome';
import type { InputResult } from '../../run/inputs';
import { perItem } from '../../run/operation';
import { includeInputFields, operationOptions } from '../../parameters/options';
import {
	jsonParameter,
	optionsParameter,
	type Parameter,
	parameterError,
} from '../../parameters/parameter';
import {
	filterCollection,
	type FilterDefinition,
	type Filters,
	filtersAdvice,
	ignoreEmptyFilters,
	nothingMatches,
	requestFilters,
} from '../../filters/collection';
import { openRow } from '../../fields/row';
import { outputParameter, summaryRow } from '../../run/output';
import { isResponseWith } from '../../api/responseBody';
import { filterDefinition } from '../../filters/kinds';

const includeOrExclude = optionsParameter({
	displayName: 'Include or Exclude',
	name: 'match',
	type: 'options',
	default: 'include',
	options: [
		{ name: 'Include', value: 'include' },
		{ name: 'Exclude', value: 'exclude' },
	],
	description: 'Which companies to count',
});

const statisticsFilter = (filter: Filter): FilterDefinition => {
	const { property, fields, read } = filterDefinition(filter);
	return {
		property,
		fields: [...fields, includeOrExclude.property],
		read: (entries) => {
			const value = read(entries);
			if (value === undefined) return undefined;
			const withValue = entries.filter((entry) => read([entry]) !== undefined);
			const choices = new Set(
				withValue.map((entry) => includeOrExclude.read(entry[includeOrExclude.name])),
			);
			if (choices.size > 1) {
				throw parameterError(property, "can't both include and exclude values. Use one of them.");
			}
			return { type: 'includes', ...value, ...(choices.has('exclude') && { negate: true }) };
		},
	};
};

export const statisticsFilters = filterCollection(STATISTICS_FILTERS.map(statisticsFilter));

const NO_FILTERS: Filters = { byName: {}, empty: [] };

const filtersAsJson = jsonParameter({
	displayName: 'Additional Filters',
	name: 'additionalFilters',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "country_code": { "type": "includes", "values": ["us"] } }',
	description: 'Further business filters as a JSON object, in the form that the service takes',
});

/** The service accepts all business filters, but the contract doesn't list them all (contract: Business statistics). */
const additionalFilters: Parameter<'additionalFilters', Filters> = {
	name: filtersAsJson.name,
	property: filtersAsJson.property,
	read: (raw) => {
		const { name: field, property } = filtersAsJson;
		// Undefined means that the option wasn't added. An added option that is blank or `{}` for this item counts as an empty filter.
		if (raw === undefined) return NO_FILTERS;
		const filters = filtersAsJson.read(raw);
		if (filters === undefined) return { byName: {}, empty: [property] };
		const byName = new Map<string, IDataObject>();
		const empty: Array<Filters['empty'][number]> = [];
		for (const [name, value] of Object.entries(filters)) {
			const filter = readFilter(name, value);
			if (!isEmpty(filter.values)) byName.set(name, filter);
			else empty.push({ displayName: `${name} in ${property.displayName}`, name: field });
		}
		return { byName: Object.fromEntries(byName), empty };
	},
};

function readFilter(name: string, value: unknown): IDataObject {
	const { type, values, negate = false, ...others } = isObject(value) ? value : {};
	if (
		typeof type !== 'string' ||
		!Array.isArray(values) ||
		typeof negate !== 'boolean' ||
		Object.keys(others).length > 0
	) {
		throw parameterError(
			filtersAsJson.property,
			'is not a filter of the form { "type": "includes", "values": ["us"], "negate": true }; "negate" is optional.',
			name,
		);
	}
	return { type, values, ...(negate && { negate }) };
}

const mergeFilters = (own: Filters, additional: Filters): Filters => ({
	byName: { ...own.byName, ...additional.byName },
	empty: [...own.empty, ...additional.empty],
});

const output = outputParameter(
	{ name: 'Rows', value: 'rows', description: 'One row for each category and location' },
	'The response as the service sends it',
);

const EXPECTED = {
	isIn: isResponseWith('stats', 'total_results'),
	problem:
		"The service's response has neither statistics nor a total, so it is unknown how many companies match",
};

/** See contract: Business statistics. */
export const getStatistics = perItem({
	resource: 'business',
	value: 'getStatistics',
	name: 'Get Statistics',
	action: 'Get business statistics',
	description:
		'Count the companies that match filters, by category and location. Returns numbers, not companies.',
	parameters: [statisticsFilters, output],
	options: operationOptions('e.g. category, count', [
		includeInputFields,
		additionalFilters,
		ignoreEmptyFilters,
	]),
	input: (values, itemOptions, run) => {
		const merged = mergeFilters(values.filters, itemOptions.additionalFilters);
		const filters = requestFilters(merged, itemOptions, run);
		const categories = CATEGORY_FILTERS.filter(({ name }) => filters[name] !== undefined);
		if (categories.length > 1) {
			const names = categories.map(({ displayName }) => displayName).join(' and ');
			throw parameterError(
				statisticsFilters.property,
				`${names} can't be combined. Use only one of them.`,
			);
		}
		return { filters };
	},
	send: async (client, body): Promise<Outcome<IDataObject>> => {
		const path = PATHS.statistics;
		const request = { method: 'POST', path, body, safeToRetry: true, expects: EXPECTED } as const;
		const { value, failure } = await client.send(request);
		return failure === undefined ? { value: isObject(value) ? value : {} } : { failure };
	},
	rows: (response, values) =>
		(values.output === 'rows' ? statisticsRows(response) : [summaryRow(response)]).map((json) =>
			openRow(json),
		),
	wording: { verb: 'Returned', one: 'row' },
	advice: (results, run, items) => [
		...nothingCountedAdvice(results),
		...filtersAdvice(
			items.map(({ values, options }) => mergeFilters(values.filters, options.additionalFilters)),
			'every company',
			run,
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

function nothingCountedAdvice(results: ReadonlyArray<InputResult<unknown, IDataObject>>): Advice[] {
	const nothingCounted = results.every(
		({ outcome: { value } }) =>
			value !== undefined && statisticsRows(value).length === 0 && !asCount(value.total_results),
	);
	if (results.length === 0 || !nothingCounted) return [];
	return [nothingMatches('No company was counted.')];
}
