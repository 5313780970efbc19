import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Failure, Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import { createBlocklist } from './blocklist';
import { authHeaders, parseBaseUrl } from './credential';
import {
	cancelSignalOf,
	CREDENTIAL_TYPE,
	httpRequest,
	type ServiceContext,
	type ServiceRequest,
} from './httpRequest';
import { operationError } from './errors';
import { createRateLimiter, retryDelay } from './rateLimiter';
import { createRedact, type Redact } from './responseBody';
import { CANCELLED } from './responseRules';
import { interpretResponse, type Resolution } from './interpretResponse';

/** How requests are sent. The limits are the node's options, except in list searches; polls cap `maxWait` and `timeout`. */
export interface RequestOptions {
	readonly maxConcurrentRequests: number;
	/** Maximum attempts per request, not counting those that hit the rate limit. */
	readonly maxTries: number;
	/**
	 * Maximum total wait of one request, in seconds: the sum of its own waits after failed or throttled attempts. Pauses for the
	 * rate limit that other responses cause don't count.
	 */
	readonly maxWait: number;
	/** Idle timeout in seconds; in polls and list searches, the total timeout. */
	readonly timeout: number;
	/** Stops the client when the first request ends with a failure. */
	readonly stopOnFailure?: boolean;
	/** Omits advice about Max Tries and Max Wait: list searches don't have these options, and polls cap Max Wait. */
	readonly omitOptionAdvice?: boolean;
	/**
	 * The time after which no request is sent, on the clock of `performance.now()`. If a retry would have to wait beyond it,
	 * the request fails at once, with the failure of its last attempt.
	 */
	readonly deadline?: number;
}

type SendResult = Outcome<unknown> & {
	/** True if an attempt whose response was lost may have succeeded. Set only for requests that are safe to retry. */
	readonly mayHaveSucceeded?: boolean;
};

/** Called before each attempt. If it returns a failure, the attempt isn't made, and the request ends with that failure. */
export type SkipIf = () => Failure | undefined;

/** Returns the value of the response, or why there is none. Never throws. */
export type Send = (request: ServiceRequest, skipIf?: SkipIf) => Promise<SendResult>;

/** Sends requests to the service, and handles the rate limit, retries and failures. */
export interface Client {
	readonly send: Send;
	/**
	 * Stops sending requests. Requests in flight finish. Waiting ones fail with kind `stopped`; if the client has a deadline,
	 * those that wait for a retry fail with the failure of their last attempt. Call it also when all requests are done: it ends a
	 * running pause and stops listening for the cancel signal.
	 */
	stop(): void;
	/** Number of requests that ended without a failure. */
	successCount(): number;
	/** Number of requests that may have been charged, but whose response was lost. Requests that are safe to retry don't count. */
	lostResponseCount(): number;
	/** Removes the API key from a text. The messages of failures are redacted already, but not their `details`. */
	readonly redact: Redact;
}

/** State of one request across its attempts. */
interface RetryState {
	/** Doesn't count throttled attempts. */
	failedAttempts: number;
	throttledAttempts: number;
	/** In milliseconds. Includes the wait before the next attempt. */
	totalWaitMs: number;
	/** The result's `mayHaveSucceeded`. */
	mayHaveSucceeded: boolean;
	/** The client's `successCount` when the first attempt failed. */
	successesAtFirstFailure?: number;
	lastFailure?: Failure;
}

/** The request's result, or what to wait for before the next attempt. */
type NextStep = { readonly result: SendResult } | { readonly waitFor: Promise<void> };

/** The failure of a request that can't be sent, or can't be sent again, because the client was stopped. */
const stoppedFailure = ({ lastFailure }: RetryState): Failure => ({
	kind: 'stopped',
	message:
		lastFailure === undefined
			? 'This request was not sent because the execution was stopped.'
			: `${lastFailure.message} The execution was stopped before another attempt.`,
});

/**
 * Creates a client from the node's credential. All its requests share one rate limiter.
 *
 * @throws UserError when a field of the credential is wrong, NodeOperationError when n8n can't provide the credential.
 */
export async function createClient(
	context: ServiceContext,
	options: RequestOptions,
): Promise<Client> {
	const credential = await loadCredential(context);
	const baseUrl = parseBaseUrl(credential.baseUrl);
	// n8n itself adds these headers to each request. This call checks the credential and gets the key to remove from messages.
	const { api_key: apiKey } = authHeaders(credential);
	const redact = createRedact(apiKey);
	const cancelSignal = cancelSignalOf(context);
	const { deadline, maxTries } = options;
	const limiter = createRateLimiter(options.maxConcurrentRequests, cancelSignal, deadline);
	const timeoutMs = Math.ceil(options.timeout * 1000);
	const maxWaitMs = options.maxWait * 1000;
	const blocklist = createBlocklist();
	let successes = 0;
	let lostResponses = 0;

	const send: Send = async (request, skipIf) => {
		const state: RetryState = {
			failedAttempts: 0,
			throttledAttempts: 0,
			totalWaitMs: 0,
			mayHaveSucceeded: false,
		};
		let priority = false;
		for (;;) {
			let next: NextStep;
			if (await limiter.acquire(priority)) {
				try {
					next = await sendOnce(request, state, skipIf);
				} finally {
					limiter.release();
				}
			} else {
				// The limiter was stopped. If that may be because of the deadline, the failure of the last attempt says more.
				const lastFailure = deadline === undefined ? undefined : state.lastFailure;
				next = { result: { failure: lastFailure ?? stoppedFailure(state) } };
			}
			if ('result' in next) {
				return state.mayHaveSucceeded ? { ...next.result, mayHaveSucceeded: true } : next.result;
			}
			await next.waitFor;
			// Requests that have already had a slot go ahead of those that haven't.
			priority = true;
		}
	};

	async function sendOnce(
		request: ServiceRequest,
		state: RetryState,
		skipIf: SkipIf | undefined,
	): Promise<NextStep> {
		const { path } = request;
		const untilFinal = blocklist.untilBlockIsFinal(path);
		if (untilFinal !== undefined) return { waitFor: untilFinal };
		const blocked = blocklist.blockedFailure(request) ?? skipIf?.();
		if (blocked !== undefined) return fail(blocked);

		blocklist.recordSent(path);
		const response = await httpRequest(context, baseUrl, request, timeoutMs);
		const pathSucceeded = blocklist.hasSucceeded(path);
		const resolution = interpretResponse(response, request, timeoutMs, redact, pathSucceeded);
		const { outcome, retry, blocks } = resolution;
		const isLost = outcome.failure?.kind === 'noResponse' && !request.safeToRetry;
		blocklist.recordResult(path, outcome.failure, isLost ? 'pathIfRepeated' : blocks);
		if (isLost) lostResponses++;
		if (response.status === undefined && cancelSignal?.aborted) return fail(CANCELLED);
		// For a 429, `retryOrFail` decides whether to pause the limiter.
		if (response.status !== undefined && retry !== 'throttled') {
			limiter.updateFromResponse(response.headers);
		}
		if (outcome.failure === undefined) {
			successes++;
			return { result: outcome };
		}
		return retry === 'none'
			? fail(outcome.failure)
			: retryOrFail(outcome.failure, resolution, state);
	}

	function retryOrFail(
		failure: Failure,
		{ retry, waitMs }: Resolution,
		state: RetryState,
	): NextStep {
		const isThrottled = retry === 'throttled';
		const attempts = isThrottled ? ++state.throttledAttempts : ++state.failedAttempts;
		const delayMs = retryDelay(attempts, waitMs);
		state.successesAtFirstFailure ??= successes;
		state.lastFailure = failure;
		state.mayHaveSucceeded ||= failure.kind === 'noResponse';
		state.totalWaitMs += delayMs;
		if (state.failedAttempts >= maxTries) return fail(withAdvice(failure, noMoreTries(maxTries)));
		if (state.totalWaitMs > maxWaitMs) {
			const final = withAdvice(failure, waitTooLong(state.totalWaitMs, options.maxWait));
			// Other requests would wait in vain, too, if even a first wait is too long, or if none succeeded while this one waited.
			const isHopeless =
				retryDelay(1, waitMs) > maxWaitMs || state.successesAtFirstFailure === successes;
			if (isThrottled && isHopeless) blocklist.blockEverything(final);
			return fail(final);
		}
		if (limiter.isDeadlineWithin(delayMs)) {
			// The rate limit applies to all requests, so none could be sent before the deadline.
			if (isThrottled) limiter.stop();
			return fail(failure);
		}
		if (!isThrottled) return { waitFor: limiter.wait(delayMs) };
		// The limiter holds this request back, like all others.
		limiter.pause(delayMs);
		return { waitFor: Promise.resolve() };
	}

	const withAdvice = (failure: Failure, advice: string): Failure =>
		options.omitOptionAdvice ? failure : { ...failure, message: `${failure.message} ${advice}` };

	/** Ends the request. With `stopOnFailure`, stops the limiter before the request's slot can go to another one. */
	function fail(failure: Failure): NextStep {
		if (options.stopOnFailure) limiter.stop();
		return { result: { failure } };
	}

	return {
		send,
		stop: limiter.stop,
		successCount: () => successes,
		lostResponseCount: () => lostResponses,
		redact,
	};
}

async function loadCredential(context: ServiceContext): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(CREDENTIAL_TYPE);
	} catch (error) {
		const reason = error instanceof Error ? error.message : 'unknown reason';
		throw operationError(
			context.getNode(),
			`n8n could not provide the credential (${reason}). Check that a "Business and Prospect Data API" credential is selected at the top of the node, then run it again.`,
		);
	}
}

const noMoreTries = (maxTries: number): string =>
	`No further attempt was made, because Max Tries under Options > Requests is ${maxTries}.`;

const waitTooLong = (totalMs: number, maxWait: number): string =>
	`Another attempt would bring the total wait of this request to ${pluralize(Math.ceil(totalMs / 1000), 'second')}, but Max Wait under Options > Requests allows ${formatNumber(maxWait)}. Raise Max Wait, or run fewer workflows on this account at once.`;
