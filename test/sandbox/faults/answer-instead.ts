/** Faults that answer in place of an endpoint. */
import type { Endpoint } from '../contract/contract';
import type { Problem } from '../contract/rules';
import type { LogEntry } from '../log';
import { detailBody } from '../validation';
import type { InsteadFault } from './kinds';

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

const plain = (status: number, body: string, type: string, headers = {}) => ({
	status,
	headers: { 'content-type': type, ...headers },
	body,
});

const json = (status: number, body: unknown, headers = {}) =>
	plain(status, JSON.stringify(body), 'application/json; charset=utf-8', headers);

function invalid(
	fault: Extract<InsteadFault, { kind: 'invalid' }>,
	endpoint: Endpoint,
	request: LogEntry,
) {
	const { names = 'index', ids = [], position, member = 'parameters' } = fault;
	const about = fault.requestId ? ` (request ${request.correlationId})` : '';
	if (names === 'text') return json(422, { detail: `The request is invalid${about}` });
	if (names === 'nothing') return json(422, { detail: [] });
	const list = endpoint.inputMember ?? (endpoint.name === 'search' ? 'filters' : 'data');
	const named = request.ids.flatMap((id, place) =>
		ids.some((wanted) => id.includes(wanted)) ? [place] : [],
	);
	const places = position === undefined ? (named.length > 0 ? named : [0]) : [position];
	const locs: Array<Problem['loc']> = {
		index: places.map((place) => ['body', list, place]),
		list: [['body', list]],
		member: [['body', ...member.split('.')]],
	}[names];
	const msg = `value is not valid${about}`;
	return json(422, detailBody(locs.map((loc) => ({ loc, msg, type: 'value_error' }))));
}

function outcome(endpoint: Endpoint, status: 'failure' | 'miss', contextFor: ContextMaker) {
	const response_context = contextFor(status);
	if (endpoint.name === 'deleteEnrollment') return json(200, { response_context, status });
	return json(200, {
		response_context,
		total_results: 0,
		[endpoint.rows || 'data']: status === 'miss' && endpoint.rows ? [] : null,
		entity_id: null,
	});
}

const WEB_PAGE =
	'<!doctype html><html><head><title>Sign in</title></head><body>Sign in</body></html>';

/** The answer that the fault gives; `null` when it gives none (`hang`, `drop`). */
export function answerInstead(
	fault: InsteadFault,
	endpoint: Endpoint,
	request: LogEntry,
	contextFor: ContextMaker,
) {
	switch (fault.kind) {
		case 'hang':
		case 'drop':
			return null;
		case 'status': {
			const { status, headers, body = errorBody(status, contextFor) } = fault;
			return typeof body === 'string'
				? plain(status, body, 'text/plain', headers)
				: json(status, body, headers);
		}
		case 'tooMany': {
			const { retryAfter = 1 } = fault;
			return json(429, errorBody(429, contextFor, { retry_after: retryAfter }), {
				'retry-after': String(retryAfter),
			});
		}
		case 'redirect':
			return { status: fault.status ?? 302, headers: { location: fault.to }, body: '' };
		case 'invalid':
			return invalid(fault, endpoint, request);
		case 'outcome':
			return outcome(endpoint, fault.request_status, contextFor);
		case 'empty':
			return { status: 200, headers: {}, body: '' };
		case 'html':
			return plain(200, WEB_PAGE, 'text/html; charset=utf-8');
	}
}
