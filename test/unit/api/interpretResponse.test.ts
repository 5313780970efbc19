/** What a response means, and whether a retry can help. */
import type {
	HttpResponse,
	ServiceRequest,
} from '../../../nodes/BusinessProspectData/api/httpRequest';
import { isObject } from '../../../nodes/BusinessProspectData/core/json';
import { interpretResponse } from '../../../nodes/BusinessProspectData/api/interpretResponse';
import { enrich, search } from './service';

const redact = (text: string) => text.replaceAll('secret', '***');

const interpret = (response: HttpResponse, request: ServiceRequest = search, timeoutMs = 1_000) =>
	interpretResponse(response, request, timeoutMs, redact, false);

const resolve = (status: number, body: unknown, request?: ServiceRequest) =>
	interpret({ status, headers: {}, body }, request);

const text = (message: string) => ({ message });
const at = (...loc: unknown[]) => ({ detail: [{ loc, msg: 'bad', type: 'x' }] });

test.each<[status: number, body: unknown, kind: string, message: RegExp]>([
	[200, at('body', 'page'), 'invalid', /200\): page: bad/],
	[200, { status: 'failure', error: 'Bad dates' }, 'reported', /\(HTTP 200\): Bad dates\./],
	[200, { error: 'Out of credits' }, 'reported', /request failed \(HTTP 200\): Out of credits\./],
	[200, ' \n<p>Hello', 'unreadable', /with a web page instead of data \(HTTP 200\)\. Check/],
	[200, '{"a": "<', 'unreadable', /is incomplete or not valid JSON/],
	[200, '{"score": NaN}', 'unreadable', /not valid JSON \(HTTP 200\)\. Try again later/],
	[200, ' \n', 'unreadable', /sent an empty response \(HTTP 200\)\. Try/],
	[301, { detail: 'Moved' }, 'redirect', /HTTP 301\): Moved\. The redirect was not followed/],
	[400, text('Bad dates'), 'server', /rejected the request \(HTTP 400\): Bad dates/],
	[401, text('Unknown'), 'unauthorized', /API key \(HTTP 401\): Unknown\. Check API/],
	[401, at('body', 'prospect_ids', 0), 'unauthorized', /API key/],
	[402, '', 'outOfCredits', /no credits left for this request, or may not .* \(HTTP 402\)\. Check/],
	[403, '', 'forbidden', /is not allowed to make this request \(HTTP 403\)\. Check/],
	[403, text('No credits left'), 'forbidden', /is not allowed to make .*\(HTTP 403\): No credits/],
	[407, '', 'unreachable', /^The proxy between n8n and the service/],
	[413, '', 'server', /too large for the service \(HTTP 413\).*Batch Size/],
	[418, '', 'server', /rejected the request \(HTTP 418\)\. Check the node's parameters/],
	[422, '', 'invalid', /rejected the request \(HTTP 422\)/],
	[429, text('Slow down'), 'rateLimited', /rate limit \(HTTP 429\): Slow down/],
	[500, { response_context: { request_status: 'miss' } }, 'server', /service failed/],
	[504, '', 'noResponse', /not respond in time \(HTTP 504\)\. Try again later\.$/],
	[520, '', 'noResponse', /connection was lost before .* complete \(HTTP 520\)/],
])('HTTP %d with %j is %s', (status, body, kind, message) => {
	expect(resolve(status, body).outcome.failure).toMatchObject({
		kind,
		message: expect.stringMatching(message),
	});
});

test.each<[status: number, body: unknown, message: RegExp]>([
	[504, '', /HTTP 504\)\. The service may have processed the request and charged for it, so/],
	[200, 'text', /\(HTTP 200\)\. The service may have processed .* charged for it\. Try/],
	[
		202,
		{},
		/^There is no data \(HTTP 202\)\. The service may have processed .* charged for it\. Try/,
	],
	[200, { data: null }, /^There is no data \(HTTP 200\)/],
])('HTTP %d with %j to a request that costs credits', (status, body, message) => {
	const isIn = (received: unknown) => isObject(received) && isObject(received.data);
	const paid = { ...enrich, expects: { isIn, problem: 'There is no data' } };
	const { outcome, retry } = resolve(status, body, paid);

	expect(retry).toBe('none');
	expect(outcome.failure?.message).toMatch(message);
});

test.each<[status: number, body: unknown, request: Partial<ServiceRequest>]>([
	[200, { data: [] }, {}],
	[200, { matched_prospects: [], message: 'You have no credits left' }, {}],
	[200, text('Deleted'), { method: 'DELETE' }],
	[200, [], {}],
	[200, { status: 'success', detail: null }, {}],
	[404, { response_context: { request_status: 'miss' } }, {}],
	[404, { message: 'DEF is gone', status: 'miss' }, { records: 1 }],
	[200, '', { mayBeEmpty: true }],
	[204, undefined, { method: 'DELETE' }],
])('HTTP %d with %j is a success', (status, body, request) => {
	expect(resolve(status, body, { ...search, ...request })).toEqual({
		retry: 'none',
		outcome: { value: body || {} },
	});
});

test.each<[code: string, kind: string, retries: string, message: RegExp]>([
	['ECONNREFUSED', 'unreachable', 'always', /^The service could not be reached\. Check Base URL/],
	['EAI_AGAIN', 'unreachable', 'always', /^The address in Base URL could not be looked up\. Che/],
	['ENOTFOUND', 'unreachable', 'never', /^No server was found at the address in Base URL\. Che/],
	['CERT_HAS_EXPIRED', 'unreachable', 'never', /secure connection.*trust the network's certifi/],
	['EPROTO', 'unreachable', 'never', /secure connection.*certificate/],
	['ECONNRESET', 'noResponse', 'if free', /connection was lost .* complete\. Try again later/],
	['ETIMEDOUT', 'noResponse', 'if free', /^The service did not respond within 2\.5 seconds\. T/],
])('a connection that fails with %s is %s, and is retried %s', (code, kind, retries, message) => {
	const { outcome, retry } = interpret({ code }, search, 2_500);

	expect(outcome.failure).toEqual({
		kind,
		message: expect.stringMatching(message),
		details: { code },
		...(kind === 'unreachable' && { isAboutAllRows: true }),
	});
	expect(retry).toBe(retries === 'never' ? 'none' : 'transient');
	expect(interpret({ code }, enrich).retry).toBe(retries === 'always' ? 'transient' : 'none');
});

test('a request that n8n prevented has all that n8n explains, without secrets', () => {
	const reasons = ['Blocked', 'The address secret is private.'];

	expect(interpret({ code: 'NOT_SENT', reasons }).outcome.failure?.message).toMatch(
		/^n8n did not send the request: Blocked\. The address \*\*\* is private\. /,
	);
});

describe('which requests a failure blocks, and whether it is about the record', () => {
	const path = 'pathUntilSuccess';

	test.each<
		[status: number, body: unknown, records: number | undefined, expected: string | undefined]
	>([
		[402, text('Pay first'), 1, 'path'],
		[403, text('Opted out'), 1, 'record'],
		[403, text('Opted out'), 2, path],
		[403, '', 1, path],
		[403, at('body', 'prospect_ids', 3), 2, undefined],
		[404, text('No such record'), 1, 'record'],
		[404, text('No such record'), 2, path],
		[404, text('Not Found'), undefined, path],
		[404, '', 1, path],
		[404, at('body', 'prospect_ids', 0), 1, undefined],
		[500, text('Failed'), 1, undefined],
	])('HTTP %d %j to a request for %j records: %s', (status, body, records, expected) => {
		const { blocks, outcome } = resolve(status, body, { ...search, records });
		const isAboutRecord = /has no such record|access to this record/.test(
			outcome.failure?.message ?? '',
		);

		expect(isAboutRecord ? 'record' : blocks).toBe(expected);
	});

	test('a 404 for a path that has succeeded is not about Base URL', () => {
		const response = { status: 404, headers: {}, body: '' };
		const { outcome, blocks } = interpretResponse(response, search, 1_000, redact, true);

		expect(blocks).toBeUndefined();
		expect(outcome.failure?.message).toMatch(
			/^The service found nothing for this request \(HTTP 404\)\. Other requests of this kind succeeded/,
		);
	});
});

describe('issues', () => {
	test.each([422, 403])('of a validation error with HTTP %d', (status) => {
		expect(resolve(status, at('body', 'prospect_ids', 3)).outcome.failure).toMatchObject({
			kind: 'invalid',
			issues: [{ member: 'prospect_ids', index: 3, message: 'bad.' }],
		});
	});

	test.each([
		[['body', 'constructor']],
		[['body', 'data', 'prospect_ids', 7]],
		[['body', 'parameters', 0]],
	])('of a validation error at %j, which was not sent, name nothing', (loc) => {
		const request = { ...search, body: { prospect_ids: [], parameters: undefined } };

		expect(resolve(422, at(...loc), request).outcome.failure?.issues).toStrictEqual([
			{ message: expect.stringMatching(/bad\.$/) },
		]);
	});

	test.each([
		['header', 'tenant', /: header\.tenant: bad\. Check API Key, and Tenant if you use one/],
		['query', 'page', /: query\.page: bad\. Correct this and try again\.$/],
	])('of a validation error at %s %s name the request', (place, name, message) => {
		const request = { ...search, body: { prospect_ids: [] } };

		expect(resolve(422, at(place, name), request).outcome.failure).toMatchObject({
			kind: 'invalid',
			message: expect.stringMatching(message),
			issues: [{ member: place, message: 'bad.' }],
		});
	});

	test('without an index, those of a 403 may be about the account', () => {
		const { failure } = resolve(403, at('body', 'prospect_ids'), { ...search, records: 2 }).outcome;

		expect(failure?.kind).toBe('forbidden');
		expect(failure?.issues).toBeUndefined();
	});
});

test.each<[body: object, correlationId: string | undefined]>([
	[{ response_context: { correlation_id: 'c-secret' }, correlation_id: 'c-2' }, 'c-***'],
	[{ response_context: { correlation_id: ' ' }, correlation_id: 'secret' }, '***'],
	[{ response_context: null, correlation_id: 7 }, '7'],
])('a failure with the body %j has the correlation ID %s', (body, correlationId) => {
	expect(resolve(500, body).outcome.failure?.correlationId).toBe(correlationId);
});

describe('a Custom API Call', () => {
	const custom = { ...enrich, custom: true };

	test.each<[status: number, body: unknown, kind: string, message: RegExp]>([
		[200, { response_context: { request_status: 'failure' } }, 'reported', /request failed/],
		[200, ' \n<p>Hello', 'unreadable', /with a web page instead of data/],
		[200, '{"a": 1', 'unreadable', /is a file or text, not JSON .*HTTP Request node/],
		[404, '', 'notFound', /found nothing at .*Check Method, Path and Query Parameters/],
		[500, '', 'server', /was not sent again/],
	])('HTTP %d with %j is %s', (status, body, kind, message) => {
		const resolution = resolve(status, body, custom);

		expect(resolution).toMatchObject({ retry: 'none', outcome: { failure: { kind } } });
		expect(resolution.outcome.failure?.message).toMatch(message);
		expect(resolution.blocks).toBeUndefined();
	});

	test('keeps the JSON that came with a failure', () => {
		const detailsOf = (body: unknown, request?: ServiceRequest) =>
			resolve(418, body, request).outcome.failure?.details;

		expect(detailsOf({ message: 'No', field: 'x' }, custom)).toEqual({
			response: { message: 'No', field: 'x' },
		});
		expect(detailsOf([{ field: 'x' }], custom)).toEqual({ response: [{ field: 'x' }] });
		expect(detailsOf('text', custom)).toBeUndefined();
		expect(detailsOf({ reason_code: 7 })).toBeUndefined();
	});
});
