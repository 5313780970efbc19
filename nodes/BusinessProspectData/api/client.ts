import { type ICredentialDataDecryptedObject, NodeOperationError } from 'n8n-workflow';
import { createBlocklist } from './blocklist';
import { authHeaders, parseBaseUrl } from './credential';
import {
	type ServiceContext,
	CREDENTIAL_TYPE,
	httpRequest,
	type ServiceRequest,
} from './httpRequest';
import { pluralize, formatNumber } from '../core/text';
import type { Failure, Outcome } from '../core/outcome';
import { createRateLimiter } from './rateLimiter';
import { interpretResponse } from './responses';
import type { Redact } from './errorMessage';

/** How requests are sent; what the options of the node set. */
export interface RequestOptions {
	/** Requests under way at once. */
	readonly maxConcurrentRequests: number;
	/** How often one request is sent at most; waits for the rate limit do not count. */
	readonly maxTries: number;
	/** Seconds that one request may wait in all. */
	readonly maxWait: number;
	/** Seconds of silence until a request is given up; in polls and lists, seconds until its answer is complete. */
	readonly timeout: number;
	/** Whether nothing more is sent after a failure; what waits then fails with the kind `stopped`. */
	readonly stopsAtFailure?: boolean;
	/** Set where changing the options is no help: failures say nothing of them. */
	readonly withoutOptions?: boolean;
}

/** What came of a request. */
export type SendResult = Outcome<unknown> & {
	/** Whether an earlier try of it may have been done: its answer was lost. */
	readonly mayBeDone?: boolean;
};

/** Talks to the service: authentication, JSON, pace, retries, one kind of failure. */
export interface Client {
	/** The answer's JSON, or why there is none. Never throws. */
	send(request: ServiceRequest): Promise<SendResult>;
	/** Starts no further request: what still waits fails with the kind `stopped`. */
	stop(): void;
	/** How many requests ended without a failure. */
	readonly successCount: () => number;
	/** Takes the key out of what the service says; the words of failures are without it already. */
	readonly redact: Redact;
}

const FIRST_BACK_OFF_MS = 1_000;
const LONGEST_BACK_OFF_MS = 60_000;

const STOPPED: Failure = {
	kind: 'stopped',
	message: 'This was not asked for, because the execution was stopped before.',
};

const CANCELLED: Failure = {
	kind: 'stopped',
	message:
		'The execution was stopped before the answer came. The service may have done and charged the work.',
};

/**
 * Makes a client of the node's credential. All its requests share one pace.
 *
 * @throws UserError when the credential's fields are wrong, NodeOperationError when there is none.
 */
export async function createClient(
	context: ServiceContext,
	settings: RequestOptions,
): Promise<Client> {
	const credential = await credentialOf(context);
	const baseUrl = parseBaseUrl(credential.baseUrl);
	const { api_key: key } = authHeaders(credential);
	const mask: Redact = (text) => text.replaceAll(key, '***');
	const cancelled =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const pace = createRateLimiter(settings.maxConcurrentRequests, cancelled);
	const timeoutMs = Math.ceil(settings.timeout * 1000);
	const blocklist = createBlocklist();
	let answered = 0;

	async function attempt(request: ServiceRequest, past: RetryState): Promise<Step> {
		const { path } = request;
		const heldUntil = blocklist.undecided(path);
		if (heldUntil !== undefined) return { heldUntil };
		const blocked = blocklist.blockedFailure(path) ?? request.blockedBy?.();
		if (blocked !== undefined) {
			return ended(blocked.kind === 'stopped' ? (past.last ?? blocked) : blocked);
		}

		blocklist.sent(path);
		const reply = await httpRequest(context, baseUrl, request, timeoutMs);
		const hasSucceeded = blocklist.hasSucceeded(path);
		const verdict = interpretResponse(reply, request, timeoutMs, mask, hasSucceeded);
		const { outcome, retry, waitMs, blocks } = verdict;
		blocklist.settled(path, outcome.failure, blocks);
		if (reply.status === undefined && cancelled?.aborted) return ended(CANCELLED);
		if (reply.status !== undefined && retry !== 'wait') pace.note(reply.headers);
		const { failure } = outcome;
		if (failure === undefined) {
			answered++;
			return { outcome: past.mayBeDone ? { ...outcome, mayBeDone: true } : outcome };
		}
		if (retry === 'no') return ended(failure);
		past.last = failure;
		past.mayBeDone ||= failure.kind === 'noAnswer';
		const nth = retry === 'wait' ? ++past.limited : ++past.failed;
		const wait = nextWait(nth, waitMs);
		if (past.failed >= settings.maxTries) return ended(advised(failure, triedOften(past.failed)));
		if (past.waitedMs + wait > settings.maxWait * 1000) {
			const given = advised(failure, waitedLong(past.waitedMs, wait, settings.maxWait));
			// A wait that grew is about this request; one that was told is about all.
			const isTooLong = retry === 'wait' && nextWait(1, waitMs) > settings.maxWait * 1000;
			if (isTooLong) blocklist.blockEverything(given);
			return ended(given);
		}
		past.waitedMs += wait;
		if (retry === 'wait') pace.pause(wait);
		return { backOffMs: retry === 'wait' ? 0 : wait };
	}

	const advised = (failure: Failure, advice: string): Failure =>
		settings.withoutOptions ? failure : { ...failure, message: `${failure.message} ${advice}` };

	/** Stops here, before the pace lets the next request in. */
	function ended(failure: Failure): Step {
		if (settings.stopsAtFailure) pace.stop();
		return { outcome: { failure } };
	}

	async function send(request: ServiceRequest): Promise<SendResult> {
		const past: RetryState = { failed: 0, limited: 0, waitedMs: 0, mayBeDone: false };
		for (let again = false; ; again = true) {
			const step = await pace.run(async () => await attempt(request, past), again);
			if (step === undefined) return { failure: STOPPED };
			if ('outcome' in step) return step.outcome;
			if ('heldUntil' in step) await step.heldUntil;
			else if (step.backOffMs > 0 && !(await pace.wait(step.backOffMs)))
				return { failure: STOPPED };
		}
	}

	return { send, stop: pace.stop, successCount: () => answered, redact: mask };
}

/** The client, whose every request is sent only while `blockedBy` tells no failure; else it has that failure. */
export const skipWhen = (client: Client, blockedBy: () => Failure | undefined): Client => ({
	...client,
	send: async (request) => await client.send({ ...request, blockedBy }),
});

async function credentialOf(context: ServiceContext): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(CREDENTIAL_TYPE);
	} catch (error) {
		const why = error instanceof Error ? error.message : 'unknown reason';
		throw new NodeOperationError(
			context.getNode(),
			`n8n could not provide the credential (${why}). Check that a "Business and Prospect Data API" credential is chosen at the top of the node, then run it again.`,
		);
	}
}

/** What became of one request so far. */
interface RetryState {
	failed: number;
	limited: number;
	/** Its own waits, for the rate limit and between tries. */
	waitedMs: number;
	/** Why it is to be sent again. */
	last?: Failure;
	/** Whether the service may have done it, though no answer came. */
	mayBeDone: boolean;
}

/** The end of a request, or what to wait for before its next turn: a back-off, or the answer to another request. */
type Step =
	| { readonly outcome: SendResult }
	| { readonly backOffMs: number }
	| { readonly heldUntil: Promise<void> };

/** Milliseconds: exponential, with jitter, so that requests that failed together do not come back together. */
const backOff = (nth: number): number =>
	Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (nth - 1)) * (0.75 + Math.random() / 2);

/** As long as the service asks; longer where that was not enough before. */
const nextWait = (nth: number, askedMs = 0): number =>
	askedMs > 0 && nth === 1 ? askedMs : Math.max(askedMs, backOff(askedMs > 0 ? nth - 1 : nth));

const triedOften = (failed: number): string =>
	`It was tried ${pluralize(failed, 'time')} (Max Tries under Options).`;

const waitedLong = (waitedMs: number, waitMs: number, maxWait: number): string =>
	`After ${pluralize(Math.round(waitedMs / 1000), 'second')} it would have to wait ${pluralize(Math.ceil(waitMs / 1000), 'second')} more; Max Wait under Options allows ${formatNumber(maxWait)}. Raise Max Wait, or run less on this account at once.`;
