import type { INodeProperties } from 'n8n-workflow';
import type { AutocompleteField } from '../catalog/autocomplete';
import type { FilterForm } from '../catalog/filters';
import { searchListMethod } from './lists';

/** What the editor shows for a filter. */
export function filterProperty(
	form: FilterForm,
	name: string,
): Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties> {
	switch (form.kind) {
		case 'yesNo':
			return {
				type: 'options',
				default: 'any',
				options: [
					{ name: 'Any', value: 'any' },
					{ name: 'No', value: 'no' },
					{ name: 'Yes', value: 'yes' },
				],
			};
		case 'title':
			return locator(form.field, 'e.g. marketing manager');
		case 'found':
			return {
				type: 'fixedCollection',
				default: {},
				typeOptions: {
					multipleValues: true,
					multipleValueButtonText: `Add ${form.one}`,
					fixedCollection: { layout: 'inline' },
				},
				options: [
					{
						displayName: form.one,
						name: 'values',
						values: [
							{ displayName: form.one, name: 'value', ...locator(form.field, form.placeholder) },
						],
					},
				],
			};
		case 'vocabulary':
			return {
				type: 'multiOptions',
				default: [],
				options: form.values.map((value) => ({ name: value, value })),
			};
		case 'ids':
			return { type: 'string', default: '', placeholder: `e.g. {{ $json.${name} }}` };
		case 'range':
			return {
				type: 'collection',
				default: {},
				placeholder: 'Add bound',
				options: [
					{
						displayName: 'At Least',
						name: 'gte',
						type: 'number',
						default: 0,
						typeOptions: { minValue: 0 },
					},
					{
						displayName: 'At Most',
						name: 'lte',
						type: 'number',
						default: 12,
						typeOptions: { minValue: 0 },
					},
				],
			};
	}
}

const locator = (
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
