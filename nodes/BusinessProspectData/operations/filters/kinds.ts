import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isEmpty, isObject } from '../../core/json';
import type { Filter, FilterType, FilterKind } from '../../catalog/filters';
import { idsParameter, multiOptionsParameter } from '../../runtime/lists';
import {
	integerParameter,
	parameter,
	type Parameter,
	parameterError,
	stringParameter,
} from '../../runtime/parameters';
import {
	autocompleteProperty,
	locatorProperty,
	readAutocompleteValues,
} from './autocompleteValues';
import type { FilterValue } from './collection';

/** How the editor shows the filters of a kind, and how their saved values are read. */
interface KindBehavior<Kind extends FilterKind> {
	readonly property: (
		type: FilterType<Kind>,
		name: string,
	) => Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>;
	/** @throws UserError that names the filter, the value and the rule */
	readonly read: (raw: unknown, type: FilterType<Kind>, property: INodeProperties) => FilterValue;
}

const KINDS: { readonly [Kind in FilterKind]: KindBehavior<Kind> } = {
	boolean: {
		property: () => ({
			type: 'options',
			default: 'any',
			options: [
				{ name: 'Any', value: 'any' },
				{ name: 'No', value: 'no' },
				{ name: 'Yes', value: 'yes' },
			],
		}),
		read: (raw, _type, property) => {
			const value = stringParameter(property).read(raw).toLowerCase();
			if (value === 'any') return 'any';
			if (value === '') return undefined;
			if (['yes', 'true'].includes(value)) return { value: true };
			if (['no', 'false'].includes(value)) return { value: false };
			throw parameterError(property, 'is not one of: any, yes, no.', raw);
		},
	},
	text: {
		property: ({ field }) => locatorProperty(field, 'e.g. marketing manager'),
		read: (raw, _type, property) => {
			const value = stringParameter(property).read(raw);
			return value === '' ? undefined : { value };
		},
	},
	autocomplete: {
		property: ({ field, singular, placeholder }) =>
			autocompleteProperty(field, singular, placeholder),
		read: (raw, { format }, property) => {
			// Codes contain no commas, so a comma separates them. Other values may contain commas.
			if (format === undefined) return listed(readAutocompleteValues(raw, property, /\n/));
			return listed(
				readAutocompleteValues(raw, property, /[,\n]/).map((value) => {
					const code = value.toLowerCase();
					if (format.pattern.test(code)) return code;
					throw parameterError(property, `is not ${format.description}.`, value);
				}),
			);
		},
	},
	enum: {
		property: ({ values }) => ({
			type: 'multiOptions',
			default: [],
			options: values.map((value) => ({ name: value, value })),
		}),
		read: (raw, _type, property) => listed(multiOptionsParameter(property).read(raw)),
	},
	ids: {
		property: (_type, name) => ({
			type: 'string',
			default: '',
			placeholder: `e.g. {{ $json.${name} }}`,
		}),
		read: (raw, { format }, property) => listed(idsParameter(property, format).read(raw)),
	},
	range: {
		property: () => ({
			type: 'collection',
			default: {},
			placeholder: 'Add bound',
			options: [
				{
					displayName: 'At Least',
					name: 'gte',
					type: 'number',
					default: 0,
					description: 'Number of months. Leave empty for no lower bound.',
					typeOptions: { minValue: 0 },
				},
				{
					displayName: 'At Most',
					name: 'lte',
					type: 'number',
					default: 12,
					description: 'Number of months. Leave empty for no upper bound.',
					typeOptions: { minValue: 0 },
				},
			],
		}),
		read: readRange,
	},
};

const listed = (values: readonly string[]): FilterValue =>
	values.length === 0 ? undefined : { values: [...new Set(values)] };

function readRange(
	raw: unknown,
	_type: FilterType<'range'>,
	property: INodeProperties,
): FilterValue {
	if (!isObject(raw)) {
		throw parameterError(property, 'is not a range such as { "gte": 12, "lte": 36 }.', raw);
	}
	const months = integerParameter({ ...property, typeOptions: { minValue: 0 } });
	const bounds: IDataObject = {};
	for (const name of ['gte', 'lte']) {
		if (!isEmpty(raw[name])) bounds[name] = months.read(raw[name]);
	}
	if (Number(bounds.gte) > Number(bounds.lte)) {
		throw parameterError(
			property,
			`At Least (${bounds.gte}) is greater than At Most (${bounds.lte}).`,
		);
	}
	return Object.keys(bounds).length === 0 ? undefined : bounds;
}

/** A filter as a parameter. Its value is `{ value }`, `{ values }` or `{ gte, lte }` (contract: Fetch prospects, filter rules). */
export const filterParameter = <Kind extends FilterKind>({
	name,
	displayName,
	description,
	type,
}: Filter<Kind>): Parameter<string, FilterValue> => {
	const { property, read } = KINDS[type.kind];
	return parameter({ displayName, name, description, ...property(type, name) }, (raw, own) =>
		read(raw, type, own),
	);
};
