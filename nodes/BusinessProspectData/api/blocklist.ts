import type { Failure } from '../core/outcome';
import type { Blocks } from './responseRules';

/** Tracks which requests would fail like an earlier one, so they needn't be sent. */
interface Blocklist {
	/** The failure that blocks requests to the path; undefined if none does. */
	blockedFailure(path: string): Failure | undefined;
	/**
	 * What to wait for before a request is sent: set while the path is blocked, but a request in flight may still lift the block.
	 * Otherwise undefined.
	 */
	untilBlockIsFinal(path: string): Promise<void> | undefined;
	/** True if a request to the path has succeeded: the path exists, and the account may use it. */
	hasSucceeded(path: string): boolean;
	/** Records that a request to the path is in flight. */
	recordSent(path: string): void;
	/** Records the result of a request (no `failure`: it succeeded), and which other requests would fail the same way. */
	recordResult(path: string, failure: Failure | undefined, blocks: Blocks | undefined): void;
	blockEverything(failure: Failure): void;
}

interface PathState {
	blocked?: Failure;
	/** The failure that blocks the path until a request to it succeeds. */
	failureUntilSuccess?: Failure;
	succeeded: boolean;
	pending: number;
	/** Functions that resolve the promises of `untilBlockIsFinal`. */
	resolvers: Array<() => void>;
}

export function createBlocklist(): Blocklist {
	const states = new Map<string, PathState>();
	let allBlocked: Failure | undefined;

	function stateOf(path: string): PathState {
		const state = states.get(path) ?? { succeeded: false, pending: 0, resolvers: [] };
		states.set(path, state);
		return state;
	}

	const blockedFailure = (path: string): Failure | undefined => {
		const { blocked, failureUntilSuccess, succeeded } = stateOf(path);
		return allBlocked ?? blocked ?? (succeeded ? undefined : failureUntilSuccess);
	};

	/** True if only `failureUntilSuccess` blocks the path, and a pending request may still succeed. */
	const mayStillSucceed = (path: string): boolean => {
		const { blocked, failureUntilSuccess, succeeded, pending } = stateOf(path);
		const isBlocked = (allBlocked ?? blocked) !== undefined;
		return pending > 0 && !succeeded && failureUntilSuccess !== undefined && !isBlocked;
	};

	return {
		blockedFailure,
		untilBlockIsFinal: (path) =>
			mayStillSucceed(path)
				? new Promise((resolve) => stateOf(path).resolvers.push(resolve))
				: undefined,
		hasSucceeded: (path) => stateOf(path).succeeded,
		recordSent(path) {
			stateOf(path).pending++;
		},
		recordResult(path, failure, blocks) {
			const state = stateOf(path);
			state.pending--;
			if (failure === undefined) state.succeeded = true;
			if (blocks === 'everything') allBlocked = failure;
			if (blocks === 'path') state.blocked = failure;
			if (blocks === 'pathUntilSuccess') state.failureUntilSuccess = failure;
			if (mayStillSucceed(path)) return;
			for (const resolve of state.resolvers.splice(0)) resolve();
		},
		blockEverything(failure) {
			allBlocked = failure;
		},
	};
}
