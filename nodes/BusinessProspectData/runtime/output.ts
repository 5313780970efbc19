import {
	deepCopy,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { isEmpty, isObject } from '../core/json';
import { pluralize } from '../core/text';
import type { Failure, Outcome } from '../core/outcome';

/** One output row of an item: its data, or why there is none and what was received all the same. */
export type Row =
	| {
			readonly json: IDataObject;
			/** The service has nothing for it. */
			readonly empty?: boolean;
			/** Identifies what the row is about, in every execution. */
			readonly key?: string;
			readonly failure?: undefined;
	  }
	| { readonly failure: Failure; readonly received?: IDataObject };

/** The rows of an outcome: those of its value, then an error row for its failure. */
export const rowsOf = <Value>(
	{ value, failure }: Outcome<Value>,
	rows: (value: Value) => Row[],
): Row[] =>
	failure === undefined ? rows(value) : [...(value === undefined ? [] : rows(value)), { failure }];

/** Which fields of a row are put out. */
export interface OutputOptions {
	/** Paths with dots; none: all fields. */
	readonly fields: readonly string[];
	readonly includeInputFields: boolean;
}

/**
 * The output item of a row, linked to its input item.
 *
 * @param identifiers fields of the row that come out whatever `fields` names
 */
export function dataItem(
	json: IDataObject,
	input: INodeExecutionData,
	item: number,
	{ fields, includeInputFields }: OutputOptions,
	identifiers: readonly string[],
): INodeExecutionData {
	const unnamed = () => identifiers.filter((name) => !fields.includes(name));
	const row = fields.length === 0 ? json : pick(json, [...unnamed(), ...fields]);
	if (!includeInputFields) return { json: row, pairedItem: { item } };
	return {
		json: over(input.json, row),
		...(input.binary !== undefined && { binary: input.binary }),
		pairedItem: { item },
	};
}

/** The fields of an input row with those of the result over them; an empty result never replaces a value. */
function over(input: IDataObject, row: IDataObject): IDataObject {
	const wins = ([name, value]: [string, unknown]) =>
		!isEmpty(value) || !Object.hasOwn(input, name) || isEmpty(input[name]);
	return { ...input, ...Object.fromEntries(Object.entries(row).filter(wins)) };
}

/**
 * The error item of a failure: `{ error: { message, … } }`. Any other key beside `error` sends the item to the success
 * branch, and an `error` beside json cuts it down to the message.
 */
export function errorItem(
	failure: Failure,
	item: number,
	received?: IDataObject,
): INodeExecutionData {
	const { message, field, status, correlationId, details: facts } = failure;
	const error = {
		message,
		...(field !== undefined && { field }),
		...(status !== undefined && { status }),
		...(correlationId !== undefined && { correlation_id: correlationId }),
		...deepCopy(facts),
		...(received !== undefined && { received: deepCopy(received) }),
	};
	return { json: { error }, pairedItem: { item } };
}

/** The output item that tells an AI agent why there are no rows. */
export const messageItem = (message: string): INodeExecutionData => ({
	json: { message },
	pairedItem: { item: 0 },
});

/** The error that stops the workflow: complete in its message, since an AI agent and the log show nothing else. */
export function stoppingError(
	node: INode,
	{ message, kind, status, correlationId }: Failure,
	itemIndex: number,
	answered: number,
): NodeApiError | NodeOperationError {
	// Of a cancelled execution n8n keeps no rows, whatever On Error says.
	const advice =
		kind === 'stopped'
			? ''
			: `; with On Error set to "Continue" in the node's settings, their rows would have been kept`;
	const before = pluralize(answered, 'request was', 'requests were');
	const whole = answered === 0 ? message : `${message} Before that ${before} answered${advice}.`;
	const description = correlationId === undefined ? undefined : `Correlation ID: ${correlationId}`;
	return status === undefined
		? new NodeOperationError(node, whole, { itemIndex, description })
		: new NodeApiError(
				node,
				{ message: whole },
				{ message: whole, description, httpCode: String(status), itemIndex },
			);
}

/** The named paths of an object, in their nesting; a path goes through lists. */
function pick(json: IDataObject, paths: readonly string[]): IDataObject {
	const below = new Map<string, string[]>();
	for (const path of paths) {
		const [key = '', ...rest] = path.split('.');
		below.set(key, [...(below.get(key) ?? []), rest.join('.')]);
	}
	const picked = [...below].flatMap(([key, rest]) => {
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

/** The paths among the Fields of rows that are in none of them, as far as their objects show. */
export function missingFields(
	rows: ReadonlyArray<{ readonly json: IDataObject; readonly fields: readonly string[] }>,
): string[] {
	const found = new Map<string, boolean>();
	for (const { json, fields } of rows) {
		for (const path of fields) {
			if (found.get(path) === true) continue;
			const isThere = has(json, path.split('.'));
			if (isThere !== undefined) found.set(path, isThere);
		}
	}
	return [...found].flatMap(([path, isThere]) => (isThere ? [] : [path]));
}

/** Whether a path leads to a field; undefined where it ends before, at something without fields. */
function has(value: unknown, [key, ...rest]: readonly string[]): boolean | undefined {
	if (key === undefined) return true;
	if (Array.isArray(value)) {
		const inside = value.map((entry) => has(entry, [key, ...rest]));
		return inside.find((one) => one === true) ?? inside.find((one) => one !== undefined);
	}
	if (!isObject(value) || Object.keys(value).length === 0) return undefined;
	return Object.hasOwn(value, key) ? has(value[key], rest) : false;
}
