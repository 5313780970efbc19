import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../core/json';
import type { Outcome, ValidationIssue } from '../core/outcome';
import { isBlank } from '../core/text';
import { type HttpResponse, isTlsError, type ServiceRequest } from './httpRequest';
import { parseRateLimitReset, parseRetryAfter } from './rateLimiter';
import { forbiddenRule, issuesOf, notFoundRule, type ReceivedResponse } from './recordErrors';
import {
	contextStatus,
	correlationIdOf,
	isMissWith404,
	parseErrorMessage,
	parseValidationIssues,
	type Redact,
	reportedStatus,
	toSentence,
} from './responseBody';
import {
	type Blocks,
	MAYBE_CHARGED,
	NOT_RETRIED,
	type ResponseRule,
	type Retry,
	RULES,
	RULES_BY_CODE,
} from './responseRules';

/** What a response means, and how its request is retried. */
export interface Resolution {
	readonly outcome: Outcome<unknown>;
	readonly retry: Retry;
	/** How long the service asks us to wait, in milliseconds. */
	readonly waitMs?: number;
	/** Which other requests would fail the same way. */
	readonly blocks?: Blocks;
}

/**
 * Decides what a response or a failed connection means: the value or failure, whether to retry, and which other requests would
 * fail the same way (contract: Errors, States).
 *
 * @param redact removes secrets from the failure's messages and its correlation ID
 * @param pathSucceeded whether a request to the same path has succeeded in this run
 */
export function interpretResponse(
	response: HttpResponse,
	request: ServiceRequest,
	timeoutMs: number,
	redact: Redact,
	pathSucceeded: boolean,
): Resolution {
	const policy = request.custom ? customPolicy : contractPolicy;
	if (response.status === undefined) {
		const { code, reasons = [] } = response;
		const rule = RULES_BY_CODE[code] ?? connectionRule(code);
		const mustNotRetry = isRetryUnsafe(rule, request, policy);
		const reason = reasons.map((text) => toSentence(text, redact)).join(' ');
		const cause = reason === '' ? '.' : `: ${reason}`;
		const message = messageOf(rule, request, { mustNotRetry, cause, redact, timeoutMs });
		const failure = { kind: rule.kind, message, details: { code } };
		return { outcome: { failure }, retry: retryOf(rule, mustNotRetry) };
	}

	const { status, headers, body } = response;
	const reason = parseErrorMessage(body, redact);
	const received = { status, body, request, reason, pathSucceeded };
	const mayHaveIssues = policy.hasIssuesInSuccess || !isSuccess(status);
	const parsed = mayHaveIssues ? parseValidationIssues(body, status, redact) : undefined;
	const issues = issuesOf(received, parsed);
	const rule = ruleOf(received, policy, issues);
	if (rule === undefined) return { outcome: { value: policy.value(body) }, retry: 'none' };
	const mustNotRetry = isRetryUnsafe(rule, request, policy);
	const cause = ` (HTTP ${status})${reason === undefined ? '.' : `: ${reason}`}`;
	const details = policy.details(body);
	const failure = {
		kind: rule.kind,
		message: messageOf(rule, request, { mustNotRetry, cause, redact, timeoutMs }),
		status,
		correlationId: correlationIdOf(body, redact),
		...(rule.kind === 'invalid' && { issues }),
		...(rule.isAboutRecord && { isAboutRecord: true }),
		...(details && { details }),
	};
	const resetMs = rule.retry === 'throttled' ? parseRateLimitReset(headers) : undefined;
	return {
		outcome: { failure },
		retry: retryOf(rule, mustNotRetry),
		waitMs: parseRetryAfter(headers, body) ?? resetMs,
		blocks: policy.blocks(rule),
	};
}

/** True if the service may have processed the request, and a second one may cost credits again or have other effects. */
const isRetryUnsafe = (
	rule: ResponseRule,
	{ safeToRetry }: ServiceRequest,
	policy: ResponsePolicy,
): boolean => !safeToRetry && policy.mayHaveBeenProcessed(rule);

const retryOf = ({ retry = 'none' }: ResponseRule, mustNotRetry: boolean): Retry =>
	mustNotRetry ? 'none' : retry;

interface MessageParts {
	readonly mustNotRetry: boolean;
	/** Text after the problem: the HTTP status and the explanation, if there are any, or only a full stop. */
	readonly cause: string;
	readonly redact: Redact;
	readonly timeoutMs: number;
}

function messageOf(
	rule: ResponseRule,
	{ safeToRetry, path }: ServiceRequest,
	{ mustNotRetry, cause, redact, timeoutMs }: MessageParts,
): string {
	const problem = rule.problem
		.replace('{seconds}', String(timeoutMs / 1000))
		.replace('{path}', () => redact(path));
	let advice = mustNotRetry ? NOT_RETRIED : rule.advice;
	if (rule.kind === 'unreadable' && !safeToRetry) advice = `${MAYBE_CHARGED} ${advice}`;
	return `${problem}${cause} ${advice}`.trimEnd();
}

/** The rule for an error code of a failed connection that `RULES_BY_CODE` doesn't list. */
const connectionRule = (code: string): ResponseRule =>
	isTlsError(code) ? RULES.insecure : RULES.connectionLost;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Words that show that the service's explanation is about credits. A lone "Credit" or "Balance" may be from a company's name. */
const CREDITS =
	/\b(credits|quota|credit (balance|limit)|(any|enough|insufficient|more|no|of) credit|(account|insufficient|low|no|your) balance)\b/i;

/** The rule for an HTTP response; undefined if the response is a success. */
function ruleOf(
	received: ReceivedResponse,
	policy: ResponsePolicy,
	issues: readonly ValidationIssue[] | undefined,
): ResponseRule | undefined {
	const { status, body, reason = '' } = received;
	if (isSuccess(status) || isMissWith404(status, body)) {
		return issues === undefined ? policy.bodyRule(received) : invalidRule(issues);
	}
	const statusRule =
		RULES_BY_CODE[status] ?? RULES_BY_CODE[`${Math.floor(status / 100)}xx`] ?? RULES.rejected;
	// These rules apply even if the body has issues.
	if (statusRule.kind === 'redirect' || [401, 402, 429].includes(status)) return statusRule;
	if (status === 403 && CREDITS.test(reason)) return RULES.noCredits;
	if (issues !== undefined) return invalidRule(issues);
	// Policies don't need a 403 rule of their own: a Custom API Call has no `recordLabels`, so `forbiddenRule` returns undefined
	// for it.
	if (status === 403) return forbiddenRule(received) ?? statusRule;
	if (status === 404) return policy.notFoundRule(received) ?? statusRule;
	return statusRule;
}

const invalidRule = (issues: readonly ValidationIssue[]): ResponseRule =>
	issues.some(({ member }) => member === 'header') ? RULES.invalidHeader : RULES.invalid;

/** How responses are interpreted, by the kind of endpoint. */
interface ResponsePolicy {
	/** Whether the body of a success can report a validation error. */
	readonly hasIssuesInSuccess: boolean;
	/** The rule for a response whose status is a success, but whose body shows a failure; undefined if it shows none. */
	readonly bodyRule: (received: ReceivedResponse) => ResponseRule | undefined;
	/** The rule for a 404; undefined if the general rule for the status applies. */
	readonly notFoundRule: (received: ReceivedResponse) => ResponseRule | undefined;
	/** The value that a successful request returns. */
	readonly value: (body: unknown) => unknown;
	/** The `details` of a failure; undefined if it has none. */
	readonly details: (body: unknown) => IDataObject | undefined;
	/** Whether the service may have processed a request that failed with this rule. */
	readonly mayHaveBeenProcessed: (rule: ResponseRule) => boolean;
	/** Which other requests would fail the same way. */
	readonly blocks: (rule: ResponseRule) => Blocks | undefined;
}

const isMarkup = (text: string): boolean => /^\s*</.test(text);

const hasData = (body: unknown): boolean => isObject(body) || Array.isArray(body);

/** For the endpoints that the contract describes. */
const contractPolicy: ResponsePolicy = {
	hasIssuesInSuccess: true,
	bodyRule: ({ status, body, request }) => {
		if (typeof body === 'string' && !isBlank(body)) {
			return isMarkup(body) ? RULES.webPage : RULES.invalidJson;
		}
		if (!hasData(body)) {
			const mayBeEmpty = request.mayBeEmpty || (status === 204 && request.method === 'DELETE');
			return mayBeEmpty ? undefined : RULES.emptyBody;
		}
		return reportedStatus(body) === 'failure' ? RULES.reportedFailure : undefined;
	},
	notFoundRule,
	value: (body) => (hasData(body) ? body : {}),
	details: () => undefined,
	mayHaveBeenProcessed: ({ kind }) => kind === 'noResponse',
	blocks: ({ blocks }) => blocks,
};

/**
 * For an endpoint that the user chose. The response may be any JSON or text, or empty, and may have fields of its own named
 * `status` or `detail`. Of the failures, only a wrong API key, the rate limit and several lost responses in a row affect other
 * requests.
 */
const customPolicy: ResponsePolicy = {
	hasIssuesInSuccess: false,
	bodyRule: ({ body }) => {
		if (typeof body === 'string') {
			// n8n would have parsed it if it were one JSON value.
			if (/^\s*[[{]/.test(body)) return RULES.customInvalidJson;
			return isMarkup(body) ? RULES.webPage : undefined;
		}
		return contextStatus(body) === 'failure' ? RULES.reportedFailure : undefined;
	},
	notFoundRule: () => RULES.customNothingFound,
	value: (body) => body,
	details: (body) =>
		isObject(body) ||
		Array.isArray(body) ||
		(typeof body === 'string' && !isBlank(body) && !isMarkup(body))
			? { response: body }
			: undefined,
	// The endpoint is unknown: it may have acted before it responded with 500, 502 or 503.
	mayHaveBeenProcessed: (rule) => rule.kind === 'noResponse' || rule === RULES.temporarilyFailed,
	blocks: ({ blocks }) => (blocks === 'everything' ? blocks : undefined),
};
