/** What the service's answers read like, through n8n's own request helper. */
import nock from 'nock';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { HOST, sendOne, shown, withClient } from './real';
import { enrich, KEY, search, TENANT } from './service';

beforeAll(() => nock.disableNetConnect());
beforeEach(() => nock.cleanAll());
afterAll(() => {
	nock.cleanAll();
	nock.enableNetConnect();
	nock.restore();
});

const ADVICE = /\b(Check|Add|Set|Put|Correct|Raise|Try again|give the correlation ID)\b/;

const failed = { response_context: { correlation_id: 'c-7', request_status: 'failure' } };
const problem = (...loc: Array<string | number>) => ({ loc, msg: 'not a hex string', type: 'x' });

async function answering(
	status: number,
	body: nock.Body,
	{ headers = {}, request = enrich }: { headers?: nock.ReplyHeaders; request?: typeof enrich } = {},
) {
	nock(HOST).post(request.path).reply(status, body, headers);
	return await sendOne(request);
}

describe('an answer with data', () => {
	test('comes back as it is', async () => {
		const body = { response_context: { request_status: 'success' }, data: [{ a: 1 }] };

		const { value, failure, answered } = await answering(200, body);

		expect(failure).toBeUndefined();
		expect(value).toEqual(body);
		expect(answered).toBe(1);
	});

	test.each<[string, nock.Body]>([
		['a miss', { response_context: { request_status: 'miss' }, data: null }],
		['a miss of a deletion', { response_context: {}, status: 'miss' }],
		['a list', []],
		['no request status', { data: [] }],
		['a detail of null', { response_context: { request_status: 'success' }, detail: null }],
	])('%s is no failure', async (_name, body) => {
		const { value, failure } = await answering(200, body);

		expect(failure).toBeUndefined();
		expect(value).toEqual(body);
	});

	test('was asked for with the key, the tenant and JSON', async () => {
		nock(HOST, { reqheaders: { api_key: KEY, tenant: TENANT, accept: 'application/json' } })
			.post('/v1/prospects', { page: 1 })
			.reply(200, { data: [] });

		const { failure } = await sendOne({ ...search, body: { page: 1 } });

		expect(failure).toBeUndefined();
	});

	test('a GET carries its query, a DELETE its body', async () => {
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
				idempotent: true,
			}),
			remove: await client.send({
				method: 'DELETE',
				path: '/v1/businesses/events/enrollments',
				body: { enrollment_id: 'e-1' },
				idempotent: false,
			}),
		}));

		expect(outcomes).toEqual({ get: { value: [] }, remove: { value: { status: 'success' } } });
	});
});

type Row = [name: string, status: number, body: nock.Body, kind: Failure['kind'], words: RegExp];

const FAILURES: Row[] = [
	[
		'wrong key',
		401,
		{ message: 'Unknown key' },
		'unauthorized',
		/API key.*401.*Unknown key.*Check API Key/,
	],
	['no credits', 402, { message: 'Pay' }, 'forbidden', /no credits left.*402.*Pay.*Add credits/],
	[
		'no credits',
		403,
		{ detail: 'Out of credits' },
		'forbidden',
		/no credits left.*403.*Add credits/,
	],
	['no credits', 403, { message: 'Quota used up' }, 'forbidden', /no credits left.*Quota used up/],
	[
		'no permission',
		403,
		{ message: 'Load balancer says no' },
		'forbidden',
		/not allowed.*403.*plan/,
	],
	[
		'no permission',
		403,
		{ detail: 'Not in plan' },
		'forbidden',
		/not allowed.*403.*Not in plan.*Check.*plan/,
	],
	['wrong address', 404, { detail: 'Not Found' }, 'notFound', /404\): Not Found\. Check Base URL/],
	['wrong address', 404, '<html>404</html>', 'notFound', /404.*Base URL/],
	['too large', 413, '', 'server', /too large.*413.*Batch Size/],
	[
		'invalid',
		422,
		{ detail: [problem('body', 'prospect_ids', 3)] },
		'invalid',
		/422.*prospect_ids\.3: not a hex/,
	],
	['invalid', 400, { detail: [problem('body', 'page')] }, 'invalid', /400.*page: not a hex/],
	['invalid', 422, '', 'invalid', /refused.*422/],
	['refused', 400, { message: 'Bad dates' }, 'server', /refused.*400.*Bad dates/],
	[
		'refused',
		400,
		{ ...failed, error: { code: 'INVALID_DATE_RANGE', message: 'Bad dates' } },
		'server',
		/Bad dates/,
	],
	['refused', 405, { detail: 'Method Not Allowed' }, 'server', /405/],
	['rate limit', 429, { message: 'Slow down' }, 'rateLimited', /rate limit.*429.*Slow down/],
	[
		'failing',
		500,
		{ message: 'Oops', correlation_id: 'c-7' },
		'server',
		/failed.*500.*Oops.*Try again/,
	],
	['failing', 501, '', 'server', /failed.*501/],
	['failing', 502, '<h1>Bad Gateway</h1>', 'server', /failed.*502/],
	['failing', 503, '', 'server', /failed.*503/],
	['late', 408, '', 'noAnswer', /no answer in time.*408.*may have.*charged.*credit usage/],
	['lost', 520, '<p>Oops', 'noAnswer', /lost before.*complete.*520.*may have.*charged/],
	['down', 521, '<p>Oops', 'unreachable', /could not be reached \(HTTP 521\).*Base URL/],
	['late', 522, '<p>Oops', 'noAnswer', /no answer in time.*522.*may have.*charged/],
	['down', 523, '<p>Oops', 'unreachable', /could not be reached \(HTTP 523\).*Base URL/],
	['late', 524, '<p>Oops', 'noAnswer', /no answer in time.*524.*may have.*charged/],
	['late', 504, '', 'noAnswer', /no answer in time.*504.*may have.*charged.*credit usage/],
	['a web page', 200, '<!doctype html><p>Sign in', 'unreadable', /web page.*Base URL/],
	['an empty body', 200, '', 'unreadable', /empty answer.*200/],
	['no content', 204, '', 'unreadable', /empty answer.*204/],
	['null', 200, 'null', 'unreadable', /empty answer/],
	['cut-off JSON', 200, '{"data": [{"prospect_id": "a', 'unreadable', /not whole JSON/],
	['plain text', 200, 'OK', 'unreadable', /not whole JSON/],
	['a failure', 200, failed, 'reported', /reports that.*failed.*without a reason.*correlation ID/],
	[
		'a failure',
		200,
		{ ...failed, error: { message: 'Bad dates' } },
		'reported',
		/failed: Bad dates\./,
	],
	[
		'a deletion that failed',
		200,
		{ response_context: {}, status: 'failure' },
		'reported',
		/failed/,
	],
	[
		'a deletion that failed',
		200,
		{ response_context: { request_status: 'success' }, status: 'failure' },
		'reported',
		/failed/,
	],
	['a validation error', 200, { detail: [problem('body', 'page')] }, 'invalid', /page: not a hex/],
];

describe('an answer without data', () => {
	test.each(FAILURES)('%s (%d, %j)', async (_name, status, body, kind, words) => {
		const headers = { 'content-type': 'application/json' };

		const { value, failure, answered } = await answering(status, body, { headers });

		expect(failure).toMatchObject({ kind, status, message: expect.stringMatching(words) });
		expect(failure?.message).toMatch(ADVICE);
		expect(failure?.message).toMatch(/[.]$/);
		expect(value).toBeUndefined();
		expect(answered).toBe(0);
		expect(failure?.correlationId).toBe(JSON.stringify(body).includes('c-7') ? 'c-7' : undefined);
	});

	test('a free read that got no answer in time is not said to be charged', async () => {
		const { failure } = await answering(504, '', { request: search });

		expect(failure?.message).toMatch(/no answer in time.*504/);
		expect(failure?.message).not.toMatch(/charged/);
	});

	test('every kind of trouble reads differently', async () => {
		const bare = [401, 402, 403, 404, 413, 422, 429, 500, 504].map(
			(status) => [status, ''] as const,
		);
		const bodies = ['', '<html>', '{"a', failed].map((body) => [200, body] as const);
		const messages: string[] = [];
		for (const [status, body] of [...bare, ...bodies, [302, ''] as const]) {
			const { failure } = await answering(status, body);
			messages.push(failure?.message.replace(/\d+/g, '') ?? '');
		}

		expect(new Set(messages).size).toBe(messages.length);
		expect(messages).not.toContain('');
	});
});

describe('a redirect', () => {
	test.each([301, 302, 303, 307, 308])('of %d is not followed', async (status) => {
		const elsewhere = nock('https://other.example').post(/.*/).reply(200, {}).get(/.*/).reply(200);

		const { failure } = await answering(status, '', {
			headers: { location: 'https://other.example/v1/prospects' },
		});

		expect(failure).toMatchObject({ kind: 'redirect', status });
		expect(failure?.message).toMatch(new RegExp(`redirect \\(HTTP ${status}\\).*Base URL`));
		expect(elsewhere.pendingMocks()).toHaveLength(2);
		expect(shown(failure)).not.toMatch(/other\.example/);
	});
});
