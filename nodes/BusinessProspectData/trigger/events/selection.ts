import type { IDataObject } from 'n8n-workflow';
import { asText } from '../../core/json';
import { eventKey } from '../../events/query';
import { HOUR_MS } from '../../runtime/dates';
import { fingerprintOf, pack, packedCount, unpack } from '../memory';
import { type EventsCheckpoint, type EventsWatch, nextSweepFrom, watchedSince } from './checkpoint';

/** The events of one ID; without `events`, its query failed. */
export interface IdResult {
	readonly id: string;
	readonly events?: readonly IDataObject[];
}

/**
 * Maximum number of remembered events: 10,000 a day with the default lookback window. Beyond it, the oldest are forgotten and
 * sweeps cover less time. The latest hour is always kept. With 10,000 IDs, the state stays under 450 KB.
 */
export const MAX_REMEMBERED_EVENTS = 30_000;

/**
 * Selects the watched events that were not output before, oldest first, and advances the state.
 *
 * @param checkpoint the current state, which may be newer than the one that the poll started from
 * @param sweepNumber the sweep that the poll worked for
 */
export function selectEvents(
	checkpoint: EventsCheckpoint,
	watch: EventsWatch,
	sweepNumber: number,
	results: readonly IdResult[],
	now: number,
): { events: IDataObject[]; checkpoint: EventsCheckpoint } {
	const sinceById = watchedSince(checkpoint);
	const sinceByType = new Map(Object.entries(checkpoint.types));
	const hours = hoursByFingerprint(checkpoint);
	const seen = { ...checkpoint.seen };
	const oldest = checkpoint.sweep?.from ?? nextSweepFrom(checkpoint, watch);
	const selected: Array<{ readonly time: number; readonly event: IDataObject }> = [];
	for (const { id, events = [] } of results) {
		// An ID that was removed during the poll outputs nothing. An event whose name isn't among the types is output, because
		// the service returned it for these types.
		const since = Math.max(oldest, sinceById.get(fingerprintOf(id)) ?? Infinity);
		for (const event of events) {
			const time = timeOf(event, now);
			if (time < Math.max(since, sinceByType.get(asText(event.event_name) ?? '') ?? 0)) continue;
			const hour = Math.floor(time / HOUR_MS);
			const fingerprint = fingerprintOf(eventKey(id, event));
			const knownHour = hours.get(fingerprint);
			if (knownHour === undefined) selected.push({ time, event });
			// An event whose time moved forward is remembered for as long as sweeps cover the new time.
			if (knownHour !== undefined && knownHour >= hour) continue;
			hours.set(fingerprint, hour);
			seen[hour] = (seen[hour] ?? '') + fingerprint;
		}
	}
	selected.sort((a, b) => a.time - b.time);

	const advanced = advanceSweep({ ...checkpoint, seen }, watch, sweepNumber, results);
	return {
		events: selected.map(({ event }) => event),
		checkpoint: forgetOldEvents(advanced, watch),
	};
}

/** The latest hour of each remembered event. */
function hoursByFingerprint({ seen }: EventsCheckpoint): Map<string, number> {
	const hours = new Map<string, number>();
	for (const hour of Object.keys(seen)
		.map(Number)
		.sort((a, b) => a - b)) {
		for (const fingerprint of unpack(seen[hour] ?? '')) hours.set(fingerprint, hour);
	}
	return hours;
}

/**
 * Records the results in the sweep, and ends it when no ID remains. If a query failed, `lastSweepStart` stays, so the next
 * sweep covers the same period: a failed query never holds up the other IDs.
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
	return { ...checkpoint, lastSweepStart, sweep: undefined };
}

/** Forgets events that no sweep covers any longer, and the oldest beyond `MAX_REMEMBERED_EVENTS`. */
function forgetOldEvents(checkpoint: EventsCheckpoint, watch: EventsWatch): EventsCheckpoint {
	const oldest = Math.min(checkpoint.sweep?.from ?? Infinity, nextSweepFrom(checkpoint, watch));
	const hours = Object.entries(checkpoint.seen)
		.filter(([hour]) => (Number(hour) + 1) * HOUR_MS > oldest)
		.sort(([a], [b]) => Number(b) - Number(a));
	const recent: typeof hours = [];
	let remembered = 0;
	for (const hour of hours) {
		remembered += packedCount(hour[1]);
		if (remembered > MAX_REMEMBERED_EVENTS && recent.length > 0) break;
		recent.push(hour);
	}
	const firstHour = recent.length < hours.length ? Number(recent.at(-1)?.[0]) * HOUR_MS : 0;
	return {
		...checkpoint,
		// Sweeps never go back further than what is remembered, even if the lookback window grows.
		earliestFrom: Math.max(checkpoint.earliestFrom, oldest, firstHour),
		seen: Object.fromEntries(recent),
	};
}

/** Matches a date and time without an offset. JavaScript would read it in the machine's time zone. */
const WITHOUT_OFFSET = /\d[T ]\d{2}:\d{2}[\d:.]*$/;

/** Matches a time whose offset has only hours, such as `+02`. JavaScript can't read it. */
const OFFSET_IN_HOURS = /:[\d.]+[+-]\d{2}$/;

/**
 * When an event happened, in milliseconds. A time without an offset is in UTC; without a readable time, the event happened now.
 */
export function timeOf(event: IDataObject, now: number): number {
	const text = asText(event.event_time)?.trim() ?? '';
	const time = Date.parse(text.replace(WITHOUT_OFFSET, '$&Z').replace(OFFSET_IN_HOURS, '$&:00'));
	return Number.isNaN(time) ? now : time;
}
