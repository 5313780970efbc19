import type { INodeProperties } from 'n8n-workflow';
import { isObject } from '../../core/json';
import { type Filter, STATISTICS_FILTERS } from '../../catalog/filters';
import { flag, parameter, parameterError } from '../../runtime/parameters';
import { filterCollection, type FilterValue } from '../filters/collection';
import { filterProperty } from '../filters/properties';
import { readFilter } from '../filters/values';

const negate = flag({
	displayName: 'Exclude These',
	name: 'negate',
	type: 'boolean',
	default: false,
	description: 'Whether to count only companies that have none of these values',
});

const statisticsFilter = ({ name, displayName, description, form }: Filter) => {
	const property = filterProperty(form, name);
	// Inline rows are wider than the editor's panel at this depth.
	const typeOptions = { ...property.typeOptions, fixedCollection: undefined };
	const values: INodeProperties = { displayName, name: 'values', ...property, typeOptions };
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
				throw parameterError(values, 'has no values and negate.', raw);
			}
			const sent = readFilter(saved.values ?? values.default, form, values);
			if (sent === undefined || sent === 'any') return sent;
			return {
				type: 'includes',
				...sent,
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
