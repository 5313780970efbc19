import { getOrCreate } from '../core/collections';
import type { Failure } from '../core/outcome';
import type { ServiceRequest } from './httpRequest';
import type { Blocks } from './responseRules';

interface PathState {
	/** Blocks the path for good. */
	finalFailure?: Failure;
	/** Blocks the path unless a request to it has succeeded, before or after this failure. */
	failureUntilSuccess?: Failure;
	succeeded: boolean;
	/** Number of `pathIfRepeated` failures since the last success. */
	lostResponses: number;
	pending: number;
}

/** More than the default of Max Concurrent Requests: a short interruption can lose the responses of all requests in flight. */
const MAX_LOST_RESPONSES = 10;

const NO_RESPONSES: Failure = {
	kind: 'unreachable',
	message: `The service did not respond to ${MAX_LOST_RESPONSES} requests of this kind, and to no other in between, so this request was not sent. The service may have charged for the requests without a response: check your credit usage. Run the remaining rows when the service responds again.`,
};

/** So many requests are retried at once while none succeeds; when they have failed for good, no other is sent. */
const MAX_IN_TROUBLE = 3;

export type Blocklist = ReturnType<typeof createBlocklist>;

/** A circuit breaker: some failures block further requests to the same path, others block all requests. */
export function createBlocklist() {
	const states = new Map<string, PathState>();
	let generalFailure: Failure | undefined;
	/** Requests that failed since the last success, and whether for good. */
	const inTrouble = new Map<object, boolean>();
	let waiting: Array<readonly [isStillHeld: () => boolean, resolve: () => void]> = [];

	const stateOf = (path: string): PathState =>
		getOrCreate(states, path, () => ({ succeeded: false, lostResponses: 0, pending: 0 }));

	const isHeld = (path: string, request: object): boolean => {
		const { finalFailure, failureUntilSuccess, succeeded, pending } = stateOf(path);
		if ((generalFailure ?? finalFailure) !== undefined) return false;
		const mayBeUnblocked = pending > 0 && !succeeded && failureUntilSuccess !== undefined;
		return mayBeUnblocked || (inTrouble.size >= MAX_IN_TROUBLE && !inTrouble.has(request));
	};
	const wake = (): void => {
		waiting = waiting.filter(([isStillHeld, resolve]) => isStillHeld() || resolve());
	};

	return {
		/** The failure that blocks the request, if any. */
		blockedFailure({ path, safeToRetry }: Pick<ServiceRequest, 'path' | 'safeToRetry'>) {
			const { finalFailure, failureUntilSuccess, succeeded, lostResponses } = stateOf(path);
			const repeated = lostResponses >= MAX_LOST_RESPONSES && !safeToRetry;
			return (
				generalFailure ??
				finalFailure ??
				(succeeded ? undefined : failureUntilSuccess) ??
				(repeated ? NO_RESPONSES : undefined)
			);
		},
		/**
		 * Undefined unless a request that is being sent or retried will show whether this one makes sense. Wait for the promise, then
		 * check again. `request` identifies it, as in `recordTrouble`.
		 */
		untilBlockIsFinal: (path: string, request: object): Promise<void> | undefined =>
			isHeld(path, request)
				? new Promise((resolve) => waiting.push([() => isHeld(path, request), resolve]))
				: undefined,
		hasSucceeded: (path: string): boolean => stateOf(path).succeeded,
		recordSent(path: string): void {
			stateOf(path).pending++;
		},
		/** Without a `failure`, the request has succeeded. */
		recordResult(path: string, failure: Failure | undefined, blocks: Blocks | undefined): void {
			const state = stateOf(path);
			state.pending--;
			if (failure === undefined) {
				state.succeeded = true;
				state.lostResponses = 0;
				inTrouble.clear();
			}
			if (blocks === 'pathIfRepeated') state.lostResponses++;
			if (blocks === 'everything') generalFailure = failure;
			if (blocks === 'path') state.finalFailure = failure;
			if (blocks === 'pathUntilSuccess') state.failureUntilSuccess = failure;
			wake();
		},
		/** The service as a whole may be down. `isFinal` if the request isn't retried. */
		recordTrouble(request: object, failure: Failure, isFinal: boolean): void {
			inTrouble.set(request, isFinal);
			const failed = [...inTrouble.values()].filter(Boolean).length;
			if (failed < MAX_IN_TROUBLE) return;
			generalFailure = {
				...failure,
				isAboutAllRows: true,
				message: `${failed} requests failed and none succeeded in between, so no more were sent. ${failure.message}`,
			};
			wake();
		},
		/** The request isn't retried, for another reason. */
		recordEnd(request: object): void {
			if (inTrouble.get(request) === false) inTrouble.delete(request);
			wake();
		},
		blockEverything(failure: Failure): void {
			generalFailure = failure;
		},
	};
}
