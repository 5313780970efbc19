import type { IDataObject } from 'n8n-workflow';
import type { Client, SkipIf } from '../api/client';
import { isObject, type JsonValue, asObjects, asText } from '../core/json';
import type { Outcome } from '../core/outcome';
import type { EventSource } from '../catalog/events';

/** What is asked of one entity. Times are ISO 8601 with a zone. */
export interface EventsQuery {
	readonly id: string;
	readonly types: readonly string[];
	readonly from?: string;
	readonly to?: string;
	readonly requestContext?: IDataObject;
}

/** The events of one entity, as the service sent them, each once. */
export interface EventsResult {
	readonly events: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

/** Identifies an event of an entity: the service may give one `event_id` to the events of two entities. */
export const eventKey = (id: string, event: IDataObject): string =>
	`${id} ${asText(event.event_id) ?? JSON.stringify(event)}`;

/**
 * Asks for the events of up to 40 entities, alike but for their id, in one request (contract: Prospect events, Business
 * events): an answer for each, in their order. An answer without events is no failure. If the response has events that
 * don't say whose they are, each entity is asked for alone: once, and at no cost.
 */
export async function queryEvents(
	client: Client,
	source: EventSource,
	asks: readonly EventsQuery[],
	skipIf?: SkipIf,
): Promise<Outcome<ReadonlyArray<Outcome<EventsResult>>>> {
	const [first, ...more] = asks;
	if (first === undefined) return { value: [] };
	const { value: response, failure } = await request(client, source, asks, first, skipIf);
	if (failure !== undefined) return { failure };

	const { entity } = source;
	const answer: IDataObject = isObject(response)
		? response
		: { output_events: asObjects(response) };
	const byId = new Map(asks.map(({ id }) => [id, new Map<string, IDataObject>()]));
	let unassigned = false;
	for (const event of asObjects(answer.output_events)) {
		const named = asText(event[entity.id])?.trim().toLowerCase();
		unassigned ||= named === undefined;
		// Without an id it can only belong to the one entity that was asked for.
		const id = named ?? (more.length === 0 ? first.id : '');
		const own = byId.get(id);
		const key = eventKey(id, event);
		if (own !== undefined && !own.has(key)) own.set(key, event);
	}
	const answered = asks.map((ask) => {
		const events = [...(byId.get(ask.id)?.values() ?? [])];
		return { ask, value: { events, responseContext: answer.response_context } };
	});
	if (!unassigned || more.length === 0) return { value: answered.map(({ value }) => ({ value })) };

	const alone = answered.map(async ({ ask, value }): Promise<Outcome<EventsResult>> => {
		const result = await queryEvents(client, source, [ask], skipIf);
		if (result.failure !== undefined) return { value, failure: result.failure };
		return result.value[0] ?? { value };
	});
	return { value: await Promise.all(alone) };
}

const request = async (
	client: Client,
	{ entity, path }: EventSource,
	asks: readonly EventsQuery[],
	{ types, from, to, requestContext }: EventsQuery,
	skipIf: SkipIf | undefined,
): Promise<Outcome<unknown>> =>
	await client.send(
		{
			method: 'POST',
			path,
			body: {
				event_types: types,
				[entity.ids]: asks.map(({ id }) => id),
				timestamp_from: from,
				timestamp_to: to,
				request_context: requestContext,
			},
			recordIds: asks.map(({ id }) => id),
			idempotent: true,
			mayBeEmpty: true,
		},
		skipIf,
	);
