import type { INodeProperties } from 'n8n-workflow';
import { type Filter, STATISTICS_FILTERS } from '../../catalog/filters';
import { isEmpty, isObject } from '../../core/json';
import {
	booleanParameter,
	jsonParameter,
	parameter,
	parameterError,
} from '../../runtime/parameters';
import { filterCollection, type Filters, type FilterValue } from '../filters/collection';
import { filterParameter } from '../filters/kinds';

const negate = booleanParameter({
	displayName: 'Exclude These',
	name: 'negate',
	type: 'boolean',
	default: false,
	description: 'Whether to count only companies that have none of these values',
});

const statisticsFilter = (filter: Filter) => {
	const { property, read } = filterParameter({ ...filter, name: 'values' });
	const values: INodeProperties = {
		...property,
		description: undefined,
		// At this depth, inline rows are wider than the editor's panel.
		typeOptions: { ...property.typeOptions, fixedCollection: undefined },
	};
	const { name, displayName, description } = filter;
	return parameter<string, FilterValue>(
		{
			displayName,
			name,
			description,
			type: 'collection',
			default: {},
			placeholder: 'Add values',
			options: [negate.property, values],
		},
		(raw) => {
			const saved: { values?: unknown; negate?: unknown } =
				isObject(raw) && !('mode' in raw) ? raw : { values: raw };
			if (Object.keys(saved).some((key) => key !== 'values' && key !== 'negate')) {
				throw parameterError(values, 'is not an object with values and negate.', raw);
			}
			const value = read(saved.values);
			if (value === undefined || value === 'any') return value;
			return {
				type: 'includes',
				...value,
				...(negate.read(saved.negate) && { negate: true }),
			};
		},
	);
};

/**
 * The filters of the statistics (contract: Business statistics). Each is saved as its values with `negate` beside them;
 * `negate` is sent only when it is true.
 */
export const statisticsFilters = filterCollection(STATISTICS_FILTERS.map(statisticsFilter));

/** Filters that the contract doesn't name: it leaves open which there are, but not their form (contract: Business statistics). */
export const additionalFilters = parameter(
	{
		displayName: 'Additional Filters',
		name: 'additionalFilters',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "country_code": { "type": "includes", "values": ["us"] } }',
		description: 'Further business filters as a JSON object, in the form that the service takes',
	},
	(raw, property, fromExpression): Filters => {
		const filters = jsonParameter(property).read(raw);
		if (filters === undefined) return { values: {}, empty: fromExpression ? [property] : [] };
		const entries = Object.entries(filters);
		const [invalid] = entries.find(([, filter]) => !isFilter(filter)) ?? [];
		if (invalid !== undefined) {
			throw parameterError(
				property,
				'is not a filter of the form { "type": "includes", "values": ["us"], "negate": true }; "negate" is optional.',
				invalid,
			);
		}
		const hasNoValues = ([, filter]: [string, unknown]) =>
			isObject(filter) && isEmpty(filter.values);
		return {
			values: Object.fromEntries(entries.filter((entry) => !hasNoValues(entry))),
			empty: entries.filter(hasNoValues).map(([name]) => ({
				displayName: `${name} in ${property.displayName}`,
				name: property.name,
			})),
		};
	},
);

const isFilter = (filter: unknown): boolean =>
	isObject(filter) &&
	typeof filter.type === 'string' &&
	Array.isArray(filter.values) &&
	['undefined', 'boolean'].includes(typeof filter.negate) &&
	Object.keys(filter).every((key) => ['type', 'values', 'negate'].includes(key));

/**
 * The filters of Filters and of Additional Filters together.
 *
 * @throws UserError if one is set in both, because it is unknown which of them is meant
 */
export function allFilters(values: {
	readonly filters: Filters;
	readonly additionalFilters: Filters;
}): Filters {
	const { filters: own, additionalFilters: additional } = values;
	const duplicate = Object.keys(additional.values).find((name) => Object.hasOwn(own.values, name));
	if (duplicate !== undefined) {
		throw parameterError(
			additionalFilters.property,
			'is also set in Filters. Remove it from one of them.',
			duplicate,
		);
	}
	return {
		values: { ...own.values, ...additional.values },
		empty: [...own.empty, ...additional.empty],
	};
}
