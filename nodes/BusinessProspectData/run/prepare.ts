import type { IExecuteFunctions } from 'n8n-workflow';
import { toOutcome } from '../api/errors';
import { cancelSignalOf } from '../api/httpRequest';
import { NOT_SENT } from '../api/responseRules';
import { getOrCreate, lazy } from '../core/collections';
import type { Advice, Outcome } from '../core/outcome';
import { OPEN_LAYOUT } from '../fields/columns';
import { checkFillColumns } from '../fields/fill';
import { type BlankWording, checkFields, splitNames } from '../fields/row';
import { createValuesReader, type FilledField } from '../parameters/read';
import { type Spending, spendingParameters, UNLIMITED } from '../parameters/spending';
import { newEntry } from './inputs';
import { entriesWithId } from './lookup';
import { provisionalIdOf } from './lookupStep';
import { fixedDetailsFailure, sameDetailsAdvice } from './advice';
import { forEachInSlices, mapInSlices } from './slices';
import type {
	FailedItem,
	Items,
	PreparedItem,
	RunContext,
	RunSpec,
	SpecTypes,
	SpecValues,
} from './spec';

type Spec<Types extends SpecTypes> = Pick<
	RunSpec<Types>,
	'parameters' | 'options' | 'layout' | 'requests' | 'lookup' | 'priceOf'
>;

interface PreparedItems<Types extends SpecTypes> {
	readonly items: Items<Types>;
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

const NO_ID: BlankWording = {
	rows: 'without an ID',
	advice: 'Check that the ID field points to the input column that holds the IDs.',
};

/** True if the operation has Max Records to Pay. */
export const isPaid = (spec: { readonly priceOf?: unknown; readonly lookup?: unknown }): boolean =>
	(spec.priceOf ?? spec.lookup) !== undefined;

export async function prepareItems<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: Spec<Types>,
	run: RunContext,
): Promise<PreparedItems<Types>> {
	const valuesReader = createValuesReader(context, spec.parameters);
	const optionsReader = createValuesReader(context, [spec.options]);
	const spendingReader = isPaid(spec) ? createValuesReader(context, spendingParameters) : undefined;
	const spending: Array<Outcome<Spending>> = [];
	const allInputColumns = lazy(() => {
		const names = new Set<string>();
		for (const { json } of context.getInputData()) {
			for (const name of Object.keys(json)) names.add(name);
		}
		return names;
	});
	const inputColumnsFor = ({ includeInputFields }: Types['options']) =>
		includeInputFields ? allInputColumns : undefined;
	/** Without expressions, all rows have the same options. */
	const byRead = new Map<Types['options'], Types['options']>();
	const optionsOf = (read: Types['options']): Types['options'] => {
		// An agent's input row has nothing but the arguments of its call.
		const options = run.isTool ? { ...read, includeInputFields: false, fillColumns: [] } : read;
		return { ...options, fields: splitNames(options.fields, inputColumnsFor(options)) };
	};
	const cancelSignal = cancelSignalOf(context);
	const prepare = (_: unknown, itemIndex: number): FailedItem | PreparedItem<Types> => {
		if (cancelSignal?.aborted) return { itemIndex, failure: NOT_SENT };
		const { value: values, failure } = valuesReader.read(itemIndex);
		const { value: all, failure: optionsFailure } = optionsReader.read(itemIndex);
		const spent = spendingReader?.read(itemIndex);
		// If the expression of any option fails, n8n has none of the options: this row fails, the others say what they may spend.
		const isUnknown = spent?.failure?.field === spec.options.name;
		if (spent !== undefined) spending.push(isUnknown ? { value: UNLIMITED } : spent);

		if (spent?.failure !== undefined) return { itemIndex, failure: spent.failure };
		if (failure !== undefined) return { itemIndex, failure };
		if (optionsFailure !== undefined) return { itemIndex, failure: optionsFailure };
		const options = getOrCreate(byRead, all.options, () => optionsOf(all.options));
		return prepareItem(spec, itemIndex, values, options, run, inputColumnsFor(options));
	};
	const read = await mapInSlices(context.getInputData(), prepare);
	const fields = valuesReader.filledIn(spec.lookup?.detailNames ?? []);
	const items = withoutFixedDetails(read, fields, spec);
	const batchSize = items.find((item) => item.failure === undefined)?.options.batchSize;
	let readable = 0;
	const filled = new Set<string>();
	await forEachInSlices(items, (item) => {
		if (item.failure !== undefined) return;
		readable++;
		for (const { yourColumn } of item.options.fillColumns ?? []) filled.add(yourColumn);
	});
	const columnAdvice = [
		...sameDetailsAdvice(items, context.getInputData(), fields),
		...[valuesReader, optionsReader].flatMap((reader) => reader.advice(readable, filled)),
	];
	const firstColumns = WHO.map(valuesReader.columnsIn).find(({ length }) => length > 0) ?? [];
	return { items, spending, batchSize, columnAdvice, firstColumns };
}

/** Refuses details that are fixed text for several rows, before anything is paid. */
function withoutFixedDetails<Types extends SpecTypes>(
	items: Items<Types>,
	fields: readonly FilledField[],
	{ lookup }: Spec<Types>,
): Items<Types> {
	if (!items.some(({ state }) => state === 'unidentified')) return items;
	const failure = fixedDetailsFailure(fields, items.length, lookup?.idField ?? '');
	return failure === undefined ? items : items.map(({ itemIndex }) => ({ itemIndex, failure }));
}

function prepareItem<Types extends SpecTypes>(
	spec: Spec<Types>,
	itemIndex: number,
	values: SpecValues<Types>,
	options: Types['options'],
	run: RunContext,
	inputColumns: (() => ReadonlySet<string>) | undefined,
): FailedItem | PreparedItem<Types> {
	const { value, failure } = toOutcome((): PreparedItem<Types> => {
		const lookup = spec.lookup?.lookupOf(values);
		const layout = spec.layout?.(values, options) ?? OPEN_LAYOUT;
		const { fields, fillColumns = [] } = options;
		checkFillColumns(fillColumns, layout);
		checkFields(fields, layout, fillColumns, inputColumns);
		if (lookup === undefined) {
			const entries = spec.requests?.inputs(values, options, run).map(newEntry) ?? [];
			return entries.length === 0
				? { state: 'blank', itemIndex, values, options, layout, entries, blank: NO_ID }
				: { state: 'ready', itemIndex, values, options, layout, entries };
		}
		if ('blank' in lookup) {
			const { blank } = lookup;
			return { state: 'blank', itemIndex, values, options, layout, entries: [], blank };
		}
		const entries = entriesWithId(spec, values, provisionalIdOf(lookup), options, run);
		return { state: 'unidentified', itemIndex, values, options, layout, entries, lookup };
	});
	return value ?? { itemIndex, failure };
}
