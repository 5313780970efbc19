/** The rules of one poll: what is asked for, what counts, what is kept. */
import type { IDataObject } from 'n8n-workflow';
import {
	type Checkpoint,
	HOUR_MS,
	openCheckpoint,
	pendingIds,
	withSweep,
	type Watch,
} from '../../../nodes/BusinessProspectData/trigger/checkpoint';
import {
	pack,
	fingerprintOf,
	unpack,
} from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import { windowStart } from '../../../nodes/BusinessProspectData/events/window';
import { selectEvents } from '../../../nodes/BusinessProspectData/trigger/selection';

const DAY = 86_400_000;
const START = Date.UTC(2026, 4, 1);
const LOOK_BACK = 10 * HOUR_MS;
/** A clock may be an hour off. */
const SLACK = HOUR_MS;

const watch: Watch = {
	source: 'prospect',
	ids: ['a', 'b', 'c'],
	types: ['changed', 'moved'],
	lookbackMs: LOOK_BACK,
	startFrom: START,
};

/** The state after a first sweep without events that began at `at`. */
function watched(at = START + 20 * HOUR_MS, whom = watch): Checkpoint {
	const { last, sweep, ...rest } = withSweep(openCheckpoint(undefined, whom, at), whom, at);
	expect([last, sweep.start]).toEqual([START, at]);
	return { ...rest, last: at };
}

const event = (id: string, time: number | string, name = 'changed'): IDataObject => ({
	event_id: id,
	event_name: name,
	event_time: typeof time === 'number' ? new Date(time).toISOString() : time,
});

const namesOf = (events: readonly IDataObject[]) => events.map(({ event_id: id }) => id);

const seenIn = ({ seen }: Checkpoint) =>
	Object.entries(seen).map(([hour, prints]) => [Number(hour) * HOUR_MS, unpack(prints).length]);

const NOW = START + 24 * HOUR_MS;
const aSweep = () => withSweep(watched(), watch, NOW).sweep;
/** What the second sweep asks for: the look-back and the slack before the first began. */
const FROM = START + 20 * HOUR_MS - LOOK_BACK - SLACK;

describe('the state to start from', () => {
	const fresh = (startFrom?: number) => {
		const { source, ids, types, lookbackMs } = watch;
		const asked = { source, ids, types, lookbackMs, ...(startFrom !== undefined && { startFrom }) };
		return openCheckpoint(undefined, asked, NOW);
	};

	test.each<[what: string, startFrom: number | undefined, from: number]>([
		['the beginning', undefined, NOW],
		['Start From', NOW - HOUR_MS, NOW - HOUR_MS],
		['now, where Start From is to come', NOW + HOUR_MS, NOW],
		['where the service begins, where Start From is before', 0, windowStart(NOW)],
	])('is, with nothing saved, as of %s', (_what, startFrom, from) => {
		expect(fresh(startFrom)).toEqual({
			source: 'prospect',
			watched: { [from]: pack(watch.ids.map(fingerprintOf)) },
			types: { changed: from, moved: from },
			from,
			last: from,
			sweeps: 0,
			seen: {},
		});
	});

	test.each<[what: string, saved: unknown]>([
		['another resource', { ...watched(), source: 'business' }],
		['no object', 'text'],
		['nothing watched', { ...watched(), watched: null }],
		['no types', { ...watched(), types: 'changed' }],
		['nothing seen', { ...watched(), seen: undefined }],
		['no beginning', { ...watched(), from: null }],
		['no last sweep', { ...watched(), last: '1' }],
		['no count of sweeps', { ...watched(), sweeps: Number.NaN }],
		['a sweep that is no object', { ...watched(), sweep: null }],
		['a sweep without a number', { ...watched(), sweep: { ...aSweep(), number: undefined } }],
		['a sweep without a start', { ...watched(), sweep: { ...aSweep(), start: '1' } }],
		['a sweep without a moment', { ...watched(), sweep: { ...aSweep(), from: undefined } }],
		['a sweep without its done', { ...watched(), sweep: { ...aSweep(), done: 7 } }],
		['a sweep without its failed', { ...watched(), sweep: { ...aSweep(), failed: undefined } }],
	])('is a new one where what is saved has %s', (_what, saved) => {
		expect(openCheckpoint(saved, watch, NOW)).toEqual(openCheckpoint(undefined, watch, NOW));
	});

	test('keeps what is saved; what is added to the lists counts from now', () => {
		const more = { ...watch, ids: ['a', 'd', 'e'], types: ['moved', 'new'] };

		expect(openCheckpoint(watched(), more, NOW)).toEqual({
			...watched(),
			watched: { [START]: fingerprintOf('a'), [NOW]: pack(['d', 'e'].map(fingerprintOf)) },
			types: { moved: START, new: NOW },
		});
	});

	describe('of a clock that ran ahead', () => {
		const ahead = (by: number): Checkpoint =>
			withSweep({ ...watched(), last: NOW + by, from: NOW + by }, watch, NOW + by);

		test('by two hours at most it is kept', () => {
			expect(openCheckpoint(ahead(2 * HOUR_MS), watch, NOW)).toMatchObject({
				last: NOW + 2 * HOUR_MS,
				from: NOW + 2 * HOUR_MS,
				sweep: { start: NOW + 2 * HOUR_MS },
			});
		});

		test('by more it is set back to now, with the look-back before it', () => {
			const late = { ...watch, ids: ['a', 'd'], types: ['changed', 'new'] };
			const saved = openCheckpoint(ahead(3 * HOUR_MS), late, NOW + 3 * HOUR_MS);

			const { last, from, sweep, types, watched: whom } = openCheckpoint(saved, late, NOW);

			expect([last, from, sweep]).toEqual([NOW, NOW - LOOK_BACK - SLACK, undefined]);
			expect(types).toEqual({ changed: START, new: NOW });
			expect(whom).toEqual({ [START]: fingerprintOf('a'), [NOW]: fingerprintOf('d') });
		});

		test('of what it kept as older, nothing is set forward', () => {
			const saved = { ...watched(), from: START, sweep: { ...ahead(0).sweep, start: NOW + DAY } };

			expect(openCheckpoint(saved, watch, NOW)).toMatchObject({
				last: START + 20 * HOUR_MS,
				from: START,
				sweep: undefined,
			});
		});
	});
});

describe('a sweep', () => {
	test('never begins before what the service has', () => {
		const state = { ...watched(), from: 0, last: 0 };

		expect(withSweep(state, watch, NOW).sweep.from).toBe(windowStart(NOW));
	});

	test('asks from where what surfaced since the last one may lie', () => {
		const planned = withSweep(watched(), watch, NOW);

		expect(planned.sweep).toEqual({
			number: 2,
			start: NOW,
			from: FROM,
			done: '',
			failed: '',
			answered: false,
			flawed: false,
		});
		expect(planned.from).toBe(FROM);
	});

	test('goes on where one is under way', () => {
		const planned = withSweep(watched(), watch, NOW);

		expect(withSweep(planned, watch, NOW + HOUR_MS).sweep).toBe(planned.sweep);
	});

	test('never asks for what is older than the checkpoint', () => {
		const late = { ...watched(), from: NOW - HOUR_MS };

		expect(withSweep(late, watch, NOW).sweep.from).toBe(NOW - HOUR_MS);
	});

	test('asks first for those that were not asked, last for those that failed', () => {
		const { sweep } = withSweep(watched(), watch, NOW);
		const under = { sweep: { ...sweep, done: fingerprintOf('b'), failed: fingerprintOf('a') } };

		expect(pendingIds(under, watch)).toEqual(['c', 'a']);
	});
});

describe('the end of a poll', () => {
	const planned = withSweep(watched(), watch, NOW);
	const answers = (...failing: string[]) =>
		watch.ids.map((id) => (failing.includes(id) ? { id } : { id, events: [] }));
	const after = (before: Checkpoint, given: Array<{ id: string; events?: IDataObject[] }>) =>
		selectEvents(before, watch, 2, given, NOW).checkpoint;

	test('with every id answered the sweep ends, and the clock moves to its begin', () => {
		const { sweep, last } = after(planned, answers());

		expect([sweep, last]).toEqual([undefined, NOW]);
	});

	test('with ids left it goes on', () => {
		const { sweep, last } = after(planned, answers().slice(0, 1));

		expect(last).toBe(START + 20 * HOUR_MS);
		expect(sweep).toMatchObject({
			done: fingerprintOf('a'),
			failed: '',
			answered: true,
			flawed: false,
		});
	});

	test('an id that failed is asked once more; that nothing was answered is kept', () => {
		const { sweep } = after(planned, answers('a', 'b').slice(0, 2));

		expect(sweep).toMatchObject({
			done: '',
			failed: pack(['a', 'b'].map(fingerprintOf)),
			answered: false,
			flawed: false,
		});
	});

	test('an id that failed twice ends the sweep without moving the clock', () => {
		const once = after(planned, answers('b'));
		expect(once.sweep).toMatchObject({ failed: fingerprintOf('b'), flawed: false, answered: true });

		const twice = after(once, [{ id: 'b' }]);

		expect([twice.sweep, twice.last]).toEqual([undefined, START + 20 * HOUR_MS]);
	});

	test('an id that failed once and then answered spoils nothing', () => {
		const once = after(planned, answers('b'));

		expect(after(once, [{ id: 'b', events: [] }])).toMatchObject({ last: NOW, sweep: undefined });
	});

	test('a flaw stays while others go on', () => {
		const once = after(planned, [{ id: 'a' }, { id: 'b' }]);
		const twice = after(once, [{ id: 'a' }, { id: 'b', events: [] }]);

		expect(twice.sweep).toMatchObject({ flawed: true, failed: '' });
		expect(after(twice, [{ id: 'c', events: [] }]).last).toBe(START + 20 * HOUR_MS);
	});

	test('what was asked for another sweep settles nothing in this one', () => {
		const { sweep } = selectEvents(planned, watch, 1, answers(), NOW).checkpoint;
		expect(sweep).toEqual(planned.sweep);

		const { sweep: none } = selectEvents(watched(), watch, 2, answers(), NOW).checkpoint;
		expect(none).toBeUndefined();
	});
});

describe('the events', () => {
	const planned = withSweep(watched(), watch, NOW);
	const put = (events: IDataObject[], before: Checkpoint = planned, id = 'a') =>
		selectEvents(before, watch, 2, [{ id, events }], NOW);

	test('come oldest first, each once', () => {
		const [early, late] = [event('1', NOW - HOUR_MS), event('2', NOW)];
		const first = put([late, early, late]);

		expect(namesOf(first.events)).toEqual(['1', '2']);
		expect(put([late, early], first.checkpoint).events).toEqual([]);
	});

	test('without an ID are told apart by what they say', () => {
		const bare = { event_name: 'changed', event_time: new Date(NOW).toISOString() };
		const other = { ...bare, data: 1 };

		expect(put([bare, other, { ...bare }]).events).toEqual([bare, other]);
	});

	test('without a readable time count as new', () => {
		const { events, checkpoint } = put([
			event('1', 'soon'),
			{ event_id: '2', event_name: 'moved' },
		]);

		expect(namesOf(events)).toEqual(['1', '2']);
		expect(seenIn(checkpoint)).toEqual([[NOW, 2]]);
	});

	test.each([
		['when the sweep begins', FROM, true],
		['a moment before', FROM - 1, false],
	])('%s: put out is %s', (_when, time, comes) => {
		expect(put([event('1', time)]).events).toHaveLength(comes ? 1 : 0);
	});

	test('of an ID count from when it was added, of a type as well', () => {
		const at = NOW - HOUR_MS;
		const more: Watch = { ...watch, ids: ['a', 'd'], types: ['changed', 'new'] };
		const state = withSweep(openCheckpoint(watched(), more, at), more, NOW);
		const told = (id: string, name: string) =>
			selectEvents(
				state,
				more,
				2,
				[{ id, events: [event('old', at - 1, name), event('now', at, name)] }],
				NOW,
			).events;

		expect(namesOf(told('a', 'changed'))).toEqual(['old', 'now']);
		expect(namesOf(told('d', 'changed'))).toEqual(['now']);
		expect(namesOf(told('a', 'new'))).toEqual(['now']);
		expect(namesOf(told('b', 'changed'))).toEqual([]);
	});

	test('that move to a later time are remembered there, and do not come again', () => {
		const first = put([event('1', NOW - 8 * HOUR_MS)]);
		const moved = put([event('1', NOW - HOUR_MS)], first.checkpoint);

		expect(moved.events).toEqual([]);
		expect(seenIn(moved.checkpoint)).toEqual(
			expect.arrayContaining([
				[NOW - 8 * HOUR_MS, 1],
				[NOW - HOUR_MS, 1],
			]),
		);
		const again = put([event('1', NOW - HOUR_MS), event('1', NOW - 8 * HOUR_MS)], moved.checkpoint);
		expect(seenIn(again.checkpoint)).toEqual(seenIn(moved.checkpoint));
	});

	test('are forgotten an hour after no sweep asks for them any more', () => {
		const state = {
			...watched(NOW),
			seen: Object.fromEntries(
				[0, 1, 2].map((hour) => [
					(NOW - LOOK_BACK - SLACK) / HOUR_MS - hour,
					fingerprintOf(`${hour}`),
				]),
			),
		};

		const { checkpoint } = selectEvents(state, watch, 2, [], NOW);

		expect(seenIn(checkpoint)).toEqual([[NOW - LOOK_BACK - SLACK, 1]]);
		expect(checkpoint.from).toBe(NOW - LOOK_BACK - SLACK);
	});
});

describe('too many events to remember', () => {
	const many = (count: number, from = 0) =>
		Array.from({ length: count }, (_, nth) => fingerprintOf(`event ${from + nth}`));
	const hour = NOW / HOUR_MS;
	const keeps = (seen: Record<number, string>) => {
		const state = { ...watched(NOW), from: NOW - LOOK_BACK - SLACK, seen };
		const { checkpoint } = selectEvents(state, watch, 2, [], NOW);
		return { hours: Object.keys(checkpoint.seen).map(Number), from: checkpoint.from };
	};

	test.each([
		[10_000, [hour - 2, hour - 1, hour], NOW - LOOK_BACK - SLACK],
		[10_001, [hour - 1, hour], NOW - HOUR_MS],
	])('three hours of %d: the oldest go, and are not asked for', (count, hours, from) => {
		const seen = Object.fromEntries([0, 1, 2].map((ago) => [hour - ago, pack(many(count, ago))]));

		expect(keeps(seen)).toEqual({ hours, from });
	});

	test('those of the latest hour stay, however many', () => {
		expect(keeps({ [hour]: pack(many(30_001)), [hour - 1]: fingerprintOf('x') })).toEqual({
			hours: [hour],
			from: NOW,
		});
	});
});
