import type { INodeProperties } from 'n8n-workflow';
import { isObject } from '../core/json';
import {
	addedOption,
	integerParameter,
	isBlankCell,
	parameter,
	type Parameter,
	parameterError,
} from './parameter';

/** If items differ, the lowest limit and any `estimateOnly` that is true apply to the whole run. */
export interface Spending {
	/** Undefined for no limit. */
	readonly maxRecordsToPay: number | undefined;
	readonly options: { readonly estimateOnly: boolean };
}

export const UNLIMITED: Spending = { maxRecordsToPay: undefined, options: { estimateOnly: false } };

/** A mapped cell that is blank must neither lift the limit nor turn off the estimate. */
const notMappedToBlank = <const Name extends string, Value>(
	{ name, property, read }: Parameter<Name, Value>,
	rule: string,
): Parameter<Name, Value> => ({
	name,
	property,
	read: (raw, isMapped) => {
		if (isMapped && isBlankCell(raw)) throw parameterError(property, `is empty. ${rule}`);
		return read(raw);
	},
});

const limit = integerParameter({
	displayName: 'Max Records to Pay',
	name: 'maxRecordsToPay',
	type: 'string',
	default: '',
	placeholder: 'e.g. 500',
	typeOptions: { minValue: 0 },
	displayOptions: { show: { '@tool': [false] } },
	description: 'Most records that a run pays for. Further rows fail. No limit if empty.',
});

const maxRecordsToPay: Parameter<'maxRecordsToPay', number | undefined> = {
	...limit,
	read: (raw) => (isBlankCell(raw) ? undefined : limit.read(raw)),
};

const estimate = addedOption({
	displayName: 'Estimate Only',
	name: 'estimateOnly',
	description: 'Whether to count records and send nothing',
});

/** The option as the editor shows it; `spendingParameters` read its value. */
export const estimateOnly: typeof estimate = { ...estimate, read: () => false };

const estimateOption = notMappedToBlank(estimate, 'Set it to true or false.');

/**
 * The limit isn't in the collection Options, of which n8n drops every member that it doesn't know, and the whole if it is an
 * expression: the run would then pay without a limit.
 */
export const spendingParameters = [
	notMappedToBlank(maxRecordsToPay, 'Enter a number.'),
	parameter(
		{ displayName: 'Options', name: 'options', type: 'collection', default: {} },
		(raw) => ({
			estimateOnly:
				isObject(raw) && 'estimateOnly' in raw && estimateOption.read(raw.estimateOnly, true),
		}),
	),
] as const satisfies readonly Parameter[];

/** An agent may call its tool again and again, so that its limit has a default. */
export const maxRecordsOfTool: typeof maxRecordsToPay = {
	...maxRecordsToPay,
	property: { ...limit.property, default: '100', displayOptions: { show: { '@tool': [true] } } },
};

export const spendingProperties: readonly INodeProperties[] = [
	limit.property,
	maxRecordsOfTool.property,
];
