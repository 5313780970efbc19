import type { ValidationIssue } from '../core/outcome';
import { isObject, asText } from '../core/json';

const LONGEST = 300;
/** How many problems of one answer are told. */
const SHOWN = 3;

/** Told where the service answered, but not with data. */
export const CHARGED = 'The service may have done and charged the work.';

/** Told where a request is not sent again, since it may have been done. */
export const MAY_BE_CHARGED =
	'The service may have done and charged the work, so the request was not sent again. Check your credit usage before you run these rows again.';

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string;

/**
 * The service's own explanation of an error, as one sentence: from `detail` (validation), `error.message`, `message`
 * or `details` (contract: Errors). Undefined when it gave none.
 */
export function parseErrorMessage(body: unknown, mask: Redact): string | undefined {
	if (!isObject(body)) return undefined;
	const error = isObject(body.error) ? body.error : undefined;
	const words =
		detailWords(body.detail) ??
		asText(error?.message) ??
		asText(body.message) ??
		asText(body.error) ??
		asText(body.details) ??
		asText(error?.code);
	return words === undefined ? undefined : sentence(words, mask) || undefined;
}

/**
 * The problems that a validation error lists, empty where it names none; undefined when the answer is no validation
 * error. It is one when it has `detail`, whatever the status (but never when the account is the trouble).
 */
export function parseValidationIssues(
	body: unknown,
	status: number,
	mask: Redact,
): ValidationIssue[] | undefined {
	if (!isObject(body) || body.detail === undefined || body.detail === null)
		return status === 422 ? [] : undefined;
	if (status >= 404 && status !== 422 && !Array.isArray(body.detail)) return undefined;
	if (!Array.isArray(body.detail)) return [];
	return body.detail.filter(isObject).map(({ loc, msg }) => {
		const parts = Array.isArray(loc) ? loc.map(String).flatMap(pathParts) : [];
		// Compared with the request, so it is as the service sent it.
		const [member, at = '', ...inside] = parts[0] === 'body' ? parts.slice(1) : parts;
		const isIndex = /^\d+$/.test(at);
		const where = isIndex ? inside.join('.') : '';
		const words = [where, asText(msg) ?? 'not accepted'].filter(Boolean).join(': ');
		return { member, index: isIndex ? Number(at) : undefined, message: sentence(words, mask) };
	});
}

/** The parts of a place written as one, such as `ids[6].email`. */
const pathParts = (part: string): string[] =>
	/\[\d+\]/.test(part) ? part.split(/[[\].]+/).filter(Boolean) : [part];

function detailWords(detail: unknown): string | undefined {
	if (isObject(detail)) return asText(detail.msg) ?? asText(detail.message);
	if (!Array.isArray(detail)) return asText(detail);
	const words = detail.map((entry: unknown) => {
		if (!isObject(entry)) return asText(entry);
		const place = Array.isArray(entry.loc)
			? entry.loc.filter((part) => part !== 'body').join('.')
			: '';
		return [place, asText(entry.msg)].filter(Boolean).join(': ');
	});
	const said = words.filter(Boolean);
	const more = said.length > SHOWN ? `; and ${said.length - SHOWN} more` : '';
	return asText(said.slice(0, SHOWN).join('; ') + more);
}

/** Plain text of bounded length that ends in a full stop, empty where there is none. Secrets go first: half of one would not be found. */
function sentence(text: string, mask: Redact): string {
	const plain = mask(text)
		.replace(/<\/?[a-z!][^<>]*>/gi, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	const cut = plain.length > LONGEST ? `${plain.slice(0, LONGEST)} ...` : plain;
	return cut === '' || /[.!?]$/.test(cut) ? cut : `${cut}.`;
}
