import { below, between, hex, pick } from './hash';
import { businessIdOf, makeCompany, type Company } from './companies';
import {
	eventRecord,
	madeEvents,
	windowStart,
	type Entity,
	type EventKind,
	type EventSettings,
	type WorldEvent,
} from './events';
import { makePerson, prospectIdOf, type Person } from './people';
import { TITLES } from './vocabulary';

interface WorldOptions {
	/** Number of people, from index 0. */
	people: number;
	/** Number of companies, from index 0; at least 1. */
	companies: number;
	/** Number of enrollments that can be deleted. */
	enrollments: number;
	events: EventSettings;
	now: () => Date;
}

/** An event to plant. Give the entity by index or by id. */
export interface PlantedEvent {
	prospect?: number | string;
	business?: number | string;
	event_name?: string;
	/** When it happened; default now. */
	time?: Date;
	/** When it can be seen; default at once. */
	surfacesAt?: Date;
	event_id?: string;
	data?: Record<string, unknown>;
}

interface EventQuery {
	kind: EventKind;
	/** Only these entities, in this order; default all of the world. */
	ids?: readonly string[];
	types?: readonly string[];
	/** Only events after this moment (milliseconds); never before the three-month window. */
	after?: number;
	/** Only events up to this moment (milliseconds). */
	upTo?: number;
}

export interface World {
	readonly people: number;
	readonly companies: number;
	prospectId(index: number): string;
	businessId(index: number): string;
	/** `count` ids from index `first`. */
	prospectIds(count: number, first?: number): string[];
	businessIds(count: number, first?: number): string[];
	/** An id of the right form that nobody has. */
	unknownProspectId(number?: number): string;
	unknownBusinessId(number?: number): string;
	/** The index of an id; `undefined` when it is not of this world. */
	prospectIndex(id: string): number | undefined;
	businessIndex(id: string): number | undefined;
	person(index: number): Person;
	/** Which people searches don't find: they left, or are still to come. Change it as you like. */
	readonly unlisted: Set<number>;
	company(index: number): Company;
	enrollmentId(index: number): string;
	/** True when there was such an enrollment; it is gone afterwards. */
	deleteEnrollment(id: string): boolean;
	/** Plants an event by hand and gives it back. */
	addEvent(event: PlantedEvent): WorldEvent;
	/** The events that can be seen now, newest first per entity. */
	surfacedEvents(query: EventQuery): WorldEvent[];
}

/** What the map knows, or what `make` gives; a map that has grown to `most` entries starts over. */
function remember<K, V>(map: Map<K, V>, key: K, make: () => V, most: number): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	if (map.size >= most) map.clear();
	const made = make();
	map.set(key, made);
	return made;
}

/** The made-up people, companies and events behind the sandbox. All of it follows from the indexes and the clock. */
export function createWorld(options: WorldOptions): World {
	const { people, companies } = options;
	const personCache = new Map<number, Person>();
	const companyCache = new Map<number, Company>();
	let enrollments: Set<string> | undefined;
	const planted: WorldEvent[] = [];

	const person = (index: number) =>
		remember(personCache, index, () => makePerson(index, companies), 5_000);
	const company = (index: number) =>
		remember(companyCache, index, () => makeCompany(index), 20_000);

	const indexOf = (id: string, idOf: (index: number) => string, count: number) => {
		const index = Number.parseInt(id.slice(-8), 16);
		return index < count && idOf(index) === id ? index : undefined;
	};
	const idsOf = (idOf: (index: number) => string) => (count: number, first: number) =>
		Array.from({ length: count }, (_, place) => idOf(first + place));

	const eventData = {
		prospect: (index: number) => (name: string, time: number) => {
			const { company: current, previousCompany, position, previousPosition } = person(index);
			if (name !== 'prospect_changed_company') return { job_title: position.title };
			const next = below(companies, `${index}:${time}`);
			return {
				current_company_name: company(next).name,
				current_company_id: company(next).id,
				current_job_title: pick(TITLES, `${index}:${time}:title`).title,
				previous_company_name: company(next === current ? previousCompany : current).name,
				previous_company_id: businessIdOf(next === current ? previousCompany : current),
				previous_job_title: previousPosition.title,
			};
		},
		business: (index: number) => (name: string, time: number) => {
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
	const idOf = { prospect: prospectIdOf, business: businessIdOf };
	const count = { prospect: people, business: companies };
	const entity = (kind: EventKind, index: number): Entity => ({
		id: idOf[kind](index),
		count: count[kind],
		data: eventData[kind](index),
	});

	const world: World = {
		people,
		companies,
		prospectId: prospectIdOf,
		businessId: businessIdOf,
		prospectIds: (number, first = 0) => idsOf(prospectIdOf)(number, first),
		businessIds: (number, first = 0) => idsOf(businessIdOf)(number, first),
		unknownProspectId: (number = 0) => hex(32, `nobody:${number}`) + 'ffffffff',
		unknownBusinessId: (number = 0) => hex(24, `no company:${number}`) + 'ffffffff',
		prospectIndex: (id) => indexOf(id, prospectIdOf, people),
		businessIndex: (id) => indexOf(id, businessIdOf, companies),
		person,
		unlisted: new Set(),
		company,
		enrollmentId: (index) => `en_${hex(16, `enrollment:${index}`)}`,
		deleteEnrollment(id) {
			enrollments ??= new Set(
				Array.from({ length: options.enrollments }, (_, index) => world.enrollmentId(index)),
			);
			return enrollments.delete(id);
		},
		addEvent(event) {
			const kind = event.business === undefined ? 'prospect' : 'business';
			const which = event.business ?? event.prospect ?? 0;
			const index = typeof which === 'number' ? which : undefined;
			const time = (event.time ?? options.now()).getTime();
			const name =
				event.event_name ?? (kind === 'prospect' ? 'prospect_changed_company' : 'new_investment');
			const known =
				index ?? world[kind === 'prospect' ? 'prospectIndex' : 'businessIndex'](`${which}`);
			const made: WorldEvent = {
				kind,
				event_id: event.event_id ?? hex(32, `planted:${kind}:${which}:${planted.length}`),
				event_name: name,
				time,
				surfacesAt: (event.surfacesAt ?? new Date(0)).getTime(),
				entityId: index === undefined ? `${which}` : idOf[kind](index),
				data: {
					event_name: name,
					...(known === undefined ? {} : eventData[kind](known)(name, time)),
					...event.data,
				},
			};
			planted.push(made);
			return made;
		},
		surfacedEvents({ kind, ids, types, after = 0, upTo }) {
			const now = options.now().getTime();
			const from = Math.max(after, windowStart(now) - 1);
			const to = Math.min(upTo ?? now, now);
			const wanted = ids ?? idsOf(idOf[kind])(count[kind], 0);
			return [...new Set(wanted)].flatMap((id) => {
				const index = world[kind === 'prospect' ? 'prospectIndex' : 'businessIndex'](id);
				const made =
					index === undefined
						? []
						: madeEvents(kind, entity(kind, index), from, to, options.events);
				const byHand = planted.filter(
					(event) =>
						event.kind === kind && event.entityId === id && event.time > from && event.time <= to,
				);
				return [...made, ...byHand]
					.filter((event) => event.surfacesAt <= now && (types?.includes(event.event_name) ?? true))
					.sort((one, other) => other.time - one.time);
			});
		},
	};
	return world;
}

export { eventRecord, type WorldEvent };
