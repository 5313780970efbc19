/** How large the state grows, and what becomes of the trigger when it would grow larger. */
import type { IDataObject } from 'n8n-workflow';
import {
	type Checkpoint,
	HOUR_MS,
	openCheckpoint,
	withSweep,
	type Watch,
} from '../../../nodes/BusinessProspectData/trigger/checkpoint';
import { packedCount } from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import {
	type IdResult,
	MAX_REMEMBERED,
	selectEvents,
} from '../../../nodes/BusinessProspectData/trigger/selection';
import { createPollRunner } from '../../../nodes/BusinessProspectData/trigger/pollRun';
import { BEGIN, DAY } from './history';

const watching = (ids: number, lookBack = 72 * HOUR_MS): Watch => ({
	source: 'prospect',
	ids: Array.from({ length: ids }, (_, number) => `id-${number}`),
	types: ['type'],
	lookbackMs: lookBack,
});

const eventAt = (time: number, id: string) => ({
	event_id: id,
	event_name: 'type',
	event_time: new Date(time).toISOString(),
});

const rememberedIn = ({ seen }: Checkpoint): number =>
	Object.values(seen).reduce((sum, prints) => sum + packedCount(prints), 0);

const sizeOf = (checkpoint: unknown): number => JSON.stringify(checkpoint).length;

/** One sweep over all ids in one poll. */
function swept(state: unknown, watch: Watch, answers: readonly IdResult[], now: number) {
	const planned = withSweep(openCheckpoint(state, watch, now), watch, now);
	const rest = watch.ids.map((id) => ({ id, events: [] }));
	const all = [...answers, ...rest.slice(answers.length)];
	return selectEvents(planned, watch, planned.sweep.number, all, now);
}

test('after 90 days of 1,000 events a day it holds those of the look-back, and each came once', async () => {
	const EVERY = 3 * HOUR_MS;
	const PER_POLL = 125;
	const watch = { ...watching(100), startFrom: BEGIN };
	const state: IDataObject = {};
	const takeTurn = createPollRunner();
	let now = BEGIN;
	const recent: IDataObject[] = [];
	const sizes: number[] = [];
	let out = 0;
	for (let poll = 0; poll < (90 * DAY) / EVERY; poll++) {
		now += EVERY;
		for (let nth = 0; nth < PER_POLL; nth++) {
			recent.push(eventAt(now - (nth * EVERY) / PER_POLL, `${poll}-${nth}`));
		}
		const { events } = await takeTurn({
			key: 'node',
			state,
			watch,
			most: 100,
			now: () => now,
			ask: async (ids, from) => {
				while (Date.parse(String(recent[0]?.event_time)) < from) recent.shift();
				return ids.map((id, nth) => ({ id, events: nth === 0 ? recent : [] }));
			},
		});
		out += events.length;
		sizes.push(sizeOf(state));
	}

	// Three days, the hour of slack, and what has happened since the last poll.
	const remembered = rememberedIn(state.checkpoint as unknown as Checkpoint);
	expect(remembered).toBeGreaterThan(3_000);
	expect(remembered).toBeLessThan(3_000 + 4 * PER_POLL);
	expect(Math.max(...sizes)).toBeLessThan(40_000);
	expect(sizes.at(-1)).toBeLessThan(1.05 * (sizes[sizes.length / 3] ?? 0));
	expect(out).toBe((90 * DAY * PER_POLL) / EVERY);
});

test('with 10,000 ids and all events that it remembers at most it is under 512 KB, also within a sweep', () => {
	const watch = watching(10_000);
	const before = openCheckpoint(undefined, watch, BEGIN);
	const now = BEGIN + 73 * HOUR_MS;
	const answers = watch.ids.slice(0, 9_960).map((id, nth) => ({
		id,
		events: [1, 2, 3, 4].map((which) => eventAt(BEGIN + (nth % 72) * HOUR_MS, `${nth}-${which}`)),
	}));
	const planned = withSweep(before, watch, now);

	const { events, checkpoint } = selectEvents(planned, watch, planned.sweep.number, answers, now);

	expect(events).toHaveLength(39_840);
	expect(checkpoint.sweep).toBeDefined();
	expect(rememberedIn(checkpoint)).toBeLessThanOrEqual(MAX_REMEMBERED);
	expect(sizeOf(checkpoint)).toBeLessThan(450_000);
});

test('more events than it can remember shorten the look-back, and none comes twice', () => {
	const watch = watching(1);
	const now = BEGIN + 71 * HOUR_MS;
	const events = Array.from({ length: 40_000 }, (_, nth) =>
		eventAt(BEGIN + (nth % 71) * HOUR_MS, `${nth}`),
	);
	const answers = [{ id: 'id-0', events }];
	const first = swept(openCheckpoint(undefined, watch, BEGIN), watch, answers, now);
	expect(first.events).toHaveLength(40_000);

	const late = eventAt(now - HOUR_MS, 'late');
	const again = [{ id: 'id-0', events: [...events, late] }];
	const second = swept(first.checkpoint, watch, again, now + HOUR_MS);

	expect(second.events).toEqual([late]);
	expect(second.checkpoint.from).toBeGreaterThan(BEGIN);
});

test('more events in one hour than it is to remember are remembered all the same', () => {
	const watch = watching(1);
	const events = Array.from({ length: 31_000 }, (_, nth) => eventAt(BEGIN, `${nth}`));
	const answers = [{ id: 'id-0', events }];
	const first = swept(openCheckpoint(undefined, watch, BEGIN), watch, answers, BEGIN + 1);

	expect(first.events).toHaveLength(31_000);
	expect(swept(first.checkpoint, watch, answers, BEGIN + 2).events).toEqual([]);
});

test('an event without a readable time comes once, however long it stays', () => {
	const watch = watching(1);
	const answers = [{ id: 'id-0', events: [{ event_id: 'a', event_name: 'type' }] }];
	let state: Checkpoint = openCheckpoint(undefined, watch, BEGIN);
	let out = 0;
	for (let day = 0; day < 20; day++) {
		const { events, checkpoint } = swept(state, watch, answers, BEGIN + day * DAY);
		out += events.length;
		state = checkpoint;
	}

	expect(out).toBe(1);
	expect(rememberedIn(state)).toBeLessThan(6);
});

test('events come oldest first', () => {
	const watch = watching(2);
	const answers = [
		{ id: 'id-0', events: [eventAt(BEGIN + 2, 'b'), eventAt(BEGIN + 3, 'c')] },
		{ id: 'id-1', events: [eventAt(BEGIN + 1, 'a'), eventAt(BEGIN + 4, 'd')] },
	];

	const { events } = swept(openCheckpoint(undefined, watch, BEGIN), watch, answers, BEGIN + 9);

	expect(events.map(({ event_id }) => event_id)).toEqual(['a', 'b', 'c', 'd']);
});

test('a clock that was wrong by a year does not stop the trigger once it is right again', () => {
	const watch = watching(1);
	const wrong = BEGIN + 365 * DAY;
	let state: Checkpoint = swept(undefined, watch, [], BEGIN).checkpoint;
	for (let poll = 0; poll < 3; poll++) state = swept(state, watch, [], wrong + poll).checkpoint;

	const event = eventAt(BEGIN + DAY, 'a');
	const added = watching(2);
	const { events, checkpoint } = swept(
		swept(state, added, [], wrong + 4).checkpoint,
		added,
		[{ id: 'id-0', events: [event] }],
		BEGIN + DAY + 1,
	);
	expect(events).toEqual([event]);

	const later = eventAt(BEGIN + 2 * DAY, 'b');
	const both = added.ids.map((id) => ({ id, events: [event, { ...later, event_id: id }] }));
	expect(
		swept(checkpoint, added, both, BEGIN + 2 * DAY + 1).events.map(({ event_id }) => event_id),
	).toEqual(['id-0', 'id-1']);
});

test.each([
	['text', 'x'],
	['nothing', {}],
	['another resource', { ...openCheckpoint(undefined, watching(1), BEGIN), source: 'business' }],
])('a saved state that is %s is none', (_, saved) => {
	const watch = watching(1);

	expect(openCheckpoint(saved, watch, BEGIN + 5)).toEqual(
		openCheckpoint(undefined, watch, BEGIN + 5),
	);
});
