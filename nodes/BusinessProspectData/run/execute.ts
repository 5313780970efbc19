import {
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';
import { declared, operationError, toOutcome, toOutcomeAsync } from '../api/errors';
import { type Failure, type FailureKind, rootCause } from '../core/outcome';
import { formatNumber, pluralize, splitFirstSentence } from '../core/text';
import { applySpending, estimateOutput } from './spending';
import { type Memory, type MemoryProblems, openMemory } from '../memory/memory';
import { workflowTimezone } from '../parameters/dates';
import { errorItem, type ItemRow, messageItem, outputItems, SET_ON_ERROR } from './output';
import { isWithoutData, type Row, stateOf } from '../fields/row';
import { recallItems } from './lookup';
import { prepareItems } from './prepare';
import { addHints, runMessages } from './report';
import { sendInputs, type RunResult } from './send';
import { flatMapInSlices, mapInSlices } from './slices';
import type {
	FailedItem,
	Items,
	PreparedItem,
	RemainingRows,
	RunContext,
	RunSpec,
	SpecTypes,
} from './spec';

/**
 * Runs an operation on all input items. Returns the rows in input order, each linked to its item. With Estimate Only, sends
 * nothing and returns the estimate.
 *
 * If the run stops on failure, throws the error of the root cause. Otherwise, failed items and rows become error items.
 */
export async function execute<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: RunSpec<Types>,
): Promise<INodeExecutionData[]> {
	const input = context.getInputData();
	const isTool = isToolNode(context);
	const stopOnFailure = stopsOnFailure(context);
	const timezone = workflowTimezone(context);
	const run: RunContext = { now: Date.now(), timezone, isTool, stopOnFailure };

	const { items: prepared, firstColumns, ...settings } = await prepareItems(context, spec, run);
	const { spending, batchSize, columnAdvice } = settings;
	stopIfFailed(context, run, prepared);
	const isEstimate = spending.some(({ value }) => value?.options.estimateOnly);
	const { memory, items: recalled } = await recall(context, spec, run, prepared, isEstimate);
	let result: RunResult<Types>;
	let problems: MemoryProblems | undefined;
	try {
		stopIfFailed(context, run, recalled);
		const { items, estimate, failure } = await applySpending(recalled, spending, spec, batchSize);
		if (estimate !== undefined) {
			addHints(context, estimate.hint, [...estimate.advice, ...columnAdvice]);
			return estimateOutput(estimate, items);
		}
		stopIfFailed(context, run, [{ failure }]);

		result = await sendInputs(context, spec, items, run, batchSize, memory);
		problems = await memory?.flush();
	} finally {
		memory?.release();
	}
	const memoryStats = { remembered: memory?.recalled.size, problems, made: memory?.made };
	const rows = await flatMapInSlices(result.items, (item) => itemRows(spec, item));
	const outcomes = await mapInSlices(rows, ({ row: { failure: failed }, itemIndex }) => ({
		failure: failed,
		itemIndex,
	}));
	stopIfFailed(context, run, outcomes, result);

	const remaining = await removeKnownRows(context, spec, rows);
	stopIfFailed(context, run, [remaining], result);
	const shown = spec.outputsOnlyFound
		? remaining.rows.filter(
				({ row }) => !isWithoutData(row) || (isTool && stateOf(row) === 'unmatched'),
			)
		: remaining.rows;
	const output = await outputItems(shown, input, isTool, firstColumns);
	const messages = await runMessages(
		spec,
		run,
		{ ...result, ...memoryStats },
		remaining,
		input,
		output,
		columnAdvice,
	);
	const hints = addHints(context, messages.counts, messages.advice, memory !== undefined);
	// AI agents see no hints, so an item has their text, or the advice of the operation if there are other items.
	const ownAdvice = messages.ownAdvice.map(({ message, forAgent = message }) => forAgent);
	const texts = output.length === 0 ? hints : ownAdvice;
	return isTool && texts.length > 0 ? [...output, messageItem(texts.join(' '))] : output;
}

/** If the memory can't be read, all items fail: nothing is paid for twice. */
async function recall<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: RunSpec<Types>,
	run: RunContext,
	items: Items<Types>,
	isEstimate: boolean,
): Promise<{
	readonly items: Items<Types>;
	readonly memory?: Memory | undefined;
}> {
	const valid = items.find((item) => item.failure === undefined);
	if (!spec.canRemember || valid === undefined) return { items };
	let memory: Memory | undefined;
	const { value, failure } = await toOutcomeAsync(async () => {
		// An estimate buys nothing, so it waits for no other run.
		const { maxConcurrentRequests, maxWait } = valid.options;
		const options = { maxConcurrentRequests, maxWait: isEstimate ? 0 : maxWait };
		memory = await openMemory(context, options);
		return memory === undefined
			? { items }
			: { memory, items: await recallItems(memory, items, spec, run) };
	});
	if (value !== undefined) return value;
	memory?.release();
	return {
		items: items.map((item) =>
			item.failure === undefined ? { itemIndex: item.itemIndex, failure } : item,
		),
	};
}

function stopIfFailed(
	context: IExecuteFunctions,
	{ stopOnFailure, isTool }: RunContext,
	all: ReadonlyArray<{
		readonly failure?: Failure | undefined;
		/** Absent if no item has the failure. */
		readonly itemIndex?: number;
	}>,
	stats?: RequestStats,
): void {
	if (!stopOnFailure) return;
	const cause = rootCause(
		all.flatMap(({ failure, itemIndex }) =>
			failure === undefined ? [] : [{ failure, itemIndex }],
		),
	);
	if (cause === undefined) return;
	const { failure } = cause;
	const itemCount = context.getInputData().length;
	// If a setting is wrong in all rows alike, no row is at fault, and none is left to keep.
	const isSetting =
		failure.kind === 'input' && all.every((row) => row.failure?.message === failure.message);
	const itemIndex = isSetting ? undefined : cause.itemIndex;
	throw stoppingError(context.getNode(), failure, { itemIndex, itemCount, isTool, ...stats });
}

const ABOUT_ALL_ROWS: readonly FailureKind[] = ['stopped', 'unauthorized', 'overLimit'];

type RequestStats = Pick<RunResult<SpecTypes>, 'successfulRequests' | 'lostResponses'>;

interface StoppedRun extends Partial<RequestStats> {
	/** Absent if no item has the failure. */
	readonly itemIndex?: number | undefined;
	readonly itemCount: number;
	readonly isTool?: boolean;
}

/**
 * n8n shows the message as a title and the description below it. AI agents see only the message, so for a tool it has everything.
 * The error has no item index: n8n would append it, counted from 0, but the message has the row's number, counted from 1.
 */
export function stoppingError(
	node: INode,
	failure: Failure,
	{ itemIndex, itemCount, isTool = false, successfulRequests = 0, lostResponses = 0 }: StoppedRun,
): NodeApiError | NodeOperationError {
	const { message: cause, kind, status, correlationId, isLostResponse = false } = failure;
	const { forAgent = cause } = failure;
	const { isAboutAllRows = ABOUT_ALL_ROWS.includes(kind) } = failure;
	const row = itemCount > 1 && !isAboutAllRows ? itemIndex : undefined;
	const succeeded = pluralize(
		successfulRequests,
		'request had succeeded',
		'requests had succeeded',
	);
	// The cause itself reports that its own request got no response.
	const otherLost = lostResponses - Number(isLostResponse);
	// n8n keeps no rows of a cancelled execution, whatever On Error says.
	const canContinue = kind !== 'stopped' && (row !== undefined || successfulRequests > 0);
	const where =
		row === undefined ? '' : `Row ${formatNumber(row + 1)} of ${formatNumber(itemCount)}: `;
	const notes = [
		successfulRequests > 0 && `Before that, ${succeeded}.`,
		otherLost > 0 &&
			`${pluralize(otherLost, 'other request')} got no usable response and may have been charged.`,
		canContinue && `To keep the other rows, ${SET_ON_ERROR}`,
	];
	const [title, rest] = isTool ? [forAgent, ''] : splitFirstSentence(cause);
	const reference = correlationId !== undefined && `Correlation ID: ${correlationId}`;
	const text = (parts: ReadonlyArray<string | false>) => parts.filter(Boolean).join(' ');
	const message = where + (isTool ? text([title, ...notes]) : title);
	const description = text(isTool ? [reference] : [rest, ...notes, reference]) || undefined;
	if (status === undefined) return operationError(node, { ...failure, message }, description);
	const options = { message, description, httpCode: String(status) };
	return declared(new NodeApiError(node, { message }, options), message, failure);
}

async function removeKnownRows<Types extends SpecTypes>(
	context: IExecuteFunctions,
	{ removeKnown }: RunSpec<Types>,
	rows: ReadonlyArray<ItemRow<Types['options']>>,
): Promise<RemainingRows<Types['options']> & { readonly failure?: Failure }> {
	const { value, failure } = await toOutcomeAsync(
		async () => (await removeKnown?.(context, rows)) ?? { rows },
	);
	if (value !== undefined) return value;
	const hint = `n8n could not tell which rows are new: ${failure.message} The output has all of them.`;
	return { rows, hint, failure };
}

export function failAll(context: IExecuteFunctions, message: string): INodeExecutionData[] {
	const failure: Failure = { kind: 'input', message };
	if (stopsOnFailure(context)) {
		const itemCount = context.getInputData().length;
		throw stoppingError(context.getNode(), failure, { itemCount, isTool: isToolNode(context) });
	}
	return context.getInputData().map((_, item) => errorItem(failure, item));
}

/** With newer agents, n8n's own `isToolExecution` returns false even for a tool. */
const isToolNode = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');

/**
 * A tool whose On Error was never changed has no `onError`. It returns error items, because an agent sees only the message of a
 * thrown error.
 */
function stopsOnFailure(context: IExecuteFunctions): boolean {
	if (context.continueOnFail()) return false;
	return !isToolNode(context) || context.getNode().onError === 'stopWorkflow';
}

function itemRows<Types extends SpecTypes>(
	spec: RunSpec<Types>,
	item: FailedItem | PreparedItem<Types>,
): ReadonlyArray<ItemRow<Types['options']>> {
	const { itemIndex } = item;
	if (item.failure !== undefined) return [{ row: { failure: item.failure }, itemIndex }];
	const { options, layout } = item;
	const { value: rows, failure } = toOutcome(() => rowsOf(spec, item));
	if (rows === undefined) return [{ row: { failure }, itemIndex }];
	const blank = item.state === 'blank' ? item.blank : undefined;
	const isShared = item.duplicateLookup === true || item.entries.some(({ duplicate }) => duplicate);
	return rows.map((row) => ({
		row: isShared ? withCopiedData(row) : row,
		itemIndex,
		layout,
		options,
		blank,
	}));
}

function rowsOf<Types extends SpecTypes>(
	{ lookup, requests }: RunSpec<Types>,
	item: PreparedItem<Types>,
): Row[] {
	const { values, options } = item;
	if (item.state === 'blank') return [{ state: 'blank', records: lookup?.records(values) ?? {} }];
	const ownRows = () => requests?.rows(item.entries, values, options) ?? [];
	const resolved = item.state === 'ready' ? item.resolved : undefined;
	if (lookup === undefined || resolved === undefined) return ownRows();
	const records = lookup.records(values, resolved);
	if (resolved.id === null) return [{ state: 'unmatched', records }];
	if (requests === undefined) return [{ records }];
	const { idField, matchedField } = lookup;
	return ownRows().map((row) =>
		row.failure === undefined
			? { ...row, records: { ...records, ...row.records } }
			: // The ID comes from the lookup, not from the parameter that `field` names.
				{
					failure: { ...row.failure, field: undefined },
					received: { [matchedField]: true, ...row.received, [idField]: resolved.id },
				},
	);
}

/** Copies a row's data, so that changing one row doesn't change its duplicates. `errorItem` copies the data of failed rows. */
const withCopiedData = (row: Row): Row =>
	row.failure === undefined ? { ...row, records: structuredClone(row.records) } : row;
