import { hash } from 'node:crypto';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { execute } from './execute';
import { keepInputFields, type SharedOptions } from '../parameters/options';
import { isPaid } from './prepare';
import { rowsWithFailure } from './output';
import type { Parameter } from '../parameters/parameter';
import { spendingParameters } from '../parameters/spending';
import type { BatchSpec, ItemSpec, OperationInfo } from './spec';

export interface Operation extends OperationInfo {
	/** The registry adds the display options for the resource and operation. */
	readonly properties: readonly INodeProperties[];
	readonly execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
}

export function perBatch<
	const Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input extends object,
	Result,
	Details extends object = never,
	LookupResult = never,
>(
	spec: BatchSpec<{
		parameters: Parameters;
		options: Options;
		input: Input;
		result: Result;
		details: Details;
		lookupResult: LookupResult;
	}>,
): Operation {
	const { resource, value, name, action, description, parameters, options } = spec;
	// Where all records cost the same, Max Records to Pay limits the credits, too.
	const isLimitedByCredits = spec.charge !== undefined && spec.lookup?.charge !== undefined;
	const spending = isPaid(spec)
		? spendingParameters
				.filter(({ name }) => isLimitedByCredits || name !== 'maxCreditsToPay')
				.map(({ property }) => ({
					property: { ...property, displayOptions: spec.spendingDisplay },
				}))
		: [];
	const inputFields = spec.keepsInputFields ? [keepInputFields] : [];
	return {
		resource,
		value,
		name,
		action,
		description,
		properties: [...parameters, ...spending, ...inputFields, options].map(
			({ property }) => property,
		),
		execute: (context) => execute(context, spec),
	};
}

export function perItem<
	const Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input extends object,
	Result,
>(spec: ItemSpec<Parameters, Options, Input, Result>): Operation {
	return perBatch({
		...spec,
		inputs: (values, options, run) => [spec.input(values, options, run)],
		// Objects as keys are compared by identity, so equal inputs stay apart. The JSON is hashed, because all keys stay in
		// memory: the JSON of 10,000 IDs takes about half a megabyte.
		groupKey: (input) =>
			spec.repeatsEqualInputs ? input : hash('sha256', JSON.stringify(input), 'base64url'),
		// The inputs of a group are equal, so all but the first are duplicates.
		key: () => '',
		maxBatchSize: () => 1,
		send: async (client, [input]) => {
			const outcome = await spec.send(client, input);
			// A failure without a value is returned as the batch's failure: `executeBatches` then checks whether the service rejected
			// the input.
			const { value, failure } = outcome;
			return value === undefined && failure !== undefined ? { failure } : { value: () => outcome };
		},
		rows: (results, values) =>
			results.flatMap(({ outcome }) =>
				rowsWithFailure(outcome, (result) => spec.rows(result, values)),
			),
	});
}
