import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { PATHS } from '../catalog/service';
import type { AutocompleteField } from '../catalog/vocabularies';
import { asObjects, asText, isObject } from '../core/json';
import type { Outcome } from '../core/outcome';

interface AutocompleteQuery {
	readonly field: string;
	/** Part of the value. */
	readonly query: string;
	/** Whether to also find values that are close in meaning. */
	readonly semantic: boolean;
}

/** Suggestions `{ query, label, value }` for part of a value, in the service's order (contract: Autocomplete). */
export async function autocomplete(
	client: Client,
	{ field, query, semantic }: AutocompleteQuery,
): Promise<Outcome<IDataObject[]>> {
	const { value, failure } = await client.send({
		method: 'GET',
		path: PATHS.autocomplete,
		query: { field, query, ...(semantic && { semantic_search: true }) },
		safeToRetry: true,
	});
	if (failure !== undefined) return { failure };
	// A single object is one suggestion; one without a value means 'none found'.
	const isNone = isObject(value) && asText(value.value) === undefined;
	return { value: isNone ? [] : asObjects(value) };
}

/** The name of a field's list-search method. Each field has its own: n8n doesn't tell a method which parameter it is for. */
export const searchListMethod = (field: AutocompleteField): string => `search_${field}`;
