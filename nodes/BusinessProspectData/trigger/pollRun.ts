import type { IDataObject } from 'n8n-workflow';
import { isWatching, openCheckpoint, pendingIds, withSweep, type Watch } from './checkpoint';
import { createMemory } from './memory';
import { fingerprintOf, unpack } from './fingerprints';
import { type IdResult, selectEvents } from './selection';
import { windowStart } from '../events/window';

/** The rules by which a poll goes: checkpoint and findings in, events and checkpoint out. */
export const RULES = {
	opened: openCheckpoint,
	sweeping: withSweep,
	pending: pendingIds,
	selected: selectEvents,
};

/** One poll of a node. */
export interface PollRun {
	/** Tells the node from others. */
	readonly key: string;
	/** n8n's state of the node. */
	readonly state: IDataObject;
	readonly watch: Watch;
	/** How many ids may be asked. */
	readonly most: number;
	/** Milliseconds. */
	readonly now: () => number;
	/** Asks for the events of ids from a moment on (milliseconds). Ids that could not be asked at all are left out. */
	readonly ask: (ids: readonly string[], from: number) => Promise<readonly IdResult[]>;
}

export interface PollResult {
	/** What to put out, oldest first. */
	readonly events: readonly IDataObject[];
	/** Whether the service answered for any id; where all had failed before in this sweep, also earlier in it. */
	readonly answered: boolean;
}

const NOTHING: PollResult = { events: [], answered: true };

/**
 * Makes the function that takes the turns of all nodes of this process. A turn that finds one of its node running, or just
 * ended, asks for nothing. Never throws by itself.
 */
export function createPollRunner(rules = RULES, memory = createMemory()) {
	/** What the nodes watch whose turn is running, by their latest settings: users may save others meanwhile. */
	const running = new Map<string, Watch>();

	const open = ({ key, state, now }: PollRun, watch: Watch) =>
		rules.opened(memory.recall(key, state), watch, now());

	/** What was added to the lists counts from now on. */
	function note(turn: PollRun): void {
		const { key, state, watch, now } = turn;
		const known = [state.checkpoint, memory.recall(key, state)];
		if (known.every((checkpoint) => isWatching(checkpoint, watch))) return;
		memory.keep(key, state, open(turn, watch), false, now());
	}

	async function take(turn: PollRun): Promise<PollResult> {
		const { key, state, watch, most, now, ask } = turn;
		const planned = rules.sweeping(open(turn, watch), watch, now());
		memory.keep(key, state, planned, false, now());
		const ids = rules.pending(planned, watch).slice(0, most);
		const { number, from: from } = planned.sweep;
		const answers = await ask(ids, Math.max(from, windowStart(now())));

		// From here to the return nothing waits, so that what is read is what is kept.
		const latest = running.get(key) ?? watch;
		const current = open(turn, latest);
		const { events, checkpoint } = rules.selected(current, latest, number, answers, now());
		memory.keep(key, state, checkpoint, events.length > 0, now());
		const failedBefore = new Set(unpack(planned.sweep.failed));
		const onlyAgain = ids.every((id) => failedBefore.has(fingerprintOf(id)));
		const answered =
			(onlyAgain && planned.sweep.answered) ||
			answers.some((answer) => answer.events !== undefined);
		return { events, answered };
	}

	return async (turn: PollRun): Promise<PollResult> => {
		const { key, state, watch, now } = turn;
		const others = running.has(key);
		if (others || memory.isBehind(key, state, now())) {
			note(turn);
			if (others) running.set(key, watch);
			return NOTHING;
		}
		running.set(key, watch);
		try {
			return await take(turn);
		} finally {
			running.delete(key);
		}
	};
}
