import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { JsonValue } from '../core/json';

/** The rows of one response, and its `response_context`. */
interface ReceivedRows {
	readonly rows: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

/** Converts selected rows to items. Each gets the context of the response that the row came with. */
export function toItems(
	selected: readonly IDataObject[],
	received: readonly ReceivedRows[],
	outputOf: (row: IDataObject, responseContext: JsonValue) => { readonly json: IDataObject },
): INodeExecutionData[] {
	const contexts = new Map(
		received.flatMap(({ rows, responseContext }) =>
			rows.map((row) => [row, responseContext] as const),
		),
	);
	return selected.map((row) => ({ json: outputOf(row, contexts.get(row)).json }));
}
