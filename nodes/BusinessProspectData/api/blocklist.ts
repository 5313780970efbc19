import type { Blocks } from './answer';
import type { Failure } from '../core/outcome';

/** Tracks which requests would fail like an earlier one, so they needn't be sent. */
export interface Blocklist {
	/** The failure that a request to the path would meet. */
	blockedFailure(path: string): Failure | undefined;
	/** Present while the path looks wrong, but a pending request may still prove it right. Resolves once that is known. */
	undecided(path: string): Promise<void> | undefined;
	/** Whether a request to the path has succeeded: the service has it, and the account may use it. */
	hasSucceeded(path: string): boolean;
	/** A request to the path is sent. */
	sent(path: string): void;
	/** That request is over. `blocks` says which others would fail in the same way. */
	settled(path: string, failure: Failure | undefined, blocks: Blocks | undefined): void;
	blockEverything(failure: Failure): void;
}

interface PathState {
	/** Blocks the path; `unproven` only while nothing on it has succeeded. */
	blocked?: Failure;
	unproven?: Failure;
	succeeded: boolean;
	pending: number;
	waiting: Array<() => void>;
}

export function createBlocklist(): Blocklist {
	const states = new Map<string, PathState>();
	let everything: Failure | undefined;

	function stateOf(path: string): PathState {
		const state = states.get(path) ?? { succeeded: false, pending: 0, waiting: [] };
		states.set(path, state);
		return state;
	}

	const blockedFailure = (path: string): Failure | undefined => {
		const { blocked, unproven, succeeded } = stateOf(path);
		return everything ?? blocked ?? (succeeded ? undefined : unproven);
	};

	const isUndecided = (path: string): boolean => {
		const { unproven, pending } = stateOf(path);
		return pending > 0 && unproven !== undefined && blockedFailure(path) === unproven;
	};

	return {
		blockedFailure,
		undecided: (path) =>
			isUndecided(path) ? new Promise((resolve) => stateOf(path).waiting.push(resolve)) : undefined,
		hasSucceeded: (path) => stateOf(path).succeeded,
		sent(path) {
			stateOf(path).pending++;
		},
		settled(path, failure, blocks) {
			const state = stateOf(path);
			state.pending--;
			if (failure === undefined) state.succeeded = true;
			if (blocks === 'everything') everything = failure;
			if (blocks === 'path') state.blocked = failure;
			if (blocks === 'unproven-path') state.unproven = failure;
			if (isUndecided(path)) return;
			for (const resolve of state.waiting.splice(0)) resolve();
		},
		blockEverything(failure) {
			everything = failure;
		},
	};
}
