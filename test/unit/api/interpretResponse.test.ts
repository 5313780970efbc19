/** What a response means, and whether a retry can help. */
import type { HttpResponse } from '../../../nodes/BusinessProspectData/api/httpRequest';
import { interpretResponse } from '../../../nodes/BusinessProspectData/api/interpretResponse';
import { enrich, search } from './service';

const redact = (text: string) => text.replaceAll('secret', '***');

const interpret = (
	response: HttpResponse,
	request = search,
	{ timeoutMs = 1_000, pathSucceeded = false } = {},
) => interpretResponse(response, request, timeoutMs, redact, pathSucceeded);

const resolve = (status: number, body: unknown, request = search, pathSucceeded = false) =>
	interpret({ status, headers: {}, body }, request, { pathSucceeded });

const summary = (status: number, body: unknown, request = search) => {
	const { outcome, retry } = resolve(status, body, request);
	return [outcome.failure?.kind, retry, outcome.failure?.message];
};

test.each<[status: number, body: unknown, kind: string, retry: string, message: RegExp]>([
	[402, '', 'forbidden', 'none', /no credits left for this request \(HTTP 402\)\. Add credits/],
	[403, { message: 'No credits left' }, 'forbidden', 'none', /no credits left for this request/],
	[403, { message: 'Credit limit' }, 'forbidden', 'none', /no credits left for this request/],
	[403, { message: 'Quota exceeded' }, 'forbidden', 'none', /no credits left for this request/],
	[403, { message: 'Your balance is 0' }, 'forbidden', 'none', /no credits left for this request/],
	[403, { detail: 'Out of credits' }, 'forbidden', 'none', /no credits left for this request/],
	[403, { message: 'Credit Suisse opted out' }, 'forbidden', 'none', /is not allowed to make this/],
	[403, { message: 'New Balance opted out' }, 'forbidden', 'none', /is not allowed to make this/],
	[403, { message: 'Not accredited' }, 'forbidden', 'none', /is not allowed to make this request/],
	[403, { message: 'Load balancer says no' }, 'forbidden', 'none', /is not allowed to make this/],
	[403, '', 'forbidden', 'none', /is not allowed to make this request \(HTTP 403\)\. Check/],
	[500, { message: 'Credits are down' }, 'server', 'transient', /service failed \(HTTP 500\): Cre/],
	[502, '', 'server', 'transient', /service failed \(HTTP 502\)\. Try/],
	[503, '', 'server', 'transient', /service failed/],
	[501, '', 'server', 'none', /service failed/],
	[408, '', 'noResponse', 'transient', /not respond in time \(HTTP 408\)/],
	[520, '', 'noResponse', 'transient', /connection was lost before .* complete \(HTTP 520\)/],
	[521, '', 'unreachable', 'transient', /could not be reached \(HTTP 521\)\. Check Base URL/],
	[522, '', 'noResponse', 'transient', /not respond in time \(HTTP 522\)/],
	[523, '', 'unreachable', 'transient', /could not be reached \(HTTP 523\)\. Check Base URL/],
	[524, '', 'noResponse', 'transient', /not respond in time \(HTTP 524\)/],
	[
		401,
		{ message: 'Unknown' },
		'unauthorized',
		'none',
		/API key \(HTTP 401\): Unknown\. Check API/,
	],
	[413, '', 'server', 'none', /too large for the service \(HTTP 413\).*Batch Size/],
	[429, { message: 'Slow down' }, 'rateLimited', 'throttled', /rate limit \(HTTP 429\): Slow down/],
	[422, '', 'invalid', 'none', /rejected the request \(HTTP 422\)/],
	[400, { message: 'Bad dates' }, 'server', 'none', /rejected the request \(HTTP 400\): Bad dates/],
	[200, { detail: [{ loc: ['body', 'page'], msg: 'bad' }] }, 'invalid', 'none', /200\): page: bad/],
	[200, { status: 'failure' }, 'reported', 'none', /failed \(HTTP 200\)\. Try.*the correlation_id/],
	[200, { status: 'failure', error: 'Bad dates' }, 'reported', 'none', /\(HTTP 200\): Bad dates\./],
	[300, '', 'redirect', 'none', /redirects to another one \(HTTP 300\)/],
	[399, '', 'redirect', 'none', /redirect/],
	[
		301,
		{ detail: 'Moved' },
		'redirect',
		'none',
		/HTTP 301\): Moved\. The redirect was not followed/,
	],
	[
		307,
		{ detail: [{ loc: ['body', 'prospect_ids', 0] }] },
		'redirect',
		'none',
		/redirects to another one \(HTTP 307\)/,
	],
	[418, '', 'server', 'none', /rejected the request \(HTTP 418\)\. Check the node's parameters/],
	[199, '', 'server', 'none', /rejected the request \(HTTP 199\)/],
	[504, '', 'noResponse', 'transient', /not respond in time \(HTTP 504\)\. Try again later\.$/],
	[200, '<p>Hello', 'unreadable', 'none', /with a web page instead of data \(HTTP 200\)\. Check/],
	[200, ' \n<p>Hello', 'unreadable', 'none', /with a web page/],
	[200, 'x<p>Hello', 'unreadable', 'none', /is incomplete or not valid JSON/],
	[200, '{"a": "<', 'unreadable', 'none', /is incomplete or not valid JSON/],
	[200, ' \n', 'unreadable', 'none', /sent an empty response \(HTTP 200\)\. Try/],
	[200, null, 'unreadable', 'none', /sent an empty response/],
])('HTTP %d with %j is %s', (status, body, kind, retry, message) => {
	expect(summary(status, body)).toEqual([kind, retry, expect.stringMatching(message)]);
});

test.each<[status: number, body: unknown, message: RegExp]>([
	[504, '', /HTTP 504\)\. The service may have processed the request and charged for it, so/],
	[
		200,
		'text',
		/\(HTTP 200\)\. The service may have processed the request and charged for it\. Check/,
	],
	[200, '', /\(HTTP 200\)\. The service may have processed the request and charged for it\. Try/],
])('HTTP %d with %j to a request that costs credits', (status, body, message) => {
	expect(summary(status, body, enrich)).toEqual([
		expect.anything(),
		'none',
		expect.stringMatching(message),
	]);
});

describe('which requests a failure blocks', () => {
	const ID = 'a'.repeat(40);
	const text = (message: string) => ({ message });
	const at = (index: number) => ({
		detail: [{ loc: ['body', 'prospect_ids', index], msg: 'bad' }],
	});

	test.each<
		[status: number, body: unknown, recordLabels: string[] | undefined, blocks: string | undefined]
	>([
		[401, text('Unknown key'), [ID], 'everything'],
		[402, text('Pay'), [ID], 'path'],
		[402, text(`Pay for ${ID}`), [ID], 'path'],
		[403, text(`No credits for ${ID}`), [ID], 'path'],
		[403, text('Not in your plan'), [ID], 'pathUntilSuccess'],
		[403, text('Not in your plan'), undefined, 'pathUntilSuccess'],
		[403, text('No permission'), ['', ID], 'pathUntilSuccess'],
		[403, text(`No permission to read ${ID}.`), [ID.toUpperCase()], undefined],
		[403, text(`No permission to read ${ID.toUpperCase()}.`), ['b', ID], undefined],
		[403, text('Opted out'), [ID], undefined],
		[403, text('Forbidden'), [ID], 'pathUntilSuccess'],
		[403, text('Missing Authentication Token'), [ID], 'pathUntilSuccess'],
		[403, text('Opted out'), ['b', ID], 'pathUntilSuccess'],
		[403, text('Opted out'), [], 'pathUntilSuccess'],
		[403, '', [ID], 'pathUntilSuccess'],
		[403, at(3), ['b', ID], undefined],
		[404, text('No such record'), [ID], undefined],
		[404, text('Enrollment not found'), [''], undefined],
		[404, text('This route through the data was not found for the person'), [ID], undefined],
		[404, text('Not Found'), [ID], 'pathUntilSuccess'],
		[404, text('Not found.'), [ID], 'pathUntilSuccess'],
		[404, text('Cannot POST /v1/prospects'), [ID], 'pathUntilSuccess'],
		[404, text('no Route matched with those values'), [ID], 'pathUntilSuccess'],
		[404, text('Route POST:/v1/prospects not found'), [ID], 'pathUntilSuccess'],
		[404, text('The route v1/prospects could not be found.'), [ID], 'pathUntilSuccess'],
		[404, text('No route found for "POST /v1/prospects"'), [ID], 'pathUntilSuccess'],
		[404, text('No static resource v1/prospects.'), [ID], 'pathUntilSuccess'],
		[404, text('The requested URL was not found on the server. Che'), [ID], 'pathUntilSuccess'],
		[404, text('Not Found'), ['b', ID], 'pathUntilSuccess'],
		[404, text('Not Found'), undefined, 'pathUntilSuccess'],
		[404, text(`${ID} is unknown`), ['b', ID], undefined],
		[404, '<h1>Not Found', [ID], 'pathUntilSuccess'],
		[404, at(0), [ID], undefined],
		[302, '', [ID], 'pathUntilSuccess'],
		[301, { detail: 'Moved' }, [ID], 'pathUntilSuccess'],
		[307, at(0), [ID], 'pathUntilSuccess'],
		[422, '', [ID], undefined],
		[500, text('Not Found'), [ID], undefined],
	])('HTTP %d %j to a request for %j: %s', (status, body, recordLabels, blocks) => {
		expect(resolve(status, body, { ...search, recordLabels }).blocks).toBe(blocks);
	});
});

describe('issues', () => {
	const body = { detail: [{ loc: ['body', 'prospect_ids', 3], msg: 'bad', type: 'x' }] };

	test.each([422, 403])('of a validation error with HTTP %d', (status) => {
		expect(resolve(status, body).outcome.failure).toMatchObject({
			kind: 'invalid',
			issues: [{ member: 'prospect_ids', index: 3, message: 'bad.' }],
		});
	});

	test.each([
		[['7']],
		[['body', '57']],
		[['body', '__root__']],
		[['body', 'constructor']],
		[['body.prospect_ids.7']],
		[['body', 'data', 'prospect_ids', 7]],
		[['body', 'request_context', 0]],
	])('of a validation error at %j, which was not sent, name nothing', (loc) => {
		const request = { ...search, body: { prospect_ids: [], request_context: undefined } };
		const detail = [{ loc, msg: 'bad' }];

		expect(resolve(422, { detail }, request).outcome.failure?.issues).toStrictEqual([
			{ message: expect.stringMatching(/bad\.$/) },
		]);
	});

	test.each([
		[
			'header',
			'tenant',
			/: header\.tenant: bad\. Check API Key, and Tenant if you use one, in the/,
		],
		['query', 'page', /: query\.page: bad\. Correct this and try again\.$/],
		['path', 'id', /Correct this/],
		['cookie', 'session', /Correct this/],
	])('of a validation error at %s %s name the request', (place, name, message) => {
		const detail = [{ loc: [place, name], msg: 'bad' }];
		const request = { ...search, body: { prospect_ids: [] } };

		expect(resolve(422, { detail }, request).outcome.failure).toMatchObject({
			kind: 'invalid',
			message: expect.stringMatching(message),
			issues: [{ member: place, message: 'bad.' }],
		});
	});

	test.each([403, 404])('of an HTTP %d that names one of several records', (status) => {
		const request = { ...search, recordLabels: ['abc', 'def'] };

		expect(resolve(status, { message: 'DEF is gone' }, request).outcome.failure).toMatchObject({
			kind: 'invalid',
			issues: [{ index: 1, message: 'DEF is gone.' }],
		});
	});

	test.each<[message: string, recordLabels: string[], named: number[]]>([
		['The endpoint cannot be used', ['Poi', 'Ann', 'Ed'], []],
		['Ann is gone, Ed opted out', ['Poi', 'Ann', 'ed'], [1, 2]],
		['Not found: annann, Ann', ['Ann', 'Bob'], [0]],
		['bo.ann@x.com.au is gone', ['ann@x.com', 'bo.ann@x.com', 'bo.ann@x.com.au'], [2]],
		['Ann-Marie is gone', ['Ann', 'Marie', 'Ann-Marie'], [2]],
		["(Ann's record), ids:abc", ['Ann', 'abc', 'bc'], [0, 1]],
		['Zoë, 𠮷野, e\u0301', ['Zo', '𠮷', 'e', 'zoë'], [3]],
		['C++ (.*) is gone', ['.*', 'C++', 'x'], [0, 1]],
	])('of an HTTP 404 "%s" for %j: %j', (message, recordLabels, named) => {
		const { failure } = resolve(404, { message }, { ...search, recordLabels }).outcome;

		expect((failure?.issues ?? []).map(({ index }) => index)).toEqual(named);
	});

	test.each<[status: number, body: unknown, recordLabels: string[], kind: string | undefined]>([
		[403, { detail: [{ loc: ['body', 'prospect_ids'], msg: 'bad' }] }, ['abc', 'def'], 'forbidden'],
		[404, { message: 'DEF is gone' }, ['def'], 'notFound'],
		[418, { message: 'DEF is gone' }, ['abc', 'def'], 'server'],
		[
			404,
			{ message: 'DEF is gone', response_context: { request_status: 'miss' } },
			['abc', 'def'],
			undefined,
		],
	])('are none of an HTTP %d with %j to a request for %j', (status, body, recordLabels, kind) => {
		const { failure } = resolve(status, body, { ...search, recordLabels }).outcome;

		expect(failure?.kind).toBe(kind);
		expect(failure?.issues).toBeUndefined();
	});
});

test('a 404 for a path that has succeeded is not about Base URL', () => {
	const { outcome, blocks } = resolve(404, '', search, true);

	expect(blocks).toBeUndefined();
	expect(outcome.failure?.message).toMatch(
		/^The service found nothing for this request \(HTTP 404\)\. Other requests of this kind succeeded/,
	);
});

test('data, and empty responses where they are allowed', () => {
	const miss = { response_context: { request_status: 'miss' } };

	for (const value of [{ data: [] }, [], { status: 'miss' }, { status: 'success', detail: null }]) {
		expect(resolve(200, value)).toEqual({ retry: 'none', outcome: { value } });
	}
	expect(resolve(404, miss)).toEqual({ retry: 'none', outcome: { value: miss } });
	expect(resolve(500, miss).outcome.failure?.kind).toBe('server');
	expect(resolve(200, '', { ...search, mayBeEmpty: true })).toEqual({
		retry: 'none',
		outcome: { value: {} },
	});
});

test('a 204 to a DELETE request is a success', () => {
	const deletion = { ...search, method: 'DELETE' } as const;

	expect(resolve(204, '', deletion)).toEqual({ retry: 'none', outcome: { value: {} } });
	expect(resolve(204, undefined, deletion).outcome.failure).toBeUndefined();
	expect(resolve(200, '', deletion).outcome.failure?.kind).toBe('unreadable');
	expect(resolve(204, '').outcome.failure?.kind).toBe('unreadable');
});

describe('a failed connection', () => {
	const failureOf = (code: string, timeoutMs?: number, reasons?: string[]) =>
		interpret({ code, reasons }, search, { timeoutMs }).outcome.failure;

	test.each<[code: string, kind: string, message: RegExp]>([
		['ECONNREFUSED', 'unreachable', /^The service could not be reached\. Check Base URL/],
		['EAI_AGAIN', 'unreachable', /^The service could not be reached\. Check Base URL/],
		[
			'ENOTFOUND',
			'unreachable',
			/^No server was found at the address in Base URL\. Check Base URL/,
		],
		['CERT_HAS_EXPIRED', 'unreachable', /secure connection.*trust the network's certificate/],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'unreachable', /secure connection.*certificate/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unreachable', /secure connection.*certificate/],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unreachable', /secure connection.*certificate/],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'unreachable', /secure connection.*certificate/],
		['EPROTO', 'unreachable', /secure connection.*certificate/],
		['ECONNRESET', 'noResponse', /connection was lost .* complete\. Try again later\.$/],
		['EPIPE', 'noResponse', /connection was lost/],
		['NO_RESPONSE', 'noResponse', /connection was lost/],
	])('%s is %s', (code, kind, message) => {
		expect(failureOf(code)).toEqual({
			kind,
			message: expect.stringMatching(message),
			details: { code },
		});
	});

	test('that took too long says how many seconds', () => {
		expect(failureOf('ETIMEDOUT', 2_500)?.message).toBe(
			'The service did not respond within 2.5 seconds. Try again later.',
		);
	});

	test('that n8n prevented has all that n8n explains, without secrets', () => {
		expect(
			failureOf('NOT_SENT', 1_000, ['Blocked', 'The address secret is private.']),
		).toMatchObject({
			message: expect.stringMatching(
				/^n8n did not send the request: Blocked\. The address \*\*\* is private\. /,
			),
		});
	});
});

describe('a failure', () => {
	test('that the service explains has neither issues nor details', () => {
		expect(resolve(500, { message: 'Down', correlation_id: 'c-1' }).outcome.failure).toStrictEqual({
			kind: 'server',
			message: 'The service failed (HTTP 500): Down. Try again later.',
			status: 500,
			correlationId: 'c-1',
		});
	});

	test.each<[body: object, correlationId: string | undefined]>([
		[{ response_context: { correlation_id: 'c-secret' }, correlation_id: 'c-2' }, 'c-***'],
		[{ response_context: { correlation_id: ' ' }, correlation_id: 'secret' }, '***'],
		[{ response_context: null, correlation_id: 7 }, '7'],
		[{ response_context: {} }, undefined],
	])('with the body %j has the correlation ID %s', (body, correlationId) => {
		expect(resolve(500, body).outcome.failure?.correlationId).toBe(correlationId);
	});

	test.each<[status: number, message: string, recordLabels: string[], expected: true | undefined]>([
		[404, 'DEF is gone', ['def'], true],
		[403, 'DEF opted out', ['def'], true],
		[404, 'Not Found', ['def'], undefined],
		[404, 'DEF is gone', ['abc', 'def'], undefined],
		[500, 'DEF is gone', ['def'], undefined],
	])('HTTP %d "%s" for %j is about the record: %s', (status, message, recordLabels, expected) => {
		const { failure } = resolve(status, { message }, { ...search, recordLabels }).outcome;

		expect(failure?.isAboutRecord).toBe(expected);
		expect(Object.hasOwn(failure ?? {}, 'isAboutRecord')).toBe(expected ?? false);
	});

	test('names the path that the service does not know, without secrets', () => {
		const request = { ...search, path: '/v1/secret' };
		const { outcome } = resolve(404, '', request);

		expect(outcome.failure?.message).toMatch(/address \/v1\/\*\*\* /);
	});

	test.each([401, 402, 429])('HTTP %d is not a validation error, whatever its body', (status) => {
		const body = { detail: [{ loc: ['body', 'prospect_ids', 0], msg: 'Bad' }] };

		const { failure } = resolve(status, body).outcome;

		expect(failure?.kind).not.toBe('invalid');
		expect(failure?.issues).toBeUndefined();
	});

	test('waits until the rate limit resets only if the rate limit is the reason', () => {
		const headers = { 'x-ratelimit-reset': '5' };
		const waitOf = (status: number) => interpret({ status, headers, body: '' }).waitMs;

		expect(waitOf(429)).toBe(5_000);
		expect(waitOf(503)).toBeUndefined();
	});
});

describe('an endpoint that the user chose', () => {
	const custom = { ...enrich, custom: true };

	test.each(['GET', 'DELETE'] as const)('a path that does not accept %s', (method) => {
		const { failure } = resolve(405, '', { ...custom, method }).outcome;
		expect(failure?.message).toBe(`This path doesn't accept ${method} (HTTP 405). Change Method.`);
		expect(resolve(405, '', enrich).outcome.failure?.message).toContain('Base URL');
	});

	test.each([
		['<p>Hello', /with a web page instead of data/],
		[' \n<p>Hello', /with a web page instead of data/],
	])('sends no data with %j', (body, message) => {
		expect(resolve(200, body, custom).outcome.failure?.message).toMatch(message);
	});

	test.each([
		['text'],
		['a {'],
		['a\n['],
		['a <p>'],
		[''],
		[null],
		[7],
		[[1]],
		[{ status: 'failure', detail: [{ loc: ['body', 'prospect_ids', 0], msg: 'Bad' }] }],
	])('may send %j', (body) => {
		expect(resolve(200, body, custom)).toEqual({ retry: 'none', outcome: { value: body } });
	});

	test.each([
		[401, 'everything'],
		[402, undefined],
		[403, undefined],
		[404, undefined],
	])('blocks with HTTP %d: %s', (status, blocks) => {
		expect(resolve(status, '', custom).blocks).toBe(blocks);
	});

	test('may report that it failed', () => {
		const body = { response_context: { request_status: 'failure' } };

		expect(resolve(200, body, custom).outcome.failure?.kind).toBe('reported');
	});

	test.each([['{"a": 1'], [' [1] done']])('may not send %j, which is kept', (body) => {
		expect(resolve(200, body, custom).outcome.failure).toMatchObject({
			kind: 'unreadable',
			details: { response: body },
		});
	});

	test('keeps what it sent with a failure', () => {
		const detailsOf = (body: unknown) => resolve(418, body, custom).outcome.failure?.details;

		expect(detailsOf({ reason_code: 7 })).toEqual({ response: { reason_code: 7 } });
		expect(detailsOf({ message: 'No', field: 'x' })).toEqual({
			response: { message: 'No', field: 'x' },
		});
		expect(detailsOf([{ field: 'x' }])).toEqual({ response: [{ field: 'x' }] });
		expect(detailsOf('text')).toEqual({ response: 'text' });
		expect(detailsOf('<p>text</p>')).toBeUndefined();
		expect(detailsOf(' ')).toBeUndefined();
		expect(resolve(418, { reason_code: 7 }).outcome.failure?.details).toBeUndefined();
	});

	test.each([
		[500, 'none', /was not sent again/],
		[502, 'none', /was not sent again/],
		[504, 'none', /was not sent again/],
		[501, 'none', /service failed \(HTTP 501\)\. (?!The service may)/],
		[429, 'throttled', /^(?!.*was not sent again)/],
	])('may have acted before HTTP %d', (status, retry, message) => {
		const { outcome, ...resolution } = resolve(status, '', custom);

		expect(resolution.retry).toBe(retry);
		expect(outcome.failure?.message).toMatch(message);
	});
});
