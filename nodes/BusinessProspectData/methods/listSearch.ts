import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	NodeOperationError,
} from 'n8n-workflow';
import { type Client, createClient } from '../api/client';
import { PATHS } from '../catalog/service';
import {
	AUTOCOMPLETE_FIELDS,
	type AutocompleteField,
	SEMANTIC_FIELD,
} from '../catalog/vocabularies';
import { asObjects, asText, isObject } from '../core/json';
import type { Outcome } from '../core/outcome';

interface AutocompleteQuery {
	readonly field: string;
	/** Part of the value. */
	readonly query: string;
	/** Whether to also find values that are close in meaning. */
	readonly semantic: boolean;
}

/** Suggestions `{ query, label, value }` for a part of a value, in the service's order (contract: Autocomplete). */
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

/** A person is waiting for the list, so it fails early instead of retrying for long. */
const REQUEST_OPTIONS = {
	maxConcurrentRequests: 1,
	maxTries: 2,
	maxWait: 5,
	timeout: 20,
	omitOptionAdvice: true,
};

/** The name of a field's list-search method. Each field has its own: n8n doesn't tell a method which parameter it is for. */
export const searchListMethod = (field: AutocompleteField): string => `search_${field}`;

/** The list-search methods of the node, one for each field of the autocomplete endpoint. */
export const listSearch = Object.fromEntries(
	AUTOCOMPLETE_FIELDS.map(({ value: field }) => [
		searchListMethod(field),
		async function search(
			this: ILoadOptionsFunctions,
			filter?: string,
		): Promise<INodeListSearchResult> {
			return await searchField(this, field, filter?.trim() ?? '');
		},
	]),
);

/** Suggestions for the text typed so far. Throws an error whose message the editor shows in the list. */
async function searchField(
	context: ILoadOptionsFunctions,
	field: AutocompleteField,
	query: string,
): Promise<INodeListSearchResult> {
	const client = await createClient(context, REQUEST_OPTIONS);
	const semantic = field === SEMANTIC_FIELD;
	const { value: suggestions, failure } = await autocomplete(client, { field, query, semantic });
	client.stop();
	if (failure !== undefined) throw new NodeOperationError(context.getNode(), failure.message);
	const results = suggestions.flatMap(({ label, value }) => {
		const text = asText(value);
		return text === undefined ? [] : [{ name: asText(label) ?? text, value: text }];
	});
	return { results };
}
