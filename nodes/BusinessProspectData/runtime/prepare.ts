import type { IExecuteFunctions } from 'n8n-workflow';
import type { Failure, Outcome } from '../core/outcome';
import { checkFields } from './options';
import { collectionParameter, type Parameter, type ValuesOf } from './parameters';
import type { BatchSpec, ResolvedId, RunContext, SpecTypes, SpecValues } from './spec';
import { type SpendingOptions, spendingOptions } from './spending';
import { toFailure, toOutcome } from '../api/errors';
import { valuesByName } from '../core/casts';

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
	/** Set once the details have been looked up; `id` is null without a single match or a valid ID. */
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

/** One collection per spending option, so that an invalid value of another option doesn't disable it. */
const separateSpendingOptions = spendingOptions.map((option) =>
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
	const spendingReaders = separateSpendingOptions.map((option) =>
		createValuesReader(context, [option]),
	);
	const spending: SpendingOptions[] = [];
	const items = context.getInputData().map((_, item) => {
		const { value: values, failure } = readValues(item);
		const { value: read, failure: optionsFailure } = readOptions(item);
		if (read !== undefined) spending.push(read.options);
		else
			for (const readOption of spendingReaders)
				spending.push(readOption(item).value?.options ?? {});
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
	// Estimates and limits count inputs before any ID is known. `identifyItems` rebuilds the inputs.
	const placeholder = identify.withId(values, identify.placeholder(details));
	return { values, options, inputs: inputs(placeholder, options, run), details };
}

/**
 * Creates a reader of an item's parameters. A parameter without an expression is read once, because its value is the same for
 * all items.
 */
export function createValuesReader<const Parameters extends readonly Parameter[]>(
	context: IExecuteFunctions,
	parameters: Parameters,
): (item: number) => Outcome<ValuesOf<Parameters>> {
	const readers = parameters.map((parameter) => ({
		name: parameter.name,
		...createReader(context, parameter),
	}));
	const readValues = (item: number): Outcome<ValuesOf<Parameters>> => {
		let failure: Failure | undefined;
		const value = valuesByName<(typeof readers)[number], ValuesOf<Parameters>>(
			readers,
			({ read }) => {
				// Discarded below: after a failure there are no values.
				if (failure !== undefined) return undefined;
				const outcome = read(item);
				failure = outcome.failure;
				return outcome.value;
			},
		);
		return failure === undefined ? { value } : { failure };
	};
	return readers.some(({ varies }) => varies) ? readValues : once(readValues);
}

/** Reads only the first item, and returns its value for every item. */
function once<Value>(read: (item: number) => Value): (item: number) => Value {
	let first: { readonly value: Value } | undefined;
	return () => (first ??= { value: read(0) }).value;
}

/** Creates the reader of one parameter. `varies` is true if the value may differ between items. */
function createReader(
	context: IExecuteFunctions,
	{ name, property, read }: Parameter,
): { readonly read: (item: number) => Outcome<unknown>; readonly varies: boolean } {
	const saved: unknown = context.getNodeParameter(name, 0, property.default, {
		rawExpressions: true,
	});
	const readAt = (item: number): Outcome<unknown> => {
		try {
			return { value: read(context.getNodeParameter(name, item, property.default)) };
		} catch (error) {
			const { field, message, ...failure } = toFailure(error);
			// n8n's message about a failing expression doesn't name the parameter.
			return field === undefined
				? { failure: { ...failure, message: `${property.displayName}: ${message}`, field: name } }
				: { failure: { ...failure, message, field } };
		}
	};
	const varies = hasExpression(saved);
	return { read: varies ? readAt : once(readAt), varies };
}

function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return Object.values(saved ?? {}).some(hasExpression);
}
