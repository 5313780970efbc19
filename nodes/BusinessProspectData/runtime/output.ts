import { deepCopy, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { asText, isEmpty, isObject, type JsonValue } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import { getOrCreate } from '../core/collections';
import { optionsParameter } from './parameters';

/** An output row: its data, or a failure with what was received before it. */
export type Row = DataRow | { readonly failure: Failure; readonly received?: IDataObject };

interface DataRow {
	/** The fields to output, unless Fields names others. */
	readonly json: IDataObject;
	/** Returns every field that Fields can name; absent if `json` has them all. Several rows may share the objects inside. */
	readonly allFields?: () => IDataObject;
	/** True if Fields doesn't apply to the row: it is output whole. */
	readonly ignoresFields?: boolean;
	/** Fields that repeat the item's own values. With Include Input Fields, they never replace a value of the input row. */
	readonly repeated?: readonly string[];
	/**
	 * Fields whose objects complete those of the input row (Include Input Fields) instead of replacing them, if both rows have the
	 * same ID: an earlier node may have fetched another part of the data.
	 */
	readonly completes?: { readonly idField: string; readonly fields: readonly string[] };
	/** True if the row has no data, for example because the service has none or found no match. */
	readonly empty?: boolean;
	/** Key by which Only New Events and Only New Prospects recognize the row's record in later executions. */
	readonly dedupeKey?: string;
	readonly failure?: undefined;
}

/** A row and the input item that it belongs to. */
export interface ItemRow<Options> {
	readonly row: Row;
	readonly itemIndex: number;
	/** Absent only in the error row of an item that failed as a whole, for example because its values are invalid. */
	readonly options?: Options;
	/** True if the item sent nothing because its ID is blank. */
	readonly withoutId?: boolean;
	/** True if the item's details have no match, or several. */
	readonly unmatched?: boolean;
}

/** The rows of an outcome's value, if any, followed by an error row for its failure, if any. */
export const rowsWithFailure = <Value>(
	{ value, failure }: Outcome<Value>,
	rows: (value: Value) => Row[],
): Row[] =>
	failure === undefined ? rows(value) : [...(value === undefined ? [] : rows(value)), { failure }];

/**
 * The output of a record: its simplified form, or its raw form with the `response_context`. The option Fields can name the
 * fields of both forms.
 */
export function recordOutput(
	simplified: IDataObject,
	raw: () => IDataObject,
	responseContext: JsonValue,
	simplify: boolean,
): Required<Pick<DataRow, 'json' | 'allFields'>> {
	const sent = () => ({ ...raw(), response_context: structuredClone(responseContext) });
	return {
		json: simplify ? simplified : sent(),
		allFields: () => ({ ...simplified, ...sent() }),
	};
}

/** Which fields and rows are in the output. */
export interface OutputOptions {
	/** Dotted paths, such as `profile.job_title`; empty for the fields that a row has by default (`json`). */
	readonly fields: readonly string[];
	readonly includeInputFields: boolean;
	readonly dropItemsWithoutData?: boolean;
}

/**
 * Converts rows into output items. Leaves out rows without data if their options say so and, for AI agents, the rows of items
 * whose ID is blank.
 *
 * @param items the input items
 * @param requiredFields fields that rows keep even if Fields doesn't list them
 */
export function outputItems(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	items: readonly INodeExecutionData[],
	requiredFields: readonly string[],
	isTool: boolean,
): INodeExecutionData[] {
	return rows.flatMap(({ row, itemIndex, options, withoutId }, index) => {
		if (row.failure !== undefined) return [errorItem(row.failure, itemIndex, row.received)];
		if (options === undefined || (row.empty && options.dropItemsWithoutData)) return [];
		if (withoutId && isTool) return [];
		const input = items[itemIndex] ?? { json: {} };
		// Each further row of an item gets a copy of the input fields, so that changing one row doesn't change the others.
		const isLaterRow = rows[index - 1]?.itemIndex === itemIndex;
		// Not `structuredClone`: it can't copy some values of other nodes, such as Luxon dates.
		const inputOfRow =
			options.includeInputFields && isLaterRow ? { ...input, json: deepCopy(input.json) } : input;
		return [dataItem(row, inputOfRow, itemIndex, options, requiredFields)];
	});
}

/** The output item of a row, linked to its input item. */
function dataItem(
	dataRow: DataRow,
	input: INodeExecutionData,
	itemIndex: number,
	{ fields, includeInputFields }: OutputOptions,
	requiredFields: readonly string[],
): INodeExecutionData {
	const { json, allFields, ignoresFields } = dataRow;
	let row = json;
	if (fields.length > 0 && !ignoresFields) {
		const unlisted = requiredFields.filter((name) => !fields.includes(name));
		row = structuredClone(pickFields(json, allFields?.() ?? json, [...unlisted, ...fields]));
	}
	if (!includeInputFields) return { json: row, pairedItem: { item: itemIndex } };
	return {
		json: mergeFields(withoutOldError(input.json), row, dataRow),
		...(input.binary !== undefined && { binary: input.binary }),
		pairedItem: { item: itemIndex },
	};
}

/**
 * Adds a result's fields to those of its input row. An empty or repeated field never replaces a value. If both rows have
 * the same ID, objects in the fields that `completes` lists are merged in the same way.
 */
function mergeFields(
	input: IDataObject,
	row: IDataObject,
	{ repeated = [], completes }: Pick<DataRow, 'repeated' | 'completes'>,
): IDataObject {
	const isSame = completes !== undefined && sameId(input, row, completes.idField);
	const added = Object.entries(row).flatMap(([name, value]) => {
		const known = Object.hasOwn(input, name) ? input[name] : undefined;
		if (isEmpty(known)) return [[name, value]];
		if (isEmpty(value) || repeated.includes(name)) return [];
		const isCompleted = isSame && completes.fields.includes(name) && isObject(known);
		return [[name, isCompleted && isObject(value) ? mergeFields(known, value, {}) : value]];
	});
	return { ...input, ...Object.fromEntries(added) };
}

const sameId = (input: IDataObject, row: IDataObject, idField: string): boolean =>
	asText(input[idField])?.trim().toLowerCase() === row[idField];

/** Removes an `error` with the form of this node's errors from an input row: an earlier run probably left it there. */
function withoutOldError(input: IDataObject): IDataObject {
	const { error, ...others } = input;
	return isObject(error) && typeof error.message === 'string' ? others : input;
}

/**
 * The error item of a failure: `{ json: { error: { message, … } } }`. With further keys beside `error`, n8n may send the item
 * to the success branch. If `error` were beside `json`, n8n would keep only the message.
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

/** The output item that explains to an AI agent why there are no rows. */
export const messageItem = (message: string): INodeExecutionData => ({
	json: { message },
	pairedItem: { item: 0 },
});

/**
 * Picks the named paths of a row, keeping their nesting. In a list, a path applies to every entry.
 *
 * @param json the row. A path without dots takes its value from here if the row has the field.
 * @param allFields every field that a path can name. All other paths take their values from here.
 */
function pickFields(
	json: IDataObject,
	allFields: IDataObject,
	paths: readonly string[],
): IDataObject {
	// For each top-level field, the rest of its paths; '' stands for the whole field.
	const byKey = new Map<string, string[]>();
	for (const path of paths) {
		const [key = '', ...rest] = path.split('.');
		getOrCreate(byKey, key, (): string[] => []).push(rest.join('.'));
	}
	const picked = [...byKey].flatMap(([key, rest]) => {
		const whole = rest.includes('');
		const source = whole && Object.hasOwn(json, key) ? json : allFields;
		if (!Object.hasOwn(source, key)) return [];
		const inside = rest.filter((path) => path !== '');
		if (!whole) return [[key, pickInside(source[key], inside)]];
		// For Fields such as `contacts, contacts.emails`: the simplified `contacts` lacks `emails`.
		const value = source[key];
		const more = isObject(value) ? pickInside(allFields[key], inside) : undefined;
		return [[key, isObject(value) && isObject(more) ? { ...more, ...value } : value]];
	});
	return Object.fromEntries(picked);
}

function pickInside(value: unknown, paths: readonly string[]): unknown {
	if (Array.isArray(value)) return value.map((entry) => pickInside(entry, paths));
	return isObject(value) ? pickFields(value, value, paths) : value;
}

/**
 * Creates the parameter Output, with two options: several rows (the default), or Summary, the whole response as one row.
 *
 * @param rows name, saved value and description of the first option
 * @param summary the description of Summary
 */
export function outputParameter(
	rows: { readonly name: string; readonly value: string; readonly description: string },
	summary: string,
) {
	// n8n's lint recognizes only a literal or a plain name as a default.
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

/** A response as one row, with `response_context` last, so that people see the data first. */
export const summaryRow = ({ response_context: context, ...members }: IDataObject): IDataObject =>
	context === undefined ? members : { ...members, response_context: context };
