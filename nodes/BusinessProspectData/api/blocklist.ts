import { getOrCreate } from '../core/collections';
import type { Failure } from '../core/outcome';
import type { ServiceRequest } from './httpRequest';
import type { Blocks } from './responseRules';

/** A circuit breaker: some failures block further requests to the same path, others block all requests. */
interface Blocklist {
	/** The failure that blocks the request, if any. */
	blockedFailure(request: Pick<ServiceRequest, 'path' | 'safeToRetry'>): Failure | undefined;
	/**
	 * Undefined unless a `pathUntilSuccess` failure blocks the path and a request in flight may unblock it. Wait for the promise,
	 * then check again.
	 */
	untilBlockIsFinal(path: string): Promise<void> | undefined;
	hasSucceeded(path: string): boolean;
	recordSent(path: string): void;
	/** Without a `failure`, the request has succeeded. */
	recordResult(path: string, failure: Failure | undefined, blocks: Blocks | undefined): void;
	blockEverything(failure: Failure): void;
}

interface PathState {
	/** Blocks the path for good. */
	finalFailure?: Failure;
	/** Blocks the path unless a request to it has succeeded, before or after this failure. */
	failureUntilSuccess?: Failure;
	succeeded: boolean;
	/** Number of `pathIfRepeated` failures since the last success. */
	lostResponses: number;
	pending: number;
	resolvers: Array<() => void>;
}

/** More than the default of Max Concurrent Requests: a short interruption can lose the responses of all requests in flight. */
const MAX_LOST_RESPONSES = 10;

const NO_RESPONSES: Failure = {
	kind: 'unreachable',
	message: `The service did not respond to ${MAX_LOST_RESPONSES} requests of this kind in a row, so this request was not sent. The service may have charged for the requests without a response: check your credit usage. Run the remaining rows when the service responds again.`,
};

export function createBlocklist(): Blocklist {
	const states = new Map<string, PathState>();
	let generalFailure: Failure | undefined;

	const stateOf = (path: string): PathState =>
		getOrCreate(states, path, () => ({
			succeeded: false,
			lostResponses: 0,
			pending: 0,
			resolvers: [],
		}));

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
