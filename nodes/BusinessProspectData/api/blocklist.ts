import { getOrCreate } from '../core/collections';
import type { Failure } from '../core/outcome';
import type { ServiceRequest } from './httpRequest';
import type { Blocks } from './responseRules';

/**
 * A circuit breaker for each path, and one for all paths. It knows which requests not to send, because they would fail like an
 * earlier one.
 */
interface Blocklist {
	/** The failure that blocks the request; undefined if none does. */
	blockedFailure(request: Pick<ServiceRequest, 'path' | 'safeToRetry'>): Failure | undefined;
	/**
	 * Resolves when it is certain whether the path is blocked; undefined if that is certain now. A block that ends with the first
	 * success is uncertain while requests to the path are in flight, because one of them may succeed.
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
	/** The failure that blocks the path for good. */
	finalFailure?: Failure;
	/** The failure that blocks the path unless a request to it has succeeded or, already in flight, still succeeds. */
	failureUntilSuccess?: Failure;
	succeeded: boolean;
	/** Number of `pathIfRepeated` failures since the last success. */
	lostResponses: number;
	/** Requests in flight. */
	pending: number;
	/** Functions that resolve the promises of `untilBlockIsFinal`. */
	resolvers: Array<() => void>;
}

/** More than the default of Max Concurrent Requests: a short interruption loses the responses of all requests in flight. */
const MAX_LOST_RESPONSES = 10;

const NO_RESPONSES: Failure = {
	kind: 'unreachable',
	message: `The service did not respond to ${MAX_LOST_RESPONSES} requests of this kind in a row, so this request was not sent. The service may have charged for the requests without a response: check your credit usage. Run the remaining rows when the service responds again.`,
};

export function createBlocklist(): Blocklist {
	const states = new Map<string, PathState>();
	/** The failure that blocks all paths. */
	let generalFailure: Failure | undefined;

	const stateOf = (path: string): PathState =>
		getOrCreate(states, path, () => ({
			succeeded: false,
			lostResponses: 0,
			pending: 0,
			resolvers: [],
		}));

	/** True if the path is blocked only until a success, and a request in flight may bring it. */
	const mayBeUnblocked = (path: string): boolean => {
		const { finalFailure, failureUntilSuccess, succeeded, pending } = stateOf(path);
		const isFinal = (generalFailure ?? finalFailure) !== undefined;
		return pending > 0 && !succeeded && failureUntilSuccess !== undefined && !isFinal;
	};

	return {
		blockedFailure({ path, safeToRetry }) {
			const { finalFailure, failureUntilSuccess, succeeded, lostResponses } = stateOf(path);
			const repeated = lostResponses >= MAX_LOST_RESPONSES && !safeToRetry;
			return (
				generalFailure ??
				finalFailure ??
				(succeeded ? undefined : failureUntilSuccess) ??
				(repeated ? NO_RESPONSES : undefined)
			);
		},
		untilBlockIsFinal: (path) =>
			mayBeUnblocked(path)
				? new Promise((resolve) => stateOf(path).resolvers.push(resolve))
				: undefined,
		hasSucceeded: (path) => stateOf(path).succeeded,
		recordSent(path) {
			stateOf(path).pending++;
		},
		recordResult(path, failure, blocks) {
			const state = stateOf(path);
			state.pending--;
			if (failure === undefined) {
				state.succeeded = true;
				state.lostResponses = 0;
			}
			if (blocks === 'pathIfRepeated') state.lostResponses++;
			if (blocks === 'everything') generalFailure = failure;
			if (blocks === 'path') state.finalFailure = failure;
			if (blocks === 'pathUntilSuccess') state.failureUntilSuccess = failure;
			if (mayBeUnblocked(path)) return;
			for (const resolve of state.resolvers.splice(0)) resolve();
		},
		blockEverything(failure) {
			generalFailure = failure;
		},
	};
}
