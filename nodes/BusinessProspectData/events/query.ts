import type { IDataObject } from 'n8n-workflow';
import {
	correlationIdOf,
	parseRowError,
	rowErrorFailure,
	unrecognizedFailure,
} from '../api/responseBody';
import { EVENT_ID_FIELD, EVENT_WINDOW_MONTHS, type EventsSource, LIMITS } from '../catalog/service';
import { asObjects, asText, isEmpty, isObject, type JsonValue } from '../core/json';
import type { Outcome } from '../core/outcome';
import { isNothing } from '../parameters/cells';
import { multiOptionsParameter, noChoiceError, stringListParameter } from '../parameters/lists';
import type { BatchConfig, SendInputs } from '../run/batches';
import { type ColumnSet, idSet, layoutCache, type Records } from '../fields/columns';
import { eventSet } from '../fields/events';
import { MATCH_CHECK, RESPONSE_CONTEXT } from '../fields/ownSets';

/** A query for the events of one entity. Times are ISO 8601 with a zone. */
export interface EventsQuery {
	readonly id: string;
	readonly types: readonly string[];
	readonly from?: string;
	readonly to?: string;
}

/** The events of one entity as the service returned them, without duplicates. */
export interface EventsResult {
	readonly events: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

/**
 * Identifies an event. The key includes the entity and the type, because events of different entities or types may share an
 * `event_id`.
 */
export const eventKey = (id: string, event: IDataObject): string =>
	`${id} ${asText(event.event_name) ?? ''} ${asText(event[EVENT_ID_FIELD]) ?? JSON.stringify(event)}`;

const EXPECTED = {
	members: ['output_events'],
	problem: 'no list of events, so it is unknown whether there were any',
};

/** How event queries become requests (contract: Prospect events, Business events). */
export const eventBatchConfig = (source: EventsSource): BatchConfig<EventsQuery, EventsResult> => ({
	groupKey: ({ types, from, to }) => JSON.stringify([types, from, to]),
	key: ({ id }) => id,
	maxBatchSize: () => LIMITS.eventsBatch,
	inputMember: () => source.entity.idsField,
	send: queryEvents(source),
});

/**
 * Fetches the events of up to 40 entities. The queries must differ only in `id`. An entity without events isn't a failure.
 *
 * If a response for several entities has an event that belongs to none of them, each entity is queried again by itself.
 */
export const queryEvents =
	(source: EventsSource): SendInputs<EventsQuery, EventsResult> =>
	async (client, queries, skipIf) => {
		const { entity, path } = source;
		const [{ types, from, to }] = queries;
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
				},
				recordLabels: ids,
				safeToRetry: true,
				mayBeEmpty: true,
			},
			skipIf,
		);
		if (failure !== undefined) return { failure };
		// An empty response means that there are no events. A list contains the events themselves.
		const unrecognized =
			isObject(response) && !isEmpty(response)
				? unrecognizedFailure(response, EXPECTED, client.redact)
				: undefined;
		if (unrecognized !== undefined) return { failure: unrecognized };

		const body: IDataObject = isObject(response)
			? response
			: { output_events: asObjects(response) };
		const { byId, someUnassigned } = groupById(asObjects(body.output_events), ids, entity.idField);
		const correlationId = correlationIdOf(body, client.redact);
		const outcomeOf = ({ id }: EventsQuery) => {
			const rows = [...(byId.get(id)?.values() ?? [])];
			const events = rows.filter((row) => !isErrorRow(row));
			const value = { events, responseContext: body.response_context };
			const [error] = rows
				.filter(isErrorRow)
				.flatMap((row) => parseRowError(row, client.redact) ?? []);
			if (error === undefined) return { value };
			return { value, failure: { ...rowErrorFailure(error), correlationId } };
		};
		if (!someUnassigned) return { value: outcomeOf };

		const separate = queries.map(async (query): Promise<[string, Outcome<EventsResult>]> => {
			const sent = await queryEvents(source)(client, [query], skipIf);
			const outcome = outcomeOf(query);
			if (sent.failure !== undefined) return [query.id, { ...outcome, failure: sent.failure }];
			return [query.id, sent.value(query) ?? outcome];
		});
		const outcomes = new Map(await Promise.all(separate));
		return { value: ({ id }) => outcomes.get(id) };
	};

/**
 * Groups events by entity ID, without duplicates. A single ID gets all events: the service may leave out the ID, or report
 * another one after merging entities.
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

/** A row in place of an event: the contract gives every event a name and an ID. */
const isErrorRow = ({
	event_name: name,
	[EVENT_ID_FIELD]: id,
	error,
	error_type: type,
}: IDataObject) => isEmpty(name) && isEmpty(id) && !(isEmpty(error) && isEmpty(type));

export const eventTypesParameter = ({ types, hasUnlistedTypes }: EventsSource) =>
	multiOptionsParameter({
		displayName: 'Event Types',
		name: 'eventTypes',
		type: 'multiOptions',
		// n8n's lint accepts only an array literal here.
		default: [...types.map(({ value }) => value)],
		options: types.map(({ name, value }) => ({ name, value })),
		description: `Which events to output${hasUnlistedTypes ? ', besides those of Other Event Types' : ''}. For names, add Enrich after it.`,
	});

export const otherEventTypes = stringListParameter(
	{
		displayName: 'Other Event Types',
		name: 'otherEventTypes',
		type: 'string',
		default: '',
		description: "Event types that aren't in the list, separated by commas. May be empty.",
	},
	/[,;\s]/,
);

/** @throws UserError if both lists are empty */
export function chosenTypes(
	source: EventsSource,
	known: readonly string[],
	others: readonly string[],
): string[] {
	// Sorted, so that queries for the same types can share a request.
	const types = [...new Set([...known, ...others.filter((type) => !isNothing(type))])].sort();
	if (types.length === 0) throw noChoiceError(eventTypesParameter(source).property);
	return types;
}

/**
 * @param matched the columns that say whether an ID was found
 * @param candidatesSet what it may be otherwise
 */
export const eventLayouts = (
	source: EventsSource,
	matched?: ColumnSet,
	candidatesSet?: (simplify: boolean) => ColumnSet,
) =>
	layoutCache((types: readonly string[], simplify: boolean, isLookedUp: boolean) => ({
		sets: [
			...(isLookedUp && matched ? [matched] : []),
			eventSet(source, types, simplify),
			...(isLookedUp && candidatesSet ? [candidatesSet(simplify)] : []),
			idSet(source.entity),
			...(simplify ? [] : [RESPONSE_CONTEXT]),
		],
		hidden: isLookedUp ? [MATCH_CHECK] : [],
	}));

export const eventRecords = (
	{ entity: { idField } }: EventsSource,
	event: IDataObject,
	responseContext: JsonValue,
	id: JsonValue = event[idField],
): Records => ({ event, [idField]: id, responseContext });

/** Follows a date in an error message. */
export const TOO_OLD = `is more than ${EVENT_WINDOW_MONTHS} months ago, and the service has no older events. Choose a later date.`;

/** The time before which the service has no events, in milliseconds. */
export function retentionStart(now: number): number {
	const start = new Date(now);
	const day = start.getUTCDate();
	start.setUTCMonth(start.getUTCMonth() - EVENT_WINDOW_MONTHS);
	// If the month doesn't have that day, the date overflows into the next month.
	if (start.getUTCDate() !== day) start.setUTCDate(0);
	return start.getTime();
}

/** JavaScript would read a date and time without an offset in the machine's time zone. */
const WITHOUT_OFFSET = /\d[T ]\d{2}:\d{2}[\d:.]*$/;

/** JavaScript can't read some times whose offset has only hours, such as `+02`. */
const OFFSET_IN_HOURS = /:[\d.]+[+-]\d{2}$/;

/** The time of an event, in milliseconds; `now` if its time can't be read. */
export function timeOf(event: IDataObject, now: number): number {
	const text = asText(event.event_time)?.trim() ?? '';
	const time = Date.parse(text.replace(WITHOUT_OFFSET, '$&Z').replace(OFFSET_IN_HOURS, '$&:00'));
	return Number.isNaN(time) ? now : time;
}
