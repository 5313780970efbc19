import type { Outcome } from '../core/outcome';
import {
	contractPolicy,
	customPolicy,
	forbiddenRule,
	isMissWith404,
	issuesOf,
	type ReceivedResponse,
	type ResponsePolicy,
} from './recordErrors';
import type { HttpResponse, ServiceRequest } from './httpRequest';
import {
	correlationIdOf,
	parseErrorMessage,
	parseValidationIssues,
	type Redact,
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
import { parseRateLimitReset, parseRetryAfter } from './rateLimiter';

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
 * Interprets a response or a network failure (contract: Errors, States).
 *
 * @param redact removes secrets from what the failure's message quotes
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
		const mustNotResend = mustNotResendAfter(rule, request, policy);
		const reason = reasons.map((text) => toSentence(text, redact)).join(' ');
		const cause = reason === '' ? '.' : `: ${reason}`;
		const message = messageOf(rule, request, { mustNotResend, cause, redact, timeoutMs });
		const failure = { kind: rule.kind, message, details: { code } };
		return { outcome: { failure }, retry: retryOf(rule, mustNotResend) };
	}

	const { status, headers, body } = response;
	const reason = parseErrorMessage(body, redact);
	const received = { status, body, request, reason, pathSucceeded };
	const issues = issuesOf(
		received,
		isSuccess(status) && !policy.hasIssuesInSuccess
			? undefined
			: parseValidationIssues(body, status, redact),
	);
	const rule = ruleOf(received, policy, issues !== undefined);
	if (rule === undefined) return { outcome: { value: policy.value(body) }, retry: 'none' };
	const mustNotResend = mustNotResendAfter(rule, request, policy);
	const cause = ` (HTTP ${status})${reason === undefined ? '.' : `: ${reason}`}`;
	const isExplained = issues !== undefined || reason !== undefined;
	const details = isExplained ? undefined : policy.details(body);
	const failure = {
		kind: rule.kind,
		message: messageOf(rule, request, { mustNotResend, cause, redact, timeoutMs }),
		status,
		correlationId: correlationIdOf(body, redact),
		...(rule.kind === 'invalid' && { issues }),
		...(rule.isAboutRecord && { isAboutRecord: true }),
		...(details && { details }),
	};
	const resetMs = rule.retry === 'throttled' ? parseRateLimitReset(headers) : undefined;
	return {
		outcome: { failure },
		retry: retryOf(rule, mustNotResend),
		waitMs: parseRetryAfter(headers, body) ?? resetMs,
		blocks: policy.blocks(rule),
	};
}

/**
 * True if the service may have processed the request, and a second one may cost credits again or have other effects. Such a
 * request is never retried.
 */
const mustNotResendAfter = (
	rule: ResponseRule,
	{ safeToRetry }: ServiceRequest,
	policy: ResponsePolicy,
): boolean => !safeToRetry && policy.mayHaveBeenProcessed(rule);

const retryOf = ({ retry = 'none' }: ResponseRule, mustNotResend: boolean): Retry =>
	mustNotResend ? 'none' : retry;

interface MessageParts {
	/** True if the request isn't retried because it may have been processed. */
	readonly mustNotResend: boolean;
	/** Text after the problem: the HTTP status and the explanation, if there are any, or only a full stop. */
	readonly cause: string;
	readonly redact: Redact;
	readonly timeoutMs: number;
}

function messageOf(
	rule: ResponseRule,
	{ safeToRetry, path }: ServiceRequest,
	{ mustNotResend, cause, redact, timeoutMs }: MessageParts,
): string {
	const problem = rule.problem
		.replace('{seconds}', String(timeoutMs / 1000))
		.replace('{path}', () => redact(path));
	let advice = mustNotResend ? NOT_RETRIED : rule.advice;
	if (rule.kind === 'unreadable' && !safeToRetry) advice = `${MAYBE_CHARGED} ${advice}`;
	return `${problem}${cause} ${advice}`.trimEnd();
}

const connectionRule = (code: string): ResponseRule =>
	/CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code) ? RULES.insecure : RULES.connectionLost;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Words that show that the service's explanation is about credits. A lone "Credit" or "Balance" may be from a company's name. */
const CREDITS =
	/\b(credits|quota|credit (balance|limit)|(any|enough|insufficient|more|no|of) credit|(account|insufficient|low|no|your) balance)\b/i;

/** The rule for an HTTP response; undefined if the response is a success. */
function ruleOf(
	received: ReceivedResponse,
	policy: ResponsePolicy,
	isValidationError: boolean,
): ResponseRule | undefined {
	const { status, reason = '' } = received;
	const statusRule =
		RULES_BY_CODE[status] ?? RULES_BY_CODE[`${Math.floor(status / 100)}xx`] ?? RULES.rejected;
	if (status === 403 && CREDITS.test(reason)) return RULES.noCredits;
	if (statusRule.kind === 'redirect' || [401, 402, 429].includes(status)) return statusRule;
	if (isValidationError) return RULES.invalid;
	if (isSuccess(status) || isMissWith404(received)) return policy.bodyRule(received);
	if (status === 403) return forbiddenRule(received) ?? statusRule;
	if (status === 404) return policy.notFoundRule(received) ?? statusRule;
	return statusRule;
}
