import type { IDataObject } from 'n8n-workflow';
import { windowStart } from '../events/window';
import { isWatching, openCheckpoint, pendingIds, type Watch, withSweep } from './checkpoint';
import { fingerprintOf, unpack } from './fingerprints';
import { createMemory } from './memory';
import { type IdResult, selectEvents } from './selection';

/** One poll of a node. */
export interface PollRun {
	/** Identifies the node. */
	readonly key: string;
	/** n8n's static data of the node. */
	readonly state: IDataObject;
	readonly watch: Watch;
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
	/** Whether the query of any ID succeeded; if the poll only retried IDs, of any ID in the sweep. */
	readonly succeeded: boolean;
}

const NOTHING: PollResult = { events: [], succeeded: true };

/**
 * Creates `runPoll`, which runs the polls of all nodes in this process. While a poll of a node is running, or has just
 * ended, further polls of that node fetch nothing. Throws only what `fetch` throws.
 */
export function createPollRunner() {
	const memory = createMemory();
	/** The latest settings of the nodes whose poll is running: users may save others meanwhile. */
	const running = new Map<string, Watch>();

	const open = ({ key, state, now }: PollRun, watch: Watch) =>
		openCheckpoint(memory.recall(key, state), watch, now());

	/** Watches added IDs and event types from now on. */
	function watchAdditions(run: PollRun): void {
		const { key, state, watch, now } = run;
		const states = [state.checkpoint, memory.recall(key, state)];
		if (states.every((checkpoint) => isWatching(checkpoint, watch))) return;
		memory.save(key, state, open(run, watch), false, now());
	}

	async function fetchAndSelect(run: PollRun): Promise<PollResult> {
		const { key, state, watch, maxIds, now, fetch } = run;
		const planned = withSweep(open(run, watch), watch, now());
		memory.save(key, state, planned, false, now());
		const { sweep } = planned;
		const ids = pendingIds(planned, watch).slice(0, maxIds);
		const results = await fetch(ids, Math.max(sweep.from, windowStart(now())));

		// Synchronous from here on, so that no other poll changes the state between reading and saving it.
		const latestWatch = running.get(key) ?? watch;
		const current = open(run, latestWatch);
		const { events, checkpoint } = selectEvents(current, latestWatch, sweep.number, results, now());
		memory.save(key, state, checkpoint, events.length > 0, now());
		const failed = new Set(unpack(sweep.failed));
		const onlyRetries = ids.every((id) => failed.has(fingerprintOf(id)));
		const succeeded =
			(onlyRetries && sweep.succeeded) || results.some((result) => result.events !== undefined);
		return { events, succeeded };
	}

	return async function runPoll(run: PollRun): Promise<PollResult> {
		const { key, state, watch, now } = run;
		const isRunning = running.has(key);
		if (isRunning || memory.isStale(key, state, now())) {
			watchAdditions(run);
			if (isRunning) running.set(key, watch);
			return NOTHING;
		}
		running.set(key, watch);
		try {
			return await fetchAndSelect(run);
		} finally {
			running.delete(key);
		}
	};
}
