import type { INodeProperties } from 'n8n-workflow';
import { asObjects, isObject, textOf } from '../core/json';
import { trimInvisible } from '../core/text';
import { optionsParameter, type Parameter, parameterError } from './parameter';

/** A column of the input row, such as a CRM's own `email`, that gets a value that was found. */
export interface FillColumn {
	readonly yourColumn: string;
	/** The name of the node's column. */
	readonly value: string;
	readonly ifFilled: 'keepMine' | 'replaceIfFound';
}

/** Lists the node's columns in the editor. */
const COLUMNS_METHOD = 'getColumns';

const yourColumn: INodeProperties = {
	displayName: 'Your Column',
	name: 'yourColumn',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. email',
};

const value: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'options',
	noDataExpression: true,
	default: '',
	typeOptions: {
		loadOptionsMethod: COLUMNS_METHOD,
		loadOptionsDependsOn: ['identifyBy', 'dataSets', 'eventTypes', 'simplify'],
	},
};

const ifFilled = optionsParameter({
	displayName: 'If Filled',
	name: 'ifFilled',
	type: 'options',
	noDataExpression: true,
	default: 'keepMine',
	options: [
		{ name: 'Keep Mine', value: 'keepMine' },
		{ name: 'Replace If Found', value: 'replaceIfFound' },
	],
});

const property: INodeProperties & { readonly name: 'fillColumns' } = {
	displayName: 'Fill Columns',
	name: 'fillColumns',
	type: 'fixedCollection',
	noDataExpression: true,
	default: {},
	placeholder: 'Add column',
	typeOptions: { multipleValues: true },
	// An agent's rows have no columns but the arguments of its call.
	displayOptions: { show: { '@tool': [false] } },
	description: 'Columns of your rows that get what is found',
	options: [
		{
			displayName: 'Column',
			name: 'values',
			values: [yourColumn, value, ifFilled.property],
		},
	],
};

export const fillColumnsError = (rule: string, name?: string) =>
	parameterError(property, rule, name);

export const fillColumns: Parameter<'fillColumns', FillColumn[]> = {
	name: property.name,
	property,
	read: (raw) => {
		const { values } = isObject(raw) ? raw : {};
		return asObjects(values).map((entry) => ({
			yourColumn: trimInvisible(textOf(entry.yourColumn)),
			value: trimInvisible(textOf(entry.value)),
			ifFilled: ifFilled.read(entry.ifFilled),
		}));
	},
};
