import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { isObject, asObjects, asText } from '../core/json';
import type { Outcome } from '../core/outcome';
import { PATHS } from '../catalog/paths';

/** What suggestions are asked for. */
export interface AutocompleteQuery {
	readonly field: string;
	/** Part of the value. */
	readonly query: string;
	/** Whether to also find what is close in meaning. */
	readonly semantic: boolean;
}

/** Suggestions for a part of a value (contract: Autocomplete): `{ query, label, value }` each, in the service's order. */
export async function autocomplete(
	client: Client,
	{ field, query, semantic }: AutocompleteQuery,
): Promise<Outcome<IDataObject[]>> {
	const { value, failure } = await client.send({
		method: 'GET',
		path: PATHS.autocomplete,
		query: { field, query, ...(semantic && { semantic_search: true }) },
		idempotent: true,
	});
	if (failure !== undefined) return { failure };
	// An object in place of the list is a suggestion, or says that there is none.
	const isNone = isObject(value) && asText(value.value) === undefined;
	return { value: isNone ? [] : asObjects(value) };
}
