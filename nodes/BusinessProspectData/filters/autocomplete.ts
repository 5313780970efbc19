import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { asObjects, isEmpty, isObject } from '../core/json';
import type { AutocompleteField } from '../catalog/filterValues';
import { stringListParameter } from '../parameters/lists';
import { parameterError } from '../parameters/parameter';
import type { Client } from '../api/client';
import { isResponseWith } from '../api/responseBody';
import { PATHS } from '../catalog/service';
import type { Outcome } from '../core/outcome';

interface AutocompleteQuery {
	readonly field: string;
	readonly query: string;
	readonly semantic: boolean;
}

const isSuggestion = isResponseWith('query', 'label', 'value');
const EXPECTED = {
	isIn: (body: unknown) => !isObject(body) || isEmpty(body) || isSuggestion(body),
	problem: "The service's response has no list of values, so it is unknown whether any match",
};

/** Returns suggestions in the service's order; an empty list if nothing matches (contract: Autocomplete). */
export async function autocomplete(
	client: Client,
	{ field, query, semantic }: AutocompleteQuery,
): Promise<Outcome<IDataObject[]>> {
	const { value: response, failure } = await client.send({
		method: 'GET',
		path: PATHS.autocomplete,
		query: [
			['field', field],
			['query', query],
			...(semantic ? ([['semantic_search', 'true']] as const) : []),
		],
		safeToRetry: true,
		credits: 0,
		expects: EXPECTED,
	});
	if (failure !== undefined) return { failure };
	if (!isObject(response)) return { value: asObjects(response) };
	// An object with a value is a single suggestion. An object without one may say that nothing matches.
	return { value: isEmpty(response.value) ? [] : [response] };
}

/** Each field has its own list-search method, because n8n doesn't tell a method which parameter it is for. */
export const listSearchMethodName = (field: AutocompleteField): string => `search_${field}`;

/** Saved as `{ values: [{ value: <resource locator> }] }`. */
export const autocompleteListProperty = (
	field: AutocompleteField,
	singular: string,
	placeholder: string,
): Pick<INodeProperties, 'type' | 'default' | 'placeholder' | 'typeOptions' | 'options'> => ({
	type: 'fixedCollection',
	default: {},
	placeholder: `Add ${singular.toLowerCase()}`,
	typeOptions: {
		multipleValues: true,
		fixedCollection: { layout: 'inline' },
	},
	options: [
		{
			displayName: singular,
			name: 'values',
			values: [
				{ displayName: singular, name: 'value', ...autocompleteValueProperty(field, placeholder) },
			],
		},
	],
});

/**
 * Reads an `autocompleteListProperty`. Expressions may also return one value, a list, or text to split at `separator`.
 *
 * @throws UserError that names the property
 */
export function readAutocompleteValues(
	raw: unknown,
	property: INodeProperties,
	separator: RegExp,
): string[] {
	const { read } = stringListParameter(property, separator);
	if (!isObject(raw) || 'mode' in raw) return read(raw);
	if (Object.keys(raw).length === 0) return [];
	if (!('values' in raw)) throw parameterError(property, 'is not a list of values.', raw);
	const rows: unknown[] = Array.isArray(raw.values) ? raw.values : [raw.values];
	return read(rows.map((row) => (isObject(row) && !('mode' in row) ? row.value : row)));
}

export const autocompleteValueProperty = (
	field: AutocompleteField,
	placeholder: string,
): Pick<INodeProperties, 'type' | 'default' | 'modes'> => ({
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Type to search',
			typeOptions: { searchListMethod: listSearchMethodName(field), searchable: true },
		},
		{ displayName: 'Value', name: 'value', type: 'string', placeholder },
	],
});
