import type { IDataObject } from 'n8n-workflow';
import { asText } from '../../core/json';
import { retentionStart } from '../../events/window';
import {
	isWatching,
	openCheckpoint,
	remainingIds,
	type EventsWatch,
	withSweep,
} from './checkpoint';
import { fingerprintOf, unpack } from '../fingerprints';
import { createRunner } from '../runner';
import { type IdResult, selectEvents } from './selection';

/** One poll of a node that watches events. */
export interface EventsRun {
	/** Identifies the node. */
	readonly nodeKey: string;
	/** n8n's static data of the node. */
	readonly staticData: IDataObject;
	readonly watch: EventsWatch;
	/** Maximum number of IDs to query. */
	readonly maxIds: number;
	/** Milliseconds. */
	readonly now: () => number;
	/** Fetches the events of IDs since `from` (milliseconds). Omits IDs that are still to be queried. */
	readonly fetch: (ids: readonly string[], from: number) => Promise<readonly IdResult[]>;
}

export interface PollResult {
	/** The events to output, oldest first. */
	readonly events: readonly IDataObject[];
	/** True if any query succeeded: in this poll or, if it only retried failed IDs, in the whole sweep. */
	readonly succeeded: boolean;
}

/** Creates `runPoll`, which runs the polls of all nodes that watch events. Throws only what `fetch` throws. */
export function createEventsRunner() {
	const runPoll = createRunner({
		open: openCheckpoint,
		isWatching,
		plan(checkpoint, watch: EventsWatch, maxIds, now) {
			const planned = withSweep(checkpoint, watch, now);
			const ids = remainingIds(planned, watch).slice(0, maxIds);
			const from = Math.max(planned.sweep.from, retentionStart(now));
			return { checkpoint: planned, job: { sweep: planned.sweep, ids, from, types: watch.types } };
		},
		select(checkpoint, watch, { sweep, ids, types }, received: readonly IdResult[], now) {
			const removedTypes = types.filter((type) => !watch.types.includes(type));
			const results = received.map((result) => withoutTypes(result, removedTypes));
			const { events, checkpoint: next } = selectEvents(
				checkpoint,
				watch,
				sweep.number,
				results,
				now,
			);
			const failed = new Set(unpack(sweep.failed));
			const onlyRetries = ids.every((id) => failed.has(fingerprintOf(id)));
			const succeeded =
				(onlyRetries && sweep.succeeded) || results.some((result) => result.events !== undefined);
			return { checkpoint: next, result: { events, succeeded }, hasOutput: events.length > 0 };
		},
		nothing: { events: [], succeeded: true },
	});
	return async ({ maxIds, fetch, ...run }: EventsRun): Promise<PollResult> =>
		await runPoll({
			...run,
			limit: maxIds,
			fetch: async ({ ids, from }) => await fetch(ids, from),
		});
}

/** The events of an ID without those of types that were removed from the settings while they were fetched. */
function withoutTypes(result: IdResult, removed: readonly string[]): IdResult {
	if (result.events === undefined || removed.length === 0) return result;
	const events = result.events.filter((event) => !removed.includes(asText(event.event_name) ?? ''));
	return { ...result, events };
}
