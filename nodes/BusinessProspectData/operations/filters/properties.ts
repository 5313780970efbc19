import type { INodeProperties } from 'n8n-workflow';
import type { FilterForm } from '../../catalog/filters';
import { autocompleteProperty, locatorProperty } from './autocompleteValues';

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
			return locatorProperty(form.field, 'e.g. marketing manager');
		case 'found':
			return autocompleteProperty(form.field, form.one, form.placeholder);
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
						description: 'Number of months. Empty: no lower bound.',
						typeOptions: { minValue: 0 },
					},
					{
						displayName: 'At Most',
						name: 'lte',
						type: 'number',
						default: 12,
						description: 'Number of months. Empty: no upper bound.',
						typeOptions: { minValue: 0 },
					},
				],
			};
	}
}
