import type { RequestOptions } from '../api/client';
import { type FillColumn, fillColumns } from './fillColumns';
import { stringListParameter } from './lists';
import {
	addedOption,
	booleanParameter,
	collectionParameter,
	integerParameter,
	parameter,
	type Parameter,
	parameterError,
	type ValuesOf,
} from './parameter';
import { estimateOnly } from './spending';

export interface OutputOptions {
	/** Names of columns. If empty, a row has all. */
	readonly fields: readonly string[];
	readonly fillColumns?: readonly FillColumn[];
	readonly includeInputFields?: boolean;
	readonly dropRowsWithoutData?: boolean;
}

export interface SharedOptions extends RequestOptions, OutputOptions {
	/** Undefined if the operation has no Batch Size, or if only the endpoints' own limits apply. */
	readonly batchSize?: number | undefined;
}

const fields = stringListParameter(
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		description: 'Columns to output, comma-separated. All if empty.',
	},
	/[,\n]/,
);

export const fieldsError = (rule: string, path: string) =>
	parameterError(fields.property, rule, path);

/** Include Input Fields, off by default: the operation's rows aren't about the input row itself. */
export const includeInputFields = addedOption({
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	description: 'Whether to also output the input row',
});

/** On unless it is added and turned off. */
const keepInputFields: Parameter<'includeInputFields', boolean> = {
	...includeInputFields,
	read: (raw) => includeInputFields.read(raw ?? true),
};

/** These options apply to the whole run, so they take no expressions. */
export const requestOptions = [
	integerParameter({
		displayName: 'Max Concurrent Requests',
		name: 'maxConcurrentRequests',
		type: 'number',
		noDataExpression: true,
		default: 4,
		typeOptions: { minValue: 1, maxValue: 50 },
		description: 'Most requests at once',
	}),
	integerParameter({
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		noDataExpression: true,
		default: 300,
		typeOptions: { minValue: 0, maxValue: 86400 },
		description: 'Longest wait for retries and other runs. 0 for none.',
	}),
] as const;

export const simplify = booleanParameter({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/**
 * Reads a value of `limit` or more as undefined: only the endpoints' own limits then apply, and some may differ from `limit`. The
 * value may exceed `limit`, because the editor keeps it when the operation changes.
 */
export const batchSize = (limit: number) =>
	parameter(
		{
			displayName: 'Batch Size',
			name: 'batchSize',
			type: 'number',
			noDataExpression: true,
			default: limit,
			typeOptions: { minValue: 1, maxValue: limit },
			description: 'Most IDs in one request',
		},
		(raw, property) => {
			const size = integerParameter({ ...property, typeOptions: { minValue: 1 } }).read(raw);
			return size < limit ? size : undefined;
		},
	);

export const dropRowsWithoutData = addedOption({
	displayName: 'Drop Rows Without Data',
	name: 'dropRowsWithoutData',
	description: 'Whether to leave out rows without a result',
});

/** The collection Options, in the given order, so that the most useful come first. */
export function optionsCollection<const Parts extends readonly Parameter[]>(
	parts: Parts,
): Parameter<'options', ValuesOf<Parts>> {
	const options = collectionParameter('options', 'Options', 'Add option', parts);
	return {
		...options,
		property: { ...options.property, options: parts.map(({ property }) => property) },
	};
}

const fieldsWith = (placeholder: string): typeof fields => ({
	...fields,
	property: { ...fields.property, placeholder },
});

/** `placeholder` is an example for Fields. */
export const operationOptions = <const Own extends readonly Parameter[]>(
	placeholder: string,
	own: Own,
) =>
	optionsCollection<readonly [typeof fields, ...Own, ...typeof requestOptions]>([
		fieldsWith(placeholder),
		...own,
		...requestOptions,
	]);

/** Options of operations that add to the input row. */
export const rowOptions = <const Own extends readonly Parameter[]>(placeholder: string, own: Own) =>
	optionsCollection<
		readonly [
			typeof fillColumns,
			typeof fields,
			typeof estimateOnly,
			typeof keepInputFields,
			...Own,
			...typeof requestOptions,
		]
	>([
		fillColumns,
		fieldsWith(placeholder),
		estimateOnly,
		keepInputFields,
		...own,
		...requestOptions,
	]);
