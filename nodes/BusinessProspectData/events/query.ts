import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { isObject, type JsonValue, objectsIn, textOf } from '../api/json';
import type { Outcome } from '../api/outcome';
import { rowsOfNobody } from '../api/rows';
import type { EventSource } from '../catalog/events';

/** What is asked of one entity. Times are ISO 8601 with a zone. */
export interface EventsAsk {
	readonly id: string;
	readonly types: readonly string[];
	readonly from?: string;
	readonly to?: string;
	readonly requestContext?: IDataObject;
}

/** The events of one entity, as the service sent them, each once. */
export interface EventsAnswer {
	readonly events: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

/**
 * Asks for the events of up to 40 entities, alike but for their id, in one request (contract: Prospect events, Business
 * events): an answer for each, in their order. An answer without events is no failure.
 */
export async function queryEvents(
	client: Client,
	{ entity, path }: EventSource,
	asks: readonly EventsAsk[],
): Promise<Outcome<ReadonlyArray<Outcome<EventsAnswer>>>> {
	const [first] = asks;
	if (first === undefined) return { value: [] };
	const { types, from, to, requestContext } = first;
	const { value, failure } = await client.send({
		method: 'POST',
		path,
		body: {
			event_types: types,
			[entity.ids]: asks.map(({ id }) => id),
			timestamp_from: from,
			timestamp_to: to,
			request_context: requestContext,
		},
		records: asks.map(({ id }) => id),
		free: true,
		mayBeEmpty: true,
	});
	if (failure !== undefined) return { failure };

	const answer: IDataObject = isObject(value) ? value : { output_events: objectsIn(value) };
	const byId = new Map(asks.map(({ id }) => [id, new Map<string, IDataObject>()]));
	let nobodys = 0;
	for (const event of objectsIn(answer.output_events)) {
		// An event that does not say whose it is can only be of the one that was asked for.
		const named = textOf(event[entity.id]) ?? (asks.length === 1 ? first.id : undefined);
		if (named === undefined) nobodys++;
		const own = byId.get(named?.trim().toLowerCase() ?? '');
		const key = textOf(event.event_id) ?? JSON.stringify(event);
		if (own !== undefined && !own.has(key)) own.set(key, event);
	}
	return {
		value: asks.map(({ id }) => {
			const events = [...(byId.get(id)?.values() ?? [])];
			const value = { events, responseContext: answer.response_context };
			const unknown = events.length === 0 && nobodys > 0;
			return unknown ? { value, failure: rowsOfNobody(nobodys, '') } : { value };
		}),
	};
}
