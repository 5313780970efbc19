import { groupBy } from '../../core/collections';
import { isObject } from '../../core/json';
import { HOUR_MS } from '../../runtime/dates';
import { retentionStart } from '../../events/query';
import { fingerprintOf, keyByFingerprint, pack, unpack } from '../fingerprints';
import type { Versioned } from '../memory';

/** What the trigger watches, according to its settings. Times are in milliseconds. */
export interface EventsWatch {
	readonly entityType: 'prospect' | 'business';
	readonly ids: readonly string[];
	readonly types: readonly string[];
	/** How late an event may appear in the service and still be found. */
	readonly lookbackMs: number;
	/** Events before this time aren't output. Applies only to a new checkpoint (see `openEventsCheckpoint`). */
	readonly startFrom?: number;
}

/** One pass over all IDs, which may take several polls. */
interface EventsSweep {
	readonly number: number;
	readonly start: number;
	/** Lower bound of the events queried. */
	readonly from: number;
	/**
	 * Packed fingerprints of the IDs that were queried. Includes those whose query failed, unless it ran out of time or hit the
	 * rate limit.
	 */
	readonly done: string;
	/** True if a query failed: the next sweep covers the same period. */
	readonly partial: boolean;
	/**
	 * The events that this sweep has output, and those of earlier sweeps that it found again with a later time. Kept apart from
	 * the checkpoint's `seen`, with a limit of its own: the sweep's further queries may return events of earlier sweeps again, so
	 * an earlier sweep's events must not be forgotten to make room for this sweep's. This sweep's own oldest events may be
	 * forgotten: it never receives the events of an ID twice, and later sweeps start after those events (`earliestFrom`).
	 */
	readonly seen: SeenEvents;
}

/** Packed fingerprints of events that were output, by the hour in which they happened (in whole hours since 1970). */
export type SeenEvents = Readonly<Record<string, string>>;

/** What the trigger remembers between polls: plain JSON of bounded size. Times are in milliseconds. */
export interface EventsCheckpoint extends Versioned {
	readonly entityType: EventsWatch['entityType'];
	/** Packed fingerprints of the watched IDs, by the time since which each is watched. */
	readonly watched: Readonly<Record<string, string>>;
	/** The time since which each event type is watched. */
	readonly types: Readonly<Record<string, number>>;
	/** Lower bound of new sweeps; a running one may go back further. Only `resetToNow` lowers it. */
	readonly earliestFrom: number;
	/**
	 * Start of the last complete sweep, in which no query failed. In a new checkpoint, the time since which all IDs and types are
	 * watched.
	 */
	readonly lastSweepStart: number;
	readonly sweep?: EventsSweep | undefined;
	/** How many sweeps have started. */
	readonly sweeps: number;
	/** The events that earlier sweeps output. */
	readonly seen: SeenEvents;
}

/**
 * This machine's clock and the service's may differ by this much, either way, without an event being missed or repeated.
 * Exception: if this machine's clock is fast, an ID or type is watched only from a later time than the one at which it was
 * added, and events in between are missed.
 */
export const CLOCK_SLACK_MS = HOUR_MS;

/** Applies the settings to the saved checkpoint. Makes a new one if none of this entity type is saved. */
export function openEventsCheckpoint(
	saved: unknown,
	watch: EventsWatch,
	now: number,
): EventsCheckpoint {
	if (!isCheckpoint(saved) || saved.entityType !== watch.entityType)
		return newCheckpoint(watch, now);
	const ahead = isAhead(saved, now);
	const base = ahead ? resetToNow(saved, watch, now) : saved;
	// If the clock was fast, IDs and types are watched since now at the latest, not since a time in the future.
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

/** True if the saved checkpoint already watches all IDs and event types of the settings. */
export function isWatchingEvents(saved: unknown, { entityType, ids, types }: EventsWatch): boolean {
	if (!isCheckpoint(saved) || saved.entityType !== entityType) return false;
	const since = watchedSince(saved);
	return (
		ids.every((id) => since.has(fingerprintOf(id))) && types.every((type) => type in saved.types)
	);
}

/**
 * True if the checkpoint has sweep times in the future. Allows twice the slack: the clock may have been fast by the slack when
 * the checkpoint was saved, and may be slow by as much now.
 */
const isAhead = ({ lastSweepStart, earliestFrom, sweep }: EventsCheckpoint, now: number): boolean =>
	Math.max(lastSweepStart, earliestFrom, sweep?.start ?? 0, sweep?.from ?? 0) >
	now + 2 * CLOCK_SLACK_MS;

/**
 * Resets a checkpoint with times in the future. It was saved while the clock was fast; without a reset, sweeps would find few
 * events, or none, until those times. The reset may repeat events that have been forgotten.
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

export function joinSeen(seen: SeenEvents, more: SeenEvents): SeenEvents {
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

/** The time since which each ID is watched, by fingerprint. */
export const watchedSince = ({ watched }: EventsCheckpoint): Map<string, number> =>
	keyByFingerprint(watched);

/**
 * Lower bound of the events that the next sweep queries: the start of the last complete sweep, minus the lookback window
 * and the clock slack, but never before `earliestFrom`. `withSweep` moves it forward if the service has no events that old.
 */
const nextSweepFrom = (
	{ earliestFrom, lastSweepStart }: EventsCheckpoint,
	{ lookbackMs }: EventsWatch,
): number => Math.max(earliestFrom, lastSweepStart - lookbackMs - CLOCK_SLACK_MS);

/** Lower bound of the running sweep or, between sweeps, of the next one (see `nextSweepFrom`). */
export const coveredSince = (checkpoint: EventsCheckpoint, watch: EventsWatch): number =>
	checkpoint.sweep?.from ?? nextSweepFrom(checkpoint, watch);

/** The checkpoint with its unfinished sweep, or with a new one. */
export function withSweep(
	checkpoint: EventsCheckpoint,
	watch: EventsWatch,
	now: number,
): EventsCheckpoint & { readonly sweep: EventsSweep } {
	if (checkpoint.sweep !== undefined) return { ...checkpoint, sweep: checkpoint.sweep };
	const from = Math.max(nextSweepFrom(checkpoint, watch), retentionStart(now));
	const number = checkpoint.sweeps + 1;
	return {
		...checkpoint,
		// Later sweeps never go back further than this one, even if the lookback window grows.
		earliestFrom: from,
		sweeps: number,
		sweep: { number, start: now, from, done: '', partial: false, seen: {} },
	};
}

export function remainingIds(
	{ sweep }: { readonly sweep: EventsSweep },
	{ ids }: EventsWatch,
): string[] {
	const done = new Set(unpack(sweep.done));
	return ids.filter((id) => !done.has(fingerprintOf(id)));
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
