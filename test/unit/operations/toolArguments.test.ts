/**
 * The arguments that an AI model sees: n8n's editor names one for each field that the model fills in, from the field's
 * label and, inside a list, from the list's name and row. Fields with the same name would share one argument.
 */
import type { INodeProperties } from 'n8n-workflow';
import { OPERATIONS } from '../../../nodes/BusinessProspectData/operations/registry';

/** The name that the editor gives the argument of a field: at most 63 characters, and only some kinds of them. */
function argumentName(path: string, label: string): string {
	const rows = path.split('.').filter((part) => /\[\d+\]/.test(part));
	const name = [...rows.map((part) => part.replaceAll(/[[\]]/g, '')), label].join('_');
	const cut = rows.length > 1 ? name.slice(-63) : name.slice(0, 63);
	return cut.replaceAll(/[^a-zA-Z0-9-]/g, '_');
}

/** The arguments of a field and of those inside it. There is none for a drop-down. */
function argumentsOf(property: INodeProperties, path: string): string[] {
	const { type, options = [], noDataExpression } = property;
	if (type === 'collection' || type === 'fixedCollection') {
		return options.flatMap((option) => {
			if (!('values' in option)) {
				return 'type' in option ? argumentsOf(option, `${path}.${option.name}`) : [];
			}
			const row = property.typeOptions?.multipleValues ? '[0]' : '';
			return option.values.flatMap((field) =>
				argumentsOf(field, `${path}.${option.name}${row}.${field.name}`),
			);
		});
	}
	return type === 'options' || noDataExpression ? [] : [argumentName(path, property.displayName)];
}

const operations = OPERATIONS.map(
	({ resource, value, properties }) => [`${resource}: ${value}`, properties] as const,
);

test.each(operations)('%s: each field is an argument of its own', (_name, properties) => {
	const isForTools = ({ displayOptions }: INodeProperties) =>
		displayOptions?.show?.['@tool']?.[0] !== false;
	const names = properties
		.filter(isForTools)
		.flatMap((property) => argumentsOf(property, `parameters.${property.name}`));

	expect(names.length).toBeGreaterThan(0);
	expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
