import type { IDataObject } from 'n8n-workflow';
import { groupBy } from '../../core/collections';
import { asText } from '../../core/json';
import { eventKey } from '../../events/query';
import { HOUR_MS } from '../../parameters/dates';
import { fingerprintOf, keyByFingerprint, pack, packedCount, unpack } from '../fingerprints';
import {
	CLOCK_SLACK_MS,
	coveredFrom,
	type EventsCheckpoint,
	type EventsWatch,
	joinSeen,
	type SeenEvents,
	watchedSince,
} from './checkpoint';

export interface IdResult {
	readonly id: string;
	/** Absent if the query failed. */
	readonly events?: readonly IDataObject[];
}

/**
 * If a `seen` record has more events, older ones are forgotten. Allows for 10,000 events a day with the default lookback
 * window.
 */
export const SOFT_MAX_REMEMBERED_EVENTS = 30_000;

/**
 * The limit for recent events, which the next sweeps must still cover. Beyond the limit, events may be missed, because
 * forgetting an event moves the lower bound of later sweeps forward (see `forgetOldEvents`).
 */
export const HARD_MAX_REMEMBERED_EVENTS = 100_000;

/**
 * Selects the new events of watched IDs, oldest first, and advances the checkpoint.
 *
 * @param checkpoint may be newer than the one that the poll started from
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
	// The hours of seen events, by the event's fingerprint.
	const hourOfEarlier = keyByFingerprint(checkpoint.seen);
	const hourInSweep = keyByFingerprint(isCurrentSweep ? sweep.seen : {});
	const earlierCount = hourOfEarlier.size;
	const from = coveredFrom(checkpoint, watch);
	const selected: Array<{ readonly time: number; readonly event: IDataObject }> = [];
	for (const { id, events = [] } of results) {
		// Events of an ID that was removed during the poll are dropped. Events of an unknown type are kept, because the service
		// returned them for the queried types.
		// Events from before `from` may have been forgotten, and would count as new.
		const since = Math.max(from, sinceById.get(fingerprintOf(id)) ?? Infinity);
		for (const event of events) {
			const time = timeOf(event, now);
			if (time < Math.max(since, sinceByType.get(asText(event.event_name) ?? '') ?? 0)) continue;
			const hour = Math.floor(time / HOUR_MS);
			const fingerprint = fingerprintOf(eventKey(id, event));
			const knownHour = hourInSweep.get(fingerprint) ?? hourOfEarlier.get(fingerprint);
			if (knownHour === undefined) selected.push({ time, event });
			else if (knownHour >= hour) continue;
			// A known event gets here only if its time has moved to a later hour. Under its old hour, it would be forgotten while sweeps
			// still receive it.
			hourOfEarlier.delete(fingerprint);
			hourInSweep.set(fingerprint, hour);
		}
	}
	selected.sort((a, b) => a.time - b.time);

	// Packed again only if an event was removed, because packing thousands of events is slow.
	const seen = hourOfEarlier.size === earlierCount ? checkpoint.seen : packHours(hourOfEarlier);
	const seenInSweep = packHours(hourInSweep);
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
	// A failed query doesn't hold up the sweep. Instead, the next sweep covers the same period again.
	const lastSweepStart = partial ? checkpoint.lastSweepStart : sweep.start;
	return {
		...checkpoint,
		seen: joinSeen(checkpoint.seen, sweep.seen),
		lastSweepStart,
		sweep: undefined,
	};
}

/**
 * Forgets events that sweeps no longer cover, and the oldest events beyond the limits. Moves `earliestFrom` past the forgotten
 * events, so that later sweeps don't output them again.
 */
function forgetOldEvents(checkpoint: EventsCheckpoint, watch: EventsWatch): EventsCheckpoint {
	const { sweep, lastSweepStart } = checkpoint;
	const from = coveredFrom(checkpoint, watch);
	// A running sweep may still receive any event of its period. Between sweeps, only events since the last one must not be
	// skipped: forgetting older ones merely shortens the lookback window.
	const hardLimitFrom = sweep === undefined ? lastSweepStart - CLOCK_SLACK_MS : 0;
	const seen = newestEvents(checkpoint.seen, from, hardLimitFrom);
	const seenInSweep = sweep && newestEvents(sweep.seen, from, hardLimitFrom);
	return {
		...checkpoint,
		earliestFrom: Math.max(
			checkpoint.earliestFrom,
			from,
			seen.keptFrom,
			seenInSweep?.keptFrom ?? 0,
		),
		seen: seen.events,
		sweep: sweep && seenInSweep && { ...sweep, seen: seenInSweep.events },
	};
}

/**
 * @param hardLimitFrom the time from which the hard limit applies instead of the soft one
 * @returns `keptFrom`: the start of the oldest hour kept, or 0 if the limits drop no hour
 */
function newestEvents(
	seen: SeenEvents,
	from: number,
	hardLimitFrom: number,
): { readonly events: SeenEvents; readonly keptFrom: number } {
	const hours = Object.entries(seen)
		.map(([hour, packed]) => ({ hour: Number(hour), packed }))
		.filter(({ hour }) => (hour + 1) * HOUR_MS > from)
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
		keptFrom: kept.length < hours.length ? (kept.at(-1)?.hour ?? 0) * HOUR_MS : 0,
	};
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
