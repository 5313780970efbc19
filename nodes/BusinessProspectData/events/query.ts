import type { IDataObject } from 'n8n-workflow';
import type { Client, SkipIf } from '../api/client';
import { unrecognizedFailure } from '../api/responseBody';
import {
	type EntityFields,
	EVENT_FIELDS,
	EVENT_ID_FIELD,
	EVENT_WINDOW_MONTHS,
	type EventsSource,
	LIMITS,
} from '../catalog/service';
import { asObjects, asText, isEmpty, isObject, type JsonValue, simplifyRecord } from '../core/json';
import type { Outcome } from '../core/outcome';
import { multiOptionsParameter, noChoiceError, stringListParameter } from '../runtime/lists';
import { recordOutput, type Row } from '../runtime/output';

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

/**
 * Identifies an event, by its `event_id` or, without one, by the whole event as JSON. Includes the entity and the type: events
 * of two entities or types may share an `event_id`.
 */
export const eventKey = (id: string, event: IDataObject): string =>
	`${id} ${asText(event.event_name) ?? ''} ${asText(event[EVENT_ID_FIELD]) ?? JSON.stringify(event)}`;

const EXPECTED = {
	members: ['output_events'],
	problem: 'no list of events, so it is unknown whether there were any',
};

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
 * only in `id`. Outcomes are in the order of the queries. An entity without events isn't a failure. If the response contains
 * events that have none of the queried IDs, queries each entity again by itself, once.
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
			// The request changes nothing, and the service publishes no price for it. Without a retry, events could be missing.
			safeToRetry: true,
			mayBeEmpty: true,
		},
		skipIf,
	);
	if (failure !== undefined) return { failure };
	// An empty response means that there are no events. A list is the list of events itself.
	const unrecognized =
		isObject(response) && !isEmpty(response)
			? unrecognizedFailure(response, EXPECTED, client.redact)
			: undefined;
	if (unrecognized !== undefined) return { failure: unrecognized };

	const body: IDataObject = isObject(response) ? response : { output_events: asObjects(response) };
	const { byId, someUnassigned } = groupById(asObjects(body.output_events), ids, entity.idField);
	const results = queries.map((query) => {
		const events = [...(byId.get(query.id)?.values() ?? [])];
		return { query, value: { events, responseContext: body.response_context } };
	});
	if (!someUnassigned) return { value: results.map(({ value }) => ({ value })) };

	const outcomes = results.map(async ({ query, value }): Promise<Outcome<EventsResult>> => {
		const separate = await queryEvents(client, source, [query], skipIf);
		if (separate.failure !== undefined) return { value, failure: separate.failure };
		return separate.value[0] ?? { value };
	});
	return { value: await Promise.all(outcomes) };
}

/**
 * Groups events by entity ID, without duplicates. In a query for one entity, every event belongs to that entity: the service may
 * leave out the ID, or report another ID after merging entities. In a query for several, events that have none of the IDs are
 * dropped; `someUnassigned` is true if there are any.
 */
function groupById(events: readonly IDataObject[], ids: readonly string[], idField: string) {
	const byId = new Map(ids.map((id) => [id, new Map<string, IDataObject>()]));
	const [onlyId] = ids.length === 1 ? ids : [];
	let someUnassigned = false;
	for (const event of events) {
		const id = onlyId ?? asText(event[idField])?.trim().toLowerCase() ?? '';
		const own = byId.get(id);
		const key = eventKey(id, event);
		if (own === undefined) someUnassigned = true;
		else if (!own.has(key)) own.set(key, event);
	}
	return { byId, someUnassigned };
}

/** Creates the parameter Event Types: the known types of a source, all selected by default. */
export const eventTypesParameter = ({ types, hasUnlistedTypes }: EventsSource) =>
	multiOptionsParameter({
		displayName: 'Event Types',
		name: 'eventTypes',
		type: 'multiOptions',
		// n8n's lint accepts only an array literal here.
		default: [...types.map(({ value }) => value)],
		options: types.map(({ name, value }) => ({ name, value })),
		description: `Which events to output${hasUnlistedTypes ? ', besides those of Other Event Types' : ''}. An event has the ID of the person or business, but not the name: to get it, add Enrich after this node.`,
	});

export const otherEventTypes = stringListParameter(
	{
		displayName: 'Other Event Types',
		name: 'otherEventTypes',
		type: 'string',
		default: '',
		description:
			"Names of event types that aren't in the list above, separated by commas. Leave empty if the list is enough.",
	},
	/[,;\s]/,
);

/** The selected event types, without duplicates. @throws UserError if there are none */
export function chosenTypes(
	source: EventsSource,
	known: readonly string[],
	others: readonly string[],
): string[] {
	// Sorted, so that the same types make the same request.
	const types = [...new Set([...known, ...others])].sort();
	if (types.length === 0) throw noChoiceError(eventTypesParameter(source).property);
	return types;
}

/**
 * A simplified event: its own fields, then the members of `data` (or `data` itself if it is neither an object nor empty), then
 * the event's ID, which is long and means nothing to people. An own field wins over a member of the same name unless the own
 * field is empty; Fields can select the member as `data.<name>`.
 */
function simplifiedEvent(event: IDataObject, { idField }: EntityFields): IDataObject {
	const own = simplifyRecord(event, [...EVENT_FIELDS, idField]);
	const id = simplifyRecord(event, [EVENT_ID_FIELD]);
	const { data } = event;
	if (isObject(data)) {
		const members = Object.entries(data).filter(([name]) => name !== EVENT_ID_FIELD);
		const ownValues = Object.entries(own).filter(([, value]) => !isEmpty(value));
		// `own` comes first for the order of the fields. Its values that aren't empty come again, so that they win.
		return { ...own, ...Object.fromEntries([...members, ...ownValues]), ...id };
	}
	return isEmpty(data) ? { ...own, ...id } : { ...own, data, ...id };
}

/** The row of an item without a match: the fields that every event has, all null. */
export const emptyEventRow = ({ idField }: EntityFields): IDataObject =>
	simplifyRecord({}, [...EVENT_FIELDS, idField, EVENT_ID_FIELD]);

/** The output of an event: simplified or, with the `response_context`, as the service sent it. */
export const eventOutput = (
	event: IDataObject,
	entity: EntityFields,
	responseContext: JsonValue,
	simplify: boolean,
) => recordOutput(simplifiedEvent(event, entity), () => event, responseContext, simplify);

/** Rows of Get Events: one per event of an entity. */
export const eventRows = (
	entity: EntityFields,
	id: string,
	{ events, responseContext }: EventsResult,
	simplify: boolean,
): Row[] =>
	events.map((event) => ({
		dedupeKey: eventKey(id, event),
		...eventOutput(event, entity, responseContext, simplify),
	}));

/** Ends an error message: `"2020-01-01" is more than …`. */
export const TOO_OLD = `is more than ${EVENT_WINDOW_MONTHS} months ago, and the service has no older events. Choose a later date.`;

/** The time before which the service has no events. Like `now`, in milliseconds since the Unix epoch. */
export function retentionStart(now: number): number {
	const start = new Date(now);
	const day = start.getUTCDate();
	start.setUTCMonth(start.getUTCMonth() - EVENT_WINDOW_MONTHS);
	// In a month without that day, the date overflows into the next month: use the last day instead.
	if (start.getUTCDate() !== day) start.setUTCDate(0);
	return start.getTime();
}
