import { deepCopy, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { isEmpty, isObject } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';

/** An output row: its data, or a failure with what was received before it. */
export type Row =
	| {
			readonly json: IDataObject;
			/** True if the service has no data for it. */
			readonly empty?: boolean;
			/** Identifies the row's subject across executions. */
			readonly key?: string;
			readonly failure?: undefined;
	  }
	| { readonly failure: Failure; readonly received?: IDataObject };

/** A row and the input item that it belongs to. */
export interface ItemRow<Options> {
	readonly row: Row;
	readonly item: number;
	/** Absent if the item is invalid. */
	readonly options?: Options;
	/** True if the item sent nothing because its identifier is blank. */
	readonly withoutId?: boolean;
}

/** The rows of an outcome's value, followed by an error row for its failure. */
export const rowsWithFailure = <Value>(
	{ value, failure }: Outcome<Value>,
	rows: (value: Value) => Row[],
): Row[] =>
	failure === undefined ? rows(value) : [...(value === undefined ? [] : rows(value)), { failure }];

/** Which fields and rows are in the output. */
export interface OutputOptions {
	/** Dotted paths; empty for all fields. */
	readonly fields: readonly string[];
	readonly includeInputFields: boolean;
	readonly dropItemsWithoutData?: boolean;
}

/**
 * Converts rows into output items. Leaves out rows without data if their options say so and, for AI agents, rows without
 * an identifier.
 *
 * @param items the input items
 * @param identifiers fields that are always in the output, even if Fields doesn't list them
 */
export function outputItems(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	items: readonly INodeExecutionData[],
	identifiers: readonly string[],
	isTool: boolean,
): INodeExecutionData[] {
	return rows.flatMap(({ row, item, options, withoutId }, index) => {
		if (row.failure !== undefined) return [errorItem(row.failure, item, row.received)];
		if (options === undefined || (row.empty && options.dropItemsWithoutData)) return [];
		if (withoutId && isTool) return [];
		const input = items[item] ?? { json: {} };
		// The rows of one item get copies of its fields, so that a later change to one leaves the others alone.
		const copies = options.includeInputFields && rows[index - 1]?.item === item;
		const own = copies ? { ...input, json: deepCopy(input.json) } : input;
		return [dataItem(row.json, own, item, options, identifiers)];
	});
}

/** The output item of a row, linked to its input item. */
function dataItem(
	json: IDataObject,
	input: INodeExecutionData,
	item: number,
	{ fields, includeInputFields }: OutputOptions,
	identifiers: readonly string[],
): INodeExecutionData {
	const unlisted = identifiers.filter((name) => !fields.includes(name));
	const row = fields.length === 0 ? json : pick(json, [...unlisted, ...fields]);
	if (!includeInputFields) return { json: row, pairedItem: { item } };
	return {
		json: mergeFields(input.json, row),
		...(input.binary !== undefined && { binary: input.binary }),
		pairedItem: { item },
	};
}

/** Adds a result's fields to those of its input row. An empty result never replaces a value. */
function mergeFields(input: IDataObject, row: IDataObject): IDataObject {
	const replaces = ([name, value]: [string, unknown]) =>
		!isEmpty(value) || !Object.hasOwn(input, name) || isEmpty(input[name]);
	return { ...input, ...Object.fromEntries(Object.entries(row).filter(replaces)) };
}

/**
 * The error item of a failure: `{ error: { message, … } }`. With any other key beside `error`, n8n sends the item to the
 * success branch; with an `error` beside `json`, only the message is left.
 */
export function errorItem(
	failure: Failure,
	item: number,
	received?: IDataObject,
): INodeExecutionData {
	const { message, field, status, correlationId, details } = failure;
	const error = {
		message,
		...(field !== undefined && { field }),
		...(status !== undefined && { status }),
		...(correlationId !== undefined && { correlation_id: correlationId }),
		...deepCopy(details),
		...(received !== undefined && { received: deepCopy(received) }),
	};
	return { json: { error }, pairedItem: { item } };
}

/** The output item that explains to an AI agent why there are no rows. */
export const messageItem = (message: string): INodeExecutionData => ({
	json: { message },
	pairedItem: { item: 0 },
});

/** Picks the named paths of an object, keeping their nesting. A path goes through lists. */
function pick(json: IDataObject, paths: readonly string[]): IDataObject {
	const byKey = new Map<string, string[]>();
	for (const path of paths) {
		const [key = '', ...rest] = path.split('.');
		byKey.set(key, [...(byKey.get(key) ?? []), rest.join('.')]);
	}
	const picked = [...byKey].flatMap(([key, rest]) => {
		if (!Object.hasOwn(json, key)) return [];
		const value = json[key];
		return [[key, rest.includes('') ? value : pickInside(value, rest)]];
	});
	return Object.fromEntries(picked);
}

function pickInside(value: unknown, paths: readonly string[]): unknown {
	if (Array.isArray(value)) return value.map((entry) => pickInside(entry, paths));
	return isObject(value) ? pick(value, paths) : value;
}

/** Warns about paths in Fields that no row has. Rows whose data ends before the path does don't count. */
export function missingFieldsWarning(rows: ReadonlyArray<ItemRow<OutputOptions>>): string[] {
	const found = new Map<string, boolean>();
	for (const { row, options } of rows) {
		if (row.failure !== undefined) continue;
		for (const path of options?.fields ?? []) {
			if (found.get(path) === true) continue;
			const exists = hasPath(row.json, path.split('.'));
			if (exists !== undefined) found.set(path, exists);
		}
	}
	const missing = [...found].flatMap(([path, exists]) => (exists ? [] : [`"${path}"`]));
	if (missing.length === 0) return [];
	return [
		`Fields: no row has ${missing.join(', ')}. Check the spelling. To see all names, run once without Fields.`,
	];
}

/**
 * True if the path leads to a field, false if a field on it is missing, undefined if the data ends before it: at an empty
 * object or list, or at a value without fields.
 */
function hasPath(value: unknown, [key, ...rest]: readonly string[]): boolean | undefined {
	if (key === undefined) return true;
	if (Array.isArray(value)) {
		const inside = value.map((entry) => hasPath(entry, [key, ...rest]));
		return inside.find((one) => one === true) ?? inside.find((one) => one !== undefined);
	}
	if (!isObject(value) || Object.keys(value).length === 0) return undefined;
	return Object.hasOwn(value, key) ? hasPath(value[key], rest) : false;
}
