import type { IExecuteFunctions } from 'n8n-workflow';
import { toFailure, toOutcome } from '../api/errors';
import { valuesByName } from '../core/casts';
import type { Failure, Outcome } from '../core/outcome';
import { checkFields, type SpendingOptions, spendingOptions } from './options';
import { collectionParameter, type Parameter, type ValuesOf } from './parameters';
import type {
	BatchSpec,
	FailedItem,
	PreparedItem,
	RunContext,
	SpecTypes,
	SpecValues,
} from './spec';

type Spec<Types extends SpecTypes> = Pick<
	BatchSpec<Types>,
	'parameters' | 'options' | 'rowFields' | 'inputs' | 'lookup'
>;

interface PreparedItems<Types extends SpecTypes> {
	readonly items: ReadonlyArray<FailedItem | PreparedItem<Types>>;
	/** Includes the valid options of failed items: an invalid row must not turn off a limit. */
	readonly spending: readonly SpendingOptions[];
}

/** One Options collection for each spending option, so that one option can be read even if another is invalid. */
const separateSpendingOptions = spendingOptions.map((option) =>
	collectionParameter('options', 'Options', '', [option]),
);

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
	const items = context.getInputData().map((_, itemIndex) => {
		const { value: values, failure } = readValues(itemIndex);
		const { value: all, failure: optionsFailure } = readOptions(itemIndex);
		if (all !== undefined) spending.push(all.options);
		else for (const read of spendingReaders) spending.push(read(itemIndex).value?.options ?? {});

		if (failure !== undefined) return { itemIndex, failure };
		if (optionsFailure !== undefined) return { itemIndex, failure: optionsFailure };
		return prepareItem(spec, itemIndex, values, all.options, run);
	});
	return { items, spending };
}

function prepareItem<Types extends SpecTypes>(
	{ lookup, rowFields, inputs }: Spec<Types>,
	itemIndex: number,
	values: SpecValues<Types>,
	options: Types['options'],
	run: RunContext,
): FailedItem | PreparedItem<Types> {
	const { value, failure } = toOutcome((): PreparedItem<Types> => {
		const details = lookup?.details(values, options);
		if (rowFields !== undefined) {
			const lookupFields =
				lookup === undefined || details === undefined
					? []
					: [lookup.matchedField, ...(lookup.unmatchedFields ?? [])];
			checkFields(options.fields, [...rowFields(values), ...lookupFields]);
		}
		if (lookup === undefined || details === undefined) {
			return { itemIndex, values, options, inputs: inputs(values, options, run) };
		}
		const withProvisionalId = lookup.withId(values, lookup.provisionalId(details));
		return { itemIndex, values, options, details, inputs: inputs(withProvisionalId, options, run) };
	});
	return value ?? { itemIndex, failure };
}

/**
 * The reader returns the values of an item, or the failure of the first parameter that can't be read. A parameter without an
 * expression is read once, because its value is the same for all items.
 */
export function createValuesReader<const Parameters extends readonly Parameter[]>(
	context: IExecuteFunctions,
	parameters: Parameters,
): (itemIndex: number) => Outcome<ValuesOf<Parameters>> {
	const readers = parameters.map((parameter) => ({
		name: parameter.name,
		...createReader(context, parameter),
	}));
	const readValues = (itemIndex: number): Outcome<ValuesOf<Parameters>> => {
		let failure: Failure | undefined;
		const value = valuesByName<(typeof readers)[number], ValuesOf<Parameters>>(
			readers,
			({ read }) => {
				// After a failure, the other values aren't used.
				if (failure !== undefined) return undefined;
				const outcome = read(itemIndex);
				failure = outcome.failure;
				return outcome.value;
			},
		);
		return failure === undefined ? { value } : { failure };
	};
	return readers.some(({ varies }) => varies) ? readValues : once(readValues);
}

function once<Value>(read: (itemIndex: number) => Value): (itemIndex: number) => Value {
	let first: { readonly value: Value } | undefined;
	return () => (first ??= { value: read(0) }).value;
}

/** `varies` is true if the value may differ between items. */
function createReader(
	context: IExecuteFunctions,
	{ name, property, read }: Parameter,
): { readonly read: (itemIndex: number) => Outcome<unknown>; readonly varies: boolean } {
	const saved: unknown = context.getNodeParameter(name, 0, property.default, {
		rawExpressions: true,
	});
	const readAt = (itemIndex: number): Outcome<unknown> => {
		try {
			return { value: read(context.getNodeParameter(name, itemIndex, property.default)) };
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
