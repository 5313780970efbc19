import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Failure, Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import {
	type AccountUsage,
	createAccountLimit,
	creditsIn,
	readMaxCredits,
	usageRequest,
} from './accountLimit';
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
import { CANCELLED, NOT_SENT } from './responseRules';
import { interpretResponse, type Resolution } from './interpretResponse';

/** Defaults; callers may override them. */
export const REQUEST_LIMITS = { maxTries: 5, timeout: 120 };

export interface RequestOptions {
	readonly maxConcurrentRequests: number;
	/** Maximum attempts per request, not counting those that hit the rate limit. */
	readonly maxTries?: number;
	/** Maximum sum of one request's retry delays, in seconds. Other waits don't count. */
	readonly maxWait: number;
	/** Idle timeout in seconds; in polls and list searches, the total timeout. */
	readonly timeout?: number;
	/** True to send nothing more once a request has failed for good. */
	readonly stopOnFailure?: boolean;
	/** Omits how many attempts were made and advice about Max Wait, for callers that don't have this option or cap it. */
	readonly omitOptionAdvice?: boolean;
	/**
	 * No request is sent after this time, on the clock of `performance.now()`. A request fails at once if its retry would come
	 * later.
	 */
	readonly deadline?: number;
}

/** Called before an attempt. A failure that it returns ends the request. */
export type SkipIf = () => Failure | undefined;

/** Returns failures instead of throwing. */
type Send = (request: ServiceRequest, skipIf?: SkipIf) => Promise<Outcome<unknown>>;

export interface Client {
	readonly send: Send;
	/** The same client, but each request is sent once, apart from waits for the rate limit. */
	withoutRetries(): Client;
	/**
	 * Starts no more attempts: waiting requests fail, and attempts in flight finish. Also call it when all requests are done: it
	 * ends a running pause and stops listening for the cancel signal.
	 */
	stop(): void;
	readonly stopOnFailure: boolean;
	/** Reports a failure in a successful response, which the client can't see: with `stopOnFailure`, it stops. */
	recordFailure(): void;
	successCount(): number;
	/** Counts every attempt. */
	requestCount(): number;
	/** Counts only requests that aren't safe to retry: the service may have charged for them. */
	lostResponseCount(): number;
	/** Undefined without Max Credits per Month, or if nothing that may cost credits was to be sent. */
	usage(): AccountUsage | undefined;
	/** Removes the API key, for example from a failure's `details`, which aren't redacted. */
	readonly redact: Redact;
}

/** Maximum attempts of the request for the credits that the account has used. */
const MAX_USAGE_ATTEMPTS = 3;

interface RetryState {
	readonly maxTries: number;
	failedAttempts: number;
	throttledAttempts: number;
	/** Includes the wait before the next attempt. */
	totalWaitMs: number;
	/** Counts the successes of all the client's requests. */
	successesAtFirstFailure?: number;
	lastFailure?: Failure;
}

type NextStep = { readonly result: Outcome<unknown> } | { readonly waitFor: Promise<void> };

const stoppedFailure = ({ lastFailure }: RetryState): Failure =>
	lastFailure === undefined
		? NOT_SENT
		: {
				kind: 'stopped',
				message: `${lastFailure.message} The execution was stopped before another attempt.`,
			};

/**
 * All requests of one client share a rate limiter and a blocklist.
 *
 * @throws UserError when a field of the credential is invalid, NodeOperationError when n8n can't provide the credential.
 */
export async function createClient(
	context: ServiceContext,
	options: RequestOptions,
): Promise<Client> {
	const credential = await loadCredential(context);
	const baseUrl = parseBaseUrl(credential.baseUrl);
	// n8n adds these headers to the requests. This call only checks the fields and gets the key to redact.
	const { api_key: apiKey, tenant } = authHeaders(credential);
	const redact = createRedact(apiKey);
	const cancelSignal = cancelSignalOf(context);
	const maxCredits = readMaxCredits(credential.maxCreditsPerMonth);
	const { deadline, maxTries, timeout, stopOnFailure = false } = { ...REQUEST_LIMITS, ...options };
	const limiter = createRateLimiter(options.maxConcurrentRequests, cancelSignal, deadline);
	const timeoutMs = Math.ceil(timeout * 1000);
	const maxWaitMs = options.maxWait * 1000;
	const blocklist = createBlocklist();
	const account = [baseUrl, apiKey, tenant ?? ''];
	const accountLimit =
		maxCredits === undefined
			? undefined
			: createAccountLimit(maxCredits, account, fetchUsage, async (ms) => {
					if (!limiter.isDeadlineWithin(ms)) await limiter.wait(ms);
					return !limiter.isStopped();
				});
	let requests = 0;
	let successes = 0;
	let lostResponses = 0;

	async function sendUpTo(
		most: number,
		request: ServiceRequest,
		skipIf?: SkipIf,
	): Promise<Outcome<unknown>> {
		const state: RetryState = {
			maxTries: most,
			failedAttempts: 0,
			throttledAttempts: 0,
			totalWaitMs: 0,
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
				// Polls, which have a deadline, neither log nor count `stopped` failures, so they get the failure of the last attempt.
				const lastFailure = deadline === undefined ? undefined : state.lastFailure;
				next = { result: { failure: lastFailure ?? stoppedFailure(state) } };
			}
			if ('result' in next) {
				blocklist.recordEnd(state);
				return next.result;
			}
			await next.waitFor;
			// Requests that have already had a slot go ahead of those that haven't.
			priority = true;
		}
	}

	async function sendOnce(
		request: ServiceRequest,
		state: RetryState,
		skipIf: SkipIf | undefined,
	): Promise<NextStep> {
		const { path } = request;
		// While the path is blocked, a request already in flight may still show that it works.
		const untilFinal = blocklist.untilBlockIsFinal(path, state);
		if (untilFinal !== undefined) return { waitFor: untilFinal };
		const blocked = blocklist.blockedFailure(request) ?? skipIf?.();
		if (blocked !== undefined) return fail(blocked);

		const { credits = request.records ?? 1 } = request;
		const overLimit = credits === 0 ? undefined : await accountLimit?.check(credits);
		if (overLimit !== undefined) return fail(overLimit);

		blocklist.recordSent(path);
		requests++;
		const response = await httpRequest(context, baseUrl, request, timeoutMs);
		const pathSucceeded = blocklist.hasSucceeded(path);
		const resolution = interpretResponse(response, request, timeoutMs, redact, pathSucceeded);
		const { outcome, retry, blocks } = resolution;
		const kind = request.safeToRetry ? undefined : outcome.failure?.kind;
		const isLost = kind === 'noResponse' || kind === 'unreadable';
		const failure =
			isLost && outcome.failure ? { ...outcome.failure, isLostResponse: true } : outcome.failure;
		blocklist.recordResult(path, failure, kind === 'noResponse' ? 'pathIfRepeated' : blocks);
		if (credits > 0) accountLimit?.done(credits, failure === undefined || isLost);
		if (isLost) lostResponses++;
		if (response.status === undefined && cancelSignal?.aborted) return fail(CANCELLED);
		// For a 429, `retryOrFail` decides whether to pause the limiter.
		if (response.status !== undefined && retry !== 'throttled') {
			limiter.updateFromResponse(response.headers);
		}
		if (failure === undefined) {
			successes++;
			return { result: outcome };
		}
		const next = retry === 'none' ? fail(failure) : retryOrFail(failure, resolution, state);
		// Where others succeed, 500 may be about the request's records.
		const mayBeDown = retry === 'transient' && !(failure.status === 500 && pathSucceeded);
		if (mayBeDown || failure.kind === 'unreachable') {
			blocklist.recordTrouble(state, failure, 'result' in next);
		}
		return next;
	}

	async function fetchUsage(): Promise<Outcome<number>> {
		for (let attempt = 1; ; attempt++) {
			const request = usageRequest(Date.now());
			requests++;
			const response = await httpRequest(context, baseUrl, request, timeoutMs);
			const { outcome, retry, waitMs } = interpretResponse(
				response,
				request,
				timeoutMs,
				redact,
				true,
			);
			if (outcome.failure === undefined) return creditsIn(outcome.value);
			if (retry === 'none' || attempt === MAX_USAGE_ATTEMPTS) return { failure: outcome.failure };
			await limiter.wait(retryDelay(attempt, waitMs));
		}
	}

	function retryOrFail(
		failure: Failure,
		{ retry, waitMs, maxTries: most = maxTries }: Resolution,
		state: RetryState,
	): NextStep {
		const isThrottled = retry === 'throttled';
		const attempts = isThrottled ? ++state.throttledAttempts : ++state.failedAttempts;
		const delayMs = retryDelay(attempts, waitMs);
		state.successesAtFirstFailure ??= successes;
		state.lastFailure = failure;
		state.totalWaitMs += delayMs;
		if (state.failedAttempts >= state.maxTries) {
			return fail(
				state.maxTries === 1
					? failure
					: withAdvice(failure, `All ${state.maxTries} attempts failed.`),
			);
		}
		if (state.failedAttempts >= most) return fail(failure);
		if (state.totalWaitMs > maxWaitMs) {
			const final = withAdvice(failure, waitTooLong(state.totalWaitMs, options.maxWait));
			// Other requests would probably wait in vain, too, if even a first wait is too long, or if no request has succeeded since
			// this one first failed.
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
		// The limiter holds back all requests, including this one.
		limiter.pause(delayMs);
		return { waitFor: Promise.resolve() };
	}

	const withAdvice = (failure: Failure, advice: string): Failure =>
		options.omitOptionAdvice ? failure : { ...failure, message: `${failure.message} ${advice}` };

	const recordFailure = () => {
		if (stopOnFailure) limiter.stop();
	};

	/** With `stopOnFailure`, the limiter stops before this request's slot can go to another request. */
	function fail(failure: Failure): NextStep {
		recordFailure();
		return { result: { failure } };
	}

	const client: Client = {
		send: async (request, skipIf) => await sendUpTo(maxTries, request, skipIf),
		withoutRetries: () => ({
			...client,
			send: async (request, skipIf) => await sendUpTo(1, request, skipIf),
		}),
		stop: limiter.stop,
		stopOnFailure,
		recordFailure,
		successCount: () => successes,
		requestCount: () => requests,
		lostResponseCount: () => lostResponses,
		usage: () => accountLimit?.usage(),
		redact,
	};
	return client;
}

export async function loadCredential(
	context: ServiceContext,
): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(CREDENTIAL_TYPE);
	} catch (error) {
		const reason = error instanceof Error ? error.message : 'unknown reason';
		throw operationError(context.getNode(), {
			kind: 'unauthorized',
			message: `n8n could not provide the credential (${reason}). Check that a "Business and Prospect Data API" credential is selected at the top of the node, then run it again.`,
		});
	}
}

const waitTooLong = (totalMs: number, maxWait: number): string =>
	maxWait === 0
		? 'No further attempt was made, because Max Wait under Options is 0.'
		: `Another attempt would bring the total wait of this request to ${pluralize(Math.ceil(totalMs / 1000), 'second')}, but Max Wait under Options allows ${formatNumber(maxWait)}. Raise Max Wait, or run fewer workflows on this account at once.`;
