import {
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	NodeOperationError,
} from 'n8n-workflow';
import { createClient } from '../api/client';
import { asText } from '../core/json';
import {
	AUTOCOMPLETE_FIELDS,
	type AutocompleteField,
	SEMANTIC_FIELD,
} from '../catalog/autocomplete';
import { autocomplete } from './autocomplete';

/** Someone waits in front of the list: rather say soon what is wrong than try for long. */
const SETTINGS = {
	maxConcurrentRequests: 1,
	maxTries: 2,
	maxWait: 5,
	timeout: 20,
	withoutOptions: true,
};

/** The name of a field's list-search method; a method is not told which parameter asks, so each field has its own. */
export const searchListMethod = (field: AutocompleteField): string => `search_${field}`;

/** The list-search methods of the node, one for each field of the autocomplete endpoint. */
export const listSearch = Object.fromEntries(
	AUTOCOMPLETE_FIELDS.map(({ value: field }) => [
		searchListMethod(field),
		async function search(
			this: ILoadOptionsFunctions,
			filter?: string,
		): Promise<INodeListSearchResult> {
			return await list(this, field, filter?.trim() ?? '');
		},
	]),
);

/** Suggestions for what was typed so far. Throws what the editor shows in the list. */
async function list(
	context: ILoadOptionsFunctions,
	field: AutocompleteField,
	query: string,
): Promise<INodeListSearchResult> {
	const client = await createClient(context, SETTINGS);
	const semantic = field === SEMANTIC_FIELD;
	const { value, failure } = await autocomplete(client, { field, query, semantic });
	client.stop();
	if (failure !== undefined) throw new NodeOperationError(context.getNode(), failure.message);
	const results = value.flatMap((row) => {
		const found = asText(row.value);
		return found === undefined ? [] : [{ name: asText(row.label) ?? found, value: found }];
	});
	return { results };
}
