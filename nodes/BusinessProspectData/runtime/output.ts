import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { isObject } from '../api/json';
import { counted } from '../api/numbers';
import type { Failure, Outcome } from '../api/outcome';

/** One output row of an item: its data, or why there is none and what was received all the same. */
export type Row =
	| {
			readonly json: IDataObject;
			/** The service has nothing for it. */
			readonly empty?: boolean;
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
export interface Shape {
	/** Paths with dots; none: all fields. */
	readonly fields: readonly string[];
	readonly includeInputFields: boolean;
}

/** The output item of a row, linked to its input item. */
export function dataItem(
	json: IDataObject,
	input: IDataObject,
	item: number,
	{ fields, includeInputFields }: Shape,
): INodeExecutionData {
	const row = fields.length === 0 ? json : pick(json, fields);
	return {
		json: includeInputFields ? { ...input, ...row } : row,
		pairedItem: { item },
	};
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
	const { message, field, status, correlationId, facts } = failure;
	const error = {
		message,
		...(field !== undefined && { field }),
		...(status !== undefined && { status }),
		...(correlationId !== undefined && { correlation_id: correlationId }),
		...facts,
		...(received !== undefined && { received }),
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
	const before = counted(answered, 'request was', 'requests were');
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
