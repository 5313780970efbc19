import type { IExecuteFunctions } from 'n8n-workflow';
import { toOutcome } from '../api/errors';
import { checkFields, type SpendingOptions, spendingOptions } from '../parameters/options';
import { collectionParameter } from '../parameters/parameter';
import { createValuesReader } from '../parameters/read';
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
	'parameters' | 'options' | 'rowFields' | 'inputs' | 'lookup'
>;

interface PreparedItems<Types extends SpecTypes> {
	readonly items: ReadonlyArray<FailedItem | PreparedItem<Types>>;
	/** Includes the valid options of failed items: an invalid row must not turn off a limit. */
	readonly spending: readonly SpendingOptions[];
	/** The option Batch Size. It takes no expressions, so it is the same for all items. */
	readonly batchSize: number | undefined;
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
	const batchSize = items.find((item) => item.failure === undefined)?.options.batchSize;
	return { items, spending, batchSize };
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
			return { itemIndex, values, options, entries: inputs(values, options, run).map(newEntry) };
		}
		const withProvisionalId = lookup.withId(values, lookup.provisionalId(details));
		const entries = inputs(withProvisionalId, options, run).map(newEntry);
		return { itemIndex, values, options, details: newEntry(details), entries };
	});
	return value ?? { itemIndex, failure };
}
