import { valueAsRecord } from '../core/casts';
import { isEmpty, isObject } from '../core/json';
import type { Outcome, ValidationIssue } from '../core/outcome';
import { isBlank } from '../core/text';
import { type HttpResponse, isTlsError, type ServiceRequest } from './httpRequest';
import { parseRateLimitReset, parseRetryAfter } from './rateLimiter';
import {
	applicableIssues,
	forbiddenRule,
	notFoundRule,
	type ReceivedResponse,
} from './recordErrors';
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

export interface Resolution {
	readonly outcome: Outcome<unknown>;
	readonly retry: Retry;
	readonly maxTries?: number;
	/** The wait that the response asks for. */
	readonly waitMs?: number;
	readonly blocks?: Blocks;
}

/** Decides what a response or a failed connection means (contract: Errors, States). */
export function interpretResponse(
	response: HttpResponse,
	request: ServiceRequest,
	timeoutMs: number,
	redact: Redact,
	pathSucceeded: boolean,
): Resolution {
	if (response.status === undefined) {
		const { code, reasons = [] } = response;
		const rule: ResponseRule = RULES_BY_CODE[code] ?? connectionRule(code);
		const mustNotRetry = isRetryUnsafe(rule, request);
		const reason = reasons.map((text) => toSentence(text, redact)).join(' ');
		const cause = reason === '' ? '.' : `: ${reason}`;
		const message = messageOf(rule, request, { mustNotRetry, cause, redact, timeoutMs });
		const failure = { kind: rule.kind, message, details: { code }, ...aboutAllRows(rule) };
		return { outcome: { failure }, retry: retryOf(rule, mustNotRetry), maxTries: rule.maxTries };
	}

	const { status, headers, body } = response;
	const reason = parseErrorMessage(body, redact);
	const received = { status, body, request, reason, pathSucceeded };
	const mayHaveIssues = !request.custom || !isSuccess(status);
	const parsed = mayHaveIssues ? parseValidationIssues(body, status, redact) : undefined;
	const issues = applicableIssues(received, parsed);
	const rule = ruleOf(received, issues);
	if (rule === undefined) return { outcome: { value: hasData(body) ? body : {} }, retry: 'none' };
	const mustNotRetry = isRetryUnsafe(rule, request);
	const cause = ` (HTTP ${status})${reason === undefined ? '.' : `: ${reason}`}`;
	const details = request.custom && hasData(body) ? valueAsRecord('response', body) : undefined;
	const isThrottled = rule.retry === 'throttled';
	const resetMs = isThrottled ? parseRateLimitReset(headers) : undefined;
	const waitMs = parseRetryAfter(headers, body) ?? resetMs;
	const failure = {
		kind: rule.kind,
		message: messageOf(rule, request, { mustNotRetry, cause, redact, timeoutMs }),
		...(isThrottled && { retryAfterMs: waitMs }),
		status,
		correlationId: correlationIdOf(body, redact),
		...(rule.kind === 'invalid' && { issues }),
		...(rule.isAboutRecord && { isAboutRecord: true }),
		...(!request.custom && aboutAllRows(rule)),
		...(details && { details }),
	};
	return {
		outcome: { failure },
		retry: retryOf(rule, mustNotRetry),
		waitMs,
		// Calls to one path may differ in method, query and body, so one failure says little about the others.
		blocks: request.custom && rule.blocks !== 'everything' ? undefined : rule.blocks,
	};
}

const aboutAllRows = ({ kind, blocks }: ResponseRule) =>
	kind === 'unreachable' || blocks !== undefined ? { isAboutAllRows: true } : {};

/** True if a second request may cost credits again or have other effects. */
const isRetryUnsafe = (rule: ResponseRule, { safeToRetry, custom }: ServiceRequest): boolean =>
	!safeToRetry &&
	// An unknown endpoint may have acted before it responded with 500, 502 or 503.
	(rule.kind === 'noResponse' || (custom === true && rule === RULES.temporarilyFailed));

const retryOf = ({ retry = 'none' }: ResponseRule, mustNotRetry: boolean): Retry =>
	mustNotRetry ? 'none' : retry;

interface MessageParts {
	readonly mustNotRetry: boolean;
	/** Ends the problem's sentence: the HTTP status and the explanation, if there are any. */
	readonly cause: string;
	readonly redact: Redact;
	readonly timeoutMs: number;
}

function messageOf(
	rule: ResponseRule,
	{ safeToRetry, method, path }: ServiceRequest,
	{ mustNotRetry, cause, redact, timeoutMs }: MessageParts,
): string {
	const problem = rule.problem
		.replace('{seconds}', String(timeoutMs / 1000))
		.replace('{method}', method)
		.replace('{path}', () => redact(path));
	let advice = mustNotRetry ? NOT_RETRIED : rule.advice;
	if (rule.kind === 'unreadable' && !safeToRetry) advice = `${MAYBE_CHARGED} ${advice}`;
	return `${problem}${cause} ${advice}`.trimEnd();
}

const connectionRule = (code: string): ResponseRule =>
	isTlsError(code) ? RULES.insecure : RULES.connectionLost;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Matches explanations about the account: its credits, or its suspension. A lone "Credit" or "Balance" may be part of a company's
 * name.
 */
const ACCOUNT_REFUSED =
	/\b(credits|credit (balance|limit)|(any|enough|insufficient|more|no|of) credit|(account|insufficient|low|no|your) balance|(account|subscription|licen[cs]e|trial|plan)( is| has| was| been)* (suspended|disabled|blocked|expired|inactive|cancell?ed|exceeded)|(suspended|expired|inactive) (account|subscription|licen[cs]e|trial)|upgrade your plan|usage limit|payment (required|method)|billing)\b/i;

const QUOTA = /\bquota\b/i;
const PLAN = /\b(your|current) plan\b/i;

/**
 * With 429, a quota is a rate limit, and with 403, a plan may lack one kind of data. An explanation of a value may quote a
 * company's name.
 */
const refusesAccount = (
	{ status, reason = '' }: ReceivedResponse,
	issues: readonly ValidationIssue[] | undefined,
): boolean =>
	!issues?.some(({ index }) => index !== undefined) &&
	(ACCOUNT_REFUSED.test(reason) ||
		(status !== 429 && QUOTA.test(reason)) ||
		(status !== 403 && PLAN.test(reason)));

/** Undefined if the request succeeded. */
function ruleOf(
	received: ReceivedResponse,
	issues: readonly ValidationIssue[] | undefined,
): ResponseRule | undefined {
	const { status, body } = received;
	if (isSuccess(status) || isMissWith404(status, body)) {
		return issues === undefined ? bodyRule(received, issues) : invalidRule(issues);
	}
	const statusRule =
		RULES_BY_CODE[status] ?? RULES_BY_CODE[`${Math.floor(status / 100)}xx`] ?? RULES.clientError;
	// These rules apply even if the body has issues.
	if (statusRule.kind === 'redirect' || [401, 402].includes(status)) return statusRule;
	if (refusesAccount(received, issues)) return RULES.noCredits;
	if (status === 429) return statusRule;
	if (status === 403 && typeof body === 'string' && isMarkup(body)) return RULES.firewall;
	if (issues !== undefined) return invalidRule(issues);
	// For a Custom API Call, `forbiddenRule` returns undefined, because the request has no `recordLabels`.
	if (status === 403) return forbiddenRule(received) ?? statusRule;
	if (status === 404) {
		return received.request.custom
			? RULES.customNothingFound
			: (notFoundRule(received) ?? statusRule);
	}
	return statusRule;
}

const invalidRule = (issues: readonly ValidationIssue[]): ResponseRule =>
	issues.some(({ member }) => member === 'header') ? RULES.invalidHeader : RULES.invalid;

const isMarkup = (text: string): boolean => /^\s*</.test(text);

const hasData = (body: unknown): boolean => isObject(body) || Array.isArray(body);

/** The rule for a failure that only the body shows, not the status. */
function bodyRule(
	received: ReceivedResponse,
	issues: readonly ValidationIssue[] | undefined,
): ResponseRule | undefined {
	const { status, body, request } = received;
	if (typeof body === 'string' && !isBlank(body)) {
		if (isMarkup(body)) return RULES.webPage;
		return request.custom ? RULES.customNotJson : RULES.invalidJson;
	}
	if (!hasData(body)) {
		const mayBeEmpty =
			request.custom || request.mayBeEmpty || (status === 204 && request.method === 'DELETE');
		return mayBeEmpty ? undefined : RULES.emptyBody;
	}
	// The members of a Custom API Call's body may not mean what they mean in the contract.
	const reported = request.custom ? contextStatus(body) : reportedStatus(body);
	// Data that was paid for would be lost if an explanation beside it were treated as an error.
	const hasNoData = !request.custom && isObject(body) && isEmpty(body.data) && !reported;
	const isOnlyError = hasNoData && !isEmpty(body.error);
	const isOnlyText =
		hasNoData &&
		Object.entries(body).every(([name, value]) => name === 'errors' || typeof value !== 'object');
	const isFailure = reported === 'failure' || isOnlyError;
	if ((isFailure || isOnlyText) && refusesAccount(received, issues)) return RULES.noCredits;
	if (isFailure) return RULES.reportedFailure;
	const lacksPayload = reported !== 'miss' && request.hasPayload !== undefined;
	return lacksPayload && !(isObject(body) && request.hasPayload(body)) ? RULES.noData : undefined;
}
