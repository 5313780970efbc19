import { deepCopy, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { groupBy } from '../core/collections';
import { asText, isEmpty, isObject, type JsonValue, parsedJson, toRecord } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import { withFullStop } from '../core/text';
import type { Layout } from '../fields/columns';
import { ENTITIES } from '../fields/about';
import { withFilledColumns } from '../fields/fill';
import {
	type BlankWording,
	cutCell,
	isWithoutData,
	type Row,
	rowJson,
	stateOf,
} from '../fields/row';
import type { OutputOptions } from '../parameters/options';
import { optionsParameter } from '../parameters/parameter';
import { flatMapInSlices } from './slices';

export type ItemRow<Options> = {
	readonly itemIndex: number;
	/** Names what a blank row lacks. */
	readonly blank?: BlankWording | undefined;
} & (
	| { readonly row: Row; readonly layout: Layout; readonly options: Options }
	| {
			readonly row: Row & { readonly failure: Failure };
			readonly layout?: undefined;
			readonly options?: undefined;
	  }
);

export const rowsWithFailure = <Value>(
	{ value, failure }: Outcome<Value>,
	rows: (value: Value) => Row[],
): Row[] =>
	failure === undefined ? rows(value) : [...(value === undefined ? [] : rows(value)), { failure }];

export async function outputItems(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	inputItems: readonly INodeExecutionData[],
	isTool: boolean,
	firstColumns: readonly string[] = [],
): Promise<INodeExecutionData[]> {
	const toItem = (
		{ row, itemIndex, layout, options }: ItemRow<OutputOptions>,
		index: number,
	): INodeExecutionData[] => {
		if (row.failure !== undefined) {
			const { message, forAgent = message } = row.failure;
			const failure = isTool ? { ...row.failure, message: forAgent } : row.failure;
			return [errorItem(failure, itemIndex, row.received)];
		}
		if (options === undefined || (options.dropRowsWithoutData && isWithoutData(row))) return [];
		// If no row is left, an agent gets the report of the run, which says that the ID is missing.
		if (row.state === 'blank' && isTool) return [];
		const { fields, fillColumns = [], includeInputFields } = options;
		const item = inputItems[itemIndex];
		// Each further row of an item gets a copy of the input fields, so that changing one row doesn't change the others. Not
		// `structuredClone`: it would turn Luxon dates, which other nodes may output, into plain objects.
		const isLaterRow = rows[index - 1]?.itemIndex === itemIndex;
		const input =
			item !== undefined && (includeInputFields || fillColumns.length > 0)
				? withoutOldError(isLaterRow ? deepCopy(item.json) : item.json)
				: {};
		const included = includeInputFields ? input : {};
		// The same object if nothing is added, as n8n's own nodes output it.
		const inputFiles = includeInputFields ? item?.binary : undefined;
		const files =
			row.binary && inputFiles ? { ...inputFiles, ...row.binary } : (row.binary ?? inputFiles);
		const filled = withFilledColumns(row, layout, fillColumns, input, included);
		const result = rowJson(row, layout, { fields, firstColumns }, filled);
		return [
			{
				json:
					isTool && isWithoutData(row)
						? notFoundJson(result, stateOf(row) === 'empty', item?.json)
						: result,
				...(files !== undefined && { binary: files }),
				pairedItem: { item: itemIndex },
			},
		];
	};
	const items = await flatMapInSlices(rows, toItem);
	return isTool ? itemsForAgent(items) : items;
}

/** An AI agent reads everything, so equal errors come once, and long texts are cut also with Simplify off. */
function itemsForAgent(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	const cut = items.map(({ json }) =>
		toRecord(parsedJson(JSON.stringify(json, (_, value: JsonValue) => cutCell(value)))),
	);
	const byError = groupBy([...items.keys()], (index) => JSON.stringify(cut[index]?.error));
	return items.flatMap((item, index) => {
		const json = cut[index] ?? {};
		if (!isObject(json.error)) return [{ ...item, json }];
		const [first, ...others] = byError.get(JSON.stringify(json.error)) ?? [];
		if (first !== index) return [];
		const times = others.length + 1;
		return [{ ...item, json: times === 1 ? json : { error: { ...json.error, times } } }];
	});
}

/** The row for an AI agent, to which nulls say nothing. An input row of a tool has the arguments of its call. */
function notFoundJson(row: IDataObject, isEmptyRow: boolean, call: IDataObject = {}): IDataObject {
	const [id] = ENTITIES.flatMap(({ idField }) => asText(row[idField]) ?? []);
	const texts = Object.values(call).flatMap((argument) => asText(argument) ?? []);
	const known = Object.entries(row).filter(([, value]) => !isEmpty(value));
	const who = id ?? (texts.join(', ') || 'this');
	const message = withFullStop(`No match for ${who}${isEmptyRow ? ', or no data about it' : ''}`);
	return { message, ...Object.fromEntries(known) };
}

/** Ends the advice that gets rows out although others fail. */
export const SET_ON_ERROR =
	'set On Error to "Continue (using error output)" in the node\'s settings.';

/** In an input row, an `error` with the form of this node's errors is probably from an earlier node or run. */
function withoutOldError(input: IDataObject): IDataObject {
	if (!isObject(input.error) || typeof input.error.message !== 'string') return input;
	return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'error'));
}

/**
 * If `json` had other keys besides `error`, n8n might send the item to the success branch. If `error` were next to `json`, n8n
 * would keep only the message.
 */
export function errorItem(
	failure: Failure,
	itemIndex: number,
	received?: IDataObject,
): INodeExecutionData {
	const { message, field, status, correlationId, details } = failure;
	const error = {
		message,
		...(field !== undefined && { field }),
		...(status !== undefined && { status }),
		...(correlationId !== undefined && { correlation_id: correlationId }),
		...structuredClone(details),
		...(received !== undefined && { received: structuredClone(received) }),
	};
	return { json: { error }, pairedItem: { item: itemIndex } };
}

export const messageItem = (message: string): INodeExecutionData => ({
	json: { message },
	pairedItem: { item: 0 },
});

/** The parameter Output, with the options `rows` and Summary. Summary returns the whole result as one row. */
export function outputParameter(
	rows: { readonly name: string; readonly value: string; readonly description: string },
	summary: string,
) {
	// A variable, because n8n's lint would report `rows.value` as a missing default.
	const { value: initial } = rows;
	return optionsParameter({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: initial,
		options: [rows, { name: 'Summary', value: 'summary', description: summary }],
		description: 'What to return',
	});
}

/** Puts `response_context` last, so that people see the data first. */
export const summaryRow = ({ response_context: context, ...members }: IDataObject): IDataObject =>
	context === undefined ? members : { ...members, response_context: context };
