import { isObject } from '../api/json';
import { packed, printOf, unpacked } from './prints';
import { windowStart } from './window';

/** What the trigger watches, by its settings. Times are in milliseconds. */
export interface Watch {
	readonly source: 'prospect' | 'business';
	readonly ids: readonly string[];
	readonly types: readonly string[];
	readonly lookBack: number;
	/** From when on events count; only looked at while nothing is saved. */
	readonly startFrom?: number;
}

/** One pass over all ids; it may take several polls. */
export interface Sweep {
	readonly number: number;
	readonly start: number;
	/** Events after this moment are asked for. */
	readonly from: number;
	/** Fingerprints of the ids that were asked, and of those whose request failed. */
	readonly done: string;
	readonly failed: string;
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
}

export const HOUR_MS = 3_600_000;
/** Clocks may step by this much without an event being missed. */
export const CLOCK_SLACK_MS = HOUR_MS;

/** The state to start from: the saved one brought up to date with the settings, or a new one. */
export function opened(saved: unknown, watch: Watch, now: number): Checkpoint {
	const before = isCheckpoint(saved) && saved.source === watch.source ? saved : undefined;
	if (before === undefined) return begun(watch, now);

	const floors = floorsOf(before);
	const watched = new Map<string, string[]>();
	for (const id of watch.ids) {
		const print = printOf(id);
		const floor = String(floors.get(print) ?? now);
		watched.set(floor, [...(watched.get(floor) ?? []), print]);
	}
	return {
		...before,
		watched: Object.fromEntries([...watched].map(([floor, prints]) => [floor, packed(prints)])),
		types: Object.fromEntries(watch.types.map((type) => [type, before.types[type] ?? now])),
	};
}

function begun({ source, ids, types, startFrom }: Watch, now: number): Checkpoint {
	const floor = Math.max(startFrom ?? now, windowStart(now));
	return {
		source,
		watched: { [floor]: packed(ids.map(printOf)) },
		types: Object.fromEntries(types.map((type) => [type, floor])),
		from: floor,
		last: floor,
		sweeps: 0,
		seen: {},
	};
}

/** From which moment on the events of each watched id count, by fingerprint. */
export const floorsOf = ({ watched }: Checkpoint): Map<string, number> =>
	new Map(
		Object.entries(watched).flatMap(([floor, prints]) =>
			unpacked(prints).map((print): [string, number] => [print, Number(floor)]),
		),
	);

/** Where the next sweep begins: what surfaced since the last one began may be older by the look-back. */
export const nextFrom = ({ from, last }: Checkpoint, { lookBack }: Watch): number =>
	Math.max(from, last - lookBack - CLOCK_SLACK_MS);

/** The state with a sweep under way: the one that is, or a new one. */
export function sweeping(
	checkpoint: Checkpoint,
	watch: Watch,
	now: number,
): Checkpoint & { readonly sweep: Sweep } {
	if (checkpoint.sweep !== undefined) return { ...checkpoint, sweep: checkpoint.sweep };
	const from = Math.max(nextFrom(checkpoint, watch), windowStart(now));
	const number = checkpoint.sweeps + 1;
	return {
		...checkpoint,
		from,
		sweeps: number,
		sweep: { number, start: now, from, done: '', failed: '' },
	};
}

/** The ids that the sweep has yet to ask, and those to ask again, since their request failed. */
export interface Pending {
	readonly fresh: readonly string[];
	readonly failed: readonly string[];
}

export function pending({ sweep }: { readonly sweep: Sweep }, { ids }: Watch): Pending {
	const done = new Set(unpacked(sweep.done));
	const failed = new Set(unpacked(sweep.failed));
	const left = ids.filter((id) => !done.has(printOf(id)));
	return {
		fresh: left.filter((id) => !failed.has(printOf(id))),
		failed: left.filter((id) => failed.has(printOf(id))),
	};
}

function isCheckpoint(saved: unknown): saved is Checkpoint {
	return (
		isObject(saved) &&
		isObject(saved.watched) &&
		isObject(saved.types) &&
		isObject(saved.seen) &&
		[saved.from, saved.last, saved.sweeps].every(Number.isFinite)
	);
}
