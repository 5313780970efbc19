import type { INodeProperties } from 'n8n-workflow';
import { isObject } from '../../core/json';
import type { AutocompleteField } from '../../catalog/autocomplete';
import { readList } from '../../runtime/lists';
import { parameterError } from '../../runtime/parameters';
import { searchListMethod } from '../../methods/listSearch';

/** Several values, each found as you type; saved as `{ values: [{ value: <resource locator> }] }`. */
export const autocompleteProperty = (
	field: AutocompleteField,
	one: string,
	placeholder: string,
): Pick<INodeProperties, 'type' | 'default' | 'placeholder' | 'typeOptions' | 'options'> => ({
	type: 'fixedCollection',
	default: {},
	placeholder: `Add ${one.toLowerCase()}`,
	typeOptions: {
		multipleValues: true,
		fixedCollection: { layout: 'inline' },
	},
	options: [
		{
			displayName: one,
			name: 'values',
			values: [{ displayName: one, name: 'value', ...locatorProperty(field, placeholder) }],
		},
	],
});

/**
 * The texts of such a property; an expression may also give a list, or text in which `separator` separates.
 *
 * @throws UserError when it is anything else
 */
export function readAutocompleteValues(
	raw: unknown,
	property: INodeProperties,
	separator: RegExp,
): string[] {
	if (!isObject(raw) || 'mode' in raw) return readList(raw, property, separator);
	if (Object.keys(raw).length === 0) return [];
	if (!('values' in raw)) throw parameterError(property, 'is not a list of values.', raw);
	const rows: unknown[] = Array.isArray(raw.values) ? raw.values : [raw.values];
	return readList(
		rows.map((row) => (isObject(row) && !('mode' in row) ? row.value : row)),
		property,
		separator,
	);
}

/** One value, chosen from the list that loads as you type, or given. */
export const locatorProperty = (
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
			typeOptions: { searchListMethod: searchListMethod(field), searchable: true },
		},
		{ displayName: 'By Value', name: 'value', type: 'string', placeholder },
	],
});
