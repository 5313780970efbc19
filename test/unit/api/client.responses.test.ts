/** Responses through n8n's own request helper. */
import nock from 'nock';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { enrich, KEY, search, TENANT } from './service';
import { HOST, interceptRequests, sendOne, shown, withClient } from './withClient';

interceptRequests();

async function sendWithResponse(
	status: number,
	body: nock.Body,
	{ headers = {}, request = enrich }: { headers?: nock.ReplyHeaders; request?: typeof enrich } = {},
) {
	nock(HOST).post(request.path).reply(status, body, headers);
	return await sendOne(request);
}

const FAILURE = { response_context: { correlation_id: 'c-7', request_status: 'failure' } };
const issue = (...loc: Array<string | number>) => ({ loc, msg: 'not a hex string', type: 'x' });

describe('a response with data', () => {
	test('is returned unchanged', async () => {
		const body = { response_context: { request_status: 'success' }, data: [{ a: 1 }] };

		const { value, failure, successes } = await sendWithResponse(200, body);

		expect(failure).toBeUndefined();
		expect(value).toEqual(body);
		expect(successes).toBe(1);
	});

	test.each<[string, nock.Body]>([
		['a miss', { response_context: { request_status: 'miss' }, data: null }],
		['a miss of a deletion', { response_context: {}, status: 'miss' }],
		['a list', []],
		['no request status', { data: [] }],
		['a detail of null', { response_context: { request_status: 'success' }, detail: null }],
	])('%s is not a failure', async (_name, body) => {
		const { value, failure } = await sendWithResponse(200, body);

		expect(failure).toBeUndefined();
		expect(value).toEqual(body);
	});

	test('is requested with the key, the tenant and JSON', async () => {
		nock(HOST, { reqheaders: { api_key: KEY, tenant: TENANT, accept: 'application/json' } })
			.post('/v1/prospects', { page: 1 })
			.reply(200, { data: [] });

		const { failure } = await sendOne({ ...search, body: { page: 1 } });

		expect(failure).toBeUndefined();
	});

	test('belongs to a GET with a query or a DELETE with a body', async () => {
		nock(HOST)
			.get('/v1/businesses/autocomplete')
			.query({ field: 'country', semantic_search: 'true' })
			.reply(200, []);
		nock(HOST)
			.delete('/v1/businesses/events/enrollments', { enrollment_id: 'e-1' })
			.reply(200, { status: 'success' });

		const outcomes = await withClient(async (client) => ({
			get: await client.send({
				method: 'GET',
				path: '/v1/businesses/autocomplete',
				query: { field: 'country', semantic_search: true },
				safeToRetry: true,
			}),
			remove: await client.send({
				method: 'DELETE',
				path: '/v1/businesses/events/enrollments',
				body: { enrollment_id: 'e-1' },
				safeToRetry: false,
			}),
		}));

		expect(outcomes).toEqual({ get: { value: [] }, remove: { value: { status: 'success' } } });
	});
});

type FailureRow = [status: number, body: nock.Body, kind: Failure['kind'], message: RegExp];

/** The default messages of statuses are in responses.test.ts. */
const FAILURES: FailureRow[] = [
	[401, { message: 'Unknown' }, 'unauthorized', /API key \(HTTP 401\): Unknown\. Check API/],
	[402, { message: 'Pay' }, 'forbidden', /no credits left.*402.*Pay.*Add credits/],
	[403, { detail: 'Out of credits' }, 'forbidden', /no credits left.*403.*Add credits/],
	[403, { message: 'Quota used up' }, 'forbidden', /no credits left.*Quota used up/],
	[403, { message: 'Load balancer says no' }, 'forbidden', /not allowed.*403.*plan/],
	[403, { detail: 'Not in plan' }, 'forbidden', /not allowed.*403.*Not in plan.*Check.*plan/],
	[404, { detail: 'Not Found' }, 'notFound', /404\): Not Found\. Check Base URL/],
	[404, '<html>404</html>', 'notFound', /404.*Base URL/],
	[413, '', 'server', /too large.*413.*Batch Size/],
	[422, { detail: [issue('body', 'ids', 3)] }, 'invalid', /422.*ids\.3: not a hex/],
	[400, { detail: [issue('body', 'page')] }, 'invalid', /400.*page: not a hex/],
	[200, { detail: [issue('body', 'page')] }, 'invalid', /page: not a hex/],
	[422, '', 'invalid', /rejected.*422/],
	[400, { message: 'Bad dates' }, 'server', /rejected.*400.*Bad dates/],
	[
		400,
		{ ...FAILURE, error: { code: 'INVALID_DATE', message: 'Bad dates' } },
		'server',
		/Bad dates/,
	],
	[405, { detail: 'Method Not Allowed' }, 'server', /405/],
	[429, { message: 'Slow down' }, 'rateLimited', /rate limit \(HTTP 429\): Slow down/],
	[500, { message: 'Oops', correlation_id: 'c-7' }, 'server', /failed.*500.*Oops.*Try again/],
	[502, '<h1>Bad Gateway</h1>', 'server', /failed.*502/],
	[408, '', 'noResponse', /not respond in time \(HTTP 408\).*charged.*credit usage/],
	[520, '<p>Oops', 'noResponse', /lost before.*complete.*520.*may have.*charged/],
	[521, '<p>Oops', 'unreachable', /could not be reached \(HTTP 521\).*Base URL/],
	[522, '<p>Oops', 'noResponse', /not respond in time.*522.*may have.*charged/],
	[523, '<p>Oops', 'unreachable', /could not be reached \(HTTP 523\).*Base URL/],
	[524, '<p>Oops', 'noResponse', /not respond in time.*524.*may have.*charged/],
	[200, '<!doctype html><p>Sign in', 'unreadable', /web page.*Base URL/],
	[200, '', 'unreadable', /empty response.*200/],
	[204, '', 'unreadable', /empty response.*204/],
	[200, 'null', 'unreadable', /empty response/],
	[200, '{"data": [{"prospect_id": "a', 'unreadable', /not valid JSON/],
	[200, 'OK', 'unreadable', /not valid JSON/],
	[200, FAILURE, 'reported', /reports that.*failed \(HTTP 200\)\. Try.*send the correlation_id/],
	[
		200,
		{ ...FAILURE, error: { message: 'Bad dates' } },
		'reported',
		/failed \(HTTP 200\): Bad dates\./,
	],
	[200, { response_context: {}, status: 'failure' }, 'reported', /failed/],
	[
		200,
		{ response_context: { request_status: 'success' }, status: 'failure' },
		'reported',
		/failed/,
	],
];

const ADVICE = /\b(Check|Add|Send|Enter|Correct|Raise|Try again|send the correlation_id)\b/;

describe('a response without data', () => {
	test.each(FAILURES)('HTTP %d, %j: %s', async (status, body, kind, message) => {
		const headers = { 'content-type': 'application/json' };

		const { value, failure, successes } = await sendWithResponse(status, body, { headers });

		expect(failure).toMatchObject({ kind, status, message: expect.stringMatching(message) });
		expect(failure?.message).toMatch(ADVICE);
		expect(failure?.message).toMatch(/[.]$/);
		expect(value).toBeUndefined();
		expect(successes).toBe(0);
		expect(failure?.correlationId).toBe(JSON.stringify(body).includes('c-7') ? 'c-7' : undefined);
	});

	test('a timeout of a free request does not mention charges', async () => {
		const { failure } = await sendWithResponse(504, '', { request: search });

		expect(failure?.message).toMatch(/not respond in time.*504/);
		expect(failure?.message).not.toMatch(/charged/);
	});

	test('each kind of failure has its own message', async () => {
		const statuses = [401, 402, 403, 404, 413, 422, 429, 500, 504, 302].map(
			(status) => [status, ''] as const,
		);
		const bodies = ['', '<html>', '{"a', FAILURE].map((body) => [200, body] as const);
		const messages: string[] = [];
		for (const [status, body] of [...statuses, ...bodies]) {
			const { failure } = await sendWithResponse(status, body);
			messages.push(failure?.message.replace(/\d+/g, '') ?? '');
		}

		expect(new Set(messages).size).toBe(messages.length);
		expect(messages).not.toContain('');
	});
});

describe('a redirect', () => {
	test.each([301, 302, 303, 307, 308])('of %d is not followed', async (status) => {
		const target = nock('https://other.example').post(/.*/).reply(200, {}).get(/.*/).reply(200);

		const { failure } = await sendWithResponse(status, '', {
			headers: { location: 'https://other.example/v1/prospects' },
		});

		expect(failure).toMatchObject({ kind: 'redirect', status });
		expect(failure?.message).toMatch(
			new RegExp(`redirects to another one \\(HTTP ${status}\\).*Base URL`),
		);
		expect(target.pendingMocks()).toHaveLength(2);
		expect(shown(failure)).not.toMatch(/other\.example/);
	});
});
