/** Faults that answer in place of an endpoint. */
import type { Endpoint } from '../contract/contract';
import type { Problem } from '../contract/rules';
import type { LogEntry } from '../log';
import { detailBody } from '../validation';
import type { InsteadFault } from './kinds';

/** What goes over the wire; `null` for no answer. */
interface PlainAnswer {
	readonly status: number;
	readonly headers: Record<string, string>;
	readonly body: string;
}

const MESSAGES: Readonly<Record<number, string>> = {
	400: 'Bad request',
	401: 'Invalid API key',
	402: 'Out of credits',
	403: 'Not allowed: out of credits or no permission for this data',
	404: 'Not found',
	413: 'Request body too large',
	429: 'Too many requests',
	500: 'Internal server error',
	502: 'Bad gateway',
	503: 'Service unavailable',
	504: 'Gateway timeout',
};

type ContextMaker = (status: 'failure' | 'miss') => Record<string, unknown>;

/** The usual body of an error: a failed `response_context` and a message. */
export const errorBody = (
	status: number,
	contextFor: ContextMaker,
	more: Record<string, unknown> = {},
) => ({
	response_context: contextFor('failure'),
	message: MESSAGES[status] ?? `Status ${status}`,
	...more,
});

const json = (
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): PlainAnswer => ({
	status,
	headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
	body: JSON.stringify(body),
});

function invalid(
	fault: Extract<InsteadFault, { kind: 'invalid' }>,
	endpoint: Endpoint,
	request: LogEntry,
): PlainAnswer {
	const { names = 'index', ids = [], position, member = 'parameters', indexAs } = fault;
	const status = fault.status ?? 422;
	const about = fault.requestId ? ` (request ${request.correlationId})` : '';
	if (names === 'text') return json(status, { detail: `The request is invalid${about}` });
	if (names === 'nothing') return json(status, { detail: [] });
	const list = endpoint.inputMember ?? (endpoint.name === 'search' ? 'filters' : 'data');
	const named = request.ids.flatMap((id, place) =>
		ids.some((wanted) => id.includes(wanted)) ? [place + (fault.countsFrom ?? 0)] : [],
	);
	const places = position === undefined ? (named.length > 0 ? named : [0]) : [position];
	const locs: Array<Problem['loc']> = {
		index: places.map((place) => ['body', list, place]),
		list: [['body', list]],
		member: [['body', ...member.split('.')]],
	}[names];
	const msg = `value is not valid${about}`;
	const problems = locs.map((loc) => ({ loc, msg, type: 'value_error' }));
	return json(status, detailBody(problems, indexAs));
}

function tooMany(
	fault: Extract<InsteadFault, { kind: 'tooMany' }>,
	contextFor: ContextMaker,
	now: Date,
): PlainAnswer {
	const { retryAfter = 1, in: where = 'both' } = fault;
	const date = new Date(now.getTime() + retryAfter * 1000).toUTCString();
	const header = where === 'header' || where === 'both' ? String(retryAfter) : date;
	const inHeader = where === 'header' || where === 'both' || where === 'date';
	const inBody = where === 'body' || where === 'both';
	return json(
		429,
		errorBody(429, contextFor, inBody ? { retry_after: retryAfter } : {}),
		inHeader ? { 'retry-after': header } : {},
	);
}

function outcome(
	fault: Extract<InsteadFault, { kind: 'outcome' }>,
	endpoint: Endpoint,
	contextFor: ContextMaker,
): PlainAnswer {
	const response_context = contextFor(fault.request_status);
	if (endpoint.name === 'deleteEnrollment') {
		return json(200, { response_context, status: fault.request_status });
	}
	const empty = fault.request_status === 'miss' && endpoint.rows ? [] : null;
	return json(200, {
		response_context,
		total_results: 0,
		[endpoint.rows || 'data']: fault.data ?? empty,
		entity_id: null,
	});
}

/** The answer that the fault gives; `null` when it gives none (`hang`, `drop`). */
export function answerInstead(
	fault: InsteadFault,
	endpoint: Endpoint,
	request: LogEntry,
	contextFor: ContextMaker,
	now: Date,
): PlainAnswer | null {
	switch (fault.kind) {
		case 'hang':
		case 'drop':
			return null;
		case 'status': {
			const { status, headers, body = errorBody(status, contextFor) } = fault;
			return typeof body === 'string'
				? { status, headers: { 'content-type': 'text/plain', ...headers }, body }
				: json(status, body, headers);
		}
		case 'tooMany':
			return tooMany(fault, contextFor, now);
		case 'redirect':
			return { status: fault.status ?? 302, headers: { location: fault.to }, body: '' };
		case 'invalid':
			return invalid(fault, endpoint, request);
		case 'outcome':
			return outcome(fault, endpoint, contextFor);
		case 'empty':
			return { status: 200, headers: {}, body: '' };
		case 'html':
			return {
				status: 200,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: '<!doctype html><html><head><title>Sign in</title></head><body>Sign in</body></html>',
			};
	}
}
