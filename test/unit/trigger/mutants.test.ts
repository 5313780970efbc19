/** Tests the simulation: with any of these bugs in the trigger, some history goes wrong. */
import { HOUR_MS } from '../../../nodes/BusinessProspectData/parameters/dates';
import {
	CLOCK_SLACK_MS,
	type EventsCheckpoint,
	eventsState as original,
	type EventsWatch,
	type IdResult,
} from '../../../nodes/BusinessProspectData/trigger/events/state';
import {
	fingerprintOf,
	pack,
	unpack,
} from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import { goesWrong } from './histories';
import { anyHistory } from './history';
import { mutantsOf } from './mutation';
import { createEventsRunner } from './runners';
import { type NewProcess, Simulation } from './simulation';

const { mutate, rules, common } = mutantsOf(createEventsRunner);

/** What a poll selects from. */
interface Received {
	readonly results: readonly IdResult[];
	readonly watch: EventsWatch;
	readonly now: number;
}

/** Changes what a poll saves. */
const saving = (
	change: (
		after: EventsCheckpoint,
		before: EventsCheckpoint,
		received: Received,
	) => EventsCheckpoint,
): NewProcess =>
	rules({
		select(before, job, { results }, watch, now) {
			const selected = original.select(before, job, { results }, watch, now);
			const checkpoint = change(selected.checkpoint, before, { results, watch, now });
			return { ...selected, checkpoint };
		},
	});

/** Changes the results from which a poll selects events. */
const selecting = (change: (received: Received) => readonly IdResult[]): NewProcess =>
	rules({
		select(checkpoint, job, { results }, watch, now) {
			const changed = { results: change({ results, watch, now }) };
			return original.select(checkpoint, job, changed, watch, now);
		},
	});

const opening = (
	change: (opened: EventsCheckpoint, now: number) => Partial<EventsCheckpoint>,
): NewProcess =>
	rules({
		open(saved, watch, now) {
			const opened = original.open(saved, watch, now);
			return { ...opened, ...change(opened, now) };
		},
	});

const allIdsSince = ({ watched }: EventsCheckpoint, moment: number) => ({
	watched: { [moment]: Object.values(watched).join('') },
});

const seenWithout = (
	{ seen }: EventsCheckpoint,
	isForgotten: (hour: number, fingerprint: string) => boolean,
): Record<string, string> =>
	Object.fromEntries(
		Object.entries(seen).map(([hour, packed]) => [
			hour,
			pack(unpack(packed).filter((fingerprint) => !isForgotten(Number(hour), fingerprint))),
		]),
	);

const endsSweep = (after: EventsCheckpoint, before: EventsCheckpoint) =>
	before.sweep !== undefined && after.sweep === undefined;

const MUTANTS: Record<string, NewProcess> = {
	...common,
	'moves the clock despite a failed request': saving((after, before) => ({
		...after,
		lastSweepStart: endsSweep(after, before) ? (before.sweep?.start ?? 0) : after.lastSweepStart,
	})),
	'moves the clock to the end of the sweep': saving((after, { lastSweepStart: last }, { now }) =>
		after.lastSweepStart > last ? { ...after, lastSweepStart: now } : after,
	),
	'moves the clock after each poll': saving((after, { sweep }) => ({
		...after,
		lastSweepStart: sweep?.start ?? after.lastSweepStart,
	})),
	'treats a failed request as a result without events': selecting(({ results }) =>
		results.map(({ id, events = [] }) => ({ id, events })),
	),
	'holds up all IDs until those that failed succeed': saving((after, before, { results }) => {
		const failed = results.flatMap(({ id, events }) => (events === undefined ? [id] : []));
		if (failed.length === 0 || !endsSweep(after, before)) return after;
		const done = Object.values(after.watched)
			.flatMap(unpack)
			.filter((fingerprint) => !failed.map(fingerprintOf).includes(fingerprint));
		return { ...after, ...(before.sweep && { sweep: { ...before.sweep, done: pack(done) } }) };
	}),
	'treats IDs as queried when the time ran out': selecting(({ results, watch }) => [
		...results,
		...watch.ids.map((id) => ({ id, events: [] })),
	]),
	'queries only the first IDs': rules({
		plan(checkpoint, maxIds, watch, now) {
			const planned = original.plan(checkpoint, maxIds, watch, now);
			return { ...planned, job: { ...planned.job, ids: watch.ids.slice(0, maxIds) } };
		},
	}),
	'forgets events too early': saving((after, _before, { watch: { lookbackMs }, now }) => ({
		...after,
		seen: seenWithout(after, (hour) => hour * HOUR_MS < now - lookbackMs),
	})),
	'forgets events that move to a later time': saving((after, before) => {
		const known = new Set(Object.values(before.seen).flatMap(unpack));
		const seen = seenWithout(
			after,
			(hour, fingerprint) => known.has(fingerprint) && !before.seen[hour]?.includes(fingerprint),
		);
		return { ...after, seen };
	}),
	'queries what it has forgotten': opening(() => ({ earliestFrom: 0 })),
	'trusts the clock': rules({
		plan(checkpoint, maxIds, watch, now) {
			const lookbackMs = watch.lookbackMs - CLOCK_SLACK_MS;
			return original.plan(checkpoint, maxIds, { ...watch, lookbackMs }, now);
		},
	}),
	'outputs the past of IDs': opening((opened) => allIdsSince(opened, 0)),
	'watches all IDs from now on when one is added': opening((opened, now) => {
		const [first = now, ...others] = Object.keys(opened.watched).map(Number);
		return others.length === 0 ? {} : allIdsSince(opened, Math.max(first, ...others));
	}),
	'outputs the past of event types': opening(({ types }) => ({
		types: Object.fromEntries(Object.keys(types).map((type) => [type, 0])),
	})),
	'resets itself with each new list': rules({
		open(saved, watch, now) {
			const before = saved as EventsCheckpoint | undefined;
			const known = new Set(Object.values(before?.watched ?? {}).flatMap(unpack));
			const isSame = watch.ids.every((id) => known.has(fingerprintOf(id)));
			return original.open(isSame ? saved : undefined, watch, now);
		},
	}),
	'ends a check with the list with which it began': mutate(() => {
		let initial: readonly string[] = [];
		return {
			plan(checkpoint, maxIds, watch, now) {
				initial = watch.ids.map(fingerprintOf);
				return original.plan(checkpoint, maxIds, watch, now);
			},
			select(...input) {
				const { result, checkpoint } = original.select(...input);
				const watched = Object.entries(checkpoint.watched).map(([moment, packed]) => [
					moment,
					pack(unpack(packed).filter((fingerprint) => initial.includes(fingerprint))),
				]);
				return { result, checkpoint: { ...checkpoint, watched: Object.fromEntries(watched) } };
			},
		};
	}),
	'identifies events by their own ID alone': mutate(() => {
		const owners = new Map<unknown, string>();
		return {
			select(checkpoint, job, { results }, watch, now) {
				const first = results.map(({ id, events }) => ({
					id,
					events: events?.filter(({ event_id }) => {
						const owner = owners.get(event_id) ?? id;
						owners.set(event_id, owner);
						return owner === id;
					}),
				}));
				return original.select(checkpoint, job, { results: first }, watch, now);
			},
		};
	}),
};

test.each(Object.entries(MUTANTS))('detects a trigger that %s', async (_, newProcess) => {
	expect(await goesWrong(anyHistory, (history) => new Simulation(history, newProcess))).toBe(true);
});
