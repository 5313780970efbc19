import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { JsonValue } from '../core/json';
import { MINUTE_MS } from '../parameters/dates';
import { createMemory, type Versioned } from './memory';

/** A row as the service returned it. */
export interface ReceivedRow {
	readonly row: IDataObject;
	/** The context of the response that had the row. */
	readonly responseContext: JsonValue;
}

/** What a poll leaves to the next one. */
export interface PollCheckpoint extends Versioned {
	/** When the last check started. Undefined unless it is complete: then the next poll continues or repeats it. */
	readonly checkedAt?: number | undefined;
}

/** A daily check must not wait another day if the last one started seconds late. */
const TOLERANCE_MS = MINUTE_MS;

interface PollResult {
	/** What to output. */
	readonly rows: readonly ReceivedRow[];
	/** True if the check did not fail and leaves nothing to the next poll. */
	readonly isComplete: boolean;
	/** True to plan and fetch a second time in the same poll, which loses this result's rows. */
	readonly continues?: boolean;
}

/** The state machine of a kind of trigger. `Job` is what a poll is to fetch, `Fetched` what it received. */
interface StateMachine<Watch, Checkpoint extends PollCheckpoint, Job, Fetched, Result> {
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
 * Creates the function that runs the polls of all nodes of one kind. That function skips a poll, and returns undefined, if no
 * check is due, while another poll of the node is running, or while n8n may still be saving the checkpoint of a poll with output.
 */
export function createRunner<
	Watch,
	Checkpoint extends PollCheckpoint,
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
		/** Time between two checks, in milliseconds. */
		readonly intervalMs: number;
		/** Returns the time in milliseconds. */
		readonly now: () => number;
		/** Called only if a check is due. */
		readonly withClient: <Value>(use: (client: Client) => Promise<Value>) => Promise<Value>;
		readonly fetch: (client: Client, job: Job) => Promise<Fetched>;
	}

	const memory = createMemory();
	/** The latest settings of each node with a running poll. Users may edit them during the poll. */
	const watchByRunningNode = new Map<string, Watch>();

	async function runPoll(run: PollRun) {
		const { nodeKey, staticData, watch, now } = run;
		if (!isDue(run)) return applyWatch(run);
		return await run.withClient(async (client) => {
			if (watchByRunningNode.has(nodeKey) || memory.awaitsCommit(nodeKey, staticData, now())) {
				return applyWatch(run);
			}
			watchByRunningNode.set(nodeKey, watch);
			try {
				const polled = await fetchAndSelect(run, client);
				return polled.result.continues === true ? await fetchAndSelect(run, client) : polled;
			} finally {
				watchByRunningNode.delete(nodeKey);
			}
		});
	}

	function isDue(run: PollRun): boolean {
		const { checkedAt } = currentCheckpoint(run, run.watch);
		// The difference is negative if the clock was set back.
		return (
			checkedAt === undefined || Math.abs(run.now() - checkedAt) >= run.intervalMs - TOLERANCE_MS
		);
	}

	/** Starts to watch what an edit of the settings added, although this poll fetches nothing. */
	function applyWatch(run: PollRun): undefined {
		const { nodeKey, staticData, watch } = run;
		if (watchByRunningNode.has(nodeKey)) watchByRunningNode.set(nodeKey, watch);
		// Checks both, because later polls may continue from either.
		const checkpoints = [staticData.checkpoint, memory.recall(nodeKey, staticData)];
		if (checkpoints.every((saved) => open(saved, watch, run.now()) === saved)) return undefined;
		save(run, currentCheckpoint(run, watch), false);
		return undefined;
	}

	async function fetchAndSelect(
		run: PollRun,
		client: Client,
	): Promise<{ result: Result; fetched: Fetched }> {
		const { nodeKey, watch, limit, now, fetch } = run;
		const startedAt = now();
		const { checkpoint, job } = plan(currentCheckpoint(run, watch), limit, watch, startedAt);
		save(run, checkpoint, false);
		const fetched = await fetch(client, job);

		// Synchronous from here on, so that no other poll changes the checkpoint between reading and saving it.
		const latest = watchByRunningNode.get(nodeKey) ?? watch;
		const selected = select(currentCheckpoint(run, latest), job, fetched, latest, now());
		const { result } = selected;
		const checkedAt = result.isComplete ? startedAt : undefined;
		save(run, { ...selected.checkpoint, checkedAt }, result.rows.length > 0);
		return { result, fetched };
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
