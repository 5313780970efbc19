import type { IDataObject } from 'n8n-workflow';
import { asText, isEmpty, isObject, type JsonValue, textOf } from '../core/json';
import type { Failure, FailureDetails, ValidationIssue } from '../core/outcome';
import { truncate, withFullStop } from '../core/text';

const MAX_MESSAGE_LENGTH = 300;
const MAX_LISTED_ISSUES = 3;
const MAX_DEPTH = 6;

export type Redact = (text: string) => string;

/** The key must not be empty. */
export const createRedact =
	(apiKey: string): Redact =>
	(text) =>
		text.replaceAll(apiKey, '***').replaceAll(encodeURIComponent(apiKey), '***');

/** The correlation ID in a response body (contract: Common conventions), redacted; undefined if there is none. */
export function correlationIdOf(body: unknown, redact: Redact): string | undefined {
	if (!isObject(body)) return undefined;
	const context = body.response_context;
	const id =
		(isObject(context) ? asText(context.correlation_id) : undefined) ?? asText(body.correlation_id);
	return id === undefined ? undefined : redact(id);
}

/** The `request_status` of a response's context (contract: States), if it has one. */
export function contextStatus(body: unknown): string | undefined {
	const context = isObject(body) ? body.response_context : undefined;
	return isObject(context) ? asText(context.request_status) : undefined;
}

/**
 * `success`, `miss` or `failure` (contract: States); undefined if the body reports none of them. The response to Delete has a
 * status of its own beside that of its context; if they differ, the worse one counts.
 */
export function reportedStatus(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const statuses = [contextStatus(body), body.status];
	return ['failure', 'miss', 'success'].find((state) => statuses.includes(state));
}

/** See contract: Credit aggregation result. It leaves open whether the result is in `data` or at the top level. */
export function creditResultIn(response: unknown): IDataObject {
	if (!isObject(response)) return {};
	return isObject(response.data) ? response.data : response;
}

/**
 * A miss only means that no data was found (contract: States), so it isn't an error, even with status 404. The same holds for a
 * Custom API Call, which can call endpoints of the contract.
 */
export const isMissWith404 = (status: number, body: unknown): boolean =>
	status === 404 && reportedStatus(body) === 'miss';

/** The service's own explanation of an error (contract: Errors), redacted; undefined if there is none. */
export function parseErrorMessage(body: unknown, redact: Redact): string | undefined {
	const text = isObject(body) ? (reasonIn(body) ?? reasonIn(body, true)) : undefined;
	return text === undefined ? undefined : toSentence(text, redact) || undefined;
}

/** How the names of members with an explanation end, the most telling first. */
const REASON_NAMES = ['detail', 'msg', 'message', 'description', 'reason', 'error', 'title'];
const LESS_TELLING_NAMES = ['details', 'errors', 'fault', 'faultstring', 'code'];

/** @param withFields reads objects without an explanation as explanations by field */
function reasonIn(value: unknown, withFields = false, depth = 0): string | undefined {
	if (depth > MAX_DEPTH) return undefined;
	if (Array.isArray(value)) return listedReasons(value, withFields, depth);
	if (!isObject(value)) return /\D/.test(textOf(value)) ? asText(value) : undefined;
	const members = Object.entries(value);
	const path = Array.isArray(value.loc) ? value.loc.filter((part) => part !== 'body') : [];
	const reason = [...REASON_NAMES, ...LESS_TELLING_NAMES]
		.flatMap((ending) => members.filter(([name]) => name.toLowerCase().endsWith(ending)))
		.map(([, member]) => reasonIn(member, withFields, depth + 1))
		.find((text) => text !== undefined);
	const located = [path.join('.'), reason].filter(Boolean).join(': ');
	if (located !== '') return located;
	if (!withFields || depth === 0) return undefined;
	const byField = members.map(([name, member]) => {
		const text = reasonIn(member, true, depth + 1);
		return text && `${name}: ${text}`;
	});
	return listedReasons(byField, true, depth);
}

function listedReasons(list: unknown[], withFields: boolean, depth: number): string | undefined {
	const texts = list.flatMap((entry) => reasonIn(entry, withFields, depth + 1) ?? []);
	const unlisted = texts.length - MAX_LISTED_ISSUES;
	const more = unlisted > 0 ? `; and ${unlisted} more` : '';
	return asText(texts.slice(0, MAX_LISTED_ISSUES).join('; ') + more);
}

export interface RowError {
	/** The service's words. */
	readonly text: string;
	readonly details: FailureDetails;
}

/** The members `error` and `error_type` of a response's row (contract: Errors); undefined if the row has neither. */
export function parseRowError(row: IDataObject, redact: Redact): RowError | undefined {
	const reason = errorText(row.error, redact);
	const errorType = errorText(row.error_type, redact);
	if (reason === undefined && errorType === undefined) return undefined;
	const suffix = reason === undefined || errorType === undefined ? '' : ` (${errorType})`;
	return {
		text: `${reason ?? errorType}${suffix}`,
		details: {
			...(reason !== undefined && { reason }),
			...(errorType !== undefined && { error_type: errorType }),
		},
	};
}

export const rowErrorFailure = ({ text, details }: RowError): Failure => ({
	kind: 'reported',
	message: `${withFullStop(`The service reported an error for this row: ${text}`)} Run the row again later. If it persists, report it to the service's support.`,
	details,
});

/** Also reads values that aren't strings, although the contract allows only strings. */
const errorText = (member: JsonValue, redact: Redact): string | undefined =>
	isEmpty(member) || member === false
		? undefined
		: redact(asText(member) ?? reasonIn(member) ?? JSON.stringify(member));

/** The issues in the body of a validation error; undefined for any other response. The list may be empty. */
export function parseValidationIssues(
	body: unknown,
	status: number,
	redact: Redact,
): ValidationIssue[] | undefined {
	if (!isValidationError(body, status)) return undefined;
	const detail: unknown[] = isObject(body) && Array.isArray(body.detail) ? body.detail : [];
	return detail.filter(isObject).map(({ loc, msg }) => {
		const path = Array.isArray(loc) ? loc.map(String).flatMap(splitPath) : [];
		// Not redacted: the member is compared with the request.
		const [member, index = '', ...rest] = path[0] === 'body' ? path.slice(1) : path;
		const isIndex = /^\d+$/.test(index);
		const text = [isIndex ? rest.join('.') : '', asText(msg) ?? 'not accepted'];
		return {
			member,
			index: isIndex ? Number(index) : undefined,
			message: toSentence(text.filter(Boolean).join(': '), redact),
		};
	});
}

function isValidationError(body: unknown, status: number): boolean {
	if (status === 422) return true;
	if (!isObject(body) || body.detail === undefined || body.detail === null) return false;
	const { detail } = body;
	if (status < 300) {
		// Data that was paid for would be lost if a reported success were treated as an error.
		return Array.isArray(detail) && detail.length > 0 && reportedStatus(body) !== 'success';
	}
	// With status 400, any `detail` means a validation error. From 404 on, a `detail` that isn't a list is an ordinary
	// explanation. For redirects and 401 to 403, `ruleOf` and `applicableIssues` decide whether the issues count.
	return status < 404 || Array.isArray(detail);
}

/** Splits `ids[6].email` into `ids`, `6` and `email`. */
const splitPath = (part: string): string[] =>
	/\[\d+\]/.test(part) ? part.split(/[[\].]+/).filter(Boolean) : [part];

/**
 * Redacts before truncating, because half a secret wouldn't match. The result is empty if the text is only markup and spaces.
 */
export function toSentence(text: string, redact: Redact): string {
	const plain = redact(text)
		.replace(/<\/?[a-z!][^<>]*>/gi, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return withFullStop(truncate(plain, MAX_MESSAGE_LENGTH));
}

/** True for a response of the service: one with a context, a known status, or one of the members. */
export const isResponseWith =
	(...members: readonly string[]) =>
	(body: unknown): boolean =>
		reportedStatus(body) !== undefined ||
		(isObject(body) && ['response_context', ...members].some((name) => Object.hasOwn(body, name)));

const hasCredits = isResponseWith('aggregations', 'total_credits');

export const isCreditResult = (body: unknown): boolean =>
	hasCredits(body) || hasCredits(creditResultIn(body));
