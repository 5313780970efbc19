import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isObject } from '../api/json';
import type { SearchFilter } from '../catalog/filters';
import {
	collected,
	collection,
	flag,
	type Parameter,
	parameter,
	refusal,
} from '../runtime/parameters';
import { filterProperty } from './filterProperties';
import { readFilter } from './searchFilters';

const negate = flag({
	displayName: 'Exclude These',
	name: 'negate',
	type: 'boolean',
	default: false,
	description: 'Whether to count only companies that have none of these values',
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
		read: (raw) => {
			const saved = collected(raw, shown.property);
			const sent = parts.map((part) => [part.name, part.read(saved[part.name])]);
			return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
		},
	};
};

const statisticsFilter = ({ name, displayName, description, form }: SearchFilter) => {
	const property = filterProperty(form, name);
	// Inline rows are wider than the editor's panel at this depth.
	const typeOptions = { ...property.typeOptions, fixedCollection: undefined };
	const values: INodeProperties = { displayName, name: 'values', ...property, typeOptions };
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
			const saved: { values?: unknown; negate?: unknown } =
				isObject(raw) && !('mode' in raw) ? raw : { values: raw };
			if (Object.keys(saved).some((key) => key !== 'values' && key !== 'negate')) {
				throw refusal(values, 'has no values and negate.', raw);
			}
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
