/** Events that keep happening: a function of time alone, plus those planted by hand. */
import { BUSINESS_EVENT_TYPES, LIMITS, PROSPECT_EVENT_TYPES } from '../contract/limits';
import { fraction, hex, pick } from './hash';

export type EventKind = 'prospect' | 'business';

export interface WorldEvent {
	readonly kind: EventKind;
	readonly event_id: string;
	readonly event_name: string;
	/** Milliseconds since 1970. */
	readonly time: number;
	/** When it can first be seen: later than `time`, usually by minutes, sometimes by up to 48 hours. */
	readonly surfacesAt: number;
	readonly entityId: string;
	readonly data: Record<string, unknown>;
}

export interface EventSettings {
	/** Events per day over all people, and as many over all companies. */
	readonly perDay: number;
	/** No event made by the world happens before this moment. */
	readonly since: number;
}

/** One entity as the event maker sees it. */
export interface Entity {
	readonly id: string;
	/** Number of entities of its kind. */
	readonly count: number;
	readonly data: (eventName: string, time: number) => Record<string, unknown>;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
const TYPES = { prospect: PROSPECT_EVENT_TYPES, business: BUSINESS_EVENT_TYPES } as const;

/** The beginning of the contract's event window: three calendar months before `now`. */
export function windowStart(now: number): number {
	const start = new Date(now);
	const day = start.getUTCDate();
	start.setUTCMonth(start.getUTCMonth() - LIMITS.eventWindowMonths);
	// A month without that day runs over into the next: its last day is meant.
	if (start.getUTCDate() !== day) start.setUTCDate(0);
	return start.getTime();
}

/** Four of five events surface within half an hour, most others within six hours, the rest within 48 hours. */
function lag(key: string): number {
	const kind = fraction(`${key}:kind of lag`);
	const share = fraction(`${key}:lag`);
	const limit = kind < 0.8 ? 30 * MINUTE : kind < 0.95 ? DAY / 4 : 2 * DAY;
	return 1 + Math.floor(share * (limit - 1));
}

/**
 * The events of one entity with `from` < time ≤ `to`, oldest first, surfaced or not. Time is cut into slots of equal
 * length, and each slot of an entity has one event at a moment of its own.
 */
export function madeEvents(
	kind: EventKind,
	entity: Entity,
	from: number,
	to: number,
	settings: EventSettings,
): WorldEvent[] {
	if (settings.perDay <= 0) return [];
	const slot = (entity.count / settings.perDay) * DAY;
	const begin = Math.max(from, settings.since - 1);
	const events: WorldEvent[] = [];
	for (let number = Math.floor(begin / slot); number * slot <= to; number++) {
		const key = `${kind}:${entity.id}:${number}`;
		const time = Math.floor((number + fraction(key)) * slot);
		if (time <= begin || time > to) continue;
		const name = pick<string>(TYPES[kind], `${key}:name`);
		events.push({
			kind,
			event_id: hex(32, `event:${key}`),
			event_name: name,
			time,
			surfacesAt: time + lag(key),
			entityId: entity.id,
			data: { event_name: name, ...entity.data(name, time) },
		});
	}
	return events;
}

/** ISO 8601 with offset, to the millisecond. */
export const eventTime = (time: number): string =>
	new Date(time).toISOString().replace('Z', '+00:00');

/** The event as the two event endpoints give it (contract: "Event records"). */
export const eventRecord = (event: WorldEvent) => ({
	event_name: event.event_name,
	event_time: eventTime(event.time),
	event_id: event.event_id,
	[event.kind === 'prospect' ? 'prospect_id' : 'business_id']: event.entityId,
	data: event.data,
});
