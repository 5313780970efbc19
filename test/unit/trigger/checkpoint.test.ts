/** The state that a poll starts from, and what it queries. */
import { HOUR_MS } from '../../../nodes/BusinessProspectData/parameters/dates';
import {
	type EventsCheckpoint,
	openEventsCheckpoint,
	planEvents,
} from '../../../nodes/BusinessProspectData/trigger/events/state';
import { retentionStart } from '../../../nodes/BusinessProspectData/events/query';
import { fingerprintOf, pack } from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import {
	FIRST_SWEEP,
	FROM,
	NOW,
	REACH_MS,
	START,
	stateAfterSweep,
	watch,
	withSweep,
} from './states';

describe('openEventsCheckpoint', () => {
	test.each<[what: string, startFrom: number | undefined, from: number]>([
		['now', undefined, NOW],
		['Start From', NOW - HOUR_MS, NOW - HOUR_MS],
		['now when Start From is in the future', NOW + HOUR_MS, NOW],
		['where the service begins when Start From is earlier', 0, retentionStart(NOW)],
	])('without a saved state, watches since %s', (_what, startFrom, since) => {
		expect(openEventsCheckpoint(undefined, { ...watch, startFrom }, NOW)).toEqual({
			entityType: 'prospect',
			watched: { [since]: pack(watch.ids.map(fingerprintOf)) },
			types: { changed: since, moved: since },
			earliestFrom: since,
			lastSweepStart: since,
			sweeps: 0,
			seen: {},
		});
	});

	const { sweep } = withSweep(stateAfterSweep(), watch, NOW);
	test.each<[what: string, saved: unknown]>([
		['another resource', { ...stateAfterSweep(), entityType: 'business' }],
		['no object', 'text'],
		['no members', {}],
		['nothing watched', { ...stateAfterSweep(), watched: null }],
		['watched IDs that are no text', { ...stateAfterSweep(), watched: { 1: null } }],
		['no types', { ...stateAfterSweep(), types: 'changed' }],
		['a type without a time', { ...stateAfterSweep(), types: { changed: 'now' } }],
		['nothing seen', { ...stateAfterSweep(), seen: undefined }],
		['events that are no text', { ...stateAfterSweep(), seen: { 1: 2 } }],
		['no lower bound', { ...stateAfterSweep(), earliestFrom: null }],
		['no last sweep', { ...stateAfterSweep(), lastSweepStart: '1' }],
		['no number of sweeps', { ...stateAfterSweep(), sweeps: Number.NaN }],
		['a sweep that is no object', { ...stateAfterSweep(), sweep: null }],
		['a sweep without a number', { ...stateAfterSweep(), sweep: { ...sweep, number: undefined } }],
		['a sweep without a start', { ...stateAfterSweep(), sweep: { ...sweep, start: '1' } }],
		['a sweep without a bound', { ...stateAfterSweep(), sweep: { ...sweep, from: undefined } }],
		['a sweep without `done`', { ...stateAfterSweep(), sweep: { ...sweep, done: 7 } }],
		['a sweep without `seen`', { ...stateAfterSweep(), sweep: { ...sweep, seen: [] } }],
	])('ignores a saved state with %s', (_what, saved) => {
		expect(openEventsCheckpoint(saved, watch, NOW)).toEqual(
			openEventsCheckpoint(undefined, watch, NOW),
		);
	});

	test('keeps the saved state, and watches what was added since now', () => {
		const edited = { ...watch, ids: ['a', 'd', 'e'], types: ['moved', 'new'] };

		expect(openEventsCheckpoint(stateAfterSweep(), edited, NOW)).toEqual({
			...stateAfterSweep(),
			watched: { [START]: fingerprintOf('a'), [NOW]: pack(['d', 'e'].map(fingerprintOf)) },
			types: { moved: START, new: NOW },
		});
	});

	describe('after the clock was ahead', () => {
		const stateAhead = (ms: number): EventsCheckpoint =>
			withSweep(
				{ ...stateAfterSweep(), lastSweepStart: NOW + ms, earliestFrom: NOW + ms },
				watch,
				NOW + ms,
			);

		test('by up to two hours keeps the state', () => {
			expect(openEventsCheckpoint(stateAhead(2 * HOUR_MS), watch, NOW)).toMatchObject({
				lastSweepStart: NOW + 2 * HOUR_MS,
				earliestFrom: NOW + 2 * HOUR_MS,
				sweep: { start: NOW + 2 * HOUR_MS },
			});
		});

		test('by more resets the state to now, minus the lookback window', () => {
			const edited = { ...watch, ids: ['a', 'd'], types: ['changed', 'new'] };
			const saved = openEventsCheckpoint(stateAhead(3 * HOUR_MS), edited, NOW + 3 * HOUR_MS);

			expect(openEventsCheckpoint(saved, edited, NOW)).toMatchObject({
				lastSweepStart: NOW,
				earliestFrom: NOW - REACH_MS,
				sweep: undefined,
				types: { changed: START, new: NOW },
				watched: { [START]: fingerprintOf('a'), [NOW]: fingerprintOf('d') },
			});
		});

		test('moves nothing forward that was older', () => {
			const { sweep: ahead } = withSweep(stateAfterSweep(), watch, NOW + 24 * HOUR_MS);
			const saved = {
				...stateAfterSweep(),
				earliestFrom: START,
				seen: { 1: 'earlier-', 2: 'earlier+' },
				sweep: { ...ahead, seen: { 2: 'running-', 3: 'running+' } },
			};

			expect(openEventsCheckpoint(saved, watch, NOW)).toMatchObject({
				lastSweepStart: FIRST_SWEEP,
				earliestFrom: START,
				seen: { 1: 'earlier-', 2: 'earlier+running-', 3: 'running+' },
				sweep: undefined,
			});
		});

		test('resets also a sweep that begins in the future', () => {
			const { sweep } = withSweep(stateAfterSweep(), watch, NOW);
			const saved = { ...stateAfterSweep(), sweep: { ...sweep, from: 9e15 } };

			expect(openEventsCheckpoint(saved, watch, NOW).sweep).toBeUndefined();
		});
	});
});

describe('withSweep', () => {
	test('starts a sweep one lookback window before the last one', () => {
		const planned = withSweep(stateAfterSweep(), watch, NOW);

		expect(planned.sweep).toEqual({
			number: 2,
			start: NOW,
			from: FROM,
			done: '',
			partial: false,
			seen: {},
		});
		expect(planned.earliestFrom).toBe(FROM);
	});

	test('continues an unfinished sweep', () => {
		const planned = withSweep(stateAfterSweep(), watch, NOW);

		expect(withSweep(planned, watch, NOW + HOUR_MS).sweep).toBe(planned.sweep);
	});

	test.each<[what: string, state: Partial<EventsCheckpoint>, from: number]>([
		["the service's window", { earliestFrom: 0, lastSweepStart: 0 }, retentionStart(NOW)],
		["the state's lower bound", { earliestFrom: NOW - HOUR_MS }, NOW - HOUR_MS],
	])('never goes back beyond %s', (_what, state, from) => {
		expect(withSweep({ ...stateAfterSweep(), ...state }, watch, NOW).sweep.from).toBe(from);
	});
});

test('a poll queries the IDs that the sweep has not queried, up to its limit', () => {
	const planned = withSweep(stateAfterSweep(), watch, NOW);
	const started = { ...planned, sweep: { ...planned.sweep, done: fingerprintOf('b') } };
	const idsUpTo = (limit: number) => planEvents(started, limit, watch, NOW).job.ids;

	expect([idsUpTo(9), idsUpTo(1)]).toEqual([['a', 'c'], ['a']]);
});
