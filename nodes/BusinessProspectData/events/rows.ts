import { deepCopy, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import type { JsonValue } from '../core/json';
import type { Outcome } from '../core/outcome';
import type { Row } from '../runtime/output';
import { eventKey, type EventsResult } from './query';

/** The JSON of one event; without Simplify, it includes the context of its response. */
const eventJson = (event: IDataObject, responseContext: JsonValue, simplify: boolean) =>
	simplify ? event : { ...event, response_context: deepCopy(responseContext) };

/** Rows of Get Events: one per event of an entity. */
export const eventRows = (
	id: string,
	{ events, responseContext }: EventsResult,
	simplify: boolean,
): Row[] =>
	events.map((event) => ({
		key: eventKey(id, event),
		json: eventJson(event, responseContext, simplify),
	}));

/** Items of the trigger: one per selected event. `outcomes` are those of the poll. */
export function eventItems(
	selected: readonly IDataObject[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
	simplify: boolean,
): INodeExecutionData[] {
	if (simplify) return selected.map((json) => ({ json }));
	const contexts = new Map(
		outcomes.flatMap(({ value }) =>
			(value?.events ?? []).map((event) => [event, value?.responseContext] as const),
		),
	);
	return selected.map((event) => ({ json: eventJson(event, contexts.get(event), simplify) }));
}
