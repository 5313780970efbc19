import {
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';
import { operationError, toOutcome, toOutcomeAsync, withMessage } from '../api/errors';
import { type Failure, type FailureKind, rootCause } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import { applySpending, estimateOutput } from './applySpending';
import { limitBatchSize } from './batches';
import { workflowTimezone } from './dates';
import { errorItem, type ItemRow, messageItem, outputItems, type Row } from './output';
import { prepareItems } from './prepare';
import { addHints, runMessages } from './report';
import { type SentItem, type SentRun, sendInputs, withLookup } from './sendInputs';
import type {
	BatchSpec,
	FailedItem,
	PreparedItem,
	RemainingRows,
	RunContext,
	SpecTypes,
} from './spec';

/**
 * Runs an operation on all input items: reads and checks their parameters, sends their inputs in batches, and returns the rows
 * in input order, each linked to its item. With Estimate Only, sends nothing and returns the estimate.
 *
 * If the run stops on failure, a failure throws an error that names the root cause and, if the cause is about one of several
 * items, that item. An invalid item then throws before any request. If the run doesn't stop on failure, nothing is thrown: every
 * failed item or row becomes an error item.
 *
 * AI agents see no hints, so for them a run without output returns one item with the text of the hints and warnings.
 */
export async function execute<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: BatchSpec<Types>,
): Promise<INodeExecutionData[]> {
	const input = context.getInputData();
	const isTool = isToolNode(context);
	const stopOnFailure = stopsOnFailure(context);
	const timezone = workflowTimezone(context);
	const run: RunContext = { now: Date.now(), timezone, isTool, stopOnFailure };

	const { items: prepared, spending } = prepareItems(context, spec, run);
	stopIfFailed(context, run, prepared);
	const limitedSpec = withBatchSize(spec, prepared);
	const { items, excluded, estimate, failure } = applySpending(prepared, spending, limitedSpec);
	if (estimate !== undefined) {
		addHints(context, [estimate.hint], estimate.warnings);
		return estimateOutput(estimate, items);
	}
	stopIfFailed(context, run, [{ failure }]);

	const sent = await sendInputs(context, limitedSpec, items, excluded, run);
	const rows = sent.items.flatMap((item) => itemRows(spec, item));
	const failures = rows
		.filter(({ row }) => row.failure !== undefined)
		.map(({ row, itemIndex }) => ({ failure: row.failure, itemIndex }));
	stopIfFailed(context, run, failures, sent);

	const remaining = await removeKnownRows(context, spec, rows);
	stopIfFailed(context, run, [remaining], sent);
	const { hints, warnings } = runMessages(spec, run, sent, rows, remaining);
	addHints(context, hints, warnings);
	const output = outputItems(remaining.rows, input, spec.requiredFields ?? [], isTool);
	return output.length === 0 && isTool ? [messageItem([...hints, ...warnings].join(' '))] : output;
}

/** If the run stops on failure, and something has failed, throws the error of the root cause. */
function stopIfFailed(
	context: IExecuteFunctions,
	{ stopOnFailure }: RunContext,
	all: ReadonlyArray<{
		readonly failure?: Failure | undefined;
		/** Absent if the failure isn't about an item. */
		readonly itemIndex?: number;
	}>,
	sent?: SentCounts,
): void {
	if (!stopOnFailure) return;
	const cause = rootCause(
		all.flatMap(({ failure, itemIndex }) =>
			failure === undefined ? [] : [{ failure, itemIndex }],
		),
	);
	if (cause === undefined) return;
	const { failure, itemIndex } = cause;
	const itemCount = context.getInputData().length;
	throw stoppingError(context.getNode(), failure, { itemIndex, itemCount, ...sent });
}

/** Kinds of failures that concern the whole run, so the error names no row. */
const ABOUT_ALL_ROWS: readonly FailureKind[] = ['stopped', 'unauthorized', 'overLimit'];

type SentCounts = Pick<SentRun<SpecTypes>, 'successfulRequests' | 'lostResponses'>;

/** How far a run got before it stopped. */
interface StoppedRun extends Partial<SentCounts> {
	/** The item with the root cause; absent if the failure isn't about an item. */
	readonly itemIndex?: number | undefined;
	readonly itemCount: number;
}

/**
 * The error that stops the workflow. Its message is complete: AI agents and the log show nothing else. The message gives the
 * number of the row, because the index that n8n would append counts from 0.
 */
export function stoppingError(
	node: INode,
	{ message: cause, kind, status, correlationId }: Failure,
	{ itemIndex, itemCount, successfulRequests = 0, lostResponses = 0 }: StoppedRun,
): NodeApiError | NodeOperationError {
	const row = itemCount > 1 && !ABOUT_ALL_ROWS.includes(kind) ? itemIndex : undefined;
	const succeeded = pluralize(
		successfulRequests,
		'request had succeeded',
		'requests had succeeded',
	);
	// The cause itself reports that its own request got no response.
	const otherLost = lostResponses - Number(kind === 'noResponse');
	// n8n keeps no rows of a cancelled execution, whatever On Error says.
	const canContinue = kind !== 'stopped' && (row !== undefined || successfulRequests > 0);
	const message = [
		cause,
		row !== undefined && `Row ${formatNumber(row + 1)} of ${formatNumber(itemCount)} failed first.`,
		successfulRequests > 0 && `Before that, ${succeeded}.`,
		otherLost > 0 &&
			`${pluralize(otherLost, 'other request')} got no response and may have been charged.`,
		canContinue &&
			'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.',
	]
		.filter(Boolean)
		.join(' ');
	const description = correlationId === undefined ? undefined : `Correlation ID: ${correlationId}`;
	if (status === undefined) return operationError(node, message, description);
	const options = { message, description, httpCode: String(status) };
	return withMessage(new NodeApiError(node, { message }, options), message);
}

/** Applies Batch Size, which takes no expressions and so is the same for all items. */
function withBatchSize<Types extends SpecTypes>(
	spec: BatchSpec<Types>,
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
): BatchSpec<Types> {
	const batchSize = items.find((item) => item.failure === undefined)?.options.batchSize;
	const { lookup } = spec;
	return {
		...limitBatchSize(spec, batchSize),
		lookup: lookup && { ...lookup, batchConfig: limitBatchSize(lookup.batchConfig, batchSize) },
	};
}

/**
 * Applies the operation's `removeKnown`, if it has one. If `removeKnown` throws, returns all rows, a hint and the failure.
 */
async function removeKnownRows<Types extends SpecTypes>(
	context: IExecuteFunctions,
	{ removeKnown }: BatchSpec<Types>,
	rows: ReadonlyArray<ItemRow<Types['options']>>,
): Promise<RemainingRows<Types['options']> & { readonly failure?: Failure }> {
	const { value, failure } = await toOutcomeAsync(
		async () => (await removeKnown?.(context, rows)) ?? { rows },
	);
	if (value !== undefined) return value;
	const hint = `n8n could not tell which rows are new: ${failure.message} The output has all of them.`;
	return { rows, hint, failure };
}

/** Fails every item with the message: throws if the run stops on failure, otherwise returns an error item for each. */
export function failAll(context: IExecuteFunctions, message: string): INodeExecutionData[] {
	const failure: Failure = { kind: 'input', message };
	if (stopsOnFailure(context)) {
		const itemCount = context.getInputData().length;
		throw stoppingError(context.getNode(), failure, { itemCount });
	}
	return context.getInputData().map((_, item) => errorItem(failure, item));
}

/** True if the node runs as a tool of an AI agent. With newer agents, n8n's own `isToolExecution` returns false even then. */
const isToolNode = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');

/**
 * True if the first failure ends the run. A tool whose On Error was never changed has no `onError`, and returns error items: an
 * agent continues after a failed tool anyway, and gets no more than the message of a thrown error.
 */
function stopsOnFailure(context: IExecuteFunctions): boolean {
	if (context.continueOnFail()) return false;
	return !isToolNode(context) || context.getNode().onError === 'stopWorkflow';
}

/**
 * The rows of an item. A failed item has one error row, and so has an item whose rows can't be built. An item whose lookup found
 * no ID has one row without data. For other items, the operation builds the rows from the results of the inputs.
 */
export function itemRows<Types extends SpecTypes>(
	{ lookup: lookupSpec, rows: rowsOf }: Pick<BatchSpec<Types>, 'lookup' | 'rows'>,
	item: FailedItem | SentItem<Types>,
): ReadonlyArray<ItemRow<Types['options']>> {
	const { itemIndex } = item;
	if (item.failure !== undefined) return [{ row: { failure: item.failure }, itemIndex }];
	const { values, options, results, lookup } = item;
	if (lookupSpec !== undefined && lookup?.id === null) {
		const json = lookupSpec.unmatchedRow(values, lookup);
		const row = withLookup({ json, empty: true }, lookupSpec, null);
		return [{ row, itemIndex, options, unmatched: true }];
	}
	const isShared = results.some(({ duplicate }) => duplicate);
	const built = toOutcome(() => {
		const ownRows = rowsOf(results, values);
		return isShared ? ownRows.map(withCopiedData) : ownRows;
	});
	if (built.value === undefined) return [{ row: { failure: built.failure }, itemIndex }];
	return built.value.map((row) => ({
		row: lookupSpec && lookup?.id ? withLookup(row, lookupSpec, lookup.id) : row,
		itemIndex,
		options,
		withoutId: item.inputs.length === 0,
	}));
}

/** Copies a row's data, so that changing one row doesn't change its duplicates. For failed rows, `errorItem` does this. */
const withCopiedData = (row: Row): Row =>
	row.failure === undefined ? { ...row, json: structuredClone(row.json) } : row;
