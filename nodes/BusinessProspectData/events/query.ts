import type { IDataObject } from 'n8n-workflow';
import type { Client, SkipIf } from '../api/client';
import { type EventsSource, EVENT_ID } from '../catalog/events';
import { LIMITS } from '../catalog/service';
import { asObjects, asText, isObject, type JsonValue } from '../core/json';
import type { Outcome } from '../core/outcome';

/** A query for the events of one entity. Times are ISO 8601 with a zone. */
export interface EventsQuery {
	readonly id: string;
	readonly types: readonly string[];
	readonly from?: string;
	readonly to?: string;
	readonly requestContext?: IDataObject;
}

/** The events of one entity as the service returned them, without duplicates. */
export interface EventsResult {
	readonly events: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

/** Identifies an event. Includes the entity and the type: events of two entities or types may share an `event_id`. */
export const eventKey = (id: string, event: IDataObject): string =>
	`${id} ${asText(event.event_name) ?? ''} ${asText(event[EVENT_ID]) ?? JSON.stringify(event)}`;

/** How `executeBatches` turns event queries into requests. */
export const eventBatchConfig = (source: EventsSource) => ({
	groupKey: ({ types, from, to, requestContext }: EventsQuery) =>
		JSON.stringify([types, from, to, requestContext]),
	key: ({ id }: EventsQuery) => id,
	maxBatchSize: () => LIMITS.eventsBatch,
	inputMember: () => source.entity.idsField,
	send: (client: Client, queries: readonly EventsQuery[], skipIf: SkipIf) =>
		queryEvents(client, source, queries, skipIf),
});

/**
 * Fetches the events of up to 40 entities in one request (contract: Prospect events, Business events). The queries must differ
 * only in `id`; results are in their order. No events is not a failure. If the response contains events without an entity ID,
 * queries each entity again by itself, once.
 */
export async function queryEvents(
	client: Client,
	source: EventsSource,
	queries: readonly EventsQuery[],
	skipIf?: SkipIf,
): Promise<Outcome<ReadonlyArray<Outcome<EventsResult>>>> {
	const [first] = queries;
	if (first === undefined) return { value: [] };
	const { entity, path } = source;
	const { types, from, to, requestContext } = first;
	const ids = queries.map(({ id }) => id);
	const { value: response, failure } = await client.send(
		{
			method: 'POST',
			path,
			body: {
				event_types: types,
				[entity.idsField]: ids,
				timestamp_from: from,
				timestamp_to: to,
				request_context: requestContext,
			},
			recordLabels: ids,
			safeToRetry: true,
			mayBeEmpty: true,
		},
		skipIf,
	);
	if (failure !== undefined) return { failure };

	const body: IDataObject = isObject(response) ? response : { output_events: asObjects(response) };
	const { byId, hasUnassigned } = groupById(asObjects(body.output_events), ids, entity.idField);
	const results = queries.map((query) => {
		const events = [...(byId.get(query.id)?.values() ?? [])];
		return { query, value: { events, responseContext: body.response_context } };
	});
	if (!hasUnassigned || ids.length === 1) return { value: results.map(({ value }) => ({ value })) };

	const outcomes = results.map(async ({ query, value }): Promise<Outcome<EventsResult>> => {
		const separate = await queryEvents(client, source, [query], skipIf);
		if (separate.failure !== undefined) return { value, failure: separate.failure };
		return separate.value[0] ?? { value };
	});
	return { value: await Promise.all(outcomes) };
}

/** Groups events by entity ID, without duplicates. `hasUnassigned` is true if an event has no entity ID. */
function groupById(events: readonly IDataObject[], ids: readonly string[], idField: string) {
	const byId = new Map(ids.map((id) => [id, new Map<string, IDataObject>()]));
	let hasUnassigned = false;
	for (const event of events) {
		const entityId = asText(event[idField])?.trim().toLowerCase();
		hasUnassigned ||= entityId === undefined;
		// In a query for one entity, an event without an ID can only belong to that entity.
		const id = entityId ?? (ids.length === 1 ? ids[0] : undefined) ?? '';
		const key = eventKey(id, event);
		const own = byId.get(id);
		if (own !== undefined && !own.has(key)) own.set(key, event);
	}
	return { byId, hasUnassigned };
}
