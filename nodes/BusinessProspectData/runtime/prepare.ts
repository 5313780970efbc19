import type { IExecuteFunctions } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import { checkFields, type SharedOptions } from './options';
import { collectionParameter, type Parameter, type ValuesOf } from './parameters';
import { createValuesReader } from './parameterValues';
import type { BatchSpec, ResolvedId, RunContext } from './spec';
import { type SpendingOptions, spendingOptions } from './spending';
import { toOutcome } from './toOutcome';

/** An item whose values are valid. */
export interface PreparedItem<Values, Options, Input, Details> {
	readonly values: Values;
	readonly options: Options;
	/**
	 * What to send. Until an item with details is identified, its inputs have `identify.placeholder(details)` in place of
	 * the ID.
	 */
	readonly inputs: readonly Input[];
	readonly details?: Details;
	/** Set once the details were looked up; `id` is null if nothing matches or the lookup failed. */
	readonly lookup?: ResolvedId & { readonly duplicate: boolean };
}

type Spec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Details,
	LookupResult,
> = Pick<
	BatchSpec<Parameters, Options, Input, unknown, Details, LookupResult>,
	'parameters' | 'options' | 'rowFields' | 'inputs' | 'identify'
>;

interface PreparedItems<Item> {
	readonly items: ReadonlyArray<Outcome<Item>>;
	/** The valid spending options of all items, even of items that have failed. */
	readonly spending: readonly SpendingOptions[];
}

/** Each spending option by itself, so that another option with an invalid value doesn't lift it. */
const guards = spendingOptions.map((option) =>
	collectionParameter('options', 'Options', '', [option]),
);

/** Reads and checks the values of all items. An item whose values are invalid has failed. */
export function prepareItems<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Details,
	LookupResult,
>(
	context: IExecuteFunctions,
	spec: Spec<Parameters, Options, Input, Details, LookupResult>,
	run: RunContext,
): PreparedItems<PreparedItem<ValuesOf<Parameters>, Options, Input, Details>> {
	const readValues = createValuesReader(context, spec.parameters);
	const readOptions = createValuesReader(context, [spec.options]);
	const guardReaders = guards.map((guard) => createValuesReader(context, [guard]));
	const spending: SpendingOptions[] = [];
	const items = context.getInputData().map((_, item) => {
		const { value: values, failure } = readValues(item);
		const { value: read, failure: optionsFailure } = readOptions(item);
		if (read !== undefined) spending.push(read.options);
		else for (const readGuard of guardReaders) spending.push(readGuard(item).value?.options ?? {});
		if (failure !== undefined) return { failure };
		if (optionsFailure !== undefined) return { failure: optionsFailure };
		return toOutcome(() => prepareItem(spec, values, read.options, run));
	});
	return { items, spending };
}

/** @throws UserError for invalid values or unknown names in Fields */
function prepareItem<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Details,
	LookupResult,
>(
	{ identify, rowFields, inputs }: Spec<Parameters, Options, Input, Details, LookupResult>,
	values: ValuesOf<Parameters>,
	options: Options,
	run: RunContext,
): PreparedItem<ValuesOf<Parameters>, Options, Input, Details> {
	const details = identify?.details(values, options);
	if (rowFields !== undefined) {
		const ownFields =
			identify === undefined || details === undefined
				? []
				: [identify.flagField, ...(identify.unmatchedFields ?? [])];
		checkFields(options.fields, [...rowFields(values), ...ownFields]);
	}
	if (identify === undefined || details === undefined) {
		return { values, options, inputs: inputs(values, options, run) };
	}
	// Estimate and limit count inputs before any ID is known. `identifyItems` rebuilds the inputs.
	const placeholder = identify.withId(values, identify.placeholder(details));
	return { values, options, inputs: inputs(placeholder, options, run), details };
}
