import type { IDataObject } from 'n8n-workflow';
import {
	correlationIdOf,
	parseRowError,
	reportedStatus,
	rowErrorFailure,
} from '../api/responseBody';
import { EVENT_ID_FIELD, EVENT_WINDOW_MONTHS, type EventsSource, LIMITS } from '../catalog/service';
import { asObjects, asText, isEmpty, isObject, type JsonValue } from '../core/json';
import type { Failure } from '../core/outcome';
import { pluralize } from '../core/text';
import { optionValues } from '../parameters/parameter';
import type { BatchConfig, SendInputs } from '../run/batches';
import { eventTypesParameter, otherEventTypes } from './parameters';

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
	/** Events in the same response whose entity wasn't asked for; only the first query of a request has the number. */
	readonly unassigned?: number;
}

/**
 * Identifies an event. The key includes the entity and the type, because events of different entities or types may share an
 * `event_id`.
 */
export const eventKey = (id: string, event: IDataObject): string =>
	`${id} ${asText(event.event_name) ?? ''} ${asText(event[EVENT_ID_FIELD]) ?? JSON.stringify(event)}`;

/** An empty response means that there are no events. A list contains the events themselves. */
const EXPECTED = {
	isIn: (body: unknown) =>
		!isObject(body) ||
		isEmpty(body) ||
		Object.hasOwn(body, 'output_events') ||
		reportedStatus(body) === 'miss',
	problem: "The service's response has no list of events, so it is unknown whether there were any",
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
 * Fetches the events of up to 40 entities. The queries must differ only in `id`. An entity without events isn't a failure. Events of
 * other entities are dropped.
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
				records: ids.length,
				safeToRetry: true,
				mayBeEmpty: true,
				expects: EXPECTED,
			},
			skipIf,
		);
		if (failure !== undefined) return { failure: namingTypes(source, types, failure) };
		const body: IDataObject = isObject(response)
			? response
			: { output_events: asObjects(response) };
		const { byId, withoutId, unassigned } = groupById(
			asObjects(body.output_events),
			ids,
			entity.idField,
		);
		const correlationId = correlationIdOf(body, client.redact);
		const outcomeOf = ({ id }: EventsQuery) => {
			const rows = [...(byId.get(id)?.values() ?? [])];
			const events = rows.filter((row) => !isErrorRow(row));
			const value = {
				events,
				responseContext: body.response_context,
				...(id === ids[0] && unassigned > 0 && { unassigned }),
			};
			const [error] = rows
				.filter(isErrorRow)
				.flatMap((row) => parseRowError(row, client.redact) ?? []);
			if (error !== undefined) {
				return { value, failure: { ...rowErrorFailure(error), correlationId } };
			}
			// They may be the missing ones.
			return rows.length > 0 || withoutId.length === 0
				? { value }
				: { value, failure: { ...withoutIdFailure(withoutId.length), correlationId } };
		};
		return { value: { outcomeOf } };
	};

/** Groups events by entity ID, without duplicates. If there is a single ID, an event without an ID is its own. */
function groupById(events: readonly IDataObject[], ids: readonly string[], idField: string) {
	const byId = new Map(ids.map((id) => [id, new Map<string, IDataObject>()]));
	const [onlyId = ''] = ids.length === 1 ? ids : [];
	const withoutId: IDataObject[] = [];
	let unassigned = 0;
	for (const event of events) {
		const ownId = asText(event[idField]);
		const id = ownId?.trim().toLowerCase() ?? onlyId;
		const own = byId.get(id);
		const key = eventKey(id, event);
		if (own === undefined && isEmpty(ownId)) withoutId.push(event);
		else if (own === undefined) unassigned++;
		else if (!own.has(key)) own.set(key, ownId === id ? event : { ...event, [idField]: id });
	}
	return { byId, withoutId, unassigned };
}

const withoutIdFailure = (count: number): Failure => ({
	kind: 'unreadable',
	message: `The response has ${pluralize(count, 'event')} without an ID, so it is unclear whether this row has any. Run the row again later. If it persists, report it to the service's support.`,
});

/** Undefined if all events belong to the entities that were asked for. Duplicates may share a result. */
export function strangersNote(
	results: ReadonlyArray<Partial<EventsResult> | undefined>,
): string | undefined {
	const count = [...new Set(results)].reduce((sum, result) => sum + (result?.unassigned ?? 0), 0);
	return count === 0
		? undefined
		: `Left out: ${pluralize(count, 'event')} of IDs that were not requested.`;
}

/** A row in place of an event: the contract gives every event a name and an ID. */
const isErrorRow = ({
	event_name: name,
	[EVENT_ID_FIELD]: id,
	error,
	error_type: type,
}: IDataObject) => isEmpty(name) && isEmpty(id) && !(isEmpty(error) && isEmpty(type));

/** Names the types that the service rejected, and their field. */
function namingTypes(
	source: EventsSource,
	requested: readonly string[],
	failure: Failure,
): Failure {
	const { issues = [], status } = failure;
	const [issue, ...others] = issues.filter(({ member }) => member === 'event_types');
	if (issue === undefined) return failure;
	const types = [issue, ...others].flatMap(
		({ index = requested.length }) => requested[index] ?? [],
	);
	const listed = eventTypesParameter(source).property;
	const isListed = types.every((type) => optionValues(listed).includes(type));
	const { displayName, name } = isListed ? listed : otherEventTypes.property;
	const what = types.map((type) => `"${type}"`).join(', ') || 'a type';
	return {
		...failure,
		message: `${displayName}: the service rejected ${what} (HTTP ${status}): ${issue.message} Your account may not have it. Remove it from the field.`,
		field: name,
	};
}

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
