import { groupBy } from '../../core/collections';
import { isObject } from '../../core/json';
import { HOUR_MS } from '../../parameters/dates';
import { retentionStart } from '../../events/query';
import { fingerprintOf, keyByFingerprint, pack, unpack } from '../fingerprints';
import type { Versioned } from '../memory';

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
export type SeenEvents = Readonly<Record<string, string>>;

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

/** Sweeps allow for this difference between the clocks of this machine and of the service. */
export const CLOCK_SLACK_MS = HOUR_MS;

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

export const watchedSince = ({ watched }: EventsCheckpoint): Map<string, number> =>
	keyByFingerprint(watched);

const nextSweepFrom = (
	{ earliestFrom, lastSweepStart }: EventsCheckpoint,
	{ lookbackMs }: EventsWatch,
): number => Math.max(earliestFrom, lastSweepStart - lookbackMs - CLOCK_SLACK_MS);

/** Start of the period that the running sweep covers or, without one, the next sweep. */
export const coveredFrom = (checkpoint: EventsCheckpoint, watch: EventsWatch): number =>
	checkpoint.sweep?.from ?? nextSweepFrom(checkpoint, watch);

/** Continues the unfinished sweep, or starts a new one. */
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
		// Keeps later sweeps from going back further when the lookback window grows.
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
