/** Which events a poll outputs, and which state it saves. Jest runs in a time zone that is not UTC. */
import { HOUR_MS } from '../../../nodes/BusinessProspectData/parameters/dates';
import type { IDataObject } from 'n8n-workflow';
import {
	type EventsCheckpoint,
	openEventsCheckpoint,
	type EventsWatch,
	type IdResult,
} from '../../../nodes/BusinessProspectData/trigger/events/state';
import { eventKey, timeOf } from '../../../nodes/BusinessProspectData/events/query';
import {
	fingerprintOf,
	pack,
	unpack,
} from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import {
	FIRST_SWEEP,
	FROM,
	NOW,
	REACH_MS,
	selectEvents,
	stateAfterSweep,
	watch,
	withSweep,
} from './states';

const planned = withSweep(stateAfterSweep(), watch, NOW);

describe('the sweep', () => {
	const results = (...failing: string[]): IdResult[] =>
		watch.ids.map((id) => (failing.includes(id) ? { id } : { id, events: [] }));
	const after = (before: EventsCheckpoint, resultsOfPoll: IdResult[]) =>
		selectEvents(before, watch, 2, resultsOfPoll, NOW).checkpoint;

	test('ends with the last ID, and moves the clock to its start', () => {
		const { sweep, lastSweepStart } = after(planned, results());

		expect([sweep, lastSweepStart]).toEqual([undefined, NOW]);
	});

	test('continues while IDs are pending', () => {
		const { sweep, lastSweepStart } = after(planned, results().slice(0, 1));

		expect(lastSweepStart).toBe(FIRST_SWEEP);
		expect(sweep).toMatchObject({ done: fingerprintOf('a'), partial: false });
	});

	test('counts an ID as queried even if it failed, and then ends without moving the clock', () => {
		const once = after(planned, results('a').slice(0, 2));

		expect(once.sweep).toMatchObject({ done: pack(['a', 'b'].map(fingerprintOf)), partial: true });
		expect(after(once, [{ id: 'c', events: [] }])).toMatchObject({
			lastSweepStart: FIRST_SWEEP,
			sweep: undefined,
		});
	});

	test('ignores the results of another sweep', () => {
		const { sweep } = selectEvents(planned, watch, 1, results(), NOW).checkpoint;
		expect(sweep).toEqual(planned.sweep);

		const { sweep: none } = selectEvents(stateAfterSweep(), watch, 2, results(), NOW).checkpoint;
		expect(none).toBeUndefined();
	});
});

const event = (id: string, time: number | string, name = 'changed'): IDataObject => ({
	event_id: id,
	event_name: name,
	event_time: typeof time === 'number' ? new Date(time).toISOString() : time,
});

const idsIn = (events: readonly IDataObject[]) => events.map(({ event_id: id }) => id);

/** The number of remembered events by hour. */
const seenIn = ({ seen }: Pick<EventsCheckpoint, 'seen'>) =>
	Object.entries(seen).map(([hour, packed]) => [Number(hour) * HOUR_MS, unpack(packed).length]);

const seenInSweep = ({ sweep }: EventsCheckpoint) => sweep && seenIn(sweep);

describe('the events', () => {
	const select = (events: IDataObject[], before: EventsCheckpoint = planned, id = 'a') =>
		selectEvents(before, watch, 2, [{ id, events }], NOW);

	test('are output once, oldest first', () => {
		const [early, late] = [event('1', NOW - HOUR_MS), event('2', NOW)];
		const first = select([late, early, late]);

		expect(idsIn(first.events)).toEqual(['1', '2']);
		expect(select([late, early], first.checkpoint).events).toEqual([]);
	});

	test('without an ID are identified by their content', () => {
		const bare = { event_name: 'changed', event_time: new Date(NOW).toISOString() };
		const other = { ...bare, data: 1 };

		expect(select([bare, other, { ...bare }]).events).toEqual([bare, other]);
	});

	test('without a readable time count as new', () => {
		const { events, checkpoint } = select([
			event('1', 'soon'),
			{ event_id: '2', event_name: 'moved' },
		]);

		expect(idsIn(events)).toEqual(['1', '2']);
		expect(seenInSweep(checkpoint)).toEqual([[NOW, 2]]);
	});

	test.each([
		['at the lower bound of the sweep', FROM, true],
		['a millisecond before', FROM - 1, false],
	])('%s: output is %s', (_when, time, isOutput) => {
		expect(select([event('1', time)]).events).toHaveLength(isOutput ? 1 : 0);
	});

	test('are output since the lower bound of the running sweep, even if Look Back becomes shorter', () => {
		const edited = { ...watch, lookbackMs: 0 };

		expect(
			selectEvents(planned, edited, 2, [{ id: 'a', events: [event('1', FROM)] }], NOW).events,
		).toHaveLength(1);
	});

	test('of an added ID or type are output since it was added', () => {
		const at = NOW - HOUR_MS;
		const edited: EventsWatch = { ...watch, ids: ['a', 'd'], types: ['changed', 'new'] };
		const state = withSweep(openEventsCheckpoint(stateAfterSweep(), edited, at), edited, NOW);
		const outputOf = (id: string, name: string) => {
			const events = [event('old', at - 1, name), event('now', at, name)];
			return idsIn(selectEvents(state, edited, 2, [{ id, events }], NOW).events);
		};

		expect(outputOf('a', 'changed')).toEqual(['old', 'now']);
		expect(outputOf('d', 'changed')).toEqual(['now']);
		expect(outputOf('a', 'new')).toEqual(['now']);
		expect(outputOf('b', 'changed')).toEqual([]);
	});

	test('whose time moves forward are remembered there, and not output again', () => {
		const first = select([event('1', NOW - 8 * HOUR_MS)]);
		const moved = select([event('1', NOW - HOUR_MS)], first.checkpoint);

		expect(moved.events).toEqual([]);
		expect(seenInSweep(moved.checkpoint)).toEqual([[NOW - HOUR_MS, 1]]);
		const both = [event('1', NOW - HOUR_MS), event('1', NOW - 8 * HOUR_MS)];
		const again = select(both, moved.checkpoint).checkpoint;
		expect(seenInSweep(again)).toEqual([[NOW - HOUR_MS, 1]]);
	});

	test('of an earlier sweep whose time moves forward move to the running sweep', () => {
		const hour = NOW / HOUR_MS;
		const seen = { [hour - 8]: fingerprintOf(eventKey('a', event('1', 0))) };
		const { events, checkpoint } = select([event('1', NOW)], { ...planned, seen });

		expect(events).toEqual([]);
		expect([seenIn(checkpoint), seenInSweep(checkpoint)]).toEqual([[], [[NOW, 1]]]);
	});

	test('of a sweep are remembered with those of earlier ones when it ends', () => {
		const hour = NOW / HOUR_MS;
		const seen = { [hour]: fingerprintOf('x') };
		const results = watch.ids.map((id) => ({ id, events: [event(id, NOW)] }));
		const { checkpoint } = selectEvents({ ...planned, seen }, watch, 2, results, NOW);

		expect(checkpoint.sweep).toBeUndefined();
		expect(seenIn(checkpoint)).toEqual([[NOW, 4]]);
	});

	test('are forgotten an hour after the last sweep that covers them', () => {
		const oldest = NOW - REACH_MS;
		const seen = Object.fromEntries(
			[0, 1, 2].map((hours) => [oldest / HOUR_MS - hours, fingerprintOf(`${hours}`)]),
		);

		const { checkpoint } = selectEvents({ ...stateAfterSweep(NOW), seen }, watch, 2, [], NOW);

		expect(seenIn(checkpoint)).toEqual([[oldest, 1]]);
		expect(checkpoint.earliestFrom).toBe(oldest);
	});
});

describe('too many events to remember', () => {
	const packed = (count: number, first = 0) =>
		pack(Array.from({ length: count }, (_, index) => fingerprintOf(`event ${first + index}`)));
	const hour = NOW / HOUR_MS;
	/** `agos` are the hours before `hour`; the last sweep started an hour ago. */
	const remembered = (count: number, agos: readonly number[]) => {
		const seen = Object.fromEntries(
			agos.map((ago, index) => [hour - ago, packed(count, index * count)]),
		);
		const state = { ...stateAfterSweep(NOW), earliestFrom: NOW - REACH_MS, seen };
		const { checkpoint } = selectEvents(state, watch, 2, [], NOW);
		return {
			agos: Object.keys(checkpoint.seen).map((kept) => hour - Number(kept)),
			from: checkpoint.earliestFrom,
		};
	};

	test.each([
		[10_000, [4, 3, 2], NOW - REACH_MS],
		[10_001, [3, 2], NOW - 3 * HOUR_MS],
	])('three hours of %d: forgets the oldest, and no longer queries them', (count, agos, from) => {
		expect(remembered(count, [4, 3, 2])).toMatchObject({ agos, from });
	});

	test('always keeps those of the latest hour', () => {
		expect(remembered(30_001, [3, 2])).toMatchObject({ agos: [2], from: NOW - 2 * HOUR_MS });
	});

	test('forgets the oldest that the running sweep output, but queries them for the IDs that remain', () => {
		const seen = { [hour - 1]: packed(50_001), [hour]: packed(50_000, 50_001) };
		const running = { ...planned, sweep: { ...planned.sweep, seen } };
		const { checkpoint } = selectEvents(running, watch, 2, [], NOW);

		expect(seenInSweep(checkpoint)).toEqual([[NOW, 50_000]]);
		expect(checkpoint.sweep?.from).toBe(FROM);
		expect(checkpoint.earliestFrom).toBe(NOW);
	});

	test('does not output those of earlier sweeps again that it forgets while a sweep is running', () => {
		const [known, fresh] = [event('known', NOW - HOUR_MS), event('fresh', NOW)];
		const fingerprint = fingerprintOf(eventKey('b', known));
		const seen = { [hour - 1]: packed(50_000) + fingerprint, [hour]: packed(50_000, 50_001) };
		const { checkpoint } = selectEvents({ ...planned, seen }, watch, 2, [], NOW);
		const results = [{ id: 'b', events: [known, fresh] }];

		expect(seenIn(checkpoint)).toEqual([[NOW, 50_000]]);
		expect(idsIn(selectEvents(checkpoint, watch, 2, results, NOW).events)).toEqual(['fresh']);
	});

	test('keeps more while a sweep is running, whenever the events happened', () => {
		const seen = { [hour - 8]: packed(20_000), [hour]: packed(20_000, 20_000) };
		const running = { ...planned, sweep: { ...planned.sweep, seen } };
		const { checkpoint } = selectEvents(running, watch, 2, [], NOW);

		expect(seenInSweep(checkpoint)).toEqual([
			[NOW - 8 * HOUR_MS, 20_000],
			[NOW, 20_000],
		]);
	});

	// Some IDs have not been queried for what happened since then.
	test.each([
		[50_000, [1, 0], NOW - REACH_MS],
		[50_001, [0], NOW],
	])('keeps more since the start of the last sweep: two hours of %d', (count, agos, from) => {
		expect(remembered(count, [1, 0])).toMatchObject({ agos, from });
	});
});

// Without an offset the time is UTC, whatever the machine's time zone is.
test.each<[text: unknown, iso: string]>([
	['2026-05-01T09:30:00Z', '2026-05-01T09:30:00.000Z'],
	['2026-05-01T09:30:00.125+00:00', '2026-05-01T09:30:00.125Z'],
	['2026-05-01T09:30:00-05:00', '2026-05-01T14:30:00.000Z'],
	['2026-05-01T09:30:00+0530', '2026-05-01T04:00:00.000Z'],
	['2026-05-01T09:30:00+00', '2026-05-01T09:30:00.000Z'],
	['2026-05-01T09:30:00.125-05', '2026-05-01T14:30:00.125Z'],
	['2026-05-01T09:30:00', '2026-05-01T09:30:00.000Z'],
	['2026-05-01T09:30:00.125', '2026-05-01T09:30:00.125Z'],
	['2026-05-01T09:30:00.125000', '2026-05-01T09:30:00.125Z'],
	['2026-05-01T09:30', '2026-05-01T09:30:00.000Z'],
	['2026-05-01 09:30:00', '2026-05-01T09:30:00.000Z'],
	[' 2026-05-01 09:30:00 ', '2026-05-01T09:30:00.000Z'],
	['2026-05-01', '2026-05-01T00:00:00.000Z'],
	['soon', new Date(NOW).toISOString()],
	[undefined, new Date(NOW).toISOString()],
	['', new Date(NOW).toISOString()],
])('the time of an event: %p is %s', (event_time, iso) => {
	expect(new Date(timeOf({ event_time } as never, NOW)).toISOString()).toBe(iso);
});
