/** Checks of watched IDs: what they ask for, and which events they output. Jest runs in a time zone that is not UTC. */
import type { IDataObject } from 'n8n-workflow';
import { timeOf } from '../../../nodes/BusinessProspectData/events/query';
import {
	type EventsCheckpoint,
	eventsState,
	type EventsWatch,
	type IdResult,
} from '../../../nodes/BusinessProspectData/trigger/events/state';
import { largeTest } from '../../size';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** When the first check was, and when the test is. */
const FIRST_CHECK = Date.UTC(2026, 4, 1);
const NOW = FIRST_CHECK + DAY;

const watch: EventsWatch = {
	entityType: 'prospect',
	ids: ['a', 'b', 'c'],
	types: ['changed', 'moved'],
	lookBackDays: 88,
};

const { open, hasMore, plan, select } = eventsState;
const DOWN = { kind: 'server', message: 'Down.' } as const;

/** A poll at a time, with these results for the IDs. */
function pollAt(now: number, saved: unknown, results: readonly IdResult[], own = watch) {
	const opened = open(saved, own);
	const startsCheck = !hasMore(opened);
	const { checkpoint, job } = plan(opened, Infinity, own, { now, startsCheck });
	const failure = results.some(({ hasFailed }) => hasFailed) ? DOWN : undefined;
	const selected = select(checkpoint, job, { results, failure }, own, now);
	const names = selected.result.rows.map(({ row }) => row.event_id);
	return { ...selected, job, names, isComplete: !hasMore(selected.checkpoint) };
}

const noEvents = (...failing: string[]): IdResult[] =>
	watch.ids.map((id) => (failing.includes(id) ? { id, hasFailed: true } : { id, events: [] }));

/** The state after a first check without events. */
const { checkpoint: checked } = pollAt(FIRST_CHECK, undefined, noEvents());

const event = (id: string, time: number | string | null, name = 'changed'): IDataObject => ({
	event_id: id,
	event_name: name,
	event_time: typeof time === 'number' ? new Date(time).toISOString() : time,
});

const pollOf = (events: readonly IDataObject[], saved: unknown = checked, now = NOW, own = watch) =>
	pollAt(now, saved, [{ id: 'a', events }, ...noEvents().slice(1)], own);

const EVENTS = [
	event('months ago', NOW - 80 * DAY),
	event('yesterday', NOW - DAY),
	event('to come', NOW + 14 * DAY),
];

test('the first check records what is there; later ones output what was not, whatever its date', () => {
	const first = pollOf(EVENTS.slice(1, 2), null, FIRST_CHECK);
	const second = pollOf(EVENTS, first.checkpoint);

	expect([first.names, second.names]).toEqual([[], ['months ago', 'to come']]);
	expect(pollOf(EVENTS, second.checkpoint).names).toEqual([]);
});

test('with Start From, the first successful query of the first IDs outputs what is there since then', () => {
	const own = { ...watch, lookBackDays: 30, startFrom: NOW - 85 * DAY };
	const failed = pollAt(NOW, undefined, noEvents('a'), own);
	const first = pollOf(EVENTS, failed.checkpoint, NOW, own);

	expect(failed.job.from).toBe(own.startFrom);
	expect(first.names).toEqual(['months ago', 'yesterday', 'to come']);
	const added = { ...own, ids: ['a', 'd'] };
	const second = pollAt(NOW, first.checkpoint, [{ id: 'd', events: EVENTS }], added);
	expect([second.names, second.job.from]).toEqual([[], NOW - 30 * DAY]);
});

test('types that are added during a first check keep Start From', () => {
	const own = { ...watch, startFrom: NOW - 85 * DAY };
	const { checkpoint } = pollAt(NOW, undefined, noEvents().slice(1), own);
	const edited = { ...own, types: ['changed', 'new'] };
	const events = [event('1', NOW - DAY), event('2', NOW - DAY, 'new')];

	expect(pollAt(NOW, checkpoint, [{ id: 'a', events }], edited).names).toEqual(['1', '2']);
});

test.each<[what: string, own: EventsWatch, asked: string[]]>([
	['an ID', { ...watch, ids: ['b', 'd'] }, ['d']],
	['a type', { ...watch, ids: ['b', 'c'], types: ['moved', 'new'] }, ['b', 'c']],
])('an edit that adds %s: only that is checked at once, and recorded', (_what, own, asked) => {
	const [id = ''] = asked;
	const name = own.types.at(-1);
	const added = pollAt(NOW, checked, [{ id, events: [event('1', NOW, name)] }], own);

	expect([hasMore(open(checked, own)), added.job.ids, added.names]).toEqual([true, asked, []]);
	const rest = asked.slice(1).map((other) => ({ id: other, events: [] }));
	const ends = rest.length === 0 ? added : pollAt(NOW, added.checkpoint, rest, own);
	expect([ends.isComplete, open(ends.checkpoint, own)]).toEqual([true, ends.checkpoint]);
	const events = [event('1', NOW, name), event('2', NOW - DAY, name)];
	expect(pollAt(NOW, ends.checkpoint, [{ id, events }], own).names).toEqual(['2']);
});

test('an edit that adds an ID keeps the rhythm of the others', () => {
	const { checkpoint } = pollAt(NOW, checked, [{ id: 'd', events: [] }], {
		...watch,
		ids: ['a', 'd'],
	});

	expect(checkpoint.startedAt).toBe(FIRST_CHECK);
});

test('an ID is queried again if an edit during its query added a type', () => {
	const { checkpoint, job } = plan(open(undefined, watch), 9, watch, {
		now: NOW,
		startsCheck: true,
	});
	const edited = { ...watch, types: ['changed', 'new'], startFrom: NOW - DAY };
	const results = [{ id: 'a', events: [event('1', NOW)] }, ...noEvents().slice(1)];
	const selected = select(open(checkpoint, edited), job, { results }, edited, NOW);

	expect(selected.result.rows).toMatchObject([{ row: { event_id: '1' } }]);
	expect(hasMore(selected.checkpoint)).toBe(true);
	const events = [event('1', NOW), event('2', NOW, 'new'), event('3', NOW)];
	const next = pollAt(NOW, selected.checkpoint, [{ id: 'a', events }], edited);
	expect([next.job.ids, next.names]).toEqual([watch.ids, ['3']]);
});

test('an edit that only removes something keeps all else; another entity starts over', () => {
	const edited = { ...watch, ids: ['c', 'b'], types: ['moved'] };

	const kept = open(checked, edited);
	expect([hasMore(kept), kept.startedAt]).toEqual([false, FIRST_CHECK]);
	expect(
		pollAt(NOW, kept, [{ id: 'b', events: [event('1', NOW, 'moved')] }], edited).names,
	).toEqual(['1']);
	expect(open({ ...checked, entityType: 'business' }, watch)).toEqual(open(undefined, watch));
});

test('a longer Look Back is applied at once: what is older than the former one counts as known', () => {
	const short = { ...watch, lookBackDays: 30 };
	const { checkpoint } = pollOf([], pollOf([], null, FIRST_CHECK, short).checkpoint, NOW, short);
	const again = pollOf(EVENTS, checkpoint);

	expect([again.job.ids, again.names]).toEqual([watch.ids, ['yesterday', 'to come']]);
	expect(pollOf(EVENTS, again.checkpoint).names).toEqual([]);
});

test('a state of an earlier version, which knew events by the hour, records everything without Start From', () => {
	const former = {
		entityType: 'prospect',
		watched: { 1: 'abcdefgh' },
		seen: {},
		lastSweepStart: 1,
	};
	const { names, checkpoint } = pollOf(EVENTS, former, NOW, { ...watch, startFrom: 0 });

	expect(names).toEqual([]);
	expect(pollOf([...EVENTS, event('new', NOW)], checkpoint).names).toEqual(['new']);
});

describe('a check', () => {
	test('takes several polls; an ID that failed waits for the next check', () => {
		const first = pollAt(NOW, checked, noEvents('a').slice(0, 2));
		expect([first.isComplete, first.result.failed]).toEqual([false, false]);

		const second = pollAt(NOW, first.checkpoint, noEvents().slice(2));
		expect([second.job.ids, second.isComplete]).toEqual([['c'], true]);
		expect(pollAt(NOW, second.checkpoint, []).job.ids).toEqual(['a', 'b', 'c']);
	});

	test('in which nothing succeeded is repeated', () => {
		const { checkpoint, result } = pollAt(NOW, checked, noEvents(...watch.ids));

		expect([result.failed, hasMore(checkpoint)]).toEqual([true, true]);
	});

	test('ends when an edit removes the IDs that are left', () => {
		const { checkpoint } = pollAt(NOW, checked, noEvents().slice(0, 1));

		expect(hasMore(open(checkpoint, { ...watch, ids: ['a'] }))).toBe(false);
	});

	test('names the IDs that have failed three times in a row, once a day', () => {
		let saved = checked;
		const failing = [0, 1, 2, 3, 25, 26, 51].map((hours) => {
			const failed = hours === 25 ? ['b'] : ['a', 'b'];
			const { checkpoint, result } = pollAt(NOW + hours * HOUR, saved, noEvents(...failed));
			saved = checkpoint;
			return result.failingIds.join();
		});

		expect(failing).toEqual(['', '', 'a,b', '', '', 'b', 'b']);
	});
});

describe('events', () => {
	test('without an ID are identified by their content', () => {
		const bare = { event_name: 'changed', event_time: new Date(NOW).toISOString() };

		expect(pollOf([bare, { ...bare, data: 1 }]).names).toHaveLength(2);
	});

	// The next check is days or, after an outage, weeks later.
	test.each([7, 40])('are as old as Look Back when they appear, %d days before a check', (days) => {
		const own = { ...watch, lookBackDays: 30 };
		const known = pollOf([], undefined, NOW, own).checkpoint;
		const events = [event('new', NOW - 29 * DAY), event('older', NOW - 32 * DAY)];
		const { names, job } = pollOf(events, known, NOW + days * DAY, own);

		expect(names).toEqual(['new']);
		expect(job.from).toBeLessThanOrEqual(NOW - 30 * DAY);
	});

	test('without a readable time come, once', () => {
		const undated = [event('1', 'soon'), event('2', null), { event_id: '3', event_name: 'moved' }];
		const { names, checkpoint } = pollOf(undated);

		expect(names).toEqual(['1', '2', '3']);
		expect(pollOf(undated, checkpoint, NOW + 3 * DAY).names).toEqual([]);
	});

	test('of an unknown type come; those of an ID that was removed during the poll do not', () => {
		expect(pollOf([event('1', NOW, 'other')]).names).toEqual(['1']);
		const { checkpoint, job } = plan(checked, Infinity, watch, { now: NOW, startsCheck: true });
		const edited = { ...watch, ids: ['b'] };
		const results = [{ id: 'a', events: EVENTS }];

		expect(select(open(checkpoint, edited), job, { results }, edited, NOW).result.rows).toEqual([]);
	});

	test.each([
		[27, false],
		[29, true],
	])('that were missing for %d days and come back are output: %s', (days, isOutput) => {
		const { checkpoint } = pollOf(EVENTS);
		// A week begins, so that missing events count as such from this day.
		const gone = pollOf([], checkpoint, Date.UTC(2026, 4, 7));
		const still = pollOf([], gone.checkpoint, Date.UTC(2026, 4, 7) + days * DAY);
		const back = pollOf([event('yesterday', NOW)], still.checkpoint, NOW + 40 * DAY);

		expect(back.names).toEqual(isOutput ? ['yesterday'] : []);
	});

	const manyIds = (count: number): EventsWatch => ({
		...watch,
		ids: Array.from({ length: count }, (_, index) => `id ${index}`),
	});

	test('beyond the limit: nothing repeats, and what is older than the known events never counts as new', () => {
		const own = manyIds(10_000);
		const many = Array.from({ length: 30 }, (_, index) => event(`${index}`, NOW - index * DAY));
		const queried = (saved: unknown, events: readonly IDataObject[]) =>
			pollAt(
				NOW,
				saved,
				own.ids.map((id, index) => ({ id, events: index === 0 ? events : [] })),
				own,
			);
		const { checkpoint, names } = queried(queried(undefined, []).checkpoint, many);

		expect(names).toHaveLength(30);
		const events = [...many, event('late', NOW - 25 * DAY), event('new', NOW - DAY)];
		expect(queried(checkpoint, events).names).toEqual(['new']);
	});

	test('beyond the limit: what is dated after the last check comes at the next one', () => {
		const own = manyIds(10_000);
		const eventsOf = (first: number, count: number, time: number) =>
			Array.from({ length: count }, (_, at) => event(`${first + at}`, time + at * HOUR));
		const queried = (saved: unknown, events: readonly IDataObject[], now: number) =>
			pollAt(now, saved, [{ id: 'id 0', events }], { ...own, ids: ['id 0', ...own.ids.slice(1)] });
		const busy = eventsOf(0, 25, NOW - 2 * DAY);
		const { checkpoint } = queried(
			pollAt(
				FIRST_CHECK,
				undefined,
				own.ids.map((id) => ({ id, events: [] })),
				own,
			).checkpoint,
			busy,
			NOW,
		);

		const later = eventsOf(100, 3, NOW + HOUR);
		expect(queried(checkpoint, [...busy, ...later], NOW + 7 * DAY).names).toEqual([
			...['100', '101', '102'],
		]);
	});

	largeTest('of 10,000 IDs, three each in 88 days, take less than 400 KB after years', () => {
		const own = manyIds(1_000);
		const [week, apart] = [7 * DAY, (88 * DAY) / 3];
		let saved: EventsCheckpoint | undefined;
		for (let now = NOW; now < NOW + 40 * week; now += week) {
			const results = own.ids.map((id, index) => {
				const latest = Math.floor(now / apart + index / own.ids.length);
				return {
					id,
					events: [0, 1, 2].map((age) => event(`${latest - age}`, (latest - age) * apart)),
				};
			});
			saved = pollAt(now, saved, results, own).checkpoint;
		}

		expect(JSON.stringify(saved).length).toBeLessThan(40_000);
	});
});

// Without an offset the time is UTC, whatever the machine's time zone is.
test.each<[text: unknown, iso: string]>([
	['2026-05-01T09:30:00.125+00:00', '2026-05-01T09:30:00.125Z'],
	['2026-05-01T09:30:00+0530', '2026-05-01T04:00:00.000Z'],
	['2026-05-01T09:30:00.125-05', '2026-05-01T14:30:00.125Z'],
	['2026-05-01T09:30:00.125000', '2026-05-01T09:30:00.125Z'],
	['2026-05-01T09:30', '2026-05-01T09:30:00.000Z'],
	[' 2026-05-01 09:30:00 ', '2026-05-01T09:30:00.000Z'],
	['2026-05-01', '2026-05-01T00:00:00.000Z'],
	['soon', new Date(NOW).toISOString()],
])('the time of an event: %p is %s', (event_time, iso) => {
	expect(new Date(timeOf({ event_time } as never, NOW)).toISOString()).toBe(iso);
});
