import { hash } from 'node:crypto';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { Outcome } from '../core/outcome';
import { execute } from './execute';
import type { SharedOptions } from './options';
import { type Row, rowsOf } from './output';
import type { Parameter, ValuesOf } from './parameters';
import type { BatchSpec, OperationInfo, RunContext } from './spec';

/** An operation of the node, as the registry lists it. */
export interface Operation extends OperationInfo {
	/** Without display options for the resource and operation: the registry adds them. */
	readonly properties: readonly INodeProperties[];
	readonly execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
}

/** An operation that sends a request, or a few that belong together, for each item. */
interface ItemSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Result,
> extends Omit<
		BatchSpec<Parameters, Options, Input, Result>,
		'inputs' | 'group' | 'key' | 'maxBatchSize' | 'send' | 'rows'
	> {
	/** The input of an item. Throws a UserError for invalid values. */
	readonly input: (values: ValuesOf<Parameters>, options: Options, run: RunContext) => Input;
	readonly send: (client: Client, input: Input) => Promise<Outcome<Result>>;
	/** The rows of an item. If the result came with a failure, an error row follows them. */
	readonly rows: (result: Result, values: ValuesOf<Parameters>) => Row[];
}

/** Defines an operation whose endpoint takes a list: the inputs of all items share batches. */
export function perBatch<
	const Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Result,
>(spec: BatchSpec<Parameters, Options, Input, Result>): Operation {
	const { resource, value, name, action, description, parameters, options } = spec;
	return {
		resource,
		value,
		name,
		action,
		description,
		properties: [...parameters, options].map(({ property }) => property),
		execute: (context) => execute(context, spec),
	};
}

/** Defines an operation whose endpoint takes one input; items with equal inputs share the result. */
export function perItem<
	const Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Result,
>(spec: ItemSpec<Parameters, Options, Input, Result>): Operation {
	return perBatch({
		...spec,
		inputs: (values, options, run) => [spec.input(values, options, run)],
		// A hash, because every item keeps its own: the JSON of 10,000 IDs has half a megabyte.
		group: (input) => hash('sha256', JSON.stringify(input), 'base64url'),
		key: () => '',
		maxBatchSize: () => 1,
		send: async (client, inputs) => {
			const outcomes = await Promise.all(
				inputs.map(async (input) => await spec.send(client, input)),
			);
			const [only] = outcomes;
			const failure = only?.value === undefined ? only?.failure : undefined;
			return failure === undefined ? { value: outcomes } : { failure };
		},
		rows: (results, values) =>
			results.flatMap(({ outcome }) => rowsOf(outcome, (result) => spec.rows(result, values))),
	});
}
