import type { ValidationIssue } from '../core/outcome';
import type { ServiceRequest } from './httpRequest';
import { isMissWith404 } from './responseBody';
import { type ResponseRule, RULES } from './responseRules';

export interface ReceivedResponse {
	readonly status: number;
	readonly body: unknown;
	readonly request: ServiceRequest;
	/** The service's own explanation. */
	readonly reason: string | undefined;
	/** True if a request to the same path has succeeded in this run. */
	readonly pathSucceeded: boolean;
}

const ACCOUNT =
	/\b(plans?|subscriptions?|licen[cs]es?|upgrade|billing|permissions?|accounts?|tenants?|scopes?|api.?keys?)\b/i;

/** Default messages of web frameworks and gateways. */
const DEFAULT_MESSAGE =
	/^(not found|forbidden|access denied|missing authentication token|cannot [a-z]+ \/.*|no (static resource|route (found|match\w*))( .*)?|(the )?route (\S+ )?(could )?not (be )?found|(endpoint|path|page) not found|the requested url .*)\.?$/i;

/** The rule for a 403 about the request's only record; otherwise undefined. */
export function forbiddenRule(received: ReceivedResponse): ResponseRule | undefined {
	const isAboutAccount = ACCOUNT.test(received.reason ?? '');
	const isDenied = isAboutAccount ? namesRecord(received) : isAboutRecord(received);
	return isDenied ? RULES.recordDenied : undefined;
}

/** Undefined if the general rule for a 404 applies. */
export function notFoundRule(received: ReceivedResponse): ResponseRule | undefined {
	if (isAboutRecord(received)) return RULES.noRecord;
	return received.pathSucceeded ? RULES.nothingFound : undefined;
}

function namesRecord({ reason = '', request: { recordLabels = [] } }: ReceivedResponse): boolean {
	const [label, ...others] = recordLabels;
	return label !== undefined && others.length === 0 && mentions(reason, label);
}

/** Any explanation is assumed to be about the request's only record, except a default message that doesn't name the record. */
function isAboutRecord(received: ReceivedResponse): boolean {
	const { reason, request } = received;
	if (reason === undefined || request.recordLabels?.length !== 1) return false;
	return namesRecord(received) || !DEFAULT_MESSAGE.test(reason);
}

/**
 * The issues that are about the request: those of a validation error, or the records that a 403 or 404 names, so that the other
 * records can be requested without them. Undefined if the response counts as neither.
 *
 * @param parsed the issues in the body, from `parseValidationIssues`
 */
export function applicableIssues(
	received: ReceivedResponse,
	parsed: readonly ValidationIssue[] | undefined,
): readonly ValidationIssue[] | undefined {
	const { status, body, request } = received;
	const issues = parsed?.map((issue) => (isLocated(issue, request) ? issue : unlocated(issue)));
	if (status === 403) {
		// Without an index, the issues may be about the account's access to the whole request.
		return issues?.some(({ index }) => index !== undefined) ? issues : recordIssues(received);
	}
	if (issues !== undefined || status !== 404 || isMissWith404(status, body)) return issues;
	return recordIssues(received);
}

const OUTSIDE_BODY: ReadonlyArray<string | undefined> = ['header', 'query', 'path', 'cookie'];

/** False if `member` doesn't name a part of the request but is, for example, an offset in the body's text. */
const isLocated = ({ member }: ValidationIssue, { body = {} }: ServiceRequest): boolean =>
	OUTSIDE_BODY.includes(member) ||
	Object.entries(body).some(([name, value]) => name === member && value !== undefined);

const unlocated = ({ message }: ValidationIssue): ValidationIssue => ({ message });

/** For requests with several records. `forbiddenRule` and `notFoundRule` handle a single record. */
function recordIssues({ reason = '', request }: ReceivedResponse): ValidationIssue[] | undefined {
	const { recordLabels = [] } = request;
	if (recordLabels.length < 2) return undefined;
	const issues = recordLabels.flatMap((label, index) =>
		mentions(reason, label) ? [{ index, message: reason }] : [],
	);
	return issues.length > 0 ? issues : undefined;
}

/** The two patterns match if a label is only part of a longer word or identifier, which may continue across `.`, `@` or `-`. */
const CONTINUES_BEFORE = /[\p{L}\p{M}\p{N}_][.@-]?$/u;
const CONTINUES_AFTER = /^[.@-]?[\p{L}\p{M}\p{N}_]/u;

/** Finds whole words only: "endpoint" doesn't mention "Poi". */
function mentions(text: string, label: string): boolean {
	const [whole, part] = [text.toLowerCase(), label.toLowerCase()];
	if (part === '') return false;
	for (let start = whole.indexOf(part); start >= 0; start = whole.indexOf(part, start + 1)) {
		const end = start + part.length;
		// Three code units: a letter may take two, and `.`, `@` or `-` takes one.
		const [before, after] = [whole.slice(Math.max(0, start - 3), start), whole.slice(end, end + 3)];
		if (!CONTINUES_BEFORE.test(before) && !CONTINUES_AFTER.test(after)) return true;
	}
	return false;
}
