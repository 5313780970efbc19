/** Tests the simulation: with any of these bugs in the trigger, some history goes wrong. */
import { actual, mutantsOf } from './mutation';
import { HOUR_MS } from '../../../nodes/BusinessProspectData/parameters/dates';
import type * as checkpoints from '../../../nodes/BusinessProspectData/trigger/events/checkpoint';
import type * as memories from '../../../nodes/BusinessProspectData/trigger/memory';
import type * as selections from '../../../nodes/BusinessProspectData/trigger/events/selection';
import {
	type EventsCheckpoint,
	CLOCK_SLACK_MS,
} from '../../../nodes/BusinessProspectData/trigger/events/checkpoint';
import {
	fingerprintOf,
	pack,
	unpack,
} from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import {
	createEventsRunner,
	type EventsPollResult,
	type EventsPollRun,
} from '../../../nodes/BusinessProspectData/trigger/events/poll';
import { goesWrong } from './histories';
import { anyHistory } from './history';
import { type NewProcess, Simulation } from './simulation';

/** The functions of a poll. A mutant replaces some of them. */
type Rules = Pick<typeof checkpoints, 'openEventsCheckpoint' | 'withSweep' | 'remainingIds'> &
	Pick<typeof selections, 'selectEvents'>;

const original: Rules & Pick<typeof memories, 'createMemory'> = {
	...actual<typeof checkpoints>('events/checkpoint'),
	...actual<typeof memories>('memory'),
	...actual<typeof selections>('events/selection'),
};

const { mutate, rules, common } = mutantsOf<Rules, EventsPollRun, EventsPollResult>(
	createEventsRunner,
	original,
	{ events: [], succeeded: true },
);

/** Changes what a poll saves. */
const saving = (
	change: (
		after: EventsCheckpoint,
		before: EventsCheckpoint,
		...rest: [...Parameters<Rules['selectEvents']>]
	) => EventsCheckpoint,
): NewProcess =>
	rules({
		selectEvents(...input) {
			const { events, checkpoint } = original.selectEvents(...input);
			return { events, checkpoint: change(checkpoint, input[0], ...input) };
		},
	});

/** Changes the results from which a poll selects events. */
const selecting = (
	change: (...input: Parameters<Rules['selectEvents']>) => readonly selections.IdResult[],
): NewProcess =>
	rules({
		selectEvents: (...input) => {
			const [checkpoint, watch, sweepNumber, , now] = input;
			return original.selectEvents(checkpoint, watch, sweepNumber, change(...input), now);
		},
	});

const opening = (
	change: (opened: EventsCheckpoint, now: number) => Partial<EventsCheckpoint>,
): NewProcess =>
	rules({
		openEventsCheckpoint(saved, watch, now) {
			const opened = original.openEventsCheckpoint(saved, watch, now);
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
	'moves the clock to the end of the sweep': saving(
		(after, { lastSweepStart: last }, _checkpoint, _watch, _sweepNumber, _results, now) =>
			after.lastSweepStart > last ? { ...after, lastSweepStart: now } : after,
	),
	'moves the clock after each poll': saving((after, { sweep }) => ({
		...after,
		lastSweepStart: sweep?.start ?? after.lastSweepStart,
	})),
	'treats a failed request as a result without events': selecting(
		(_checkpoint, _watch, _sweepNumber, results) =>
			results.map(({ id, events = [] }) => ({ id, events })),
	),
	'holds up all IDs until those that failed succeed': saving(
		(after, before, _checkpoint, _watch, _sweepNumber, results) => {
			const failed = results.flatMap(({ id, events }) => (events === undefined ? [id] : []));
			if (failed.length === 0 || !endsSweep(after, before)) return after;
			const done = Object.values(after.watched)
				.flatMap(unpack)
				.filter((fingerprint) => !failed.map(fingerprintOf).includes(fingerprint));
			return { ...after, ...(before.sweep && { sweep: { ...before.sweep, done: pack(done) } }) };
		},
	),
	'treats IDs as queried when the time ran out': selecting(
		(_checkpoint, watch, _sweepNumber, results) => [
			...results,
			...watch.ids.map((id) => ({ id, events: [] })),
		],
	),
	'queries only the first IDs': rules({
		remainingIds: (_, { ids }) => [...ids],
	}),
	'forgets events too early': saving(
		(after, _before, _checkpoint, { lookbackMs }, _sweepNumber, _results, now) => ({
			...after,
			seen: seenWithout(after, (hour) => hour * HOUR_MS < now - lookbackMs),
		}),
	),
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
		withSweep(checkpoint, watch, now) {
			const lookbackMs = watch.lookbackMs - CLOCK_SLACK_MS;
			return original.withSweep(checkpoint, { ...watch, lookbackMs }, now);
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
		openEventsCheckpoint(saved, watch, now) {
			const before = saved as EventsCheckpoint | undefined;
			const known = new Set(Object.values(before?.watched ?? {}).flatMap(unpack));
			const isSame = watch.ids.every((id) => known.has(fingerprintOf(id)));
			return original.openEventsCheckpoint(isSame ? saved : undefined, watch, now);
		},
	}),
	'ends a check with the list with which it began': mutate(() => {
		let initial: readonly string[] = [];
		return {
			remainingIds(checkpoint, watch) {
				initial = watch.ids.map(fingerprintOf);
				return original.remainingIds(checkpoint, watch);
			},
			selectEvents(...input) {
				const { events, checkpoint } = original.selectEvents(...input);
				const watched = Object.entries(checkpoint.watched).map(([moment, packed]) => [
					moment,
					pack(unpack(packed).filter((fingerprint) => initial.includes(fingerprint))),
				]);
				return { events, checkpoint: { ...checkpoint, watched: Object.fromEntries(watched) } };
			},
		};
	}),
	'identifies events by their own ID alone': mutate(() => {
		const owners = new Map<unknown, string>();
		return {
			selectEvents(checkpoint, watch, sweepNumber, results, now) {
				const first = results.map(({ id, events }) => ({
					id,
					events: events?.filter(({ event_id }) => {
						const owner = owners.get(event_id) ?? id;
						owners.set(event_id, owner);
						return owner === id;
					}),
				}));
				return original.selectEvents(checkpoint, watch, sweepNumber, first, now);
			},
		};
	}),
};

test.each(Object.entries(MUTANTS))('detects a trigger that %s', async (_, newProcess) => {
	expect(await goesWrong(anyHistory, (history) => new Simulation(history, newProcess))).toBe(true);
});
