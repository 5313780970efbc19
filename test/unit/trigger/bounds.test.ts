/** How large the state grows. */
import { HOUR_MS } from '../../../nodes/BusinessProspectData/parameters/dates';
import type { IDataObject } from 'n8n-workflow';
import {
	type EventsCheckpoint,
	openEventsCheckpoint,
	type EventsWatch,
} from '../../../nodes/BusinessProspectData/trigger/events/state';
import { packedCount } from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import { SOFT_MAX_REMEMBERED_EVENTS } from '../../../nodes/BusinessProspectData/trigger/events/state';
import { BEGIN, DAY } from './history';
import { createEventsRunner } from './runners';
import { selectEvents, withSweep } from './states';

const watchOf = (ids: number): EventsWatch => ({
	entityType: 'prospect',
	ids: Array.from({ length: ids }, (_, index) => `id-${index}`),
	types: ['type'],
	lookbackMs: 72 * HOUR_MS,
});

const eventAt = (time: number, id: string) => ({
	event_id: id,
	event_name: 'type',
	event_time: new Date(time).toISOString(),
});

const rememberedIn = ({ seen }: EventsCheckpoint): number =>
	Object.values(seen).reduce((sum, packed) => sum + packedCount(packed), 0);

const sizeOf = (checkpoint: unknown): number => JSON.stringify(checkpoint).length;

test('after 90 days of 1,000 events a day it remembers those of the lookback window, and has output each once', async () => {
	const EVERY = 3 * HOUR_MS;
	const PER_POLL = 125;
	const watch = { ...watchOf(100), startFrom: BEGIN };
	const state: IDataObject = {};
	const runPoll = createEventsRunner();
	let now = BEGIN;
	const recent: IDataObject[] = [];
	const sizes: number[] = [];
	let count = 0;
	for (let poll = 0; poll < (90 * DAY) / EVERY; poll++) {
		now += EVERY;
		for (let index = 0; index < PER_POLL; index++) {
			recent.push(eventAt(now - (index * EVERY) / PER_POLL, `${poll}-${index}`));
		}
		const polled = await runPoll({
			nodeKey: 'node',
			staticData: state,
			watch,
			limit: 100,
			now: () => now,
			fetch: async ({ ids, from }) => {
				while (Date.parse(String(recent[0]?.event_time)) < from) recent.shift();
				return {
					results: ids.map((id, index) => ({ id, events: index === 0 ? recent : [] })),
				};
			},
		});
		count += polled?.result.rows.length ?? 0;
		sizes.push(sizeOf(state));
	}

	// Three days, the hour of slack, and the time since the last poll.
	const remembered = rememberedIn(state.checkpoint as unknown as EventsCheckpoint);
	expect(remembered).toBeGreaterThan(3_000);
	expect(remembered).toBeLessThan(3_000 + 4 * PER_POLL);
	expect(Math.max(...sizes)).toBeLessThan(40_000);
	expect(sizes.at(-1)).toBeLessThan(1.05 * (sizes[sizes.length / 3] ?? 0));
	expect(count).toBe((90 * DAY * PER_POLL) / EVERY);
});

test('with 10,000 IDs and 40,000 events it is under 500 KB within the sweep, and under 450 KB after it', () => {
	const watch = watchOf(10_000);
	const before = openEventsCheckpoint(undefined, watch, BEGIN);
	const now = BEGIN + 73 * HOUR_MS;
	const results = watch.ids.slice(0, 9_960).map((id, index) => ({
		id,
		events: [1, 2, 3, 4].map((number) =>
			eventAt(BEGIN + (index % 72) * HOUR_MS, `${index}-${number}`),
		),
	}));
	const planned = withSweep(before, watch, now);

	const { events, checkpoint } = selectEvents(planned, watch, planned.sweep.number, results, now);

	expect(events).toHaveLength(39_840);
	expect(checkpoint.sweep).toBeDefined();
	expect(sizeOf(checkpoint)).toBeLessThan(500_000);

	const rest = watch.ids.slice(9_960).map((id) => ({ id, events: [] }));
	const after = selectEvents(checkpoint, watch, planned.sweep.number, rest, now).checkpoint;
	expect(after.sweep).toBeUndefined();
	expect(rememberedIn(after)).toBeLessThanOrEqual(SOFT_MAX_REMEMBERED_EVENTS);
	expect(sizeOf(after)).toBeLessThan(450_000);
});
