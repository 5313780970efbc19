import type { Client } from '../api/client';
import { correlationIdOf, requestStatus } from '../api/responseBody';
import { isObject } from '../core/json';
import type { Failure } from '../core/outcome';

/**
 * The failure of a response that contains nothing that the endpoint sends: it may be a gateway's message about maintenance.
 * Undefined for any other response.
 *
 * @param members what the endpoint sends, besides `response_context` and a request status. One of them is enough, also inside
 *   `data`.
 * @param problem continues "The service's response has"
 */
export function unknownResponseFailure(
	response: unknown,
	members: readonly string[],
	problem: string,
	{ redact }: Pick<Client, 'redact'>,
): Failure | undefined {
	const known = ['response_context', ...members];
	const parts = isObject(response) ? [response, response.data] : [];
	const isKnown = parts.some(
		(part) => isObject(part) && known.some((member) => Object.hasOwn(part, member)),
	);
	if (isKnown || requestStatus(response) !== undefined) return undefined;
	return {
		kind: 'unreadable',
		message: `The service's response has ${problem}. Check Base URL in the credential; if it is correct, try again later.`,
		correlationId: correlationIdOf(response, redact),
	};
}
