import { isObject, asText } from '../core/json';
import type { Redact } from './errorMessage';

/** The correlation ID of an answer or an error (contract: Common conventions), without secrets. */
export function correlationIdOf(body: unknown, mask: Redact): string | undefined {
	if (!isObject(body)) return undefined;
	const context = body.response_context;
	const id =
		(isObject(context) ? asText(context.correlation_id) : undefined) ?? asText(body.correlation_id);
	return id === undefined ? undefined : mask(id);
}

/**
 * `success`, `miss` or `failure` of an answer (contract: States), undefined where it has none. Where it stands twice,
 * as in the deletion of an enrollment, the worse counts.
 */
export function requestStatus(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const { response_context: context, status } = body;
	const told = [isObject(context) ? context.request_status : undefined, status];
	return ['failure', 'miss', 'success'].find((state) => told.includes(state));
}
