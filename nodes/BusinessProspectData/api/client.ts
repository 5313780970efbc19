import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Failure, Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import {
	type AccountLimit,
	type AccountUsage,
	createAccountLimit,
	creditsIn,
	readMaxCredits,
	usageRequest,
} from './accountLimit';
import { type Blocklist, createBlocklist } from './blocklist';
import { authHeaders, parseBaseUrl } from './credential';
import {
	cancelSignalOf,
	CREDENTIAL_TYPE,
	httpRequest,
	type HttpResponse,
	type ServiceContext,
	type ServiceRequest,
} from './httpRequest';
import { operationError } from './errors';
import { createRateLimiter, type RateLimiter, retryDelay } from './rateLimiter';
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

export interface RequestCounts {
	/** Every attempt. */
	requests: number;
	successfulRequests: number;
	/** Requests without a response that may have been charged, because they aren't safe to retry. */
	lostResponses: number;
}

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
	/** Up to now. */
	readonly counts: Readonly<RequestCounts>;
	/** Undefined without Max Credits per Month, or if nothing that may cost credits was to be sent. */
	usage(): AccountUsage | undefined;
	/** Removes the API key, for example from a failure's `details`, which aren't redacted. */
	readonly redact: Redact;
}

/** What all requests of a client share. */
interface Session {
	readonly context: ServiceContext;
	readonly baseUrl: string;
	readonly redact: Redact;
	readonly options: RequestOptions & typeof REQUEST_LIMITS;
	readonly limiter: RateLimiter;
	readonly blocklist: Blocklist;
	readonly counts: RequestCounts;
	accountLimit?: AccountLimit;
}

/**
 * All requests of one client share a rate limiter and a blocklist.
 *
 * @throws UserError when a field of the credential is invalid, NodeOperationError when n8n can't provide the credential.
 */
export async function createClient(
	context: ServiceContext,
	requestOptions: RequestOptions,
): Promise<Client> {
	const credential = await loadCredential(context);
	const baseUrl = parseBaseUrl(credential.baseUrl);
	// n8n adds these headers to the requests. This call only checks the fields and gets the key to redact.
	const { api_key: apiKey, tenant = '' } = authHeaders(credential);
	const redact = createRedact(apiKey);
	const maxCredits = readMaxCredits(credential.maxCreditsPerMonth);
	const options = { ...REQUEST_LIMITS, ...requestOptions };
	const { maxConcurrentRequests, maxTries, deadline, stopOnFailure = false } = options;
	const limiter = createRateLimiter(maxConcurrentRequests, cancelSignalOf(context), deadline);
	const counts = { requests: 0, successfulRequests: 0, lostResponses: 0 };
	const blocklist = createBlocklist();
	const session: Session = { context, baseUrl, redact, options, limiter, blocklist, counts };
	if (maxCredits !== undefined) {
		const account = [baseUrl, apiKey, tenant];
		const usage = () => fetchUsage(session);
		session.accountLimit = createAccountLimit(maxCredits, account, usage, async (ms) => {
			if (!limiter.isDeadlineWithin(ms)) await limiter.wait(ms);
			return !limiter.isStopped();
		});
	}
	const client: Client = {
		send: (request, skipIf) => send(session, maxTries, request, skipIf),
		withoutRetries: () => ({
			...client,
			send: (request, skipIf) => send(session, 1, request, skipIf),
		}),
		stop: limiter.stop,
		stopOnFailure,
		recordFailure: () => recordFailure(session),
		counts,
		usage: () => session.accountLimit?.usage(),
		redact,
	};
	return client;
}

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

async function send(
	session: Session,
	maxTries: number,
	request: ServiceRequest,
	skipIf: SkipIf | undefined,
): Promise<Outcome<unknown>> {
	const { limiter, blocklist, options } = session;
	const state: RetryState = { maxTries, failedAttempts: 0, throttledAttempts: 0, totalWaitMs: 0 };
	// Requests that have already had a slot go ahead of those that haven't.
	for (let priority = false; ; priority = true) {
		let next: NextStep;
		if (await limiter.acquire(priority)) {
			try {
				next = await attempt(session, request, state, skipIf);
			} finally {
				limiter.release();
			}
		} else {
			// Polls, which have a deadline, neither log nor count `stopped` failures, so they get the failure of the last attempt.
			const lastFailure = options.deadline === undefined ? undefined : state.lastFailure;
			next = { result: { failure: lastFailure ?? stoppedFailure(state) } };
		}
		if ('result' in next) {
			blocklist.recordEnd(state);
			return next.result;
		}
		await next.waitFor;
	}
}

const stoppedFailure = ({ lastFailure }: RetryState): Failure =>
	lastFailure === undefined
		? NOT_SENT
		: {
				kind: 'stopped',
				message: `${lastFailure.message} The execution was stopped before another attempt.`,
			};

/** Sends the request once, unless it is blocked or the account has reached its limit. */
async function attempt(
	session: Session,
	request: ServiceRequest,
	state: RetryState,
	skipIf: SkipIf | undefined,
): Promise<NextStep> {
	const { context, limiter, blocklist, accountLimit, counts } = session;
	const { path, credits = request.records ?? 1 } = request;
	// While the path is blocked, a request already in flight may still show that it works.
	const untilFinal = blocklist.untilBlockIsFinal(path, state);
	if (untilFinal !== undefined) return { waitFor: untilFinal };
	const blocked = blocklist.blockedFailure(request) ?? skipIf?.();
	if (blocked !== undefined) return fail(session, blocked);
	const overLimit = credits === 0 ? undefined : await accountLimit?.check(credits);
	if (overLimit !== undefined) return fail(session, overLimit);

	blocklist.recordSent(path);
	const { response, pathSucceeded, ...resolution } = await exchange(session, request);
	const { outcome, retry, blocks } = resolution;
	const kind = request.safeToRetry ? undefined : outcome.failure?.kind;
	const isLost = kind === 'noResponse' || kind === 'unreadable';
	const failure =
		isLost && outcome.failure ? { ...outcome.failure, isLostResponse: true } : outcome.failure;
	blocklist.recordResult(path, failure, kind === 'noResponse' ? 'pathIfRepeated' : blocks);
	if (credits > 0) accountLimit?.done(credits, failure === undefined || isLost);
	if (isLost) counts.lostResponses++;
	const isCancelled = response.status === undefined && cancelSignalOf(context)?.aborted;
	if (isCancelled) return fail(session, CANCELLED);
	// For a 429, `retryOrFail` decides whether to pause the limiter.
	if (response.status !== undefined && retry !== 'throttled') {
		limiter.updateFromResponse(response.headers);
	}
	if (failure === undefined) {
		counts.successfulRequests++;
		return { result: outcome };
	}
	const next =
		retry === 'none' ? fail(session, failure) : retryOrFail(session, failure, resolution, state);
	// Where others succeed, 500 may be about the request's records.
	const mayBeDown = retry === 'transient' && !(failure.status === 500 && pathSucceeded);
	if (mayBeDown || failure.kind === 'unreachable') {
		blocklist.recordTrouble(state, failure, 'result' in next);
	}
	return next;
}

async function exchange(
	{ context, baseUrl, redact, options, blocklist, counts }: Session,
	request: ServiceRequest,
): Promise<Resolution & { readonly response: HttpResponse; readonly pathSucceeded: boolean }> {
	const timeoutMs = Math.ceil(options.timeout * 1000);
	counts.requests++;
	const response = await httpRequest(context, baseUrl, request, timeoutMs);
	const pathSucceeded = blocklist.hasSucceeded(request.path);
	const resolution = interpretResponse(response, request, timeoutMs, redact, pathSucceeded);
	return { ...resolution, response, pathSucceeded };
}

/** Maximum attempts of the request for the credits that the account has used. */
const MAX_USAGE_ATTEMPTS = 3;

/** Needs no slot of the limiter, because the request that waits for it has one. */
async function fetchUsage(session: Session): Promise<Outcome<number>> {
	for (let attempts = 1; ; attempts++) {
		const { outcome, retry, waitMs } = await exchange(session, usageRequest(Date.now()));
		if (outcome.failure === undefined) return creditsIn(outcome.value);
		if (retry === 'none' || attempts === MAX_USAGE_ATTEMPTS) return { failure: outcome.failure };
		await session.limiter.wait(retryDelay(attempts, waitMs));
	}
}

function retryOrFail(
	session: Session,
	failure: Failure,
	{ retry, waitMs, maxTries = Infinity }: Resolution,
	state: RetryState,
): NextStep {
	const { limiter, blocklist, counts, options } = session;
	const withAdvice = (advice: string): Failure =>
		options.omitOptionAdvice ? failure : { ...failure, message: `${failure.message} ${advice}` };
	const isThrottled = retry === 'throttled';
	const attempts = isThrottled ? ++state.throttledAttempts : ++state.failedAttempts;
	const delayMs = retryDelay(attempts, waitMs);
	state.successesAtFirstFailure ??= counts.successfulRequests;
	state.lastFailure = failure;
	state.totalWaitMs += delayMs;
	if (state.failedAttempts >= state.maxTries && state.maxTries > 1) {
		return fail(session, withAdvice(`All ${state.maxTries} attempts failed.`));
	}
	if (state.failedAttempts >= Math.min(state.maxTries, maxTries)) return fail(session, failure);
	const maxWaitMs = options.maxWait * 1000;
	if (state.totalWaitMs > maxWaitMs) {
		const final = withAdvice(waitTooLong(state.totalWaitMs, options.maxWait));
		// Other requests would probably wait in vain, too, if even a first wait is too long, or if no request has succeeded since
		// this one first failed.
		const isHopeless =
			retryDelay(1, waitMs) > maxWaitMs ||
			state.successesAtFirstFailure === counts.successfulRequests;
		if (isThrottled && isHopeless) blocklist.blockEverything(final);
		return fail(session, final);
	}
	if (limiter.isDeadlineWithin(delayMs)) {
		// The rate limit applies to all requests, so none could be sent before the deadline.
		if (isThrottled) limiter.stop();
		return fail(session, failure);
	}
	if (!isThrottled) return { waitFor: limiter.wait(delayMs) };
	// The limiter holds back all requests, including this one.
	limiter.pause(delayMs);
	return { waitFor: Promise.resolve() };
}

function recordFailure({ limiter, options }: Session): void {
	if (options.stopOnFailure) limiter.stop();
}

/** With `stopOnFailure`, the limiter stops before this request's slot can go to another request. */
function fail(session: Session, failure: Failure): NextStep {
	recordFailure(session);
	return { result: { failure } };
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
