import { valueAsRecord } from '../core/casts';
import { isEmpty, isObject } from '../core/json';
import type { Outcome, ValidationIssue } from '../core/outcome';
import { isBlank } from '../core/text';
import { type HttpResponse, isTlsError, type ServiceRequest } from './httpRequest';
import { parseRateLimitReset, parseRetryAfter } from './rateLimiter';
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

interface ReceivedResponse {
	readonly status: number;
	readonly body: unknown;
	readonly request: ServiceRequest;
	/** The service's own explanation. */
	readonly reason: string | undefined;
	/** True if a request to the same path has succeeded in this run. */
	readonly pathSucceeded: boolean;
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
	const issues = issuesOf(request, parsed);
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
	{ safeToRetry, method, path, expects }: ServiceRequest,
	{ mustNotRetry, cause, redact, timeoutMs }: MessageParts,
): string {
	const problem = rule.problem
		.replace('{seconds}', String(timeoutMs / 1000))
		.replace('{method}', method)
		.replace('{lack}', expects?.problem ?? '')
		.replace('{path}', () => redact(path));
	let advice = mustNotRetry ? NOT_RETRIED : rule.advice;
	if (rule.kind === 'unreadable' && !safeToRetry) advice = `${MAYBE_CHARGED} ${advice}`;
	return `${problem}${cause} ${advice}`.trimEnd();
}

const connectionRule = (code: string): ResponseRule =>
	isTlsError(code) ? RULES.insecure : RULES.connectionLost;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Undefined if the request succeeded. */
function ruleOf(
	received: ReceivedResponse,
	issues: readonly ValidationIssue[] | undefined,
): ResponseRule | undefined {
	const { status, body, request, reason, pathSucceeded } = received;
	if (isSuccess(status) || isMissWith404(status, body)) {
		return issues === undefined ? bodyRule(received) : invalidRule(issues);
	}
	const statusRule =
		RULES_BY_CODE[status] ?? RULES_BY_CODE[`${Math.floor(status / 100)}xx`] ?? RULES.clientError;
	// These rules apply even if the body has issues.
	if (statusRule.kind === 'redirect' || [401, 402, 429].includes(status)) return statusRule;
	// An explanation of a request for one record is assumed to be about the record.
	const isAboutRecord = reason !== undefined && request.records === 1;
	if (status === 403) {
		if (typeof body === 'string' && isMarkup(body)) return RULES.firewall;
		// Without an index, the issues may be about the account's access to the whole request.
		if (issues?.some(({ index }) => index !== undefined)) return RULES.invalid;
		return isAboutRecord ? RULES.recordDenied : statusRule;
	}
	if (issues !== undefined) return invalidRule(issues);
	if (status !== 404) return statusRule;
	if (request.custom) return RULES.customNothingFound;
	if (isAboutRecord) return RULES.noRecord;
	return pathSucceeded ? RULES.nothingFound : statusRule;
}

const OUTSIDE_BODY: ReadonlyArray<string | undefined> = ['header', 'query', 'path', 'cookie'];

/** An issue that names no part of the request keeps only its message: it may name an offset in the body's text, for example. */
function issuesOf(
	{ body = {} }: ServiceRequest,
	issues: readonly ValidationIssue[] | undefined,
): readonly ValidationIssue[] | undefined {
	const members = Object.entries(body).flatMap(([name, value]) =>
		value === undefined ? [] : name,
	);
	const isLocated = ({ member }: ValidationIssue) =>
		OUTSIDE_BODY.includes(member) || members.some((name) => name === member);
	return issues?.map((issue) => (isLocated(issue) ? issue : { message: issue.message }));
}

const invalidRule = (issues: readonly ValidationIssue[]): ResponseRule =>
	issues.some(({ member }) => member === 'header') ? RULES.invalidHeader : RULES.invalid;

const isMarkup = (text: string): boolean => /^\s*</.test(text);

const hasData = (body: unknown): boolean => isObject(body) || Array.isArray(body);

/** The rule for a failure that only the body shows, not the status. */
function bodyRule({ status, body, request }: ReceivedResponse): ResponseRule | undefined {
	const text = typeof body === 'string' && !isBlank(body) ? body : undefined;
	if (text !== undefined && isMarkup(text)) return RULES.webPage;
	if (request.custom) {
		if (text !== undefined) return RULES.customNotJson;
		// The body's own members may not mean what they mean in the contract.
		return contextStatus(body) === 'failure' ? RULES.reportedFailure : undefined;
	}
	if (text !== undefined) return RULES.invalidJson;
	if (!hasData(body)) {
		const mayBeEmpty = request.mayBeEmpty || (status === 204 && request.method === 'DELETE');
		return mayBeEmpty ? undefined : RULES.emptyBody;
	}
	const reported = reportedStatus(body) ?? (hasOnlyError(body) ? 'failure' : 'success');
	if (reported === 'failure') return RULES.reportedFailure;
	if (reported === 'miss') return undefined;
	return request.expects?.isIn(body) === false ? RULES.unexpected : undefined;
}

/** Data that was paid for would be lost if an explanation beside it were treated as an error. */
const hasOnlyError = (body: unknown): boolean =>
	isObject(body) && isEmpty(body.data) && !isEmpty(body.error);
