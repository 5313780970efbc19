import type { IExecuteFunctions } from 'n8n-workflow';
import { toOutcome } from '../api/errors';
import type { Outcome } from '../core/outcome';
import { keepInputFields } from '../parameters/options';
import { createValuesReader } from '../parameters/read';
import { isSkipped } from '../parameters/skipRows';
import { type Spending, spendingParameters } from '../parameters/spending';
import { type ColumnMessages, createColumnCounter } from './columns';
import { missingFieldWarnings, typedFieldFailure } from './fieldReferences';
import { newEntry } from './inputs';
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
	'parameters' | 'options' | 'keepsInputFields' | 'resolveFields' | 'inputs' | 'lookup' | 'charge'
>;

interface PreparedItems<Types extends SpecTypes> {
	readonly items: ReadonlyArray<FailedItem | PreparedItem<Types>>;
	/** In the order of the items, failed ones included; empty if the operation costs nothing. */
	readonly spending: ReadonlyArray<Outcome<Spending>>;
	/** The option Batch Size. It takes no expressions, so it is the same for all items. */
	readonly batchSize: number | undefined;
	readonly columnMessages: ColumnMessages;
}

/** True if the operation has Max Records to Pay, Max Credits to Pay and Estimate Only. */
export const isPaid = ({
	charge,
	lookup,
}: {
	readonly charge?: unknown;
	readonly lookup?: { readonly charge?: unknown } | undefined;
}): boolean => charge !== undefined || lookup?.charge !== undefined;

export function prepareItems<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: Spec<Types>,
	run: RunContext,
): PreparedItems<Types> {
	const readValues = createValuesReader(context, spec.parameters);
	const readOptions = createValuesReader(context, [spec.options, keepInputFields]);
	const readSpending = isPaid(spec) ? createValuesReader(context, spendingParameters) : undefined;
	const spending: Array<Outcome<Spending>> = [];
	const columns = createColumnCounter(context, spec.parameters);
	const typedField = typedFieldFailure(context, spec.options);
	const items = context.getInputData().map(({ json }, itemIndex) => {
		if (typedField !== undefined) return { itemIndex, failure: typedField };
		const { value: values, failure } = readValues(itemIndex);
		const { value: all, failure: optionsFailure } = readOptions(itemIndex);
		const spent = readSpending?.(itemIndex);
		if (spent !== undefined) spending.push(spent);

		if (spent?.failure !== undefined) return { itemIndex, failure: spent.failure };
		if (failure !== undefined) return { itemIndex, failure };
		if (optionsFailure !== undefined) return { itemIndex, failure: optionsFailure };
		// An agent's input row has nothing but the arguments of its call.
		const options = spec.keepsInputFields
			? { ...all.options, includeInputFields: all.includeInputFields && !run.isTool }
			: all.options;
		const inputFields = options.includeInputFields ? Object.keys(json) : [];
		const item = prepareItem(spec, itemIndex, values, options, run, inputFields);
		columns.add(values, item.failure !== undefined);
		return item;
	});
	const batchSize = items.find((item) => item.failure === undefined)?.options.batchSize;
	const { hints, warnings } = columns.messages();
	const missing = missingFieldWarnings(context, [...spec.parameters, spec.options]);
	const columnMessages = { hints, warnings: [...warnings, ...missing] };
	return { items, spending, batchSize, columnMessages };
}

function prepareItem<Types extends SpecTypes>(
	{ lookup, resolveFields, inputs }: Spec<Types>,
	itemIndex: number,
	values: SpecValues<Types>,
	givenOptions: Types['options'],
	run: RunContext,
	inputFields: readonly string[],
): FailedItem | PreparedItem<Types> {
	const { value, failure } = toOutcome((): PreparedItem<Types> => {
		const { skipRows } = givenOptions;
		const skipped = skipRows !== undefined && isSkipped(skipRows, run);
		const details = skipped
			? toOutcome(() => lookup?.details(values, givenOptions)).value
			: lookup?.details(values, givenOptions);
		const lookupFields =
			lookup === undefined || details === undefined
				? []
				: [
						lookup.matchedField ?? [],
						lookup.addedFields?.(values) ?? [],
						lookup.unmatchedFields ?? [],
					].flat();
		const { fields: paths } = givenOptions;
		const fields = resolveFields?.(paths, values, [...lookupFields, ...inputFields]) ?? paths;
		const options = { ...givenOptions, fields };
		if (skipped) {
			return { itemIndex, values, options, skipped, blank: details !== undefined, entries: [] };
		}
		if (details === 'blank') return { itemIndex, values, options, blank: true, entries: [] };
		if (lookup === undefined || details === undefined) {
			return { itemIndex, values, options, entries: inputs(values, options, run).map(newEntry) };
		}
		const withProvisionalId = lookup.withId(values, lookup.provisionalId(details));
		const entries = inputs(withProvisionalId, options, run).map(newEntry);
		return { itemIndex, values, options, details: newEntry(details), entries };
	});
	return value ?? { itemIndex, failure };
}
