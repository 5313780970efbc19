import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import { rejectEmptyFilters } from '../../filters/collection';
import { searchFilters } from '../../filters/kinds';
import { simplify } from '../../runtime/options';
import { parameterError } from '../../runtime/parameters';
import { createParameterReader, triggerOptions } from '../parameters';

/** The checked settings of a trigger that watches a search. */
export interface SearchSettings {
	readonly filters: IDataObject;
	readonly maxProspects: number;
	readonly requestsPerPoll: number;
	readonly simplify: boolean;
	readonly requestOptions: RequestOptions;
	readonly requestContext?: IDataObject;
}

/**
 * Reads the settings of a trigger that watches a search.
 *
 * @throws UserError when a filter is invalid or empty, or there is none
 */
export function readSearchSettings(context: IPollFunctions): SearchSettings {
	const valueOf = createParameterReader(context);
	const { byName: filters, empty } = valueOf(searchFilters);
	rejectEmptyFilters(empty);
	if (Object.keys(filters).length === 0) {
		throw parameterError(
			searchFilters.property,
			'add at least one filter. Without one, the trigger would watch everyone.',
		);
	}
	const { maxProspects, requestsPerPoll, requestContext, ...requestOptions } =
		valueOf(triggerOptions);
	return {
		filters,
		maxProspects,
		requestsPerPoll,
		simplify: valueOf(simplify),
		requestOptions,
		requestContext,
	};
}
