import type { IDataObject } from 'n8n-workflow';
import { retentionStart } from '../events/window';
import { isWatching, openCheckpoint, remainingIds, type Watch, withSweep } from './checkpoint';
import { fingerprintOf, unpack } from './fingerprints';
import { createMemory } from './memory';
import { type IdResult, selectEvents } from './selection';

/** One poll of a node. */
export interface PollRun {
	/** Identifies the node. */
	readonly nodeKey: string;
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
	/** True if any query succeeded: in this poll or, if it only retried failed IDs, in the whole sweep. */
	readonly succeeded: boolean;
}

const NOTHING: PollResult = { events: [], succeeded: true };

/**
 * Creates `runPoll`, which runs the polls of all nodes in this process. While a poll of a node is running, or n8n hasn't yet
 * saved the state of one that output events, further polls of that node fetch nothing. Throws only what `fetch` throws.
 */
export function createPollRunner() {
	const memory = createMemory();
	/** The latest settings of the nodes whose poll is running: users may save others meanwhile. */
	const running = new Map<string, Watch>();

	const open = ({ nodeKey, state, now }: PollRun, watch: Watch) =>
		openCheckpoint(memory.recall(nodeKey, state), watch, now());

	/** Watches added IDs and event types from now on. */
	function watchAdditions(run: PollRun): void {
		const { nodeKey, state, watch, now } = run;
		const states = [state.checkpoint, memory.recall(nodeKey, state)];
		if (states.every((checkpoint) => isWatching(checkpoint, watch))) return;
		memory.save(nodeKey, state, open(run, watch), { hasEvents: false, now: now() });
	}

	async function fetchAndSelect(run: PollRun): Promise<PollResult> {
		const { nodeKey, state, watch, maxIds, now, fetch } = run;
		const planned = withSweep(open(run, watch), watch, now());
		memory.save(nodeKey, state, planned, { hasEvents: false, now: now() });
		const { sweep } = planned;
		const ids = remainingIds(planned, watch).slice(0, maxIds);
		const results = await fetch(ids, Math.max(sweep.from, retentionStart(now())));

		// Synchronous from here on, so that no other poll changes the state between reading and saving it.
		const latestWatch = running.get(nodeKey) ?? watch;
		const current = open(run, latestWatch);
		const { events, checkpoint } = selectEvents(current, latestWatch, sweep.number, results, now());
		memory.save(nodeKey, state, checkpoint, { hasEvents: events.length > 0, now: now() });
		const failed = new Set(unpack(sweep.failed));
		const onlyRetries = ids.every((id) => failed.has(fingerprintOf(id)));
		const succeeded =
			(onlyRetries && sweep.succeeded) || results.some((result) => result.events !== undefined);
		return { events, succeeded };
	}

	return async function runPoll(run: PollRun): Promise<PollResult> {
		const { nodeKey, state, watch, now } = run;
		const isRunning = running.has(nodeKey);
		if (isRunning || memory.isStale(nodeKey, state, now())) {
			watchAdditions(run);
			if (isRunning) running.set(nodeKey, watch);
			return NOTHING;
		}
		running.set(nodeKey, watch);
		try {
			return await fetchAndSelect(run);
		} finally {
			running.delete(nodeKey);
		}
	};
}
