import type { IDataObject } from 'n8n-workflow';
import { textOf } from '../api/json';
import { type Checkpoint, floorsOf, HOUR_MS, nextFrom, type Sweep, type Watch } from './checkpoint';
import { countIn, packed, printOf, unpacked } from './prints';

/** What a poll found: for each id that it asked its events, or none where the request failed. */
export interface Findings {
	/** The sweep for which it asked. */
	readonly sweep: number;
	readonly answers: ReadonlyArray<{
		readonly id: string;
		readonly events?: readonly IDataObject[];
	}>;
	/** Whether it asked again what had failed, and nothing else was left. */
	readonly lastTry: boolean;
}

/**
 * How many events are remembered at most, 30,000 with the default look-back being 10,000 a day. Beyond that the oldest
 * are forgotten, and no sweep goes back to their time: the look-back is shorter then.
 */
export const MOST_REMEMBERED = 30_000;

/** What to put out, oldest first, and what to keep. */
export interface Selection {
	readonly events: readonly IDataObject[];
	readonly checkpoint: Checkpoint;
}

/**
 * Selects the events that count and were not put out yet. The checkpoint is the current one, which may be further on
 * than the one from which the poll began.
 */
export function selected(
	checkpoint: Checkpoint,
	watch: Watch,
	{ sweep: number, answers, lastTry }: Findings,
	now: number,
): Selection {
	const floors = floorsOf(checkpoint);
	const known = new Set(Object.values(checkpoint.seen).flatMap(unpacked));
	const fresh = new Map<string, string[]>();
	const oldest = checkpoint.sweep?.from ?? nextFrom(checkpoint, watch);
	const put: Array<{ readonly time: number; readonly event: IDataObject }> = [];
	for (const { id, events = [] } of answers) {
		const floor = floors.get(printOf(id)) ?? Infinity;
		for (const event of events) {
			const time = timeOf(event, now);
			const since = Math.max(floor, checkpoint.types[textOf(event.event_name) ?? ''] ?? 0, oldest);
			const hour = String(Math.floor(time / HOUR_MS));
			const print = printOf(textOf(event.event_id) ?? JSON.stringify(event));
			if (time < since || known.has(print)) continue;
			known.add(print);
			fresh.set(hour, [...(fresh.get(hour) ?? []), print]);
			put.push({ time, event });
		}
	}
	put.sort((a, b) => a.time - b.time);

	const seen = { ...checkpoint.seen };
	for (const [hour, prints] of fresh) seen[hour] = (seen[hour] ?? '') + packed(prints);
	const findings = { sweep: number, answers, lastTry };
	const advanced = advance({ ...checkpoint, seen }, watch, findings);
	return { events: put.map(({ event }) => event), checkpoint: bounded(advanced, watch) };
}

/** Marks what the poll asked; when all of the sweep was asked, ends it. A failure leaves the clock where it was. */
function advance(checkpoint: Checkpoint, watch: Watch, findings: Findings): Checkpoint {
	const { sweep } = checkpoint;
	if (sweep?.number !== findings.sweep) return checkpoint;
	const done = new Set(unpacked(sweep.done));
	const failed = new Set(unpacked(sweep.failed));
	for (const { id, events } of findings.answers) {
		const print = printOf(id);
		if (events === undefined) failed.add(print);
		else done.add(print);
	}
	const prints = watch.ids.map(printOf);
	const left = prints.filter((print) => !done.has(print));
	if (left.length === 0) return { ...checkpoint, last: sweep.start, sweep: undefined };
	if (findings.lastTry && left.every((print) => failed.has(print))) {
		return { ...checkpoint, sweep: undefined };
	}
	const under: Sweep = {
		...sweep,
		done: packed(prints.filter((print) => done.has(print))),
		failed: packed(left.filter((print) => failed.has(print))),
	};
	return { ...checkpoint, sweep: under };
}

/** Forgets the events that no sweep asks for any more, and the oldest where there are too many. */
function bounded(checkpoint: Checkpoint, watch: Watch): Checkpoint {
	const oldest = Math.min(checkpoint.sweep?.from ?? Infinity, nextFrom(checkpoint, watch));
	const hours = Object.entries(checkpoint.seen)
		.filter(([hour]) => (Number(hour) + 1) * HOUR_MS > oldest)
		.sort(([a], [b]) => Number(b) - Number(a));
	let remembered = 0;
	const recent = hours.filter(([, prints]) => (remembered += countIn(prints)) <= MOST_REMEMBERED);
	const firstKept = recent.length < hours.length ? recent.at(-1)?.[0] : undefined;
	const from = firstKept === undefined ? checkpoint.from : Number(firstKept) * HOUR_MS;
	return {
		...checkpoint,
		from: Math.max(checkpoint.from, from),
		seen: Object.fromEntries(recent),
	};
}

/** When an event happened; one without a readable time counts as new. */
export function timeOf(event: IDataObject, now: number): number {
	const time = Date.parse(textOf(event.event_time) ?? '');
	return Number.isNaN(time) ? now : time;
}
