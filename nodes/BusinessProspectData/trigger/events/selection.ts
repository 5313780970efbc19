import type { IDataObject } from 'n8n-workflow';
import { groupBy } from '../../core/collections';
import { asText } from '../../core/json';
import { eventKey } from '../../events/query';
import { HOUR_MS } from '../../runtime/dates';
import { fingerprintOf, keyByFingerprint, pack, packedCount, unpack } from '../fingerprints';
import {
	CLOCK_SLACK_MS,
	coveredSince,
	type EventsCheckpoint,
	type EventsWatch,
	joinSeen,
	type SeenEvents,
	watchedSince,
} from './checkpoint';

/** The events of one ID; without `events`, its query failed. */
export interface IdResult {
	readonly id: string;
	readonly events?: readonly IDataObject[];
}

/**
 * How many events each `seen` record remembers (the checkpoint's and the running sweep's). With the default lookback window,
 * it is enough for 10,000 a day. Beyond this number, the oldest are forgotten, except recent ones (see
 * `HARD_MAX_REMEMBERED_EVENTS`). Later sweeps then cover less time, so they may miss late events.
 */
export const SOFT_MAX_REMEMBERED_EVENTS = 30_000;

/**
 * The limit for recent events. While a sweep is running, all events are recent; between sweeps, those since the start of the
 * last complete one, minus the clock slack. Not all IDs have been queried for that time yet, so later sweeps must still cover
 * it. But forgetting an event moves the lower bound of later sweeps past its time (see `earliestFrom`). Beyond this number, even
 * events that aren't late may therefore be missed.
 */
export const HARD_MAX_REMEMBERED_EVENTS = 100_000;

/**
 * Selects the watched events that were not output before, oldest first, and advances the checkpoint.
 *
 * @param checkpoint the current one, which may be newer than the one that the poll started from
 * @param sweepNumber the sweep that the poll worked for
 */
export function selectEvents(
	checkpoint: EventsCheckpoint,
	watch: EventsWatch,
	sweepNumber: number,
	results: readonly IdResult[],
	now: number,
): { events: IDataObject[]; checkpoint: EventsCheckpoint } {
	const { sweep } = checkpoint;
	const sinceById = watchedSince(checkpoint);
	const sinceByType = new Map(Object.entries(checkpoint.types));
	// False if the checkpoint was replaced or reset during the poll.
	const isCurrentSweep = sweep?.number === sweepNumber;
	/** The hours of the events that earlier sweeps output, by fingerprint. */
	const earlierHours = keyByFingerprint(checkpoint.seen);
	/** The hours of the events that the poll's sweep has output, by fingerprint. Starts empty unless it is the current sweep. */
	const sweepHours = keyByFingerprint(isCurrentSweep ? sweep.seen : {});
	const earlierCount = earlierHours.size;
	const coveredFrom = coveredSince(checkpoint, watch);
	const selected: Array<{ readonly time: number; readonly event: IDataObject }> = [];
	for (const { id, events = [] } of results) {
		// An ID that was removed during the poll outputs nothing. An event whose name isn't among the types is output, because
		// the service returned it for these types.
		const since = Math.max(coveredFrom, sinceById.get(fingerprintOf(id)) ?? Infinity);
		for (const event of events) {
			const time = timeOf(event, now);
			if (time < Math.max(since, sinceByType.get(asText(event.event_name) ?? '') ?? 0)) continue;
			const hour = Math.floor(time / HOUR_MS);
			const fingerprint = fingerprintOf(eventKey(id, event));
			const knownHour = sweepHours.get(fingerprint) ?? earlierHours.get(fingerprint);
			if (knownHour === undefined) selected.push({ time, event });
			else if (knownHour >= hour) continue;
			// A known event gets here only if its time moved forward. It is remembered for as long as sweeps cover the new time.
			earlierHours.delete(fingerprint);
			sweepHours.set(fingerprint, hour);
		}
	}
	selected.sort((a, b) => a.time - b.time);

	// Packed again only if an event was removed: packing thousands takes longer than all the rest.
	const seen = earlierHours.size === earlierCount ? checkpoint.seen : packHours(earlierHours);
	const seenInSweep = packHours(sweepHours);
	const remembered = isCurrentSweep
		? { ...checkpoint, seen, sweep: { ...sweep, seen: seenInSweep } }
		: { ...checkpoint, seen: joinSeen(seen, seenInSweep) };
	const advanced = advanceSweep(remembered, watch, sweepNumber, results);
	return {
		events: selected.map(({ event }) => event),
		checkpoint: forgetOldEvents(advanced, watch),
	};
}

const packHours = (hours: ReadonlyMap<string, number>): SeenEvents =>
	Object.fromEntries(
		[...groupBy([...hours], ([, hour]) => hour)].map(([hour, entries]) => [
			hour,
			pack(entries.map(([fingerprint]) => fingerprint)),
		]),
	);

/**
 * Records the results in the sweep, and ends it when no ID remains. If a query failed, `lastSweepStart` stays, so the next
 * sweep covers the same period. This way, a failed query never holds up the other IDs. If the sweep is no longer the current
 * one, the checkpoint stays as it is.
 */
function advanceSweep(
	checkpoint: EventsCheckpoint,
	watch: EventsWatch,
	sweepNumber: number,
	results: readonly IdResult[],
): EventsCheckpoint {
	const { sweep } = checkpoint;
	if (sweep?.number !== sweepNumber) return checkpoint;
	const queried = new Set([...unpack(sweep.done), ...results.map(({ id }) => fingerprintOf(id))]);
	const partial = sweep.partial || results.some(({ events }) => events === undefined);
	const fingerprints = watch.ids.map(fingerprintOf);
	const done = fingerprints.filter((fingerprint) => queried.has(fingerprint));
	if (done.length < fingerprints.length) {
		return { ...checkpoint, sweep: { ...sweep, done: pack(done), partial } };
	}
	const lastSweepStart = partial ? checkpoint.lastSweepStart : sweep.start;
	return {
		...checkpoint,
		seen: joinSeen(checkpoint.seen, sweep.seen),
		lastSweepStart,
		sweep: undefined,
	};
}

/**
 * Forgets events that no sweep covers any longer, and the oldest ones beyond the limits. Forgetting an hour moves the lower
 * bound of later sweeps past it (`earliestFrom`), so that nothing is output twice, even if the lookback window grows.
 */
function forgetOldEvents(checkpoint: EventsCheckpoint, watch: EventsWatch): EventsCheckpoint {
	const { sweep, lastSweepStart } = checkpoint;
	const since = coveredSince(checkpoint, watch);
	const hardLimitFrom = sweep === undefined ? lastSweepStart - CLOCK_SLACK_MS : 0;
	const seen = newestEvents(checkpoint.seen, since, hardLimitFrom);
	const seenInSweep = sweep && newestEvents(sweep.seen, since, hardLimitFrom);
	return {
		...checkpoint,
		earliestFrom: Math.max(checkpoint.earliestFrom, since, seen.from, seenInSweep?.from ?? 0),
		seen: seen.events,
		sweep: sweep && seenInSweep && { ...sweep, seen: seenInSweep.events },
	};
}

/**
 * The events since a time, without the oldest ones beyond the limits. Keeps or leaves out whole hours, and always keeps the
 * newest one.
 *
 * @param hardLimitFrom the time from which the hard limit applies instead of the soft one
 * @returns also the start of the oldest hour kept, if a limit left out older ones; otherwise 0
 */
function newestEvents(
	seen: SeenEvents,
	since: number,
	hardLimitFrom: number,
): { readonly events: SeenEvents; readonly from: number } {
	const hours = Object.entries(seen)
		.map(([hour, packed]) => ({ hour: Number(hour), packed }))
		.filter(({ hour }) => (hour + 1) * HOUR_MS > since)
		.sort((a, b) => b.hour - a.hour);
	const kept: typeof hours = [];
	let count = 0;
	for (const entry of hours) {
		count += packedCount(entry.packed);
		const usesHardLimit = (entry.hour + 1) * HOUR_MS > hardLimitFrom;
		const limit = usesHardLimit ? HARD_MAX_REMEMBERED_EVENTS : SOFT_MAX_REMEMBERED_EVENTS;
		if (count > limit && kept.length > 0) break;
		kept.push(entry);
	}
	return {
		events: Object.fromEntries(kept.map(({ hour, packed }) => [hour, packed])),
		from: kept.length < hours.length ? (kept.at(-1)?.hour ?? 0) * HOUR_MS : 0,
	};
}

/** Matches a date and time without an offset. JavaScript would read it in the machine's time zone. */
const WITHOUT_OFFSET = /\d[T ]\d{2}:\d{2}[\d:.]*$/;

/** Matches a time whose offset has only hours, such as `+02`. After a `T`, JavaScript can't read it. */
const OFFSET_IN_HOURS = /:[\d.]+[+-]\d{2}$/;

/** When an event happened, in milliseconds; `now` if its time is unreadable. A time without an offset is in UTC. */
export function timeOf(event: IDataObject, now: number): number {
	const text = asText(event.event_time)?.trim() ?? '';
	const time = Date.parse(text.replace(WITHOUT_OFFSET, '$&Z').replace(OFFSET_IN_HOURS, '$&:00'));
	return Number.isNaN(time) ? now : time;
}
