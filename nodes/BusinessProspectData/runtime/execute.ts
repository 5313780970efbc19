import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Failure, type Outcome, rootCause } from '../core/outcome';
import { limitBatchSize } from './batches';
import { workflowTimezone } from './dates';
import { stoppingError, toOutcome, toOutcomeAsync } from '../api/errors';
import { combinedGrouping, estimateOutput, guardRun } from './guardRun';
import { errorItem, type ItemRow, messageItem, outputItems, type Row } from './output';
import { type PreparedItem, prepareItems } from './prepare';
import { addHints, countDuplicates, missingFieldsWarning, reportMessage, rowStats } from './report';
import { sendInputs, withLookup } from './sendInputs';
import type { BatchSpec, RunContext, RemainingRows, SpecResults, SpecTypes } from './spec';
import { runOverLimitFailure } from './spending';

/**
 * Runs an operation over all input items: reads and checks them, executes their inputs in batches, and returns linked rows in
 * input order. If the run stops on failure, throws an error that names the root cause and its item; an invalid item throws
 * before any request. Otherwise nothing is thrown, and every failed item or row becomes an error item. AI agents see no
 * hints, so for them a run without output returns one item with the text of the hints and warnings.
 */
export async function execute<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: BatchSpec<Types>,
): Promise<INodeExecutionData[]> {
	type Rows = ReadonlyArray<ItemRow<Types['options']>>;

	const items = context.getInputData();
	const isTool = isToolNode(context);
	const stopOnFailure = stopsOnFailure(context);
	const timezone = workflowTimezone(context);
	const run: RunContext = { now: Date.now(), timezone, isTool, stopOnFailure };

	function throwIfStopping(failure: Failure, item?: number, successfulRequests = 0): void {
		if (!stopOnFailure) return;
		const stopped = { itemIndex: item, itemCount: items.length, successfulRequests };
		throw stoppingError(context.getNode(), failure, stopped);
	}

	async function removeKnownRows(
		rows: Rows,
		successfulRequests: number,
	): Promise<RemainingRows<Types['options']>> {
		const { value, failure } = await toOutcomeAsync(
			async () => (await spec.removeKnown?.(context, rows)) ?? { rows },
		);
		if (value !== undefined) return value;
		throwIfStopping(failure, undefined, successfulRequests);
		const hint = `n8n could not tell which rows are new: ${failure.message} The output has all of them.`;
		return { rows, hint };
	}

	const { items: prepared, spending } = prepareItems(context, spec, run);
	for (const [item, { failure }] of prepared.entries()) {
		if (failure !== undefined) throwIfStopping(failure, item);
	}
	const valid = prepared.flatMap(({ value }) => (value === undefined ? [] : [value]));
	const batchSize = valid[0]?.options.batchSize;
	const { identify } = spec;
	const specWithBatchSize = {
		...limitBatchSize(spec, batchSize),
		identify: identify && { ...identify, batches: limitBatchSize(identify.batches, batchSize) },
	};
	const guarded = guardRun<PreparedItem<Types>, Types['input'], Types['details']>(
		prepared,
		spending,
		{
			grouping: combinedGrouping<Types['input'], Types['details']>(
				specWithBatchSize,
				specWithBatchSize.identify?.batches,
			),
			price: (lookupOrInput) =>
				'input' in lookupOrInput
					? spec.price?.(lookupOrInput.input)
					: identify?.price?.(lookupOrInput.details),
		},
	);
	const { estimate, overLimit } = guarded;
	if (estimate !== undefined) {
		addHints(context, [estimate.hint], estimate.warnings);
		return estimateOutput(estimate, prepared);
	}
	if (overLimit !== undefined) throwIfStopping(runOverLimitFailure(overLimit));

	const sent = await sendInputs(context, specWithBatchSize, guarded, run);
	const { results, successfulRequests, records } = sent;
	const { rows, duplicates } = buildItemRows(spec, sent.items, results);
	const failed = rows.flatMap(({ row: { failure }, item }) =>
		failure === undefined ? [] : [{ failure, item }],
	);
	const cause = rootCause(failed);
	if (cause !== undefined) throwIfStopping(cause.failure, cause.item, successfulRequests);

	const remaining = await removeKnownRows(rows, successfulRequests);
	const itemsWithoutId = valid.filter(({ inputs }) => inputs.length === 0).length;
	const report = reportMessage(
		{
			...rowStats(remaining.rows),
			records,
			duplicates,
			itemsWithoutId,
			successfulRequests,
		},
		spec.wording,
	);
	const noItemHasId = itemsWithoutId > 0 && itemsWithoutId === valid.length;
	const values = valid.map((item) => item.values);
	const options = valid.map((item) => item.options);
	const hints = [
		...(noItemHasId ? [] : [report]),
		...sent.identifyHints,
		// A hint that can't be built is left out: the rows are already paid for.
		...(toOutcome(() => spec.hints?.(results, run, values, options)).value ?? []),
		...(remaining.hint === undefined ? [] : [remaining.hint]),
	];
	const warnings = [
		...(noItemHasId ? [`${report} ${NO_IDS}`] : []),
		...(toOutcome(() => spec.warnings?.(results)).value ?? []),
		...missingFieldsWarning(rows, spec.optionalFields ?? identify?.unmatchedFields ?? []),
	];
	addHints(context, hints, warnings);
	const output = outputItems(remaining.rows, items, spec.identifiers ?? [], isTool);
	return output.length === 0 && isTool ? [messageItem([...hints, ...warnings].join(' '))] : output;
}

const NO_IDS = 'Check that the ID field points to the input column that holds the IDs.';

/** Fails every item with the message: throws if the run stops on failure, otherwise returns an error item for each. */
export function failAll(context: IExecuteFunctions, message: string): INodeExecutionData[] {
	const failure: Failure = { kind: 'input', message };
	if (stopsOnFailure(context)) {
		const itemCount = context.getInputData().length;
		throw stoppingError(context.getNode(), failure, { itemCount, successfulRequests: 0 });
	}
	return context.getInputData().map((_, item) => errorItem(failure, item));
}

/** True if the node runs as a tool of an AI agent. With newer agents, n8n's `isToolExecution` returns false. */
const isToolNode = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');

/**
 * True if the first failure ends the run. A tool whose On Error was never changed has no `onError`, and returns error items: an
 * agent continues after a failed tool anyway, and from a thrown error it gets the message at most.
 */
function stopsOnFailure(context: IExecuteFunctions): boolean {
	if (context.continueOnFail()) return false;
	return !isToolNode(context) || context.getNode().onError === 'stopWorkflow';
}

/**
 * The rows of all items, in item order, and the number of duplicates as `RunStats` counts them. A failed item has one error
 * row, an item without a match one row without data; all other rows come from the results of the item's inputs.
 *
 * @param results the results of all items' inputs, in item order
 */
export function buildItemRows<Types extends SpecTypes>(
	spec: BatchSpec<Types>,
	items: ReadonlyArray<Outcome<PreparedItem<Types>>>,
	results: SpecResults<Types>,
): { readonly rows: ReadonlyArray<ItemRow<Types['options']>>; readonly duplicates: number } {
	const { identify } = spec;
	let next = 0;
	let duplicates = 0;
	const rows = items.flatMap(({ value, failure }, item): Array<ItemRow<Types['options']>> => {
		if (value === undefined) return [{ row: { failure }, item }];
		const { values, options, inputs, lookup } = value;
		const own = results.slice(next, next + inputs.length);
		next += inputs.length;
		const isShared = own.some(({ duplicate }) => duplicate);
		// Without an ID there are no inputs, so the lookup itself may be the duplicate.
		if (lookup?.id === null) duplicates += Number(lookup.duplicate);
		else if (isShared) duplicates += countDuplicates(own, spec.key);
		if (failure !== undefined) return [{ row: { failure }, item }];
		if (identify !== undefined && lookup?.id === null) {
			const json = identify.unmatchedRow(values, lookup);
			const row = withLookup({ json, empty: true }, identify, null);
			return [{ row, item, options, unmatched: true }];
		}
		const made = toOutcome(() => {
			const ownRows = spec.rows(own, values);
			return isShared ? ownRows.map(withOwnData) : ownRows;
		});
		if (made.value === undefined) return [{ row: { failure: made.failure }, item }];
		return made.value.map((row) => ({
			row: identify && lookup?.id ? withLookup(row, identify, lookup.id) : row,
			item,
			options,
			withoutId: inputs.length === 0,
		}));
	});
	return { rows, duplicates };
}

/** Copies a row's data, so that changing one row doesn't change its duplicates. For failed rows, `errorItem` does this. */
const withOwnData = (row: Row): Row =>
	row.failure === undefined ? { ...row, json: structuredClone(row.json) } : row;
