import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { JsonValue } from '../core/json';
import { createMemory, type Versioned } from './memory';

/** One poll of a node. */
export interface PollRun<Watch, Job, Fetched> {
	/** Identifies the node. */
	readonly nodeKey: string;
	/** The node's static data, which n8n saves with the workflow. */
	readonly staticData: IDataObject;
	readonly watch: Watch;
	/** Maximum number of IDs or pages to fetch. */
	readonly limit: number;
	/** Returns the current time, in milliseconds. */
	readonly now: () => number;
	readonly fetch: (job: Job) => Promise<Fetched>;
}

/** What a poll does with its settings (`Watch`), its checkpoint, and what it fetches (`Job`, `Fetched`). */
interface Strategy<Watch, Checkpoint extends Versioned, Job, Fetched, Result> {
	/** Applies the settings to the saved checkpoint, or makes a new one if there is none or it doesn't fit. */
	readonly open: (saved: unknown, watch: Watch, now: number) => Checkpoint;
	/** True if the saved checkpoint already covers everything in the settings. */
	readonly isWatching: (saved: unknown, watch: Watch) => boolean;
	/** What to fetch, and the checkpoint to save before fetching it. */
	readonly plan: (
		checkpoint: Checkpoint,
		watch: Watch,
		limit: number,
		now: number,
	) => { readonly checkpoint: Checkpoint; readonly job: Job };
	/**
	 * Selects what to output and advances the checkpoint. Returns no checkpoint if the poll shows that edited settings can't be
	 * watched: the state from before the poll is then restored, so that undoing the edit loses nothing.
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
	/** The result of a poll that fetches nothing. */
	readonly nothing: Result;
}

/**
 * Creates the function that runs the polls of all nodes in this process. While a poll of a node is running, or n8n hasn't
 * yet saved the state of one that had output, further polls of that node fetch nothing. Throws only what `fetch` throws.
 */
export function createRunner<Watch, Checkpoint extends Versioned, Job, Fetched, Result>({
	open,
	isWatching,
	plan,
	select,
	nothing,
}: Strategy<Watch, Checkpoint, Job, Fetched, Result>) {
	type OwnRun = PollRun<Watch, Job, Fetched>;
	const memory = createMemory();
	/** The latest settings of each node with a running poll: users may save new settings meanwhile. */
	const running = new Map<string, Watch>();

	const currentCheckpoint = ({ nodeKey, staticData, now }: OwnRun, watch: Watch) =>
		open(memory.recall(nodeKey, staticData), watch, now());

	const save = ({ nodeKey, staticData, now }: OwnRun, next: Checkpoint, hasOutput: boolean) =>
		memory.save(nodeKey, staticData, next, { hasOutput, now: now() });

	/**
	 * Saves edited settings at once, so that new IDs, event types or filters are watched from now on, not from the next poll
	 * that fetches.
	 */
	function applySettings(run: OwnRun): void {
		const { nodeKey, staticData, watch } = run;
		// Both, because later polls may continue from either of them.
		const states = [staticData.checkpoint, memory.recall(nodeKey, staticData)];
		if (states.every((saved) => isWatching(saved, watch))) return;
		save(run, currentCheckpoint(run, watch), false);
	}

	async function fetchAndSelect(run: OwnRun): Promise<Result> {
		const { nodeKey, staticData, watch, limit, now, fetch } = run;
		const restore = memory.snapshot(nodeKey, staticData);
		const planned = plan(currentCheckpoint(run, watch), watch, limit, now());
		save(run, planned.checkpoint, false);
		const fetched = await fetch(planned.job);

		// Synchronous from here on, so that no other poll changes the state between reading and saving it.
		const latest = running.get(nodeKey) ?? watch;
		const selected = select(currentCheckpoint(run, latest), latest, planned.job, fetched, now());
		if (selected.checkpoint === undefined) restore();
		else save(run, selected.checkpoint, selected.hasOutput);
		return selected.result;
	}

	return async function runPoll(run: OwnRun): Promise<Result> {
		const { nodeKey, staticData, watch, now } = run;
		const isRunning = running.has(nodeKey);
		if (isRunning || memory.awaitsCommit(nodeKey, staticData, now())) {
			applySettings(run);
			if (isRunning) running.set(nodeKey, watch);
			return nothing;
		}
		running.set(nodeKey, watch);
		try {
			return await fetchAndSelect(run);
		} finally {
			running.delete(nodeKey);
		}
	};
}

/** The rows of one response, and its `response_context`. */
interface ReceivedRows {
	readonly rows: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

/** Converts selected rows to items. Each gets the context of the response that the row came with. */
export function toItems(
	selected: readonly IDataObject[],
	received: readonly ReceivedRows[],
	outputOf: (row: IDataObject, responseContext: JsonValue) => { readonly json: IDataObject },
): INodeExecutionData[] {
	const contexts = new Map(
		received.flatMap(({ rows, responseContext }) =>
			rows.map((row) => [row, responseContext] as const),
		),
	);
	return selected.map((row) => ({ json: outputOf(row, contexts.get(row)).json }));
}
