import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { JsonValue } from '../core/json';
import { DAY_MS, MINUTE_MS } from '../parameters/dates';
import { createCheckpointStore, type Versioned } from './checkpointStore';

/** A row as the service returned it. */
export interface ReceivedRow {
	readonly row: IDataObject;
	/** The context of the response that had the row. */
	readonly responseContext: JsonValue;
}

/** The state that a poll leaves to the next one. Times are in milliseconds. */
export interface PollCheckpoint extends Versioned {
	/** When the last check of everything started. */
	readonly startedAt?: number | undefined;
	readonly backOff?: BackOff | undefined;
}

/** After a failed poll. */
interface BackOff {
	readonly at: number;
	/** Failed polls in a row. */
	readonly count: number;
	/** Fingerprint of the node's settings: an edit ends the wait. */
	readonly settingsKey: string;
}

/** How long to wait before the next try. */
const waitAfter = (failures: number): number => ([5, 15, 30][failures - 1] ?? 60) * MINUTE_MS;

/** Failed checks in a row after which an ID or a page is reported, once a day. */
export const REPORTED_FAILURES = 3;

/** A daily check must not wait another day if the last one started seconds late. */
const TOLERANCE_MS = MINUTE_MS;

/** Whether what keeps failing may be reported again. */
export const isReportDue = (reportedAt: number | undefined, now: number): boolean =>
	reportedAt === undefined || now - reportedAt >= DAY_MS - TOLERANCE_MS;

export interface PollResult {
	readonly rows: readonly ReceivedRow[];
	/** True if the next poll must wait. */
	readonly failed: boolean;
	/** True to plan and fetch a second time in the same poll, which loses this result's rows. */
	readonly continues?: boolean;
}

export interface PlanOptions {
	readonly now: number;
	/** True to check everything again. False to continue an unfinished check. */
	readonly startsCheck: boolean;
}

/** The state machine of a kind of trigger. `Job` is what a poll is to fetch, `Fetched` what it received. */
interface StateMachine<Watch, Checkpoint extends PollCheckpoint, Job, Fetched, Result> {
	/**
	 * Applies `watch` to the saved checkpoint, or makes a new checkpoint if no usable one was saved. Returns `saved` itself if it
	 * already covers exactly what to watch.
	 */
	readonly open: (saved: unknown, watch: Watch) => Checkpoint;
	/** Whether the next poll continues a check, or queries what an edit added. */
	readonly hasMore: (checkpoint: Checkpoint, watch: Watch) => boolean;
	/** Returns what to fetch, and the checkpoint to save before the fetch. */
	readonly plan: (
		checkpoint: Checkpoint,
		limit: number,
		watch: Watch,
		options: PlanOptions,
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

export interface PolledNode {
	/** Identifies the node (see `nodeKeyOf`). */
	readonly nodeKey: string;
	/** Identifies the node's settings. */
	readonly settingsKey: string;
	readonly staticData: IDataObject;
	/** Time between two checks, in milliseconds. */
	readonly intervalMs: number;
	/** True to wait for nothing: neither for the next check nor after a failure. */
	readonly isActivation: boolean;
	/** Returns the time in milliseconds. */
	readonly now: () => number;
	/** Called only if a check is due. */
	readonly connect: () => Promise<Client>;
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
>({ open, hasMore, plan, select }: StateMachine<Watch, Checkpoint, Job, Fetched, Result>) {
	interface PollRun extends PolledNode {
		readonly watch: Watch;
		/** Limit that `plan` receives, in IDs or pages. */
		readonly limit: number;
		readonly fetch: (client: Client, job: Job) => Promise<Fetched>;
	}

	const store = createCheckpointStore();
	/** The latest settings of each node with a running poll. Users may edit them during the poll. */
	const watchByRunningNode = new Map<string, Watch>();

	async function runPoll(run: PollRun) {
		const { nodeKey, staticData, watch, now } = run;
		if (dueJob(run) === undefined) return applyWatch(run);
		const client = await run.connect();
		try {
			if (watchByRunningNode.has(nodeKey) || store.awaitsCommit(nodeKey, staticData, now())) {
				return applyWatch(run);
			}
			watchByRunningNode.set(nodeKey, watch);
			try {
				const polled = await fetchAndSelect(run, client);
				return polled.result.continues === true ? await fetchAndSelect(run, client) : polled;
			} finally {
				watchByRunningNode.delete(nodeKey);
			}
		} finally {
			client.stop();
		}
	}

	/** Undefined if the poll has nothing to do. */
	function dueJob(run: PollRun): 'start' | 'continue' | undefined {
		const checkpoint = currentCheckpoint(run, run.watch);
		const { startedAt, backOff } = checkpoint;
		const isOver = (at: number, ms: number) =>
			// The difference is negative if the clock was set back.
			run.isActivation || Math.abs(run.now() - at) >= ms;
		if (backOff?.settingsKey === run.settingsKey && !isOver(backOff.at, waitAfter(backOff.count))) {
			return undefined;
		}
		if (hasMore(checkpoint, run.watch)) return 'continue';
		return startedAt === undefined || isOver(startedAt, run.intervalMs - TOLERANCE_MS)
			? 'start'
			: undefined;
	}

	/** Starts to watch what an edit of the settings added, although this poll fetches nothing. */
	function applyWatch(run: PollRun): undefined {
		const { nodeKey, staticData, watch } = run;
		if (watchByRunningNode.has(nodeKey)) watchByRunningNode.set(nodeKey, watch);
		// Checks both, because later polls may continue from either.
		const checkpoints = [staticData.checkpoint, store.recall(nodeKey, staticData)];
		if (checkpoints.every((saved) => open(saved, watch) === saved)) return undefined;
		save(run, currentCheckpoint(run, watch), false);
		return undefined;
	}

	async function fetchAndSelect(
		run: PollRun,
		client: Client,
	): Promise<{ result: Result; fetched: Fetched }> {
		const { nodeKey, settingsKey, watch, limit, now, fetch } = run;
		const options = { now: now(), startsCheck: dueJob(run) === 'start' };
		const { checkpoint, job } = plan(currentCheckpoint(run, watch), limit, watch, options);
		save(run, checkpoint, false);
		const fetched = await fetch(client, job);

		// Synchronous from here on, so that no other poll changes the checkpoint between reading and saving it.
		const latest = watchByRunningNode.get(nodeKey) ?? watch;
		const selected = select(currentCheckpoint(run, latest), job, fetched, latest, now());
		const { result } = selected;
		const before = checkpoint.backOff?.settingsKey === settingsKey ? checkpoint.backOff.count : 0;
		const backOff = result.failed ? { at: now(), count: before + 1, settingsKey } : undefined;
		save(run, { ...selected.checkpoint, backOff }, result.rows.length > 0);
		return { result, fetched };
	}

	const currentCheckpoint = ({ nodeKey, staticData }: PollRun, watch: Watch) =>
		open(store.recall(nodeKey, staticData), watch);

	const save = (
		{ nodeKey, staticData, now }: PollRun,
		checkpoint: Checkpoint,
		hasOutput: boolean,
	) => store.save(nodeKey, staticData, checkpoint, { hasOutput, now: now() });

	return runPoll;
}
