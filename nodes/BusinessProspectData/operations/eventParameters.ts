import { type INodeProperties, UserError } from 'n8n-workflow';
import { EVENT_WINDOW_MONTHS, type EventSource } from '../catalog/events';
import { dateTime, readMoment } from '../runtime/dates';
import { choices, readList } from '../runtime/lists';
import type { Setting } from '../runtime/operation';
import { parameter, refusal } from '../runtime/parameters';

/** The known types of a source, all chosen by default. */
export const eventTypes = ({ types, open }: EventSource) =>
	choices({
		displayName: 'Event Types',
		name: 'eventTypes',
		type: 'multiOptions',
		default: [...types.map(({ value }) => value)],
		options: types.map(({ name, value }) => ({ name, value })),
		description: `Which events to return${open ? '; the service knows more types than these' : ''}`,
	});

export const otherEventTypes = parameter(
	{
		displayName: 'Other Event Types',
		name: 'otherEventTypes',
		type: 'string',
		default: '',
		placeholder: 'e.g. new_partnership, office_closing',
		description: 'Names of event types that are not in the list above, separated by commas',
	},
	(raw, property) => readList(raw, property, /[,\s]/),
);

export const timestampFrom = dateTime({
	displayName: 'From',
	name: 'timestampFrom',
	type: 'dateTime',
	default: '',
	description: `Only events after this moment; at most ${EVENT_WINDOW_MONTHS} months back. Without a zone it is in the workflow's time zone.`,
});

export const timestampTo = dateTime({
	displayName: 'To',
	name: 'timestampTo',
	type: 'dateTime',
	default: '',
	description: "Only events up to this moment. Without a zone it is in the workflow's time zone.",
});

/** A window of time, in ISO 8601 and UTC. */
export interface Window {
	readonly from?: string;
	readonly to?: string;
}

export const DAY_MS = 86_400_000;

/**
 * Reads the window of an item. What lies beyond the service's window is refused where the service has nothing there;
 * a beginning that is only just too early, such as "3 months ago" worked out a moment ago, is moved to its edge.
 *
 * @throws UserError that names the field and the rule
 */
export function readWindow(
	{ timestampFrom: fromRaw, timestampTo: toRaw }: { timestampFrom: unknown; timestampTo: unknown },
	{ now, timezone }: Setting,
	bounded: boolean,
): Window {
	const read = (raw: unknown, property: INodeProperties) =>
		raw === undefined ? undefined : readMoment(raw, property, timezone).toMillis();
	const from = read(fromRaw, timestampFrom.property);
	const to = read(toRaw, timestampTo.property);
	if (from !== undefined && from >= (to ?? Infinity)) {
		throw refusal(timestampFrom.property, 'is not before To.', String(fromRaw));
	}
	const edge = windowStart(now);
	if (bounded && from !== undefined && from < edge - DAY_MS) {
		throw refusal(
			timestampFrom.property,
			`is more than ${EVENT_WINDOW_MONTHS} months ago, and the service keeps events no longer.`,
			String(fromRaw),
		);
	}
	if (bounded && to !== undefined && to < edge) {
		throw refusal(
			timestampTo.property,
			`is more than ${EVENT_WINDOW_MONTHS} months ago, and the service keeps events no longer.`,
			String(toRaw),
		);
	}
	const iso = (ms: number) => new Date(ms).toISOString();
	return {
		...(from !== undefined && { from: iso(bounded ? Math.max(from, edge) : from) }),
		...(to !== undefined && { to: iso(to) }),
	};
}

/** The moment before which the service has no events, in milliseconds. */
export function windowStart(now: number): number {
	const start = new Date(now);
	const day = start.getUTCDate();
	start.setUTCMonth(start.getUTCMonth() - EVENT_WINDOW_MONTHS);
	// A month without that day runs over into the next: its last day is meant.
	if (start.getUTCDate() !== day) start.setUTCDate(0);
	return start.getTime();
}

/** The event types of an item. */
export function chosenTypes(known: readonly string[], others: readonly string[]): string[] {
	const types = [...new Set([...known, ...others])];
	if (types.length > 0) return types;
	throw new UserError('Event Types: choose at least one.', { extra: { field: 'eventTypes' } });
}
