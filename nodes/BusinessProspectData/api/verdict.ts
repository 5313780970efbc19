import type { Failure, Outcome } from './outcome';
import type { Reply, ServiceRequest } from './exchange';
import { isObject } from './json';
import { askedWaitMs, untilReset } from './pace';
import { correlationIdOf, requestStatus } from './responseContext';
import { gatewayAnswered, isOfGateway, unanswered } from './unanswered';
import { CHARGED, type Mask, problemsIn, wordsOf } from './words';

/** What an answer means, and whether sending the request again can help. */
export interface Verdict {
	readonly outcome: Outcome<unknown>;
	/** `wait`: rate limit, all requests wait; `back-off`: the service failed; `no`: another try gives the same. */
	readonly retry: 'no' | 'wait' | 'back-off';
	/** How long the service asks to wait, milliseconds. */
	readonly waitMs?: number;
}

const RETRIED: ReadonlySet<number> = new Set([500, 502, 503]);

/** An answer on its way to a verdict. */
interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: unknown;
	readonly request: ServiceRequest;
	/** The service's own words, if it gave any; with what stands between them and ours. */
	readonly said: string | undefined;
	readonly saying: string;
	/** The verdict of a failure for which another try gives the same. */
	readonly failed: (kind: Failure['kind'], message: string, more?: Partial<Failure>) => Verdict;
}

/**
 * Reads one reply (contract: Errors, States).
 *
 * @param mask takes the secrets out of what the service says
 */
export function judge(
	reply: Reply,
	request: ServiceRequest,
	timeoutMs: number,
	mask: Mask,
): Verdict {
	if (reply.status === undefined) return unanswered(reply.code, request, timeoutMs);

	const { status, body } = reply;
	const correlationId = correlationIdOf(body, mask);
	const said = wordsOf(body, mask);
	const answer: Answer = {
		...reply,
		request,
		said,
		saying: said === undefined ? '.' : `: ${said}`,
		failed: (kind, message, more = {}) => ({
			outcome: { failure: { kind, message, status, correlationId, ...more } },
			retry: 'no',
		}),
	};
	const trouble =
		accountTrouble(answer) ?? validationTrouble(answer, mask) ?? statusTrouble(answer);
	return trouble ?? verdictOfBody(answer);
}

/** What the account may not do, or not now. */
function accountTrouble(answer: Answer): Verdict | undefined {
	const { status, headers, body, said, saying, failed } = answer;
	if (status === 401) {
		return failed(
			'unauthorized',
			`The service did not accept the API key (HTTP 401)${saying} Check API Key, and Tenant if you use one, in the credential.`,
		);
	}
	if (status === 402 || (status === 403 && /\b(credits?|quota|balance)\b/i.test(said ?? ''))) {
		return failed(
			'forbidden',
			`The account has no credits left for this request (HTTP ${status})${saying} Add credits, then run the rows that failed again.`,
		);
	}
	if (status === 403) {
		return failed(
			'forbidden',
			`The account is not allowed to ask for this (HTTP 403)${saying} Check what your plan includes, and Tenant in the credential.`,
		);
	}
	if (status !== 429) return undefined;
	return {
		...failed('rateLimited', `The account's rate limit is used up (HTTP 429)${saying}`),
		retry: 'wait',
		waitMs: askedWaitMs(headers, body) ?? untilReset(headers),
	};
}

/** What is wrong with the values that were sent. */
function validationTrouble(
	{ status, body, saying, failed }: Answer,
	mask: Mask,
): Verdict | undefined {
	const problems = problemsIn(body, status, mask);
	if (problems === undefined) return undefined;
	return failed(
		'invalid',
		`The service refused the request (HTTP ${status})${saying} Correct that and run it again.`,
		{ problems },
	);
}

/** What any other status says that does not stand for success. */
function statusTrouble(answer: Answer): Verdict | undefined {
	const { status, headers, body, request, saying, failed } = answer;
	// The contract shows a miss by its body alone, whatever the status.
	const missed = status === 404 && requestStatus(body) === 'miss';
	if ((status >= 200 && status < 300) || missed) return undefined;
	if (status >= 300 && status < 400) {
		return failed(
			'redirect',
			`The service answered with a redirect (HTTP ${status}). It was not followed, so that the API key goes to no other address. Put the service's own address into Base URL in the credential.`,
		);
	}
	if (status === 404) {
		return failed(
			'notFound',
			`The service does not know the address ${request.path} (HTTP 404). Check Base URL in the credential: it is the address of the service, without /v1. If other operations work, the service does not have this one for your account.`,
		);
	}
	if (status === 413) {
		return failed(
			'server',
			'The request was too large for the service (HTTP 413). Set a smaller Batch Size under Options, or ask for fewer IDs or filter values.',
		);
	}
	if (isOfGateway(status)) {
		const { kind, message, retry } = gatewayAnswered(status, request);
		return { ...failed(kind, message), retry, waitMs: askedWaitMs(headers, body) };
	}
	if (status >= 500) {
		return {
			...failed('server', `The service failed (HTTP ${status})${saying} Try again later.`),
			retry: RETRIED.has(status) ? 'back-off' : 'no',
			waitMs: askedWaitMs(headers, body),
		};
	}
	return failed(
		'server',
		`The service refused the request (HTTP ${status})${saying} Check the node's parameters, and Base URL in the credential.`,
	);
}

/** What was received with a status of success. */
function verdictOfBody({ status, body, request, said, saying, failed }: Answer): Verdict {
	const charged = request.free ? '' : ` ${CHARGED}`;
	if (typeof body === 'string' && body.trim() !== '') {
		const what = /^\s*</.test(body) ? 'a web page' : 'something that is not whole JSON';
		return failed(
			'unreadable',
			`The answer was ${what} instead of data (HTTP ${status}).${charged} Check Base URL in the credential; if it is right, try again later.`,
		);
	}
	if (!isObject(body) && !Array.isArray(body)) {
		if (request.mayBeEmpty || (status === 204 && request.method === 'DELETE')) {
			return { outcome: { value: {} }, retry: 'no' };
		}
		return failed(
			'unreadable',
			`The service sent an empty answer (HTTP ${status}).${charged} Try again later.`,
		);
	}
	if (requestStatus(body) === 'failure') {
		return failed(
			'reported',
			`The service reports that the request failed${said === undefined ? ', without a reason.' : saying} Try again later; if it stays, give the correlation ID to the service's support.`,
		);
	}
	return { outcome: { value: body }, retry: 'no' };
}
