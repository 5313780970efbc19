import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { isObject, objectsIn, textOf } from '../api/json';
import type { Outcome } from '../api/outcome';
import { PATHS } from '../catalog/paths';

/** What suggestions are asked for. */
export interface SuggestionsAsk {
	readonly field: string;
	/** Part of the value. */
	readonly query: string;
	/** Whether to also find what is close in meaning. */
	readonly semantic: boolean;
}

/** Suggestions for a part of a value (contract: Autocomplete): `{ query, label, value }` each, in the service's order. */
export async function suggestions(
	client: Client,
	{ field, query, semantic }: SuggestionsAsk,
): Promise<Outcome<IDataObject[]>> {
	const { value, failure } = await client.send({
		method: 'GET',
		path: PATHS.autocomplete,
		query: { field, query, ...(semantic && { semantic_search: true }) },
		free: true,
	});
	if (failure !== undefined) return { failure };
	// An object in place of the list is a suggestion, or says that there is none.
	const isNone = isObject(value) && textOf(value.value) === undefined;
	return { value: isNone ? [] : objectsIn(value) };
}
