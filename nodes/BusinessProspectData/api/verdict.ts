import type { Failure, Outcome } from './outcome';
import type { Reply, ServiceRequest } from './exchange';
import { isObject, textOf } from './json';
import { untilReset } from './pace';
import { CHARGED, MAY_BE_CHARGED, unanswered } from './unanswered';
import { problemsIn, wordsOf } from './words';

/** What an answer means, and whether sending the request again can help. */
export interface Verdict {
	readonly outcome: Outcome<unknown>;
	/** `wait`: rate limit, all requests wait; `back-off`: the service failed; `no`: another try gives the same. */
	readonly retry: 'no' | 'wait' | 'back-off';
	/** How long the service asks to wait, milliseconds. */
	readonly waitMs?: number;
}

const RETRIED: ReadonlySet<number> = new Set([500, 502, 503]);

/**
 * Reads one reply (contract: Errors, States).
 *
 * @param mask takes the secrets out of what the service says
 */
export function judge(
	reply: Reply,
	request: ServiceRequest,
	timeoutMs: number,
	mask: (text: string) => string,
): Verdict {
	if (reply.status === undefined) return unanswered(reply.code, request, timeoutMs);

	const { status, headers, body } = reply;
	const correlationId = correlationIdOf(body, mask);
	const failure = (
		kind: Failure['kind'],
		message: string,
		more: Partial<Failure> = {},
	): Verdict => ({
		outcome: { failure: { kind, message, status, correlationId, ...more } },
		retry: 'no',
	});
	const said = wordsOf(body, mask);
	const saying = said === undefined ? '.' : `: ${said}`;

	if (status === 401) {
		return failure(
			'unauthorized',
			`The service did not accept the API key (HTTP 401)${saying} Check API Key, and Tenant if you use one, in the credential.`,
		);
	}
	if (status === 402 || (status === 403 && /\b(credits?|quota|balance)\b/i.test(said ?? ''))) {
		return failure(
			'forbidden',
			`The account has no credits left for this request (HTTP ${status})${saying} Add credits, then run the rows that failed again.`,
		);
	}
	if (status === 403) {
		return failure(
			'forbidden',
			`The account is not allowed to ask for this (HTTP 403)${saying} Check what your plan includes, and Tenant in the credential.`,
		);
	}
	if (status === 429) {
		return {
			...failure('rateLimited', `The account's rate limit is used up (HTTP 429)${saying}`),
			retry: 'wait',
			waitMs: askedWaitMs(headers, body) ?? untilReset(headers),
		};
	}
	const problems = problemsIn(body, status, mask);
	if (problems !== undefined) {
		return failure(
			'invalid',
			`The service refused the request (HTTP ${status})${saying} Correct that and run it again.`,
			{ problems },
		);
	}
	if (status >= 300 && status < 400) {
		return failure(
			'redirect',
			`The service answered with a redirect (HTTP ${status}). It was not followed, so that the API key goes to no other address. Put the service's own address into Base URL in the credential.`,
		);
	}
	if (status === 404) {
		return failure(
			'notFound',
			`The service does not know the address ${request.path} (HTTP 404). Check Base URL in the credential: it is the address of the service, without /v1. If other operations work, the service does not have this one for your account.`,
		);
	}
	if (status === 413) {
		return failure(
			'server',
			'The request was too large for the service (HTTP 413). Set a smaller Batch Size under Options, or ask for fewer IDs or filter values.',
		);
	}
	if (status === 504) {
		return {
			...failure(
				'noAnswer',
				`The service gave no answer in time (HTTP 504). ${request.free ? 'Try again later.' : MAY_BE_CHARGED}`,
			),
			retry: request.free ? 'back-off' : 'no',
		};
	}
	if (status >= 500) {
		return {
			...failure('server', `The service failed (HTTP ${status})${saying} Try again later.`),
			retry: RETRIED.has(status) ? 'back-off' : 'no',
			waitMs: askedWaitMs(headers, body),
		};
	}
	if (status < 200 || status >= 300) {
		return failure(
			'server',
			`The service refused the request (HTTP ${status})${saying} Check the node's parameters, and Base URL in the credential.`,
		);
	}
	const charged = request.free ? '' : ` ${CHARGED}`;
	if (typeof body === 'string' && body.trim() !== '') {
		const what = /^\s*</.test(body) ? 'a web page' : 'something that is not whole JSON';
		return failure(
			'unreadable',
			`The answer was ${what} instead of data (HTTP ${status}).${charged} Check Base URL in the credential; if it is right, try again later.`,
		);
	}
	if (!isObject(body) && !Array.isArray(body)) {
		if (request.mayBeEmpty) return { outcome: { value: {} }, retry: 'no' };
		return failure(
			'unreadable',
			`The service sent an empty answer (HTTP ${status}).${charged} Try again later.`,
		);
	}
	if (isObject(body) && requestStatus(body) === 'failure') {
		return failure(
			'reported',
			`The service reports that the request failed${said === undefined ? ', without a reason.' : saying} Try again later; if it stays, give the correlation ID to the service's support.`,
		);
	}
	return { outcome: { value: body }, retry: 'no' };
}

/** `Retry-After` as seconds or date, else the body's `retry_after` in seconds. */
function askedWaitMs(
	headers: Readonly<Record<string, unknown>>,
	body: unknown,
): number | undefined {
	const told = [headers['retry-after'], isObject(body) ? body.retry_after : undefined];
	return told.map(waitIn).find((ms) => ms !== undefined);
}

function waitIn(told: unknown): number | undefined {
	const text = textOf(told);
	if (text === undefined) return undefined;
	const seconds = Number(text);
	const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function correlationIdOf(body: unknown, mask: (text: string) => string): string | undefined {
	if (!isObject(body)) return undefined;
	const context = body.response_context;
	const id =
		(isObject(context) ? textOf(context.correlation_id) : undefined) ?? textOf(body.correlation_id);
	return id === undefined ? undefined : mask(id);
}

/**
 * `success`, `miss` or `failure` of an answer (contract: States), undefined where it has none. Where it stands twice,
 * as in the deletion of an enrollment, the worse counts.
 */
export function requestStatus(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const { response_context: context, status } = body;
	const told = [isObject(context) ? context.request_status : undefined, status];
	return ['failure', 'miss', 'success'].find((state) => told.includes(state));
}
