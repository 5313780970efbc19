import type { IDataObject } from 'n8n-workflow';
import { asText } from '../../core/json';
import { retentionStart } from '../../events/retention';
import {
	type EventsCheckpoint,
	type EventsWatch,
	isWatchingEvents,
	openEventsCheckpoint,
	remainingIds,
	withSweep,
} from './checkpoint';
import { createRunner, type PollRun } from '../runner';
import { type IdResult, selectEvents } from './selection';

/** What a poll fetches: the events of IDs since `from` (milliseconds). */
interface EventsJob {
	readonly ids: readonly string[];
	readonly from: number;
	/** The event types at the start of the poll. */
	readonly types: readonly string[];
	readonly sweepNumber: number;
	/** True if earlier polls of the sweep queried IDs and no query failed: the service accepts other IDs. */
	readonly othersAccepted: boolean;
}

/**
 * One poll of a node that watches events. `limit` is the maximum number of IDs. `fetch` returns no result for an ID that
 * couldn't be queried yet.
 */
export type EventsPollRun = PollRun<EventsWatch, EventsJob, readonly IdResult[]>;

export interface EventsPollResult {
	/** The events to output, oldest first. */
	readonly events: readonly IDataObject[];
	/** True if any query succeeded. */
	readonly succeeded: boolean;
}

/** Creates `runPoll`, which runs the polls of all nodes that watch events. Throws only what `fetch` throws. */
export const createEventsRunner = () =>
	createRunner<EventsWatch, EventsCheckpoint, EventsJob, readonly IdResult[], EventsPollResult>({
		open: openEventsCheckpoint,
		isWatching: isWatchingEvents,
		plan(checkpoint, watch, limit, now) {
			const planned = withSweep(checkpoint, watch, now);
			const ids = remainingIds(planned, watch).slice(0, limit);
			const from = Math.max(planned.sweep.from, retentionStart(now));
			const { number: sweepNumber, done, partial } = planned.sweep;
			const othersAccepted = done !== '' && !partial;
			const job = { sweepNumber, ids, from, types: watch.types, othersAccepted };
			return { checkpoint: planned, job };
		},
		select(checkpoint, watch, { sweepNumber, types }, received, now) {
			const removedTypes = types.filter((type) => !watch.types.includes(type));
			const results = received.map((result) => withoutTypes(result, removedTypes));
			const { events, checkpoint: next } = selectEvents(
				checkpoint,
				watch,
				sweepNumber,
				results,
				now,
			);
			const succeeded = results.some((result) => result.events !== undefined);
			return { checkpoint: next, result: { events, succeeded }, hasOutput: events.length > 0 };
		},
		nothing: { events: [], succeeded: true },
	});

/** Removes events whose type was removed from the settings during the poll. */
function withoutTypes(result: IdResult, removed: readonly string[]): IdResult {
	if (result.events === undefined || removed.length === 0) return result;
	const events = result.events.filter((event) => !removed.includes(asText(event.event_name) ?? ''));
	return { ...result, events };
}
