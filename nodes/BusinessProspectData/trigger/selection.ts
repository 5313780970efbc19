import type { IDataObject } from 'n8n-workflow';
import { asText } from '../core/json';
import {
	type Checkpoint,
	watchedSince,
	HOUR_MS,
	nextSweepStart,
	type Sweep,
	type Watch,
} from './checkpoint';
import { eventKey } from '../events/query';
import { packedCount, pack, fingerprintOf, unpack } from './fingerprints';

/** What was asked of an id: its events, or none of that where the request failed. */
export interface IdResult {
	readonly id: string;
	readonly events?: readonly IDataObject[];
}

/**
 * How many events are remembered at most (and always those of the latest hour): with the default look-back 10,000 a day.
 * Beyond that the oldest are forgotten, and no sweep goes back to their time: the look-back is shorter then. With
 * 10,000 ids the whole state is under 450 KB of JSON.
 */
export const MAX_REMEMBERED = 30_000;

/** What to put out, oldest first, and what to keep. */
export interface Selection {
	readonly events: readonly IDataObject[];
	readonly checkpoint: Checkpoint;
}

/**
 * Selects the events that count and were not put out yet. The checkpoint is the current one, which may be further on
 * than the one from which the poll began; `number` is the sweep for which the poll asked.
 */
export function selectEvents(
	checkpoint: Checkpoint,
	watch: Watch,
	number: number,
	answers: readonly IdResult[],
	now: number,
): Selection {
	const floors = watchedSince(checkpoint);
	const types = new Map(Object.entries(checkpoint.types));
	const known = hoursOf(checkpoint);
	const seen = { ...checkpoint.seen };
	const oldest = checkpoint.sweep?.from ?? nextSweepStart(checkpoint, watch);
	const put: Array<{ readonly time: number; readonly event: IDataObject }> = [];
	for (const { id, events = [] } of answers) {
		const floor = Math.max(oldest, floors.get(fingerprintOf(id)) ?? Infinity);
		for (const event of events) {
			const time = timeOf(event, now);
			if (time < Math.max(floor, types.get(asText(event.event_name) ?? '') ?? 0)) continue;
			const hour = Math.floor(time / HOUR_MS);
			const print = fingerprintOf(eventKey(id, event));
			const before = known.get(print);
			if (before === undefined) put.push({ time, event });
			// An event that moved to a later time is remembered for as long as it can be asked for there.
			if (before !== undefined && before >= hour) continue;
			known.set(print, hour);
			seen[hour] = (seen[hour] ?? '') + print;
		}
	}
	put.sort((a, b) => a.time - b.time);

	const advanced = advance({ ...checkpoint, seen }, watch, number, answers);
	return { events: put.map(({ event }) => event), checkpoint: bounded(advanced, watch) };
}

/** The hour in which each remembered event happened, the latest where there are several. */
function hoursOf({ seen }: Checkpoint): Map<string, number> {
	const hours = new Map<string, number>();
	for (const hour of Object.keys(seen)
		.map(Number)
		.sort((a, b) => a - b)) {
		for (const print of unpack(seen[hour] ?? '')) hours.set(print, hour);
	}
	return hours;
}

/**
 * Marks what the poll asked, and ends the sweep when nothing is left. An id whose request failed is asked once more; when
 * it fails again, the sweep ends without moving the clock.
 */
function advance(
	checkpoint: Checkpoint,
	watch: Watch,
	number: number,
	answers: readonly IdResult[],
): Checkpoint {
	const { sweep } = checkpoint;
	if (sweep?.number !== number) return checkpoint;
	const done = new Set(unpack(sweep.done));
	const failed = new Set(unpack(sweep.failed));
	let { answered, flawed } = sweep;
	for (const { id, events } of answers) {
		const print = fingerprintOf(id);
		answered ||= events !== undefined;
		flawed ||= events === undefined && failed.has(print);
		if (events === undefined && !failed.has(print)) failed.add(print);
		else done.add(print);
	}
	const prints = watch.ids.map(fingerprintOf);
	const left = prints.filter((print) => !done.has(print));
	if (left.length === 0) {
		return { ...checkpoint, last: flawed ? checkpoint.last : sweep.start, sweep: undefined };
	}
	const under: Sweep = {
		...sweep,
		done: pack(prints.filter((print) => done.has(print))),
		failed: pack(left.filter((print) => failed.has(print))),
		answered,
		flawed,
	};
	return { ...checkpoint, sweep: under };
}

/** Forgets the events that no sweep asks for any more, and the oldest where there are too many. */
function bounded(checkpoint: Checkpoint, watch: Watch): Checkpoint {
	const oldest = Math.min(checkpoint.sweep?.from ?? Infinity, nextSweepStart(checkpoint, watch));
	const hours = Object.entries(checkpoint.seen)
		.filter(([hour]) => (Number(hour) + 1) * HOUR_MS > oldest)
		.sort(([a], [b]) => Number(b) - Number(a));
	let remembered = 0;
	const recent = hours.filter(
		([, prints], at) => (remembered += packedCount(prints)) <= MAX_REMEMBERED || at === 0,
	);
	const firstKept = recent.length < hours.length ? Number(recent.at(-1)?.[0]) * HOUR_MS : 0;
	return {
		...checkpoint,
		// Never again further back than what is remembered, also when the look-back grows.
		from: Math.max(checkpoint.from, oldest, firstKept),
		seen: Object.fromEntries(recent),
	};
}

/** A time of day at the end of a text, without an offset. JavaScript reads it in the time zone of the machine. */
const WITHOUT_OFFSET = /\d[T ]\d{2}:\d{2}[\d:.]*$/;

/** When an event happened, in UTC unless it says otherwise; one without a readable time counts as new. */
export function timeOf(event: IDataObject, now: number): number {
	const text = asText(event.event_time)?.trim() ?? '';
	const time = Date.parse(WITHOUT_OFFSET.test(text) ? `${text}Z` : text);
	return Number.isNaN(time) ? now : time;
}
