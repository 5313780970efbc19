/** Checks of watched IDs: which period they cover, and which events they output. Jest runs in a time zone that is not UTC. */
import type { IDataObject } from 'n8n-workflow';
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import {
	type EventsResult,
	retentionStart,
	timeOf,
} from '../../../nodes/BusinessProspectData/events/query';
import { toIdResults } from '../../../nodes/BusinessProspectData/trigger/events/poll';
import {
	CLOCK_SLACK_MS,
	type EventsCheckpoint,
	eventsState,
	type EventsWatch,
	type IdResult,
	MAX_REMEMBERED_EVENTS,
} from '../../../nodes/BusinessProspectData/trigger/events/state';
import {
	fingerprintOf,
	pack,
	unpack,
} from '../../../nodes/BusinessProspectData/trigger/fingerprints';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 4, 1);
/** When the first sweep started, and when the test is. */
const FIRST_SWEEP = START + 20 * HOUR;
const NOW = START + 24 * HOUR;
const LOOKBACK = 10 * HOUR;
/** Lower bound of the second sweep. */
const FROM = FIRST_SWEEP - LOOKBACK - CLOCK_SLACK_MS;

const watch: EventsWatch = {
	entityType: 'prospect',
	ids: ['a', 'b', 'c'],
	types: ['changed', 'moved'],
	lookbackMs: LOOKBACK,
	startFrom: START,
};

const { open, plan, select } = eventsState;

/** A poll at a time, with these results for the IDs. */
function pollAt(
	now: number,
	saved: EventsCheckpoint | undefined,
	results: readonly IdResult[],
	own = watch,
) {
	const { checkpoint, job } = plan(open(saved, own, now), Infinity, own, now);
	const selected = select(checkpoint, job, { results }, own, now);
	const names = selected.result.rows.map(({ row }) => row.event_id);
	return { checkpoint: selected.checkpoint, names, job };
}

const noEvents = (...failing: string[]): IdResult[] =>
	watch.ids.map((id) => (failing.includes(id) ? { id } : { id, events: [] }));

/** The state after a first sweep without events. */
const { checkpoint: swept } = pollAt(FIRST_SWEEP, undefined, noEvents());

const event = (id: string, time: number | string | null, name = 'changed'): IDataObject => ({
	event_id: id,
	event_name: name,
	event_time: typeof time === 'number' ? new Date(time).toISOString() : time,
});

const pollOf = (events: readonly IDataObject[], saved = swept, now = NOW) =>
	pollAt(now, saved, [{ id: 'a', events }]);

/** The number of remembered events, by hour. */
const seenIn = ({ seen }: EventsCheckpoint) =>
	Object.entries(seen).map(([hour, packed]) => [Number(hour) * HOUR, unpack(packed).length]);

test.each<[what: string, startFrom: number | undefined, since: number]>([
	['now', undefined, NOW],
	['Start From', NOW - HOUR, NOW - HOUR],
	['now when Start From is in the future', NOW + HOUR, NOW],
	["the service's oldest events when Start From is earlier", 0, retentionStart(NOW)],
])('the first check watches since %s', (_what, startFrom, since) => {
	const opened = open(undefined, { ...watch, startFrom }, NOW);

	expect(opened).toMatchObject({ types: { changed: since, moved: since }, earliestFrom: since });
	expect(Object.keys(opened.watched)).toEqual([String(since)]);
	expect(open({ ...opened, entityType: 'business' }, { ...watch, startFrom }, NOW)).toEqual(opened);
});

test('an edit of the IDs and types keeps what is watched already; what it adds is watched since then', () => {
	const edited = { ...watch, ids: ['a', 'd'], types: ['moved', 'new'] };

	expect(open(swept, edited, NOW)).toEqual({
		...swept,
		watched: { [START]: fingerprintOf('a'), [NOW]: fingerprintOf('d') },
		types: { moved: START, new: NOW },
	});
	expect(open(swept, watch, NOW)).toBe(swept);
});

describe('after the clock was ahead', () => {
	const aheadBy = (ms: number) => pollAt(NOW + ms, swept, noEvents().slice(0, 1)).checkpoint;

	test('by up to two hours, the sweep continues', () => {
		const saved = aheadBy(2 * HOUR);

		expect(open(saved, watch, NOW)).toBe(saved);
	});

	test.each([
		['within a sweep', noEvents().slice(0, 1)],
		['after one', noEvents()],
	])('by more, %s, the trigger starts over one lookback window ago', (_when, results) => {
		const known = [{ id: 'a', events: [event('known', NOW)] }, ...noEvents().slice(1)];
		const seen = pollAt(NOW, swept, known).checkpoint;
		const { checkpoint } = pollAt(NOW + 3 * HOUR, seen, results);
		const from = NOW - LOOKBACK;

		expect(open(checkpoint, watch, NOW).lastSweepStart).toBe(from);
		expect(pollOf([event('known', NOW), event('new', from)], checkpoint).names).toEqual(['new']);
	});
});

describe('a sweep', () => {
	test('begins one lookback window before the last one, and takes several polls', () => {
		const first = pollAt(NOW, swept, noEvents().slice(0, 1));
		expect(first.job).toMatchObject({ from: FROM, ids: ['a', 'b', 'c'], othersAccepted: false });
		expect(first.checkpoint.lastSweepStart).toBe(FIRST_SWEEP);

		const second = pollAt(NOW + HOUR, first.checkpoint, noEvents().slice(1));
		expect(second.job).toMatchObject({ from: FROM, ids: ['b', 'c'], othersAccepted: true });
		expect(second.checkpoint).toMatchObject({ sweep: undefined, lastSweepStart: NOW });
	});

	test.each<[what: string, state: Partial<EventsCheckpoint>, from: number]>([
		["the service's oldest events", { earliestFrom: 0, lastSweepStart: 0 }, retentionStart(NOW)],
		["the state's lower bound", { earliestFrom: NOW - HOUR }, NOW - HOUR],
	])('never goes back beyond %s', (_what, state, from) => {
		expect(pollAt(NOW, { ...swept, ...state }, []).job.from).toBe(from);
	});

	test('of a state that was replaced during the poll does not end', () => {
		const { checkpoint } = plan(swept, Infinity, watch, NOW);
		const selected = select(checkpoint, { sweepStart: 1 }, { results: noEvents() }, watch, NOW);

		expect(selected.checkpoint.sweep).toEqual(checkpoint.sweep);
	});
});

describe('events', () => {
	test('without an ID are identified by their content', () => {
		const bare = { event_name: 'changed', event_time: new Date(NOW).toISOString() };

		expect(pollOf([bare, { ...bare, data: 1 }, { ...bare }]).names).toHaveLength(2);
	});

	test('without a readable time come, once', () => {
		const undated = [event('1', 'soon'), event('2', null), { event_id: '3', event_name: 'moved' }];
		const { names, checkpoint } = pollOf(undated);

		expect(names).toEqual(['1', '2', '3']);
		const later = pollOf(undated, checkpoint, NOW + 20 * HOUR);
		expect([later.names, seenIn(later.checkpoint)]).toEqual([[], [[NOW + 20 * HOUR, 3]]]);
	});

	test.each<[what: string, id: string, time: number, name: string, isOutput: boolean]>([
		['at the lower bound of the sweep', 'a', FROM, 'changed', true],
		['a millisecond before', 'a', FROM - 1, 'changed', false],
		['of an unknown type', 'a', FROM, 'other', true],
		['when an ID was added', 'd', NOW - HOUR, 'changed', true],
		['before an ID was added', 'd', NOW - HOUR - 1, 'changed', false],
		['before a type was added', 'a', NOW - HOUR - 1, 'new', false],
		['of an ID that was removed during the poll', 'b', NOW, 'changed', false],
	])('%s', (_what, id, time, name, isOutput) => {
		const edited = { ...watch, ids: ['a', 'd'], types: ['changed', 'new'] };
		const added = open(swept, edited, NOW - HOUR);

		expect(pollAt(NOW, added, [{ id, events: [event('1', time, name)] }], edited).names).toEqual(
			isOutput ? ['1'] : [],
		);
	});

	test('are forgotten an hour after the last sweep that covers them, which no later sweep does', () => {
		const oldest = NOW - LOOKBACK - CLOCK_SLACK_MS;
		const known = pollOf([0, 1, 2].map((hours) => event(`${hours}`, oldest - hours * HOUR + 1)));
		const { checkpoint } = pollAt(NOW, known.checkpoint, noEvents());

		expect(seenIn(checkpoint)).toEqual([[oldest, 1]]);
		const longer = { ...watch, lookbackMs: 5 * LOOKBACK };
		expect(plan(checkpoint, 1, longer, NOW).job.from).toBe(oldest);
	});

	test.each([
		['of an hour are all remembered', [MAX_REMEMBERED_EVENTS + 1], 1, FROM],
		['are remembered up to the maximum', [9, 1, MAX_REMEMBERED_EVENTS - 10], 3, FROM],
		['beyond it are forgotten, and not queried', [9, 1, MAX_REMEMBERED_EVENTS - 1], 2, NOW - HOUR],
	])('%s', (_what, counts, hoursKept, from) => {
		const firstHour = NOW / HOUR - counts.length + 1;
		const some = pack(Array.from({ length: MAX_REMEMBERED_EVENTS + 1 }, () => 'any-one-'));
		const seen = Object.fromEntries(
			counts.map((count, index) => [firstHour + index, some.slice(0, 8 * count)]),
		);
		const { checkpoint } = pollAt(NOW, { ...swept, seen }, []);

		expect(Object.keys(checkpoint.seen)).toEqual(Object.keys(seen).slice(-hoursKept));
		expect(pollAt(NOW, checkpoint, []).job.from).toBe(from);
	});

	test('of 10,000 IDs, 40,000 of them, take less than 500 KB', () => {
		const ids = Array.from({ length: 10_000 }, (_, index) => `id ${index}`);
		const own = { ...watch, ids, lookbackMs: 72 * HOUR, startFrom: START - 72 * HOUR };
		const results = ids.slice(1).map((id, index) => {
			const time = START - (index % 72) * HOUR;
			return { id, events: [1, 2, 3, 4].map((number) => event(`${number}`, time)) };
		});
		const { checkpoint, names } = pollAt(START, undefined, results, own);

		expect([names.length, checkpoint.sweep?.partial]).toEqual([39_996, false]);
		expect(JSON.stringify(checkpoint).length).toBeLessThan(500_000);
	});
});

const succeeded: Outcome<EventsResult> = { value: { events: [{}], responseContext: undefined } };
const failed = (kind: Failure['kind'], more: Partial<Failure> = {}): Outcome<never> => ({
	failure: { kind, message: 'No.', ...more },
});
const PENDING: IdResult[] = [];
const FAILED: IdResult[] = [{ id: 'b' }];
const QUERIED: IdResult[] = [{ id: 'b', events: [] }];

test.each<[what: string, outcome: Outcome<EventsResult>, results: IdResult[]]>([
	['ran out of time is pending', failed('stopped'), PENDING],
	['hit the rate limit is pending', failed('rateLimited'), PENDING],
	['has no response failed', failed('noResponse'), FAILED],
	['has events and a failure failed', { ...succeeded, ...failed('noResponse') }, FAILED],
	['is in a rejected request failed', failed('invalid'), FAILED],
	['is in a request with another invalid field failed', failed('invalid', { field: 'x' }), FAILED],
	['is rejected counts as queried', failed('invalid', { field: 'ids' }), QUERIED],
	['the service does not have, too', failed('notFound', { isAboutRecord: true }), QUERIED],
])('an ID that %s', (_what, outcome, results) => {
	const [a, b] = [
		{ id: 'a', outcome: succeeded },
		{ id: 'b', outcome },
	];

	expect(toIdResults([a, b], false)).toEqual([{ id: 'a', ...succeeded.value }, ...results]);
	expect(toIdResults([b], true)).toEqual(results);
	// If the service rejects all IDs, that may not be because of the IDs.
	expect(toIdResults([b], false)).toEqual(results === QUERIED ? FAILED : results);
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
