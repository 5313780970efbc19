import { accountTrouble, addressTrouble, redirectTrouble } from './access';
import type { ReceivedResponse, Resolution } from './answer';
import type { HttpResponse, ServiceRequest } from './httpRequest';
import { isObject } from '../core/json';
import { parseRetryAfter, parseRateLimitReset } from './rateLimiter';
import { correlationIdOf, requestStatus } from './responseContext';
import { gatewayAnswered, isOfGateway, unanswered } from './unanswered';
import { CHARGED, type Redact, parseValidationIssues, parseErrorMessage } from './errorMessage';

const RETRIED: ReadonlySet<number> = new Set([500, 502, 503]);

/**
 * Reads one reply (contract: Errors, States).
 *
 * @param mask takes the secrets out of what the service says
 * @param pathSucceeded whether a request to the same path has succeeded in this run
 */
export function interpretResponse(
	reply: HttpResponse,
	request: ServiceRequest,
	timeoutMs: number,
	mask: Redact,
	pathSucceeded = false,
): Resolution {
	if (reply.status === undefined) return unanswered(reply.code, request, timeoutMs);

	const { status, body } = reply;
	const correlationId = correlationIdOf(body, mask);
	const said = parseErrorMessage(body, mask);
	const answer: ReceivedResponse = {
		...reply,
		request,
		pathSucceeded,
		said,
		saying: said === undefined ? '.' : `: ${said}`,
		problems: parseValidationIssues(body, status, mask),
		failed: (kind, message, more = {}) => ({
			outcome: { failure: { kind, message, status, correlationId, ...more } },
			retry: 'no',
		}),
	};
	// The contract shows a miss by its body alone, whatever the status.
	const missed = status === 404 && requestStatus(body) === 'miss';
	return (
		redirectTrouble(answer) ??
		accountTrouble(answer) ??
		limitTrouble(answer) ??
		validationTrouble(answer) ??
		(missed ? undefined : (addressTrouble(answer) ?? statusTrouble(answer))) ??
		verdictOfBody(answer)
	);
}

/** What the account may not do now. */
function limitTrouble({
	status,
	headers,
	body,
	saying,
	failed,
}: ReceivedResponse): Resolution | undefined {
	if (status !== 429) return undefined;
	return {
		...failed('rateLimited', `The account's rate limit is used up (HTTP 429)${saying}`),
		retry: 'wait',
		waitMs: parseRetryAfter(headers, body) ?? parseRateLimitReset(headers),
	};
}

/** What is wrong with the values that were sent. */
function validationTrouble({
	status,
	saying,
	problems,
	failed,
}: ReceivedResponse): Resolution | undefined {
	if (problems === undefined) return undefined;
	return failed(
		'invalid',
		`The service refused the request (HTTP ${status})${saying} Correct that and run it again.`,
		{ issues: problems },
	);
}

/** What any other status says that does not stand for success. */
function statusTrouble(answer: ReceivedResponse): Resolution | undefined {
	const { status, headers, body, request, saying, failed } = answer;
	if (status >= 200 && status < 300) return undefined;
	if (status === 413) {
		return failed(
			'server',
			'The request was too large for the service (HTTP 413). Set a smaller Batch Size under Options, or ask for fewer IDs or filter values.',
		);
	}
	if (isOfGateway(status)) {
		const { kind, message, retry } = gatewayAnswered(status, request);
		return { ...failed(kind, message), retry, waitMs: parseRetryAfter(headers, body) };
	}
	if (status >= 500) {
		return {
			...failed('server', `The service failed (HTTP ${status})${saying} Try again later.`),
			retry: RETRIED.has(status) ? 'back-off' : 'no',
			waitMs: parseRetryAfter(headers, body),
		};
	}
	return failed(
		'server',
		`The service refused the request (HTTP ${status})${saying} Check the node's parameters, and Base URL in the credential.`,
	);
}

/** What was received with a status of success. */
function verdictOfBody({
	status,
	body,
	request,
	said,
	saying,
	failed,
}: ReceivedResponse): Resolution {
	const charged = request.idempotent ? '' : ` ${CHARGED}`;
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
