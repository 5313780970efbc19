import type { IDataObject } from 'n8n-workflow';
import type { JsonValue } from '../core/json';
import { createMemory, type Versioned } from './memory';

/** A row as the service returned it. */
export interface ReceivedRow {
	readonly row: IDataObject;
	/** The context of the response that had the row. */
	readonly responseContext: JsonValue;
}

interface PollResult {
	/** What to output. */
	readonly rows: readonly ReceivedRow[];
	/** True to plan and fetch a second time in the same poll, which loses this result's rows. */
	readonly continues?: boolean;
}

/** The state machine of a kind of trigger. `Job` is what a poll is to fetch, `Fetched` what it received. */
interface StateMachine<Watch, Checkpoint extends Versioned, Job, Fetched, Result> {
	/**
	 * Applies `watch` to the saved checkpoint, or makes a new checkpoint if no usable one was saved. Returns `saved` itself if it
	 * already covers exactly what to watch.
	 */
	readonly open: (saved: unknown, watch: Watch, now: number) => Checkpoint;
	/** Returns what to fetch, and the checkpoint to save before the fetch. */
	readonly plan: (
		checkpoint: Checkpoint,
		limit: number,
		watch: Watch,
		now: number,
	) => { readonly checkpoint: Checkpoint; readonly job: Job };
	/**
	 * Selects what to output and advances the checkpoint.
	 *
	 * @param checkpoint may be newer than the one that `plan` returned
	 */
	readonly select: (
		checkpoint: Checkpoint,
		job: Job,
		fetched: Fetched,
		watch: Watch,
		now: number,
	) => { readonly checkpoint: Checkpoint; readonly result: Result };
}

/**
 * Creates the function that runs the polls of all nodes of one kind. That function skips a poll, and returns undefined, while
 * another poll of the node is running, or while n8n may still be saving the checkpoint of a poll with output.
 */
export function createRunner<
	Watch,
	Checkpoint extends Versioned,
	Job,
	Fetched,
	Result extends PollResult,
>({ open, plan, select }: StateMachine<Watch, Checkpoint, Job, Fetched, Result>) {
	interface PollRun {
		/** Identifies the node (see `nodeKeyOf`). */
		readonly nodeKey: string;
		readonly staticData: IDataObject;
		/** What the node's settings say to watch. */
		readonly watch: Watch;
		/** Limit that `plan` receives, in IDs or pages. */
		readonly limit: number;
		/** Returns the time in milliseconds. */
		readonly now: () => number;
		readonly fetch: (job: Job) => Promise<Fetched>;
	}

	const memory = createMemory();
	/** The latest settings of each node with a running poll. Users may edit them during the poll. */
	const watchByRunningNode = new Map<string, Watch>();

	async function runPoll(run: PollRun) {
		const { nodeKey, staticData, watch, now } = run;
		const isRunning = watchByRunningNode.has(nodeKey);
		if (isRunning || memory.awaitsCommit(nodeKey, staticData, now())) {
			applyWatch(run);
			if (isRunning) watchByRunningNode.set(nodeKey, watch);
			return undefined;
		}
		watchByRunningNode.set(nodeKey, watch);
		try {
			const polled = await fetchAndSelect(run);
			return polled.result.continues === true ? await fetchAndSelect(run) : polled;
		} finally {
			watchByRunningNode.delete(nodeKey);
		}
	}

	/** Starts to watch what an edit of the settings added, although this poll fetches nothing. */
	function applyWatch(run: PollRun): void {
		const { nodeKey, staticData, watch } = run;
		// Checks both, because later polls may continue from either.
		const checkpoints = [staticData.checkpoint, memory.recall(nodeKey, staticData)];
		if (checkpoints.every((saved) => open(saved, watch, run.now()) === saved)) return;
		save(run, currentCheckpoint(run, watch), false);
	}

	async function fetchAndSelect(run: PollRun): Promise<{ result: Result; fetched: Fetched }> {
		const { nodeKey, watch, limit, now, fetch } = run;
		const { checkpoint, job } = plan(currentCheckpoint(run, watch), limit, watch, now());
		save(run, checkpoint, false);
		const fetched = await fetch(job);

		// Synchronous from here on, so that no other poll changes the checkpoint between reading and saving it.
		const latest = watchByRunningNode.get(nodeKey) ?? watch;
		const selected = select(currentCheckpoint(run, latest), job, fetched, latest, now());
		save(run, selected.checkpoint, selected.result.rows.length > 0);
		return { result: selected.result, fetched };
	}

	const currentCheckpoint = ({ nodeKey, staticData, now }: PollRun, watch: Watch) =>
		open(memory.recall(nodeKey, staticData), watch, now());

	const save = (
		{ nodeKey, staticData, now }: PollRun,
		checkpoint: Checkpoint,
		hasOutput: boolean,
	) => memory.save(nodeKey, staticData, checkpoint, { hasOutput, now: now() });

	return runPoll;
}
