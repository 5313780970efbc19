import { groupBy } from '../core/collections';
import { isObject } from '../core/json';
import { pack, fingerprintOf, unpack } from './fingerprints';
import { windowStart } from '../events/window';

/** What the trigger watches, by its settings. Times are in milliseconds. */
export interface Watch {
	readonly source: 'prospect' | 'business';
	readonly ids: readonly string[];
	readonly types: readonly string[];
	readonly lookbackMs: number;
	/** From when on events count; only looked at while nothing is saved. */
	readonly startFrom?: number;
}

/** One pass over all ids; it may take several polls. */
export interface Sweep {
	readonly number: number;
	readonly start: number;
	/** Events after this moment are asked for. */
	readonly from: number;
	/** Fingerprints of the ids that are settled, and of those whose request failed once. */
	readonly done: string;
	readonly failed: string;
	/** Whether any id was answered. */
	readonly answered: boolean;
	/** Whether an id failed twice: the sweep goes on without it, and the next one asks for the same time again. */
	readonly flawed: boolean;
}

/** What is kept between polls: plain JSON, bounded. Times are in milliseconds. */
export interface Checkpoint {
	readonly source: Watch['source'];
	/** Fingerprints of the watched ids, by the moment from which on their events count. */
	readonly watched: Readonly<Record<string, string>>;
	/** From which moment on the events of a type count. */
	readonly types: Readonly<Record<string, number>>;
	/** No sweep asks for what is older; it never goes back. */
	readonly from: number;
	/** When the last completed sweep began. */
	readonly last: number;
	readonly sweep?: Sweep | undefined;
	/** How many sweeps have begun. */
	readonly sweeps: number;
	/** Fingerprints of the events put out, by the hour in which they happened. */
	readonly seen: Readonly<Record<string, string>>;
	/** Changes whenever events are put out; with `step`, the place in the line of states since then. */
	readonly lineage?: string | undefined;
	readonly serial?: number;
}

export const HOUR_MS = 3_600_000;
/** Clocks may be this much off, either way, without an event being missed or repeated. */
export const CLOCK_SLACK_MS = HOUR_MS;

/** The state to start from: the saved one brought up to date with the settings, or a new one. */
export function openCheckpoint(saved: unknown, watch: Watch, now: number): Checkpoint {
	if (!isCheckpoint(saved) || saved.source !== watch.source) return newCheckpoint(watch, now);
	const [before, latest] = isAhead(saved, now)
		? [setBack(saved, watch, now), now]
		: [saved, Infinity];

	const floors = watchedSince(before);
	const watched = groupBy(watch.ids.map(fingerprintOf), (print) =>
		Math.min(latest, floors.get(print) ?? now),
	);
	const types = new Map(Object.entries(before.types));
	return {
		...before,
		watched: Object.fromEntries([...watched].map(([floor, prints]) => [floor, pack(prints)])),
		types: Object.fromEntries(
			watch.types.map((type) => [type, Math.min(latest, types.get(type) ?? now)]),
		),
	};
}

/** Whether the state knows from when on the events of all that is watched count. */
export function isWatching(saved: unknown, { source, ids, types }: Watch): boolean {
	if (!isCheckpoint(saved) || saved.source !== source) return false;
	const floors = watchedSince(saved);
	return (
		ids.every((id) => floors.has(fingerprintOf(id))) && types.every((type) => type in saved.types)
	);
}

const isAhead = ({ last, from, sweep }: Checkpoint, now: number): boolean =>
	Math.max(last, from, sweep?.start ?? 0) > now + 2 * CLOCK_SLACK_MS;

/**
 * A state from the future was kept while the clock was wrong. By it, nothing would be asked for until that future comes;
 * so it is set back, at the price that events which were forgotten meanwhile may come once more.
 */
function setBack(saved: Checkpoint, { lookbackMs: lookBack }: Watch, now: number): Checkpoint {
	const last = Math.min(saved.last, now);
	const from = Math.min(saved.from, last - lookBack - CLOCK_SLACK_MS);
	return { ...saved, last, from, sweep: undefined };
}

function newCheckpoint({ source, ids, types, startFrom }: Watch, now: number): Checkpoint {
	const floor = Math.min(now, Math.max(startFrom ?? now, windowStart(now)));
	return {
		source,
		watched: { [floor]: pack(ids.map(fingerprintOf)) },
		types: Object.fromEntries(types.map((type) => [type, floor])),
		from: floor,
		last: floor,
		sweeps: 0,
		seen: {},
	};
}

/** From which moment on the events of each watched id count, by fingerprint. */
export const watchedSince = ({ watched }: Checkpoint): Map<string, number> =>
	new Map(
		Object.entries(watched).flatMap(([floor, prints]) =>
			unpack(prints).map((print): [string, number] => [print, Number(floor)]),
		),
	);

/** Where the next sweep begins: what surfaced since the last one began may be older by the look-back. */
export const nextSweepStart = (
	{ from, last }: Checkpoint,
	{ lookbackMs: lookBack }: Watch,
): number => Math.max(from, last - lookBack - CLOCK_SLACK_MS);

/** The state with a sweep under way: the one that is, or a new one. */
export function withSweep(
	checkpoint: Checkpoint,
	watch: Watch,
	now: number,
): Checkpoint & { readonly sweep: Sweep } {
	if (checkpoint.sweep !== undefined) return { ...checkpoint, sweep: checkpoint.sweep };
	const from = Math.max(nextSweepStart(checkpoint, watch), windowStart(now));
	const number = checkpoint.sweeps + 1;
	return {
		...checkpoint,
		from,
		sweeps: number,
		sweep: { number, start: now, from: from, done: '', failed: '', answered: false, flawed: false },
	};
}

/** The ids that the sweep has yet to ask; last those to ask once more, since their request failed. */
export function pendingIds({ sweep }: { readonly sweep: Sweep }, { ids }: Watch): string[] {
	const done = new Set(unpack(sweep.done));
	const failed = new Set(unpack(sweep.failed));
	const left = ids
		.map((id) => ({ id, print: fingerprintOf(id) }))
		.filter(({ print }) => !done.has(print));
	const fresh = left.filter(({ print }) => !failed.has(print));
	return [...fresh, ...left.filter(({ print }) => failed.has(print))].map(({ id }) => id);
}

function isCheckpoint(saved: unknown): saved is Checkpoint {
	return (
		isObject(saved) &&
		isObject(saved.watched) &&
		isObject(saved.types) &&
		isObject(saved.seen) &&
		[saved.from, saved.last, saved.sweeps].every(Number.isFinite) &&
		(saved.sweep === undefined || isSweep(saved.sweep))
	);
}

const isSweep = (saved: unknown): saved is Sweep =>
	isObject(saved) &&
	[saved.number, saved.start, saved.from].every(Number.isFinite) &&
	[saved.done, saved.failed].every((prints) => typeof prints === 'string');
