import { isObject } from '../core/json';
import type { Outcome, ValidationIssue } from '../core/outcome';
import { isBlank } from '../core/text';
import type { HttpResponse, ServiceRequest } from './httpRequest';
import {
	correlationIdOf,
	parseErrorMessage,
	parseValidationIssues,
	type Redact,
	requestStatus,
} from './responseBody';
import {
	type Blocks,
	MAYBE_CHARGED,
	NOT_RETRIED,
	type Retry,
	type ResponseRule,
	RULES,
	RULES_BY_CODE,
} from './responseRules';
import { parseRateLimitReset, parseRetryAfter } from './retryAfter';

/** What a response means, and whether a retry can help. */
export interface Resolution {
	readonly outcome: Outcome<unknown>;
	readonly retry: Retry;
	/** How long the service asks to wait, in milliseconds. */
	readonly waitMs?: number;
	/** Which other requests would fail the same way. */
	readonly blocks?: Blocks;
}

/** An HTTP response with everything needed to interpret it. */
interface ReceivedResponse {
	readonly status: number;
	readonly body: unknown;
	readonly request: ServiceRequest;
	/** The service's own explanation. */
	readonly reason: string | undefined;
	readonly pathSucceeded: boolean;
}

/**
 * Interprets a response or a network failure (contract: Errors, States).
 *
 * @param redact removes secrets from the service's own messages
 * @param pathSucceeded whether a request to the same path has succeeded in this run
 */
export function interpretResponse(
	response: HttpResponse,
	request: ServiceRequest,
	timeoutMs: number,
	redact: Redact,
	pathSucceeded = false,
): Resolution {
	if (response.status === undefined) {
		const { code } = response;
		const rule = RULES_BY_CODE[code] ?? networkRule(code);
		const message = messageOf(rule, request, '.', redact).replace(
			'{seconds}',
			String(timeoutMs / 1000),
		);
		const failure = { kind: rule.kind, message, details: { code } };
		return { outcome: { failure }, retry: retryOf(rule, request) };
	}

	const { status, headers, body } = response;
	const reason = parseErrorMessage(body, redact);
	const received = { status, body, request, reason, pathSucceeded };
	const isSuccess = status >= 200 && status < 300;
	const issues =
		request.custom && isSuccess
			? undefined
			: issuesOf(received, parseValidationIssues(body, status, redact));
	const rule = ruleOf(received, issues !== undefined);
	if (rule === undefined) {
		return { outcome: { value: hasData(body) || request.custom ? body : {} }, retry: 'none' };
	}
	const failure = {
		kind: rule.kind,
		message: messageOf(
			rule,
			request,
			` (HTTP ${status})${reason === undefined ? '.' : `: ${reason}`}`,
			redact,
		),
		status,
		correlationId: correlationIdOf(body, redact),
		...(rule.kind === 'invalid' && { issues }),
		...(request.custom &&
			!isSuccess &&
			issues === undefined &&
			reason === undefined &&
			isObject(body) && { details: { response: body } }),
	};
	const resetMs = rule.retry === 'throttled' ? parseRateLimitReset(headers) : undefined;
	return {
		outcome: { failure },
		retry: retryOf(rule, request),
		waitMs: parseRetryAfter(headers, body) ?? resetMs,
		blocks: request.custom && rule.blocks === 'unprovenPath' ? undefined : rule.blocks,
	};
}

/** True if the service may have processed the request: an endpoint that the user chose, also before it failed. */
const mayBeProcessed = ({ kind, retry }: ResponseRule, { custom }: ServiceRequest): boolean =>
	kind === 'noResponse' || (custom === true && kind === 'server' && retry === 'transient');

/** Never retries a request that costs credits, or may have other effects, and may have been processed. */
const retryOf = (rule: ResponseRule, request: ServiceRequest): Retry =>
	mayBeProcessed(rule, request) && !request.safeToRetry ? 'none' : (rule.retry ?? 'none');

function messageOf(
	rule: ResponseRule,
	request: ServiceRequest,
	cause: string,
	redact: Redact,
): string {
	const { safeToRetry, path } = request;
	let { advice } = rule;
	if (mayBeProcessed(rule, request) && !safeToRetry) advice = NOT_RETRIED;
	if (rule.kind === 'unreadable' && !safeToRetry) advice = `${MAYBE_CHARGED} ${advice}`;
	return `${rule.problem.replace('{path}', () => redact(path))}${cause} ${advice}`.trimEnd();
}

const networkRule = (code: string): ResponseRule =>
	/CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code) ? RULES.insecure : RULES.connectionLost;

/** The rule for an HTTP response; undefined if the response is a success. */
function ruleOf(received: ReceivedResponse, isValidationError: boolean): ResponseRule | undefined {
	const { status, reason = '' } = received;
	const statusRule =
		RULES_BY_CODE[status] ?? RULES_BY_CODE[`${Math.floor(status / 100)}xx`] ?? RULES.rejected;
	if (status === 403 && CREDITS.test(reason)) return RULES.noCredits;
	if (statusRule.kind === 'redirect' || [401, 402, 429].includes(status)) return statusRule;
	if (isValidationError) return RULES.invalid;
	if ((status >= 200 && status < 300) || isMiss(received)) return bodyRule(received);
	if (status === 403) return forbiddenRule(received) ?? statusRule;
	if (status === 404) return notFoundRule(received) ?? statusRule;
	return statusRule;
}

/** A 404 whose body reports a miss is a success without data (contract: States). */
const isMiss = ({ status, body }: ReceivedResponse): boolean =>
	status === 404 && requestStatus(body) === 'miss';

const hasData = (body: unknown): boolean => isObject(body) || Array.isArray(body);

function bodyRule({ status, body, request }: ReceivedResponse): ResponseRule | undefined {
	if (request.custom) return customBodyRule(body);
	if (typeof body === 'string' && !isBlank(body)) {
		return /^\s*</.test(body) ? RULES.webPage : RULES.invalidJson;
	}
	if (!hasData(body)) {
		const mayBeEmpty = request.mayBeEmpty || (status === 204 && request.method === 'DELETE');
		return mayBeEmpty ? undefined : RULES.emptyBody;
	}
	return requestStatus(body) === 'failure' ? RULES.reportedFailure : undefined;
}

/** Any endpoint may have fields of its own named `status` or `detail`, and may answer with text. Truncated JSON is no text. */
function customBodyRule(body: unknown): ResponseRule | undefined {
	if (typeof body === 'string') {
		if (/^\s*[[{]/.test(body)) return RULES.invalidJson;
		return /^\s*</.test(body) ? RULES.webPage : undefined;
	}
	const context = isObject(body) ? { response_context: body.response_context } : undefined;
	return requestStatus(context) === 'failure' ? RULES.reportedFailure : undefined;
}

/** Words that show that the service's explanation is about credits, or about the account. */
const CREDITS = /\b(credits?|quota|balance)\b/i;
const ACCOUNT =
	/\b(plans?|subscriptions?|licen[cs]es?|upgrade|billing|permissions?|accounts?|tenants?|scopes?|api.?keys?)\b/i;

/** Default messages of web frameworks and gateways. */
const DEFAULT_MESSAGE =
	/^(not found|forbidden|missing authentication token|cannot [a-z]+ \/.*|no (static resource|route (found|match\w*)) .*|(the )?route \S+ (could )?not (be )?found|the requested url .*)\.?$/i;

/**
 * The rule for a 403. Access to the record is denied if the explanation names the request's only record, or if it isn't about
 * the account and isn't a default message. Undefined if there is no explanation.
 */
function forbiddenRule(received: ReceivedResponse): ResponseRule | undefined {
	const { reason = '' } = received;
	if (!ACCOUNT.test(reason)) return isAboutRecord(received) ? RULES.recordDenied : undefined;
	return namesRecord(received) ? RULES.recordDenied : RULES.notInPlan;
}

function notFoundRule(received: ReceivedResponse): ResponseRule | undefined {
	if (received.request.custom) return RULES.nothingAtPath;
	if (isAboutRecord(received)) return RULES.noRecord;
	return received.pathSucceeded ? RULES.nothingFound : undefined;
}

/** Whether the explanation names the only record of the request. */
function namesRecord({ reason = '', request: { recordLabels = [] } }: ReceivedResponse): boolean {
	const [label, ...others] = recordLabels;
	return label !== undefined && others.length === 0 && mentions(reason, label);
}

/** Whether the explanation is about the only record of the request: it names it, or isn't a default message. */
function isAboutRecord(received: ReceivedResponse): boolean {
	const { reason, request } = received;
	if (reason === undefined || request.recordLabels?.length !== 1) return false;
	return namesRecord(received) || !DEFAULT_MESSAGE.test(reason);
}

/**
 * The issues of a validation error; undefined for any other response. A 403 or 404 counts as a validation error if it names
 * some of several records, because the others can be sent without them; a 403 also if one of its issues has an index.
 */
function issuesOf(
	received: ReceivedResponse,
	issues: readonly ValidationIssue[] | undefined,
): readonly ValidationIssue[] | undefined {
	const { status } = received;
	if (status === 403) {
		return issues?.some(({ index }) => index !== undefined) ? issues : recordIssues(received);
	}
	return issues ?? (status === 404 && !isMiss(received) ? recordIssues(received) : undefined);
}

function recordIssues({ reason = '', request }: ReceivedResponse): ValidationIssue[] | undefined {
	const { recordLabels = [] } = request;
	if (recordLabels.length < 2) return undefined;
	const issues = recordLabels.flatMap((label, index) =>
		mentions(reason, label) ? [{ index, message: reason }] : [],
	);
	return issues.length > 0 ? issues : undefined;
}

const mentions = (text: string, label: string): boolean =>
	label !== '' && text.toLowerCase().includes(label.toLowerCase());
