import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../core/json';
import type { ValidationIssue } from '../core/outcome';
import { isBlank } from '../core/text';
import type { ServiceRequest } from './httpRequest';
import { contextStatus, reportedStatus } from './responseBody';
import { type Blocks, type ResponseRule, RULES } from './responseRules';

/** An HTTP response with everything needed to interpret it. */
export interface ReceivedResponse {
	readonly status: number;
	readonly body: unknown;
	readonly request: ServiceRequest;
	/** The service's own explanation. */
	readonly reason: string | undefined;
	readonly pathSucceeded: boolean;
}

/**
 * A 404 whose body reports a miss is a success without data (contract: States). This holds for a Custom API Call too, because
 * its endpoint may be in the contract.
 */
export const isMissWith404 = ({ status, body }: ReceivedResponse): boolean =>
	status === 404 && reportedStatus(body) === 'miss';

/** Words that show that the service's explanation is about the account. */
const ACCOUNT =
	/\b(plans?|subscriptions?|licen[cs]es?|upgrade|billing|permissions?|accounts?|tenants?|scopes?|api.?keys?)\b/i;

/** Default messages of web frameworks and gateways. */
const DEFAULT_MESSAGE =
	/^(not found|forbidden|missing authentication token|cannot [a-z]+ \/.*|no (static resource|route (found|match\w*)) .*|(the )?route \S+ (could )?not (be )?found|the requested url .*)\.?$/i;

/**
 * The rule for a 403 about the request's only record: the explanation names the record, or is neither about the account nor a
 * default message. Otherwise undefined.
 */
export function forbiddenRule(received: ReceivedResponse): ResponseRule | undefined {
	const isAboutAccount = ACCOUNT.test(received.reason ?? '');
	const isDenied = isAboutAccount ? namesRecord(received) : isAboutRecord(received);
	return isDenied ? RULES.recordDenied : undefined;
}

/** The rule for a 404: about the record or, if the path has worked before, about the values. Otherwise undefined. */
export function notFoundRule(received: ReceivedResponse): ResponseRule | undefined {
	if (isAboutRecord(received)) return RULES.noRecord;
	return received.pathSucceeded ? RULES.nothingFound : undefined;
}

/** True if the explanation names the request's only record. */
function namesRecord({ reason = '', request: { recordLabels = [] } }: ReceivedResponse): boolean {
	const [label, ...others] = recordLabels;
	return label !== undefined && others.length === 0 && mentions(reason, label);
}

/** True if the explanation is about the request's only record: it names the record, or isn't a default message. */
function isAboutRecord(received: ReceivedResponse): boolean {
	const { reason, request } = received;
	if (reason === undefined || request.recordLabels?.length !== 1) return false;
	return namesRecord(received) || !DEFAULT_MESSAGE.test(reason);
}

/**
 * The issues of a validation error; undefined for any other response. A 403, or a 404 that isn't a miss, counts as a validation
 * error if its explanation names any of several records, because the other records can be sent without those. A 403's own
 * issues count only if one of them has an index.
 *
 * @param parsed from `parseValidationIssues`
 */
export function issuesOf(
	received: ReceivedResponse,
	parsed: readonly ValidationIssue[] | undefined,
): readonly ValidationIssue[] | undefined {
	const { status, request } = received;
	const issues = parsed?.map((issue) => (isLocated(issue, request) ? issue : unlocated(issue)));
	if (status === 403) {
		return issues?.some(({ index }) => index !== undefined) ? issues : recordIssues(received);
	}
	return (
		issues ?? (status === 404 && !isMissWith404(received) ? recordIssues(received) : undefined)
	);
}

/** True if the issue's member was sent. Some services report other locations, such as an offset in the body's text. */
const isLocated = ({ member }: ValidationIssue, { body = {} }: ServiceRequest): boolean =>
	Object.entries(body).some(([name, value]) => name === member && value !== undefined);

const unlocated = ({ message }: ValidationIssue): ValidationIssue => ({ message });

function recordIssues({ reason = '', request }: ReceivedResponse): ValidationIssue[] | undefined {
	const { recordLabels = [] } = request;
	if (recordLabels.length < 2) return undefined;
	const issues = recordLabels.flatMap((label, index) =>
		mentions(reason, label) ? [{ index, message: reason }] : [],
	);
	return issues.length > 0 ? issues : undefined;
}

/** Ends within a word or an identifier: an email address or a name may continue after `.`, `@` or `-`. */
const CONTINUES_BEFORE = /[\p{L}\p{M}\p{N}_][.@-]?$/u;
const CONTINUES_AFTER = /^[.@-]?[\p{L}\p{M}\p{N}_]/u;

/** True if the text contains the label, ignoring case, as a whole word or identifier: "endpoint" doesn't mention "Poi". */
function mentions(text: string, label: string): boolean {
	const [all, part] = [text.toLowerCase(), label.toLowerCase()];
	if (part === '') return false;
	for (let start = all.indexOf(part); start >= 0; start = all.indexOf(part, start + 1)) {
		const end = start + part.length;
		// A letter may take two code units, and the patterns look at one character more.
		const [before, after] = [all.slice(Math.max(0, start - 3), start), all.slice(end, end + 3)];
		if (!CONTINUES_BEFORE.test(before) && !CONTINUES_AFTER.test(after)) return true;
	}
	return false;
}

/** How responses are interpreted, by the kind of endpoint. */
export interface ResponsePolicy {
	/** Whether the body of a success can report a validation error. */
	readonly hasIssuesInSuccess: boolean;
	/** The rule for a response whose status is a success, but whose body shows a failure; undefined if it shows none. */
	readonly bodyRule: (received: ReceivedResponse) => ResponseRule | undefined;
	/** The rule for a 404; undefined if the general rule for the status applies. */
	readonly notFoundRule: (received: ReceivedResponse) => ResponseRule | undefined;
	/** The value that a successful request returns. */
	readonly value: (body: unknown) => unknown;
	/** Details of a failure that the service doesn't explain in a known way. */
	readonly details: (body: unknown) => IDataObject | undefined;
	/** Whether the service may have processed a request that failed with this rule. */
	readonly mayHaveBeenProcessed: (rule: ResponseRule) => boolean;
	/** Which other requests would fail the same way. */
	readonly blocks: (rule: ResponseRule) => Blocks | undefined;
}

const isMarkup = (text: string): boolean => /^\s*</.test(text);

const hasData = (body: unknown): boolean => isObject(body) || Array.isArray(body);

/** For the endpoints that the contract describes. */
export const contractPolicy: ResponsePolicy = {
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
 * `status` or `detail`. Of the failures, only a wrong API key and the rate limit affect other requests.
 */
export const customPolicy: ResponsePolicy = {
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
		isObject(body) || (typeof body === 'string' && !isBlank(body) && !isMarkup(body))
			? { response: body }
			: undefined,
	// The endpoint is unknown: it may have acted before it responded with 500, 502 or 503.
	mayHaveBeenProcessed: ({ kind, retry }) =>
		kind === 'noResponse' || (kind === 'server' && retry === 'transient'),
	blocks: ({ blocks }) => (blocks === 'everything' ? blocks : undefined),
};
