import { deepCopy, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { type Failure, rootCause } from '../core/outcome';
import { executeInputs } from './asking';
import { toOutcome, toOutcomeAsync } from './toOutcome';
import type { BatchResult } from './batches';
import { workflowTimezone } from './dates';
import type { BatchSpec, ItemRow, Selected, RunContext } from './operation';
import type { SharedOptions } from './options';
import { dataItem, errorItem, messageItem, missingFields, stoppingError } from './output';
import type { Parameter, ValuesOf } from './parameters';
import { prepare, type PreparedItem } from './prepare';
import { reportMessage, type RunStats } from './report';
import { isTool, stopsAtFailure } from './tool';

/**
 * Runs an operation over all input items: reads and checks them, asks in batches, and puts out linked rows in input
 * order. With On Error set to stop, throws the first failure with its item; otherwise every failure is an error item
 * and nothing is thrown. An AI agent sees no hints: where no row is left, it gets one that says what the hints say.
 */
export async function execute<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(
	context: IExecuteFunctions,
	spec: BatchSpec<Parameters, Options, Ask, Answer>,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const stops = stopsAtFailure(context);
	const stopAt = (failure: Failure, item: number, requests: number) => {
		if (stops) throw stoppingError(context.getNode(), failure, item, requests);
	};

	const tool = isTool(context);
	const setting: RunContext = { now: Date.now(), timezone: workflowTimezone(context), tool };
	const prepared = prepare(context, spec, items.length, setting);
	prepared.forEach(({ failure }, item) => failure && stopAt(failure, item, 0));

	const asks = prepared.flatMap(({ value }) => value?.asks ?? []);
	const options = prepared.find(({ value }) => value !== undefined)?.value?.options;
	const { answered, requests } = await executeInputs(context, spec, asks, options, stops);

	let from = 0;
	let repeated = 0;
	const rows = prepared.flatMap(({ value, failure }, item): Array<ItemRow<Options>> => {
		if (value === undefined) return [{ row: { failure }, item }];
		const own = answered.slice(from, from + value.asks.length);
		from += own.length;
		repeated += repeatsIn(own, spec.key);
		return itemRows(spec, value, own, item);
	});
	const first = firstFailure(rows);
	if (first !== undefined) stopAt(first.failure, first.item, requests);

	const selected = await toOutcomeAsync(
		async () => (await spec.select?.(context, rows)) ?? { rows },
	);
	if (selected.failure !== undefined) stopAt(selected.failure, 0, requests);
	const { rows: put, hint: about }: Selected<Options> = selected.value ?? {
		rows,
		hint: `${selected.failure.message} So all rows were put out, seen before or not.`,
	};
	const blank = prepared.filter(({ value }) => value?.asks.length === 0).length;
	const read = prepared.flatMap(({ value }) => (value === undefined ? [] : [value.values]));
	const messages = [
		reportMessage({ ...tallyOf(put), repeated, blank, requests }, spec.wording),
		...(toOutcome(() => spec.hints?.(answered, setting, read)).value ?? []),
		...(about === undefined ? [] : [about]),
	];
	const missing = fieldsWarning(rows);
	const warnings = [
		...(toOutcome(() => spec.warnings?.(answered)).value ?? []),
		...(missing === undefined ? [] : [missing]),
	];
	hint(context, messages, warnings);
	const output = put.flatMap((row, at) => {
		const input = inputOf(row, items, put[at - 1]?.item === row.item);
		return outputOf(row, input, spec.identifiers ?? [], tool);
	});
	return output.length === 0 && tool ? [messageItem([...messages, ...warnings].join(' '))] : output;
}

/** For how many of an item's asks an equal one was sent; one that comes several times counts once. */
function repeatsIn<Ask>(
	answered: ReadonlyArray<BatchResult<Ask, unknown>>,
	keyOf: (ask: Ask) => string,
): number {
	const again = answered.filter(({ repeated }) => repeated);
	return again.length < 2 ? again.length : new Set(again.map(({ ask }) => keyOf(ask))).size;
}

function itemRows<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(
	spec: BatchSpec<Parameters, Options, Ask, Answer>,
	{ values, options }: PreparedItem<ValuesOf<Parameters>, Options, Ask>,
	answered: ReadonlyArray<BatchResult<Ask, Answer>>,
	item: number,
): Array<ItemRow<Options>> {
	const { value: rows, failure } = toOutcome(() => spec.rows(answered, values));
	if (rows === undefined) return [{ row: { failure }, item }];
	const blank = answered.length === 0;
	const shares = answered.some(({ repeated }) => repeated);
	return (shares ? deepCopy(rows) : rows).map((row) => ({ row, item, options, blank }));
}

/** The failure to stop at, and its item. */
function firstFailure(
	rows: ReadonlyArray<ItemRow<SharedOptions>>,
): { readonly failure: Failure; readonly item: number } | undefined {
	const failed = rows.flatMap(({ row: { failure }, item }) =>
		failure === undefined ? [] : [{ failure, item }],
	);
	return rootCause(failed);
}

/** The input item of a row; rows of one item get copies of its json, so that none changes with another. */
function inputOf(
	{ item, options }: ItemRow<SharedOptions>,
	items: readonly INodeExecutionData[],
	isFurther: boolean,
): INodeExecutionData {
	const input = items[item] ?? { json: {} };
	const copies = isFurther && options?.includeInputFields;
	return copies ? { ...input, json: deepCopy(input.json) } : input;
}

/** The output item of a row; none where it is left out. To an AI agent a row without an identifier says nothing. */
function outputOf(
	{ row, item, options, blank }: ItemRow<SharedOptions>,
	input: INodeExecutionData,
	identifiers: readonly string[],
	tool: boolean,
): INodeExecutionData[] {
	if (row.failure !== undefined) return [errorItem(row.failure, item, row.received)];
	if (options === undefined || (row.empty && options.dropItemsWithoutData)) return [];
	return blank && tool ? [] : [dataItem(row.json, input, item, options, identifiers)];
}

function tallyOf(
	rows: ReadonlyArray<ItemRow<SharedOptions>>,
): Pick<RunStats, 'rows' | 'empty' | 'dropped' | 'failed'> {
	const count = (counts: (row: ItemRow<SharedOptions>) => boolean | undefined) =>
		rows.filter((row) => row.row.failure === undefined && counts(row)).length;
	const isEmpty = ({ row }: ItemRow<SharedOptions>) => row.failure === undefined && row.empty;
	return {
		rows: count(({ blank }) => !blank),
		empty: count((row) => !row.blank && isEmpty(row)),
		dropped: count((row) => isEmpty(row) && row.options?.dropItemsWithoutData),
		failed: rows.filter(({ row }) => row.failure !== undefined).length,
	};
}

/** What is to be said of Fields that no row has. */
function fieldsWarning(rows: ReadonlyArray<ItemRow<SharedOptions>>): string | undefined {
	const shown = rows.flatMap(({ row, options }) =>
		row.failure === undefined && options !== undefined && options.fields.length > 0
			? [{ json: row.json, fields: options.fields }]
			: [],
	);
	const missing = missingFields(shown).map((path) => `"${path}"`);
	if (missing.length === 0) return undefined;
	return `Fields: no row has ${missing.join(', ')}. Check the spelling; without Fields, the rows show all names.`;
}

/** Reports to the output panel. Before n8n 1.118, the context of a tool has no method for that. */
function hint(
	context: Pick<IExecuteFunctions, 'getNode'> &
		Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>,
	messages: readonly string[],
	warnings: readonly string[],
): void {
	if (context.addExecutionHints === undefined) return;
	if (context.getNode().retryOnFail) {
		context.addExecutionHints({
			message:
				'Retry On Fail is on in the settings of this node: when it fails, n8n runs the whole node again, and pays for all rows again. Turn it off; the node itself repeats the requests for which that helps.',
			type: 'warning',
			location: 'outputPane',
		});
	}
	for (const message of messages) context.addExecutionHints({ message, location: 'outputPane' });
	for (const message of warnings) {
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
}

/** The outcome of a node that is set to an operation which does not exist: every item fails. */
export function failAll(context: IExecuteFunctions, message: string): INodeExecutionData[] {
	const failure: Failure = { kind: 'input', message };
	return context.getInputData().map((_, item) => {
		if (stopsAtFailure(context)) throw stoppingError(context.getNode(), failure, item, 0);
		return errorItem(failure, item);
	});
}
