/** Settings and a saved state that the tests of checkpoint and selection share. */
import { HOUR_MS } from '../../../nodes/BusinessProspectData/parameters/dates';
import {
	type EventsCheckpoint,
	CLOCK_SLACK_MS,
	openEventsCheckpoint,
	type EventsWatch,
	withSweep,
} from '../../../nodes/BusinessProspectData/trigger/events/checkpoint';

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

/** The state after a first sweep without events. */
export function stateAfterSweep(at = FIRST_SWEEP): EventsCheckpoint {
	const opened = openEventsCheckpoint(undefined, watch, at);
	const { lastSweepStart, sweep, ...rest } = withSweep(opened, watch, at);
	expect([lastSweepStart, sweep.start]).toEqual([START, at]);
	return { ...rest, lastSweepStart: at };
}
