import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { createClient } from '../api/client';
import { operationError } from '../api/errors';
import { COUNTRIES_METHOD, listCountries } from '../catalog/countries';
import {
	AUTOCOMPLETE_FIELDS,
	type AutocompleteField,
	SEMANTIC_FIELD,
} from '../catalog/filterValues';
import { asText } from '../core/json';
import { autocomplete, listSearchMethodName } from '../filters/autocomplete';

/** Lists that need no request. */
export const loadOptions = {
	[COUNTRIES_METHOD]: async (): Promise<INodePropertyOptions[]> => listCountries(),
};

/** The user is waiting for the list, so fail fast instead of retrying for minutes. */
const REQUEST_OPTIONS = {
	maxConcurrentRequests: 1,
	maxTries: 2,
	maxWait: 5,
	timeout: 20,
	omitOptionAdvice: true,
};

export const listSearch = Object.fromEntries(
	AUTOCOMPLETE_FIELDS.map(({ value: field }) => [
		listSearchMethodName(field),
		async function search(
			this: ILoadOptionsFunctions,
			filter?: string,
		): Promise<INodeListSearchResult> {
			return await searchField(this, field, filter?.trim() ?? '');
		},
	]),
);

/** The editor shows the message of a thrown error in the list. */
async function searchField(
	context: ILoadOptionsFunctions,
	field: AutocompleteField,
	query: string,
): Promise<INodeListSearchResult> {
	const client = await createClient(context, REQUEST_OPTIONS);
	const semantic = field === SEMANTIC_FIELD;
	const { value: suggestions, failure } = await autocomplete(client, { field, query, semantic });
	client.stop();
	if (failure !== undefined) throw operationError(context.getNode(), failure);
	const results = suggestions.flatMap(({ label, value }) => {
		const text = asText(value);
		return text === undefined ? [] : [{ name: asText(label) ?? text, value: text }];
	});
	return { results };
}
