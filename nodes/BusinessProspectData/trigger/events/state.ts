import { groupBy } from '../../core/collections';
import { asText, isObject } from '../../core/json';
import type { Failure } from '../../core/outcome';
import { eventKey, type EventsResult, retentionStart, timeOf } from '../../events/query';
import { HOUR_MS } from '../../parameters/dates';
import { fingerprintOf, keyByFingerprint, pack, packedCount, unpack } from '../fingerprints';
import type { Versioned } from '../memory';
import type { ReceivedRow } from '../runner';

export interface EventsWatch {
	readonly entityType: 'prospect' | 'business';
	readonly ids: readonly string[];
	readonly types: readonly string[];
	/** How late events may appear in the service. */
	readonly lookbackMs: number;
	/** Requested start of watching, in milliseconds. Applies only to a new checkpoint. */
	readonly startFrom?: number;
}

/** One pass over all IDs, which may take several polls. */
interface EventsSweep {
	readonly number: number;
	readonly start: number;
	/** Lower bound of the event times that the sweep queries. */
	readonly from: number;
	/** Packed fingerprints of the IDs that this sweep needn't query again. */
	readonly done: string;
	/** True if the next sweep must cover the same period again. */
	readonly partial: boolean;
	/**
	 * Seen events that this sweep added. A separate limit applies to them, so that they don't push out events of earlier sweeps,
	 * which this sweep may receive again.
	 */
	readonly seen: SeenEvents;
}

/** Packed fingerprints of events, by hour (whole hours since 1970). */
type SeenEvents = Readonly<Record<string, string>>;

/** What the trigger remembers between polls, as plain JSON. Times are in milliseconds. */
export interface EventsCheckpoint extends Versioned {
	readonly entityType: EventsWatch['entityType'];
	/** Packed fingerprints of the watched IDs, by the time since which each is watched. */
	readonly watched: Readonly<Record<string, string>>;
	/** The time since which each event type is watched. */
	readonly types: Readonly<Record<string, number>>;
	/** Lower bound of new sweeps. A running sweep may go back further. */
	readonly earliestFrom: number;
	/** Start of the last completed sweep without failed queries; before the first, the start of watching. */
	readonly lastSweepStart: number;
	readonly sweep?: EventsSweep | undefined;
	/** How many sweeps have started. */
	readonly sweeps: number;
	/** Seen events that earlier sweeps added. */
	readonly seen: SeenEvents;
}

/** What a poll is to fetch. */
export interface EventsJob {
	readonly ids: readonly string[];
	/** In milliseconds. */
	readonly from: number;
	/** The event types at the start of the poll. */
	readonly types: readonly string[];
	readonly sweepNumber: number;
	/** True if earlier polls of the sweep show that the service accepts other IDs (see `toIdResults`). */
	readonly earlierIdsAccepted: boolean;
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
 * If a `seen` record has more events, older ones are forgotten. Allows for 10,000 events a day with the default lookback
 * window.
 */
export const SOFT_MAX_REMEMBERED_EVENTS = 30_000;

/**
 * The limit for recent events, which the next sweeps must still cover. Beyond the limit, events may be missed, because
 * forgetting an event moves the lower bound of later sweeps forward (see `forgetOldEvents`).
 */
export const HARD_MAX_REMEMBERED_EVENTS = 100_000;

/** How polls for events run (see `createRunner`). */
export const eventsState = {
	open: openEventsCheckpoint,
	isWatching: isWatchingEvents,
	plan: planEvents,
	select: selectEvents,
};

export function openEventsCheckpoint(
	saved: unknown,
	watch: EventsWatch,
	now: number,
): EventsCheckpoint {
	if (!isCheckpoint(saved) || saved.entityType !== watch.entityType)
		return newCheckpoint(watch, now);
	const ahead = isAhead(saved, now);
	const base = ahead ? resetToNow(saved, watch, now) : saved;
	// Moves times in the future, which a fast clock left behind, to now.
	const maxSince = ahead ? now : Infinity;

	const since = watchedSince(base);
	const watched = groupBy(watch.ids.map(fingerprintOf), (fingerprint) =>
		Math.min(maxSince, since.get(fingerprint) ?? now),
	);
	const types = new Map(Object.entries(base.types));
	return {
		...base,
		watched: Object.fromEntries(
			[...watched].map(([time, fingerprints]) => [time, pack(fingerprints)]),
		),
		types: Object.fromEntries(
			watch.types.map((type) => [type, Math.min(maxSince, types.get(type) ?? now)]),
		),
	};
}

export function isWatchingEvents(saved: unknown, { entityType, ids, types }: EventsWatch): boolean {
	if (!isCheckpoint(saved) || saved.entityType !== entityType) return false;
	const since = watchedSince(saved);
	return (
		ids.every((id) => since.has(fingerprintOf(id))) && types.every((type) => type in saved.types)
	);
}

/** Allows twice the slack: the clock may have been fast by the slack when the checkpoint was saved, and slow by as much now. */
const isAhead = ({ lastSweepStart, earliestFrom, sweep }: EventsCheckpoint, now: number): boolean =>
	Math.max(lastSweepStart, earliestFrom, sweep?.start ?? 0, sweep?.from ?? 0) >
	now + 2 * CLOCK_SLACK_MS;

/**
 * Resets a checkpoint with times in the future, which could keep sweeps from finding recent events. May move `earliestFrom`
 * back, so events that are no longer remembered may be output again.
 */
function resetToNow(
	saved: EventsCheckpoint,
	{ lookbackMs }: EventsWatch,
	now: number,
): EventsCheckpoint {
	const lastSweepStart = Math.min(saved.lastSweepStart, now);
	const from = lastSweepStart - lookbackMs - CLOCK_SLACK_MS;
	const earliestFrom = Math.min(saved.earliestFrom, from);
	const seen = joinSeen(saved.seen, saved.sweep?.seen ?? {});
	return { ...saved, lastSweepStart, earliestFrom, seen, sweep: undefined };
}

function joinSeen(seen: SeenEvents, more: SeenEvents): SeenEvents {
	const joined = { ...seen };
	for (const [hour, packed] of Object.entries(more)) joined[hour] = (joined[hour] ?? '') + packed;
	return joined;
}

function newCheckpoint(
	{ entityType, ids, types, startFrom }: EventsWatch,
	now: number,
): EventsCheckpoint {
	const since = Math.min(now, Math.max(startFrom ?? now, retentionStart(now)));
	return {
		entityType,
		watched: { [since]: pack(ids.map(fingerprintOf)) },
		types: Object.fromEntries(types.map((type) => [type, since])),
		earliestFrom: since,
		lastSweepStart: since,
		sweeps: 0,
		seen: {},
	};
}

const watchedSince = ({ watched }: EventsCheckpoint): Map<string, number> =>
	keyByFingerprint(watched);

const nextSweepFrom = (
	{ earliestFrom, lastSweepStart }: EventsCheckpoint,
	{ lookbackMs }: EventsWatch,
): number => Math.max(earliestFrom, lastSweepStart - lookbackMs - CLOCK_SLACK_MS);

/** Start of the period that the running sweep covers or, without one, the next sweep. */
const coveredFrom = (checkpoint: EventsCheckpoint, watch: EventsWatch): number =>
	checkpoint.sweep?.from ?? nextSweepFrom(checkpoint, watch);

/** Continues the unfinished sweep, or starts a new one. */
export function planEvents(
	checkpoint: EventsCheckpoint,
	maxIds: number,
	watch: EventsWatch,
	now: number,
) {
	const planned = withSweep(checkpoint, watch, now);
	const { sweep } = planned;
	const done = new Set(unpack(sweep.done));
	const job: EventsJob = {
		ids: watch.ids.filter((id) => !done.has(fingerprintOf(id))).slice(0, maxIds),
		from: sweep.from,
		types: watch.types,
		sweepNumber: sweep.number,
		// Without an accepted ID, `toIdResults` reports every rejected ID as failed, which makes the sweep partial. So a sweep with
		// IDs in `done` that isn't partial has an accepted one.
		earlierIdsAccepted: done.size > 0 && !sweep.partial,
	};
	return { checkpoint: planned, job };
}

function withSweep(
	checkpoint: EventsCheckpoint,
	watch: EventsWatch,
	now: number,
): EventsCheckpoint & { readonly sweep: EventsSweep } {
	if (checkpoint.sweep !== undefined) return { ...checkpoint, sweep: checkpoint.sweep };
	const from = Math.max(nextSweepFrom(checkpoint, watch), retentionStart(now));
	const number = checkpoint.sweeps + 1;
	return {
		...checkpoint,
		// Keeps later sweeps from going back further when the lookback window grows.
		earliestFrom: from,
		sweeps: number,
		sweep: { number, start: now, from, done: '', partial: false, seen: {} },
	};
}

/** Selects the new events of watched IDs, oldest first, and advances the checkpoint. */
export function selectEvents(
	checkpoint: EventsCheckpoint,
	{ sweepNumber, types }: Pick<EventsJob, 'sweepNumber' | 'types'>,
	{ results }: FetchedEvents,
	watch: EventsWatch,
	now: number,
) {
	const { sweep } = checkpoint;
	// False if the checkpoint was replaced or reset during the poll.
	const isCurrentSweep = sweep?.number === sweepNumber;
	// Events from before `from` may have been forgotten, and would count as new.
	const from = coveredFrom(checkpoint, watch);
	const sinceById = watchedSince(checkpoint);
	const sinceByType = new Map([
		// Infinity stays for types that were removed during the poll.
		...types.map((type) => [type, Infinity] as const),
		...Object.entries(checkpoint.types),
	]);
	// The hours of seen events, by the event's fingerprint.
	const hourOfEarlier = keyByFingerprint(checkpoint.seen);
	const hourInSweep = keyByFingerprint(isCurrentSweep ? sweep.seen : {});
	const earlierCount = hourOfEarlier.size;
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
			const knownHour = hourInSweep.get(fingerprint) ?? hourOfEarlier.get(fingerprint);
			if (knownHour === undefined) selected.push({ time, row: event, responseContext });
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
	const succeeded = results.some(({ events }) => events !== undefined);
	return { checkpoint: forgetOldEvents(advanced, watch), result: { rows: selected, succeeded } };
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
	// A running sweep must not go back to forgotten events of earlier sweeps, because the IDs that it has yet to query may have
	// them. Its own forgotten events belong to IDs that it has queried.
	const keptFrom = Math.max(from, seen.keptFrom);
	return {
		...checkpoint,
		earliestFrom: Math.max(checkpoint.earliestFrom, keptFrom, seenInSweep?.keptFrom ?? 0),
		seen: seen.events,
		sweep: sweep && seenInSweep && { ...sweep, from: keptFrom, seen: seenInSweep.events },
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

function isCheckpoint(saved: unknown): saved is EventsCheckpoint {
	return (
		isObject(saved) &&
		isRecordOf(saved.watched, isString) &&
		isRecordOf(saved.types, Number.isFinite) &&
		isRecordOf(saved.seen, isString) &&
		[saved.earliestFrom, saved.lastSweepStart, saved.sweeps].every(Number.isFinite) &&
		(saved.sweep === undefined || isSweep(saved.sweep))
	);
}

const isSweep = (saved: unknown): saved is EventsSweep =>
	isObject(saved) &&
	[saved.number, saved.start, saved.from].every(Number.isFinite) &&
	isString(saved.done) &&
	isRecordOf(saved.seen, isString);

const isString = (value: unknown): boolean => typeof value === 'string';

const isRecordOf = (value: unknown, isValid: (member: unknown) => boolean): boolean =>
	isObject(value) && Object.values(value).every(isValid);
