import { isEmpty, isObject } from '../../core/json';
import { parameter, readJson, parameterError } from '../../runtime/parameters';
import type { Filters } from '../filters/collection';

/** Filters that the contract does not name: which there are is open, but not their form (contract: Business statistics). */
export const additionalFilters = parameter(
	{
		displayName: 'Additional Filters',
		name: 'additionalFilters',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "country_code": { "type": "includes", "values": ["us"] } }',
		description: 'Further business filters as a JSON object, in the form of the service',
	},
	(raw, property, fromExpression): Filters => {
		const filters = readJson(raw, property);
		if (filters === undefined) return { sent: {}, empty: fromExpression ? [property] : [] };
		const wrong = Object.keys(filters).find((name) => !isFilter(filters[name]));
		if (wrong !== undefined) {
			throw parameterError(
				property,
				'is not a filter of the form { "type": "includes", "values": ["us"], "negate": true }; "negate" may be left out.',
				wrong,
			);
		}
		const isBlank = ([, form]: [string, unknown]) => isObject(form) && isEmpty(form.values);
		const all = Object.entries(filters);
		return {
			sent: Object.fromEntries(all.filter((entry) => !isBlank(entry))),
			empty: all.filter(isBlank).map(([name]) => ({
				displayName: `${name} in ${property.displayName}`,
				name: property.name,
			})),
		};
	},
);

const isFilter = (form: unknown): boolean =>
	isObject(form) &&
	typeof form.type === 'string' &&
	Array.isArray(form.values) &&
	['undefined', 'boolean'].includes(typeof form.negate) &&
	Object.keys(form).every((key) => ['type', 'values', 'negate'].includes(key));

/**
 * The filters of Filters and of Additional Filters together.
 *
 * @throws UserError when one is set in both: which of them counts would be a guess
 */
export function allFilters(values: {
	readonly filters: Filters;
	readonly additionalFilters: Filters;
}): Filters {
	const { filters: own, additionalFilters: more } = values;
	const twice = Object.keys(more.sent).find((name) => Object.hasOwn(own.sent, name));
	if (twice !== undefined) {
		throw parameterError(
			additionalFilters.property,
			'is also set in Filters. Remove it from one of them.',
			twice,
		);
	}
	return { sent: { ...own.sent, ...more.sent }, empty: [...own.empty, ...more.empty] };
}
