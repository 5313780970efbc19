/** Events that keep happening: a function of time alone, plus those planted by hand. */
import { EVENT_TYPES, LIMITS } from '../contract/limits';
import { addMonths } from '../contract/rules';
import type { Company } from './companies';
import { below, between, fraction, hex, pick } from './hash';
import type { Person } from './people';
import { TITLES } from './vocabulary';

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

interface Entities {
	readonly companies: number;
	person(index: number): Person;
	company(index: number): Company;
}
type EventData = (world: Entities, index: number, name: string, time: number) => object;

export const eventData: Readonly<Record<EventKind, EventData>> = {
	prospect({ person, company, companies }, index, name, time) {
		const { company: current, previousCompany, position, previousPosition } = person(index);
		if (name !== 'prospect_changed_company') return { job_title: position.title };
		const next = below(companies, `${index}:${time}`);
		const previous = company(next === current ? previousCompany : current);
		return {
			current_company_name: company(next).name,
			current_company_id: company(next).id,
			current_job_title: pick(TITLES, `${index}:${time}:title`).title,
			previous_company_name: previous.name,
			previous_company_id: previous.id,
			previous_job_title: previousPosition.title,
		};
	},
	business({ company, companies }, index, name, time) {
		const link = `https://news.example/${index}-${time}`;
		if (name !== 'new_investment') return { link };
		return {
			investment_date: new Date(time).toISOString(),
			investment_amount: between(1, 90, `${index}:${time}`) * 100_000,
			investment_target: company((index + 1) % companies).name,
			investment_type: 'minority stake',
			link,
		};
	},
};

const DAY = 86_400_000;
const MINUTE = 60_000;

/** The beginning of the contract's event window: three calendar months before `now`. */
export const windowStart = (now: number): number => addMonths(now, -LIMITS.eventWindowMonths);

/** Four of five events surface within half an hour, most others within six hours, the rest within 48 hours. */
function lag(key: string): number {
	const kind = fraction(`${key}:kind of lag`);
	const limit = kind < 0.8 ? 30 * MINUTE : kind < 0.95 ? DAY / 4 : 2 * DAY;
	return 1 + Math.floor(fraction(`${key}:lag`) * (limit - 1));
}

/**
 * The events of one entity with `from` < time ≤ `to`, oldest first, surfaced or not. Time is cut into slots of equal
 * length, and each slot of an entity has one event at a moment of its own. `count` is the number of entities of its kind.
 */
export function madeEvents(
	world: Entities,
	kind: EventKind,
	{ id, index, count }: { id: string; index: number; count: number },
	from: number,
	to: number,
	{ perDay, since }: EventSettings,
): WorldEvent[] {
	if (perDay <= 0) return [];
	const slot = (count / perDay) * DAY;
	const begin = Math.max(from, since - 1);
	const events: WorldEvent[] = [];
	for (let number = Math.floor(begin / slot); number * slot <= to; number++) {
		const key = `${kind}:${id}:${number}`;
		const time = Math.floor((number + fraction(key)) * slot);
		if (time <= begin || time > to) continue;
		const name = pick(EVENT_TYPES[kind], `${key}:name`);
		events.push({
			kind,
			event_id: hex(32, `event:${key}`),
			event_name: name,
			time,
			surfacesAt: time + lag(key),
			entityId: id,
			data: { event_name: name, ...eventData[kind](world, index, name, time) },
		});
	}
	return events;
}

/** The event as the two event endpoints give it (contract: "Event records"). */
export const eventRecord = (event: WorldEvent) => ({
	event_name: event.event_name,
	event_time: new Date(event.time).toISOString().replace('Z', '+00:00'),
	event_id: event.event_id,
	[event.kind === 'prospect' ? 'prospect_id' : 'business_id']: event.entityId,
	data: event.data,
});
