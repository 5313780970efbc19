import type { IDataObject } from 'n8n-workflow';
import { createMemory, type Versioned } from './memory';

/** One poll of a node. */
export interface PollRun<Watch, Job, Fetched> {
	/** Identifies the node in this process (see `nodeKeyOf`). */
	readonly nodeKey: string;
	/** The node's static data, which n8n saves with the workflow. */
	readonly staticData: IDataObject;
	/** What the node watches, according to its settings. */
	readonly watch: Watch;
	/** Maximum number of IDs or pages to fetch. */
	readonly limit: number;
	/** Returns the current time, in milliseconds. */
	readonly now: () => number;
	readonly fetch: (job: Job) => Promise<Fetched>;
}

/** How a kind of trigger polls. `Job` is what a poll is to fetch, `Fetched` what it received. */
interface Strategy<Watch, Checkpoint extends Versioned, Job, Fetched, Result> {
	/** Applies `watch` to the saved checkpoint, or makes a new one if there is none or it doesn't fit. */
	readonly open: (saved: unknown, watch: Watch, now: number) => Checkpoint;
	/** True if the saved checkpoint already covers everything in `watch`. */
	readonly isWatching: (saved: unknown, watch: Watch) => boolean;
	/** What to fetch, and the checkpoint to save before fetching it. */
	readonly plan: (
		checkpoint: Checkpoint,
		watch: Watch,
		limit: number,
		now: number,
	) => { readonly checkpoint: Checkpoint; readonly job: Job };
	/**
	 * Selects what to output and advances the checkpoint. Returns no checkpoint if the poll shows that new settings can't be
	 * watched: the checkpoint from before the poll, if any, is then restored, so that undoing an edit loses nothing.
	 *
	 * @param checkpoint the current one, which may be newer than the one that `plan` returned
	 */
	readonly select: (
		checkpoint: Checkpoint,
		watch: Watch,
		job: Job,
		fetched: Fetched,
		now: number,
	) => {
		readonly checkpoint: Checkpoint | undefined;
		readonly result: Result;
		readonly hasOutput: boolean;
	};
	/** The result of a poll that is skipped because of another one. */
	readonly skippedResult: Result;
}

/**
 * Creates the function that runs the polls of all nodes of one kind in this process. The function skips a poll, so that it
 * fetches nothing, while another poll of the node is running, or while n8n hasn't yet saved the checkpoint of one that had
 * output. It throws only what `fetch` throws.
 */
export function createRunner<Watch, Checkpoint extends Versioned, Job, Fetched, Result>({
	open,
	isWatching,
	plan,
	select,
	skippedResult,
}: Strategy<Watch, Checkpoint, Job, Fetched, Result>) {
	type OwnRun = PollRun<Watch, Job, Fetched>;
	const memory = createMemory();
	/** For each node with a running poll, what it watches now: users may save new settings meanwhile. */
	const watchByRunningNode = new Map<string, Watch>();

	const currentCheckpoint = ({ nodeKey, staticData, now }: OwnRun, watch: Watch) =>
		open(memory.recall(nodeKey, staticData), watch, now());

	const save = ({ nodeKey, staticData, now }: OwnRun, checkpoint: Checkpoint, hasOutput: boolean) =>
		memory.save(nodeKey, staticData, checkpoint, { hasOutput, now: now() });

	/**
	 * Saves edited settings at once, so that new IDs, event types or filters are watched from now on, not from the next poll
	 * that fetches.
	 */
	function applyWatch(run: OwnRun): void {
		const { nodeKey, staticData, watch } = run;
		// Checks both, because later polls may continue from either.
		const checkpoints = [staticData.checkpoint, memory.recall(nodeKey, staticData)];
		if (checkpoints.every((saved) => isWatching(saved, watch))) return;
		save(run, currentCheckpoint(run, watch), false);
	}

	async function fetchAndSelect(run: OwnRun): Promise<Result> {
		const { nodeKey, staticData, watch, limit, now, fetch } = run;
		const restore = memory.snapshot(nodeKey, staticData);
		const planned = plan(currentCheckpoint(run, watch), watch, limit, now());
		save(run, planned.checkpoint, false);
		const fetched = await fetch(planned.job);

		// Synchronous from here on, so that no other poll changes the checkpoint between reading and saving it.
		const latest = watchByRunningNode.get(nodeKey) ?? watch;
		const selected = select(currentCheckpoint(run, latest), latest, planned.job, fetched, now());
		if (selected.checkpoint === undefined) restore();
		else save(run, selected.checkpoint, selected.hasOutput);
		return selected.result;
	}

	return async function runPoll(run: OwnRun): Promise<Result> {
		const { nodeKey, staticData, watch, now } = run;
		const isRunning = watchByRunningNode.has(nodeKey);
		if (isRunning || memory.awaitsCommit(nodeKey, staticData, now())) {
			applyWatch(run);
			if (isRunning) watchByRunningNode.set(nodeKey, watch);
			return skippedResult;
		}
		watchByRunningNode.set(nodeKey, watch);
		try {
			return await fetchAndSelect(run);
		} finally {
			watchByRunningNode.delete(nodeKey);
		}
	};
}
