import type { INodeProperties } from 'n8n-workflow';
import {
	booleanParameter,
	integerParameter,
	isBlankCell,
	type Parameter,
	parameterError,
} from './parameter';

/** If items differ, the lowest limits and any `estimateOnly` that is true apply to the whole run. */
export interface Spending {
	/** Undefined for no limit. */
	readonly maxRecordsToPay: number | undefined;
	readonly estimateOnly: boolean;
}

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
	description:
		'Most records of one run, counted for each data set and match. Further rows fail. Leave empty for no limit.',
});

const maxRecordsToPay: Parameter<'maxRecordsToPay', number | undefined> = {
	...limit,
	read: (raw) => (isBlankCell(raw) ? undefined : limit.read(raw)),
};

/**
 * Not in the collection Options, of which n8n drops every member that it doesn't know, and the whole if it is an expression: the run
 * would then pay without a limit.
 */
export const spendingParameters = [
	notMappedToBlank(maxRecordsToPay, 'Enter a number.'),
	notMappedToBlank(
		booleanParameter({
			displayName: 'Estimate Only',
			name: 'estimateOnly',
			type: 'boolean',
			default: false,
			description:
				'Whether to send nothing and return one row with the records and requests that a run would take',
		}),
		'Set it to true or false.',
	),
] as const satisfies readonly Parameter[];

/** An agent may call its tool again and again, so that its limit has a default. */
export const spendingProperties: readonly INodeProperties[] = [
	...spendingParameters.map(({ property }) => property),
	{ ...limit.property, default: '100', displayOptions: { show: { '@tool': [true] } } },
];
