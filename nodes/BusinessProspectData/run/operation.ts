import { hash } from 'node:crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { toOutcome } from '../api/errors';
import { typedValues } from '../core/casts';
import { isEmpty } from '../core/json';
import { fillingColumns } from '../fields/fill';
import { execute } from './execute';
import { memoryParameters } from '../memory/memory';
import type { SharedOptions } from '../parameters/options';
import { OPEN_LAYOUT } from '../fields/columns';
import { isPaid } from './prepare';
import { rowsWithFailure } from './output';
import { optionValues, type Parameter } from '../parameters/parameter';
import { spendingProperties } from '../parameters/spending';
import type { ResolvedId } from './lookupStep';
import type {
	BatchSpec,
	ItemSpec,
	OperationInfo,
	RunSpec,
	SpecTypes,
	SpecValues,
	TypesOf,
} from './spec';

export interface Operation extends OperationInfo {
	/** The registry adds the display options for the resource and operation. */
	readonly properties: readonly INodeProperties[];
	/** The columns that may fill others, given the parameters as the editor has them. */
	readonly columns: (saved: IDataObject) => readonly string[];
	readonly execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
}

function operationOf<Types extends SpecTypes>(spec: RunSpec<Types>): Operation {
	const { resource, value, name, action, description, parameters, options } = spec;
	const spending = isPaid(spec) ? spendingProperties : [];
	const memory = spec.canRemember ? memoryParameters : [];
	const propertyOf = ({ property }: Parameter) => property;
	return {
		resource,
		value,
		name,
		action,
		description,
		properties: [
			...parameters.map(propertyOf),
			...spending,
			...[...memory, options].map(propertyOf),
		],
		columns: (saved) => {
			const shown = parameters.map((each) => [each.name, shownValue(each, saved)]);
			const values = typedValues<SpecValues<Types>>(Object.fromEntries(shown));
			return fillingColumns(spec.layout?.(values, options.read({})) ?? OPEN_LAYOUT);
		},
		execute: (context) => execute(context, spec),
	};
}

/** If a choice is an expression, or isn't made yet, all that can be chosen. */
function shownValue({ name, property, read }: Parameter, saved: IDataObject): unknown {
	const { value, failure } = toOutcome(() => read(saved[name]));
	const isChoice = property.type === 'multiOptions';
	if (failure === undefined && !(isChoice && isEmpty(value))) return value;
	return read(isChoice ? optionValues(property) : property.default);
}

export const perBatch = <
	const Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input extends object,
	Result,
	Resolved extends ResolvedId = never,
>(
	spec: BatchSpec<TypesOf<Parameters, Options, Input, Result, Resolved>>,
): Operation => operationOf({ ...spec, requests: spec });

/** An operation that only looks up IDs. */
export const perLookup = <
	const Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Resolved extends ResolvedId,
>(
	spec: RunSpec<TypesOf<Parameters, Options, never, never, Resolved>>,
): Operation => operationOf(spec);

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
			return value === undefined && failure !== undefined
				? { failure }
				: { value: { outcomeOf: () => outcome } };
		},
		rows: (results, values) =>
			results.flatMap(({ outcome }) =>
				rowsWithFailure(outcome, (result) => spec.rows(result, values)),
			),
	});
}
