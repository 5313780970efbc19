import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isObject } from '../api/json';
import type { SearchFilter } from '../catalog/filters';
import { collection, flag, type Parameter, parameter } from '../runtime/parameters';
import { filterProperty } from './filterProperties';
import { readFilter } from './searchFilters';

const negate = flag({
	displayName: 'Exclude These',
	name: 'negate',
	type: 'boolean',
	default: false,
	description: 'Whether to count the companies to which none of the values applies',
});

/**
 * The Filters collection of the statistics; its value is the `filters` member of the request (contract: Business
 * statistics). Each filter is saved as its values with `negate` beside them; `negate` is sent only when it is true.
 */
export const statisticsFilters = (
	filters: readonly SearchFilter[],
): Parameter<'filters', IDataObject> => {
	const parts = filters.map(statisticsFilter);
	const shown = collection('filters', 'Filters', 'Add filter', parts);
	return {
		...shown,
		read: (raw) =>
			Object.fromEntries(
				parts.flatMap((part) => {
					const value = part.read(isObject(raw) ? raw[part.name] : undefined);
					return value === undefined ? [] : [[part.name, value]];
				}),
			),
	};
};

const statisticsFilter = ({ name, displayName, description, form }: SearchFilter) => {
	const values: INodeProperties = { displayName, name: 'values', ...filterProperty(form, name) };
	return parameter<string, IDataObject | undefined>(
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
			const saved: IDataObject = isObject(raw) && !('mode' in raw) ? raw : {};
			const sent = readFilter(saved.values ?? values.default, form, values);
			if (sent === undefined) return undefined;
			return {
				type: 'includes',
				...sent,
				...(negate.read(saved.negate) && { negate: true }),
			};
		},
	);
};
