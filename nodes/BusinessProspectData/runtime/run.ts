import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Failure, Outcome } from '../api/outcome';
import { askAll } from './asking';
import { attempt, attemptAsync } from './attempt';
import type { BatchSpec, ItemRow, Selected, Setting } from './operation';
import type { SharedOptions } from './options';
import { dataItem, errorItem, messageItem, stoppingError } from './output';
import type { Parameter, ValuesOf } from './parameters';
import { report, type Tally } from './report';
import { isTool, stopsAtFailure } from './tool';
import { valuesReader } from './values';

/**
 * Runs an operation over all input items: reads and checks them, asks in batches, and puts out linked rows in input
 * order. With On Error set to stop, throws the first failure with its item; otherwise every failure is an error item
 * and nothing is thrown. An AI agent sees no hints: where no row is left, it gets one that says what the hints say.
 */
export async function run<
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

	const setting: Setting = { now: Date.now(), timezone: context.getTimezone() };
	const prepared = prepare(context, spec, items.length, setting);
	prepared.forEach(({ failure }, item) => failure && stopAt(failure, item, 0));

	const asks = prepared.flatMap(({ value }) => value?.asks ?? []);
	const options = prepared.find(({ value }) => value !== undefined)?.value?.options;
	const { answered, requests } = await askAll(context, spec, asks, options, stops);

	let from = 0;
	let repeats = 0;
	let blanks = 0;
	const rows = prepared.flatMap(({ value, failure }, item): Array<ItemRow<Options>> => {
		if (value === undefined) return [{ row: { failure }, item }];
		const mine = answered.slice(from, from + value.asks.length);
		from += mine.length;
		const again = mine.filter(({ repeated }) => repeated);
		if (again.length > 0) repeats += new Set(again.map(({ ask }) => spec.key(ask))).size;
		const own = attempt(() => spec.rows(mine, value.values, value.options));
		if (own.failure !== undefined) return [{ row: { failure: own.failure }, item }];
		if (mine.length === 0) blanks++;
		return own.value.map((row) => ({
			row,
			item,
			options: value.options,
			blank: mine.length === 0,
		}));
	});
	const failed = rows.filter(({ row }) => row.failure !== undefined);
	const first = failed.find(({ row }) => row.failure?.kind !== 'stopped') ?? failed[0];
	if (first?.row.failure !== undefined) stopAt(first.row.failure, first.item, requests);

	const selected = await attemptAsync(async () => (await spec.select?.(context, rows)) ?? { rows });
	if (selected.failure !== undefined) stopAt(selected.failure, 0, requests);
	const { rows: put, hint: about }: Selected<Options> = selected.value ?? {
		rows,
		hint: `${selected.failure.message} So all rows were put out, seen before or not.`,
	};
	const messages = [
		report({ ...tallyOf(put), repeated: repeats, blank: blanks, requests }, spec.wording),
		...(attempt(() => spec.hints?.(answered, setting)).value ?? []),
		...(about === undefined ? [] : [about]),
	];
	hint(context, messages);
	const tool = isTool(context);
	const output = put.flatMap(({ row, item, options: own, blank }) => {
		if (row.failure !== undefined) return [errorItem(row.failure, item, row.received)];
		if (own === undefined || (row.empty && own.dropItemsWithoutData)) return [];
		return blank && tool ? [] : [dataItem(row.json, items[item]?.json ?? {}, item, own)];
	});
	return output.length === 0 && tool ? [messageItem(messages.join(' '))] : output;
}

function tallyOf(
	rows: ReadonlyArray<ItemRow<SharedOptions>>,
): Pick<Tally, 'rows' | 'empty' | 'dropped' | 'failed'> {
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

interface Prepared<Values, Options, Ask> {
	readonly values: Values;
	readonly options: Options;
	readonly asks: readonly Ask[];
}

function prepare<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(
	context: IExecuteFunctions,
	spec: BatchSpec<Parameters, Options, Ask, Answer>,
	items: number,
	setting: Setting,
): Array<Outcome<Prepared<ValuesOf<Parameters>, Options, Ask>>> {
	const readValues = valuesReader(context, spec.parameters);
	const readOptions = valuesReader(context, [spec.options]);
	return Array.from({ length: items }, (_, item) => {
		const { value: values, failure } = readValues(item);
		if (failure !== undefined) return { failure };
		const { value, failure: wrong } = readOptions(item);
		if (wrong !== undefined) return { failure: wrong };
		const { options } = value;
		return attempt(() => ({ values, options, asks: spec.asks(values, options, setting) }));
	});
}

function hint(context: IExecuteFunctions, messages: readonly string[]): void {
	if (context.getNode().retryOnFail) {
		context.addExecutionHints({
			message:
				'Retry On Fail is on in the settings of this node: when it fails, n8n runs the whole node again, and pays for all rows again. Turn it off; the node itself repeats the requests for which that helps.',
			type: 'warning',
			location: 'outputPane',
		});
	}
	for (const message of messages) context.addExecutionHints({ message, location: 'outputPane' });
}

/** The outcome of a node that is set to an operation which does not exist: every item fails. */
export function refuseAll(context: IExecuteFunctions, message: string): INodeExecutionData[] {
	const failure: Failure = { kind: 'input', message };
	return context.getInputData().map((_, item) => {
		if (stopsAtFailure(context)) throw stoppingError(context.getNode(), failure, item, 0);
		return errorItem(failure, item);
	});
}
