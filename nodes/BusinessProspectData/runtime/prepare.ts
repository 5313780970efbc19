import type { IExecuteFunctions } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import { checkFields } from './options';
import { collectionParameter } from './parameters';
import { createValuesReader } from './parameterValues';
import type { BatchSpec, ResolvedId, RunContext, SpecTypes, SpecValues } from './spec';
import { type SpendingOptions, spendingOptions } from './spending';
import { toOutcome } from './toOutcome';

/** An item whose values are valid. */
export interface PreparedItem<Types extends SpecTypes> {
	readonly values: SpecValues<Types>;
	readonly options: Types['options'];
	/**
	 * What to send. Until an item with details is identified, its inputs have `identify.placeholder(details)` in place of
	 * the ID.
	 */
	readonly inputs: ReadonlyArray<Types['input']>;
	readonly details?: Types['details'];
	/** Set once the details were looked up; `id` is null if nothing matches or the lookup failed. */
	readonly lookup?: ResolvedId & { readonly duplicate: boolean };
}

type Spec<Types extends SpecTypes> = Pick<
	BatchSpec<Types>,
	'parameters' | 'options' | 'rowFields' | 'inputs' | 'identify'
>;

interface PreparedItems<Types extends SpecTypes> {
	readonly items: ReadonlyArray<Outcome<PreparedItem<Types>>>;
	/** The valid spending options of all items, even of items that have failed. */
	readonly spending: readonly SpendingOptions[];
}

/** Each spending option by itself, so that another option with an invalid value doesn't lift it. */
const guards = spendingOptions.map((option) =>
	collectionParameter('options', 'Options', '', [option]),
);

/** Reads and checks the values of all items. An item whose values are invalid has failed. */
export function prepareItems<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: Spec<Types>,
	run: RunContext,
): PreparedItems<Types> {
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
function prepareItem<Types extends SpecTypes>(
	{ identify, rowFields, inputs }: Spec<Types>,
	values: SpecValues<Types>,
	options: Types['options'],
	run: RunContext,
): PreparedItem<Types> {
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
