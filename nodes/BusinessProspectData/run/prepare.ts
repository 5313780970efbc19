import type { IExecuteFunctions } from 'n8n-workflow';
import { toOutcome } from '../api/errors';
import { lazy } from '../core/collections';
import type { Outcome } from '../core/outcome';
import { OPEN_LAYOUT } from '../fields/columns';
import { checkFillColumns } from '../fields/fill';
import { type BlankWording, checkFields } from '../fields/row';
import { type Advice, createValuesReader } from '../parameters/read';
import { type Spending, spendingParameters, UNLIMITED } from '../parameters/spending';
import { newEntry } from './inputs';
import { provisionalIdOf } from './lookupStep';
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
	'parameters' | 'options' | 'layout' | 'inputs' | 'lookup' | 'isPaid'
>;

interface PreparedItems<Types extends SpecTypes> {
	readonly items: ReadonlyArray<FailedItem | PreparedItem<Types>>;
	/** In the order of the items, failed ones included; empty if the operation costs nothing. */
	readonly spending: ReadonlyArray<Outcome<Spending>>;
	/** The option Batch Size. It takes no expressions, so it is the same for all items. */
	readonly batchSize: number | undefined;
	readonly columnAdvice: readonly Advice[];
	/** The columns that come first in each row. */
	readonly firstColumns: readonly string[];
}

/** The parameters that say who a row is about, the most readable first. */
const WHO = [
	'fullName',
	'companyName',
	'email',
	'workEmail',
	'prospectIds',
	'businessIds',
	'prospectId',
];

export const NO_ID: BlankWording = {
	rows: 'without an ID',
	advice: 'Check that the ID field points to the input column that holds the IDs.',
};

/** True if the operation has Max Records to Pay. */
export const isPaid = (spec: { readonly isPaid?: boolean; readonly lookup?: unknown }): boolean =>
	spec.isPaid === true || spec.lookup !== undefined;

export function prepareItems<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: Spec<Types>,
	run: RunContext,
): PreparedItems<Types> {
	const valuesReader = createValuesReader(context, spec.parameters);
	const optionsReader = createValuesReader(context, [spec.options]);
	const spendingReader = isPaid(spec) ? createValuesReader(context, spendingParameters) : undefined;
	const spending: Array<Outcome<Spending>> = [];
	const allInputColumns = lazy(
		() => new Set(context.getInputData().flatMap(({ json }) => Object.keys(json))),
	);
	const items = context.getInputData().map((_, itemIndex) => {
		const { value: values, failure } = valuesReader.read(itemIndex);
		const { value: all, failure: optionsFailure } = optionsReader.read(itemIndex);
		const spent = spendingReader?.read(itemIndex);
		// If the expression of any option fails, n8n has none of the options: this row fails, the others say what they may spend.
		const isUnknown = spent?.failure?.field === spec.options.name;
		if (spent !== undefined) spending.push(isUnknown ? { value: UNLIMITED } : spent);

		if (spent?.failure !== undefined) return { itemIndex, failure: spent.failure };
		if (failure !== undefined) return { itemIndex, failure };
		if (optionsFailure !== undefined) return { itemIndex, failure: optionsFailure };
		// An agent's input row has nothing but the arguments of its call.
		const options = run.isTool
			? { ...all.options, includeInputFields: false, fillColumns: [] }
			: all.options;
		const inputColumns = options.includeInputFields ? allInputColumns : undefined;
		return prepareItem(spec, itemIndex, values, options, run, inputColumns);
	});
	const batchSize = items.find((item) => item.failure === undefined)?.options.batchSize;
	const readable = items.filter((item) => item.failure === undefined).length;
	const columnAdvice = [valuesReader, optionsReader].flatMap((reader) => reader.advice(readable));
	const firstColumns = WHO.map(valuesReader.columnsIn).find(({ length }) => length > 0) ?? [];
	return { items, spending, batchSize, columnAdvice, firstColumns };
}

function prepareItem<Types extends SpecTypes>(
	spec: Spec<Types>,
	itemIndex: number,
	values: SpecValues<Types>,
	options: Types['options'],
	run: RunContext,
	inputColumns: (() => ReadonlySet<string>) | undefined,
): FailedItem | PreparedItem<Types> {
	const { lookup, inputs } = spec;
	const { value, failure } = toOutcome((): PreparedItem<Types> => {
		const start = lookup?.start(values);
		const layout = spec.layout?.(values, options) ?? OPEN_LAYOUT;
		const { fields, fillColumns = [] } = options;
		checkFillColumns(fillColumns, layout);
		checkFields(fields, layout, fillColumns, inputColumns);
		if (start?.blank !== undefined) {
			return { itemIndex, values, options, layout, blank: start.blank, entries: [] };
		}
		if (lookup === undefined || start === undefined) {
			const entries = inputs(values, options, run).map(newEntry);
			const blank = entries.length === 0 ? NO_ID : undefined;
			return { itemIndex, values, options, layout, entries, ...(blank && { blank }) };
		}
		const { lookup: details } = start;
		const withProvisionalId = lookup.withId?.(values, provisionalIdOf(details));
		const entries =
			withProvisionalId === undefined ? [] : inputs(withProvisionalId, options, run).map(newEntry);
		return { itemIndex, values, options, layout, details, entries };
	});
	return value ?? { itemIndex, failure };
}
