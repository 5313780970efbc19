import { makeCompany, businessIdOf, type Company } from './companies';
import {
	datesOf,
	eventData,
	eventRecord,
	madeEvents,
	windowStart,
	type EventKind,
	type WorldEvent,
} from './events';
import { hex } from './hash';
import { makePerson, prospectIdOf, type Person } from './people';

interface WorldOptions {
	/** Number of people, from index 0. */
	people: number;
	/** Number of companies, from index 0; at least 1. */
	companies: number;
	/** Events per day over all people, and as many over all companies. */
	eventsPerDay: number;
	now: () => Date;
}

/** An event to plant. Give the entity by index or by id. */
interface PlantedEvent {
	prospect?: number | string;
	business?: number | string;
	event_name?: string;
	/** Its date; by default, that of what happens now, such as the first of the month. */
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

/** People by index, for each number of companies: the same in every world. */
const PEOPLE = new Map<number, Map<number, Person>>();
const peopleOf = (companies: number) =>
	remember(PEOPLE, companies, () => new Map<number, Person>(), 10);

const enrollmentIdOf = (index: number) => `en_${hex(16, `enrollment:${index}`)}`;

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
export function createWorld({ people, companies, eventsPerDay, now }: WorldOptions) {
	const companyCache = new Map<number, Company>();
	/** The enrollments that can be deleted. */
	const enrolled = new Set(Array.from({ length: 10 }, (_, index) => enrollmentIdOf(index)));
	const planted: WorldEvent[] = [];
	const kinds = {
		prospect: { idOf: prospectIdOf, count: people },
		business: { idOf: businessIdOf, count: companies },
	};
	const indexOf = (kind: EventKind, id: string) => {
		const index = Number.parseInt(id.slice(-8), 16);
		const { idOf, count } = kinds[kind];
		return index < count && idOf(index) === id ? index : undefined;
	};
	const idsOf = (kind: EventKind, count: number, first = 0) =>
		Array.from({ length: count }, (_, place) => kinds[kind].idOf(first + place));

	const world = {
		people,
		companies,
		prospectId: prospectIdOf,
		businessId: businessIdOf,
		/** `count` ids from index `first`. */
		prospectIds: (count: number, first?: number) => idsOf('prospect', count, first),
		businessIds: (count: number, first?: number) => idsOf('business', count, first),
		/** The index of an id; `undefined` when it is not of this world. */
		prospectIndex: (id: string) => indexOf('prospect', id),
		businessIndex: (id: string) => indexOf('business', id),
		person: (index: number) =>
			remember(peopleOf(companies), index, () => makePerson(index, companies), 20_000),
		company: (index: number) => remember(companyCache, index, () => makeCompany(index), 20_000),
		/** Which people searches don't find: they left, or are still to come. Change it as you like. */
		unlisted: new Set<number>(),
		enrollmentId: enrollmentIdOf,
		/** True when there was such an enrollment; it is gone afterwards. */
		deleteEnrollment: (id: string) => enrolled.delete(id),
		/** Plants an event by hand and gives it back. */
		addEvent(event: PlantedEvent): WorldEvent {
			const kind = event.business === undefined ? 'prospect' : 'business';
			const which = event.business ?? event.prospect ?? 0;
			const entityId = typeof which === 'number' ? kinds[kind].idOf(which) : which;
			const index = indexOf(kind, entityId);
			const { event_name = kind === 'prospect' ? 'prospect_changed_company' : 'new_investment' } =
				event;
			const time = event.time?.getTime() ?? datesOf(event_name, now().getTime(), '').time;
			const event_id = event.event_id ?? hex(32, `planted:${kind}:${which}:${planted.length}`);
			const made: WorldEvent = {
				kind,
				event_id,
				event_name,
				time,
				surfacesAt: (event.surfacesAt ?? new Date(0)).getTime(),
				entityId,
				data: {
					event_name,
					...(index !== undefined && eventData[kind](world, index, event_name, time, event_id)),
					...event.data,
				},
			};
			planted.push(made);
			return made;
		},
		/** The events that can be seen now, newest first per entity. */
		surfacedEvents({ kind, ids, types, after = 0, upTo = Infinity }: EventQuery): WorldEvent[] {
			const present = now().getTime();
			const from = Math.max(after, windowStart(present) - 1);
			const { count } = kinds[kind];
			return [...new Set(ids ?? idsOf(kind, count))].flatMap((id) => {
				const index = indexOf(kind, id);
				const window = { from, to: upTo, now: present };
				const made =
					index === undefined
						? []
						: madeEvents(world, kind, { id, index, count }, window, eventsPerDay);
				const byHand = planted.filter(
					(event) =>
						event.kind === kind &&
						event.entityId === id &&
						event.time > from &&
						event.time <= upTo &&
						event.surfacesAt <= present,
				);
				return [...made, ...byHand]
					.filter((event) => types?.includes(event.event_name) ?? true)
					.sort((one, other) => other.time - one.time);
			});
		},
	};
	return world;
}

export type World = ReturnType<typeof createWorld>;
export { eventRecord, type WorldEvent };
