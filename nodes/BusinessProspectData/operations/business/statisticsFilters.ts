import { type Filter, STATISTICS_FILTERS } from '../../catalog/filters';
import { isEmpty, isObject } from '../../core/json';
import {
	jsonParameter,
	optionsParameter,
	type Parameter,
	parameterError,
} from '../../runtime/parameters';
import { filterCollection, type FilterEntry, type Filters } from '../../filters/collection';
import { filterEntry } from '../../filters/kinds';

const match = optionsParameter({
	displayName: 'Include or Exclude',
	name: 'match',
	type: 'options',
	default: 'include',
	options: [
		{ name: 'Include', value: 'include' },
		{ name: 'Exclude', value: 'exclude' },
	],
	description: 'Whether to count the companies that have one of these values, or all others',
});

const statisticsFilter = (filter: Filter): FilterEntry => {
	const { property, fields, read } = filterEntry(filter);
	return {
		property,
		fields: [...fields, match.property],
		read: (rows) => {
			const value = read(rows);
			if (value === undefined) return undefined;
			const rowsWithValues = rows.filter((row) => read([row]) !== undefined);
			const matches = new Set(rowsWithValues.map((row) => match.read(row.match)));
			if (matches.size > 1) {
				throw parameterError(property, "can't both include and exclude values. Use one of them.");
			}
			return { type: 'includes', ...value, ...(matches.has('exclude') && { negate: true }) };
		},
	};
};

/** The filters of the statistics (contract: Business statistics). `negate` is sent only when it is true. */
export const statisticsFilters = filterCollection(STATISTICS_FILTERS.map(statisticsFilter));

const NONE: Filters = { values: {}, empty: [] };

const json = jsonParameter({
	displayName: 'Additional Filters',
	name: 'additionalFilters',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "country_code": { "type": "includes", "values": ["us"] } }',
	description: 'Further business filters as a JSON object, in the form that the service takes',
});

/** Filters that the contract doesn't name: it defines their form only (contract: Business statistics). */
export const additionalFilters: Parameter<'additionalFilters', Filters> = {
	...json,
	read: (raw) => {
		const { property } = json;
		if (raw === undefined) return NONE;
		const filters = json.read(raw);
		if (filters === undefined) return { values: {}, empty: [property] };
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
};

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
export function allFilters(own: Filters, additional: Filters = NONE): Filters {
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
