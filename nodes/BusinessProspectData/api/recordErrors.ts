import type { ValidationIssue } from '../core/outcome';
import type { ServiceRequest } from './httpRequest';
import { isMissWith404 } from './responseBody';
import { type ResponseRule, RULES } from './responseRules';

// Decides whether a failure is about some of the request's records: if so, the others can be requested without them.

/** An HTTP response with everything needed to find its rule. */
export interface ReceivedResponse {
	readonly status: number;
	readonly body: unknown;
	readonly request: ServiceRequest;
	/** The service's own explanation. */
	readonly reason: string | undefined;
	/** True if a request to the same path has succeeded in this run. */
	readonly pathSucceeded: boolean;
}

/** Words that show that the service's explanation is about the account. */
const ACCOUNT =
	/\b(plans?|subscriptions?|licen[cs]es?|upgrade|billing|permissions?|accounts?|tenants?|scopes?|api.?keys?)\b/i;

/** Default messages of web frameworks and gateways. */
const DEFAULT_MESSAGE =
	/^(not found|forbidden|access denied|missing authentication token|cannot [a-z]+ \/.*|no (static resource|route (found|match\w*))( .*)?|(the )?route (\S+ )?(could )?not (be )?found|(endpoint|path|page) not found|the requested url .*)\.?$/i;

/**
 * The rule for a 403 about the request's only record: the explanation names the record, or is neither about the account nor a
 * default message. Otherwise undefined.
 */
export function forbiddenRule(received: ReceivedResponse): ResponseRule | undefined {
	const isAboutAccount = ACCOUNT.test(received.reason ?? '');
	const isDenied = isAboutAccount ? namesRecord(received) : isAboutRecord(received);
	return isDenied ? RULES.recordDenied : undefined;
}

/**
 * The rule for a 404: `noRecord` if its explanation is about the request's only record; `nothingFound` if another request to the
 * path has succeeded; otherwise undefined.
 */
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
 * The issues in the body of a validation error; undefined for any other response. An issue that isn't located in the request
 * keeps only its message. There are two exceptions:
 *
 * - A 403, or a 404 that isn't a miss, also counts as a validation error if its explanation names any of several records: one
 *   issue for each, because the other records can be requested without them.
 * - The issues in the body of a 403 count only if one of them has an index.
 *
 * @param parsed the issues in the body, from `parseValidationIssues`
 */
export function issuesOf(
	received: ReceivedResponse,
	parsed: readonly ValidationIssue[] | undefined,
): readonly ValidationIssue[] | undefined {
	const { status, body, request } = received;
	const issues = parsed?.map((issue) => (isLocated(issue, request) ? issue : unlocated(issue)));
	if (status === 403) {
		return issues?.some(({ index }) => index !== undefined) ? issues : recordIssues(received);
	}
	if (issues !== undefined || status !== 404 || isMissWith404(status, body)) return issues;
	return recordIssues(received);
}

/** The `member` of an issue outside the body. Such an issue concerns the whole request, not one of its records. */
const OUTSIDE_BODY: ReadonlyArray<string | undefined> = ['header', 'query', 'path', 'cookie'];

/**
 * True if the issue is outside the body, or the body has its member. Some services report other locations, such as an offset in
 * the body's text.
 */
const isLocated = ({ member }: ValidationIssue, { body = {} }: ServiceRequest): boolean =>
	OUTSIDE_BODY.includes(member) ||
	Object.entries(body).some(([name, value]) => name === member && value !== undefined);

const unlocated = ({ message }: ValidationIssue): ValidationIssue => ({ message });

/**
 * One issue for each record that the explanation names. Undefined if it names none, or if the request has fewer than two
 * records.
 */
function recordIssues({ reason = '', request }: ReceivedResponse): ValidationIssue[] | undefined {
	const { recordLabels = [] } = request;
	if (recordLabels.length < 2) return undefined;
	const issues = recordLabels.flatMap((label, index) =>
		mentions(reason, label) ? [{ index, message: reason }] : [],
	);
	return issues.length > 0 ? issues : undefined;
}

/**
 * Match the text before or after a label if the label is only part of a longer word or identifier. Email addresses and names
 * also continue across a `.`, `@` or `-`.
 */
const CONTINUES_BEFORE = /[\p{L}\p{M}\p{N}_][.@-]?$/u;
const CONTINUES_AFTER = /^[.@-]?[\p{L}\p{M}\p{N}_]/u;

/** True if the text contains the label, ignoring case, as a whole word or identifier: "endpoint" doesn't mention "Poi". */
function mentions(text: string, label: string): boolean {
	const [whole, part] = [text.toLowerCase(), label.toLowerCase()];
	if (part === '') return false;
	for (let start = whole.indexOf(part); start >= 0; start = whole.indexOf(part, start + 1)) {
		const end = start + part.length;
		// A letter may take two code units, and the patterns look at one character more.
		const [before, after] = [whole.slice(Math.max(0, start - 3), start), whole.slice(end, end + 3)];
		if (!CONTINUES_BEFORE.test(before) && !CONTINUES_AFTER.test(after)) return true;
	}
	return false;
}
