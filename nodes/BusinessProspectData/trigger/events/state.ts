import { asText, isObject } from '../../core/json';
import type { Failure } from '../../core/outcome';
import { eventKey, type EventsResult, retentionStart, timeOf } from '../../events/query';
import { HOUR_MS } from '../../parameters/dates';
import {
	fingerprintOf,
	keyByFingerprint,
	pack,
	packByKey,
	packedCount,
	unpack,
} from '../fingerprints';
import type { PollCheckpoint, ReceivedRow } from '../runner';

export interface EventsWatch {
	readonly entityType: 'prospect' | 'business';
	readonly ids: readonly string[];
	readonly types: readonly string[];
	/** How late events may appear in the service. */
	readonly lookbackMs: number;
	/** Requested start of watching, in milliseconds. Applies only to a new checkpoint. */
	readonly startFrom?: number;
}

/** One pass over all IDs, which may take several polls. Queries events since the checkpoint's `earliestFrom`. */
interface EventsSweep {
	/** Also identifies the sweep. */
	readonly start: number;
	/** Packed fingerprints of the IDs that this sweep needn't query again. */
	readonly done: string;
	/** True if the next sweep must cover the same period again. */
	readonly partial: boolean;
}

/** What the trigger remembers between polls, as plain JSON. Times are in milliseconds. */
export interface EventsCheckpoint extends PollCheckpoint {
	readonly entityType: EventsWatch['entityType'];
	/** Packed fingerprints of the watched IDs, by the time since which each is watched. */
	readonly watched: Readonly<Record<string, string>>;
	/** The time since which each event type is watched. */
	readonly types: Readonly<Record<string, number>>;
	/** Sweeps never go back further: events from before it may have been forgotten, and would count as new. */
	readonly earliestFrom: number;
	/** Start of the last completed sweep without failed queries; before the first, the start of watching. */
	readonly lastSweepStart: number;
	readonly sweep?: EventsSweep | undefined;
	/** Packed fingerprints of events that were output, by hour (whole hours since 1970). */
	readonly seen: Readonly<Record<string, string>>;
}

/** What a poll is to fetch. */
export interface EventsJob {
	readonly ids: readonly string[];
	/** In milliseconds. */
	readonly from: number;
	readonly sweepStart: number;
	/** True if earlier polls of the sweep had results for all their IDs. */
	readonly othersAccepted: boolean;
}

/** What a query for an ID returned. Without events, the query failed. */
export interface IdResult extends Partial<EventsResult> {
	readonly id: string;
}

/** What a poll fetched. */
export interface FetchedEvents {
	/** Leaves out IDs that the sweep must still query. */
	readonly results: readonly IdResult[];
	readonly failure?: Failure | undefined;
}

/** Sweeps allow for this difference between the clocks of this machine and of the service. */
export const CLOCK_SLACK_MS = HOUR_MS;

/**
 * Beyond this limit, the oldest events are forgotten, and sweeps no longer go back to them. Allows for 33,000 events a day with
 * the default lookback window.
 */
export const MAX_REMEMBERED_EVENTS = 100_000;

/** How polls for events run (see `createRunner`). */
export const eventsState = {
	open: openEventsCheckpoint,
	plan: planEvents,
	select: selectEvents,
};

export function openEventsCheckpoint(
	saved: unknown,
	watch: EventsWatch,
	now: number,
): EventsCheckpoint {
	if (!isCheckpointOf(saved, watch.entityType)) return newCheckpoint(watch, now);
	// A clock that was fast has left times in the future, which would keep sweeps from finding recent events. Allows twice the
	// slack: the clock may have been fast by the slack when the checkpoint was saved, and slow by as much now.
	if (Math.max(saved.lastSweepStart, saved.sweep?.start ?? 0) > now + 2 * CLOCK_SLACK_MS) {
		const restarted = newCheckpoint({ ...watch, startFrom: now - watch.lookbackMs }, now);
		return { ...restarted, seen: saved.seen };
	}
	const since = keyByFingerprint(saved.watched);
	const known = new Map(Object.entries(saved.types));
	const watched = packByKey(
		watch.ids.map(fingerprintOf).map((fingerprint) => [fingerprint, since.get(fingerprint) ?? now]),
	);
	const types = Object.fromEntries(watch.types.map((type) => [type, known.get(type) ?? now]));
	const isSame = JSON.stringify([watched, types]) === JSON.stringify([saved.watched, saved.types]);
	return isSame ? saved : { ...saved, watched, types };
}

const isCheckpointOf = (
	saved: unknown,
	entityType: EventsWatch['entityType'],
): saved is EventsCheckpoint => isObject(saved) && saved.entityType === entityType;

function newCheckpoint(
	{ entityType, ids, types, startFrom = Infinity }: EventsWatch,
	now: number,
): EventsCheckpoint {
	const since = Math.min(now, Math.max(startFrom, retentionStart(now)));
	return {
		entityType,
		watched: { [since]: pack(ids.map(fingerprintOf)) },
		types: Object.fromEntries(types.map((type) => [type, since])),
		earliestFrom: since,
		lastSweepStart: since,
		seen: {},
	};
}

/** Start of the period that the running sweep covers or, without one, the next sweep. */
const coveredFrom = (
	{ sweep, earliestFrom, lastSweepStart }: EventsCheckpoint,
	{ lookbackMs }: EventsWatch,
): number =>
	sweep === undefined
		? Math.max(earliestFrom, lastSweepStart - lookbackMs - CLOCK_SLACK_MS)
		: earliestFrom;

/** Continues the unfinished sweep, or starts a new one. */
export function planEvents(
	checkpoint: EventsCheckpoint,
	maxIds: number,
	watch: EventsWatch,
	now: number,
): { readonly checkpoint: EventsCheckpoint; readonly job: EventsJob } {
	const { sweep = { start: now, done: '', partial: false } } = checkpoint;
	const from = Math.max(coveredFrom(checkpoint, watch), retentionStart(now));
	const done = new Set(unpack(sweep.done));
	return {
		checkpoint: { ...checkpoint, earliestFrom: from, sweep },
		job: {
			ids: watch.ids.filter((id) => !done.has(fingerprintOf(id))).slice(0, maxIds),
			from,
			sweepStart: sweep.start,
			othersAccepted: sweep.done !== '' && !sweep.partial,
		},
	};
}

/** Selects the new events of watched IDs, oldest first, and advances the checkpoint. */
export function selectEvents(
	checkpoint: EventsCheckpoint,
	{ sweepStart }: Pick<EventsJob, 'sweepStart'>,
	{ results }: FetchedEvents,
	watch: EventsWatch,
	now: number,
) {
	const from = coveredFrom(checkpoint, watch);
	const sinceById = keyByFingerprint(checkpoint.watched);
	const sinceByType = new Map(Object.entries(checkpoint.types));
	/** The hours of seen events, by the event's fingerprint. */
	const hours = keyByFingerprint(checkpoint.seen);
	let changesHours = false;
	const selected: Array<ReceivedRow & { readonly time: number }> = [];
	for (const { id, events = [], responseContext } of results) {
		// Events of an ID that was removed during the poll are dropped.
		const since = Math.max(from, sinceById.get(fingerprintOf(id)) ?? Infinity);
		for (const event of events) {
			const time = timeOf(event, now);
			// Events of an unknown type are kept, because the service returned them for the queried types.
			if (time < Math.max(since, sinceByType.get(asText(event.event_name) ?? '') ?? 0)) continue;
			const hour = Math.floor(time / HOUR_MS);
			const fingerprint = fingerprintOf(eventKey(id, event));
			const knownHour = hours.get(fingerprint);
			if (knownHour === undefined) selected.push({ time, row: event, responseContext });
			else if (knownHour >= hour) continue;
			// A known event gets here only if its time has moved to a later hour. Under its old hour, it would be forgotten while sweeps
			// still receive it.
			hours.set(fingerprint, hour);
			changesHours = true;
		}
	}
	selected.sort((a, b) => a.time - b.time);

	// Packed again only if needed, because packing thousands of events is slow.
	const seen = changesHours ? packByKey([...hours]) : checkpoint.seen;
	const advanced = advanceSweep({ ...checkpoint, seen }, watch, sweepStart, results);
	const succeeded = results.some(({ events }) => events !== undefined);
	const isComplete = succeeded && advanced.sweep === undefined;
	return {
		checkpoint: forgetOldEvents(advanced, watch),
		result: { rows: selected, succeeded, isComplete },
	};
}

function advanceSweep(
	checkpoint: EventsCheckpoint,
	watch: EventsWatch,
	sweepStart: number,
	results: readonly IdResult[],
): EventsCheckpoint {
	const { sweep } = checkpoint;
	// The checkpoint may have been replaced during the poll.
	if (sweep?.start !== sweepStart) return checkpoint;
	const queried = new Set([...unpack(sweep.done), ...results.map(({ id }) => fingerprintOf(id))]);
	const partial = sweep.partial || results.some(({ events }) => events === undefined);
	const fingerprints = watch.ids.map(fingerprintOf);
	const done = fingerprints.filter((fingerprint) => queried.has(fingerprint));
	if (done.length < fingerprints.length) {
		return { ...checkpoint, sweep: { ...sweep, done: pack(done), partial } };
	}
	// A failed query doesn't hold up the sweep. Instead, the next sweep covers the same period again.
	const lastSweepStart = partial ? checkpoint.lastSweepStart : sweep.start;
	return { ...checkpoint, lastSweepStart, sweep: undefined };
}

/** Forgets events that sweeps no longer cover, and the oldest hours beyond the limit, which later sweeps then don't cover. */
function forgetOldEvents(checkpoint: EventsCheckpoint, watch: EventsWatch): EventsCheckpoint {
	const { seen } = checkpoint;
	const kept: Record<string, string> = {};
	let earliestFrom = coveredFrom(checkpoint, watch);
	let count = 0;
	for (const hour of Object.keys(seen)
		.map(Number)
		.sort((a, b) => b - a)) {
		const packed = seen[hour] ?? '';
		count += packedCount(packed);
		const isOverLimit = count > MAX_REMEMBERED_EVENTS && count > packedCount(packed);
		if (isOverLimit) earliestFrom = Math.max(earliestFrom, (hour + 1) * HOUR_MS);
		if ((hour + 1) * HOUR_MS > earliestFrom) kept[hour] = packed;
	}
	return { ...checkpoint, earliestFrom, seen: kept };
}
