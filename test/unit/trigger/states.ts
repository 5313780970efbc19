/** Settings and a saved state that the tests of checkpoint and selection share. */
import { HOUR_MS } from '../../../nodes/BusinessProspectData/parameters/dates';
import {
	type EventsCheckpoint,
	CLOCK_SLACK_MS,
	openEventsCheckpoint,
	type EventsWatch,
	type IdResult,
	planEvents,
	selectEvents as select,
} from '../../../nodes/BusinessProspectData/trigger/events/state';

export const START = Date.UTC(2026, 4, 1);
/** When the first sweep started, and when the test is. */
export const FIRST_SWEEP = START + 20 * HOUR_MS;
export const NOW = START + 24 * HOUR_MS;

const LOOKBACK_MS = 10 * HOUR_MS;
/** How far a sweep reaches back before the start of the one before. */
export const REACH_MS = LOOKBACK_MS + CLOCK_SLACK_MS;
/** Lower bound of the second sweep. */
export const FROM = FIRST_SWEEP - REACH_MS;

export const watch: EventsWatch = {
	entityType: 'prospect',
	ids: ['a', 'b', 'c'],
	types: ['changed', 'moved'],
	lookbackMs: LOOKBACK_MS,
	startFrom: START,
};

/** The state that a poll of all remaining IDs starts from. */
export const withSweep = (...[checkpoint, own, now]: [EventsCheckpoint, EventsWatch, number]) =>
	planEvents(checkpoint, Infinity, own, now).checkpoint;

/** What a poll of this sweep outputs, and the state after it. */
export function selectEvents(
	before: EventsCheckpoint,
	own: EventsWatch,
	sweepNumber: number,
	results: readonly IdResult[],
	now: number,
) {
	const job = { sweepNumber, types: own.types };
	const { result, checkpoint } = select(before, job, { results }, own, now);
	return { events: result.rows.map(({ row }) => row), checkpoint };
}

/** The state after a first sweep without events. */
export function stateAfterSweep(at = FIRST_SWEEP): EventsCheckpoint {
	const opened = openEventsCheckpoint(undefined, watch, at);
	const { lastSweepStart, sweep, ...rest } = withSweep(opened, watch, at);
	expect([lastSweepStart, sweep.start]).toEqual([START, at]);
	return { ...rest, lastSweepStart: at };
}
