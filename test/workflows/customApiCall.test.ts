/**
 * Custom API Call: what is sent, what comes of every kind of answer, and what is sent once only.
 *
 */
import fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { errorOf, type NodeRunOptions, rowOfSource, runNode } from '../harness/engine';
import { shortenWaits } from '../harness/timeouts';
import { callTool } from '../harness/tool';
import { ENDPOINTS } from '../sandbox/contract/contract';
import { exampleRequest } from '../sandbox/contract/examples';
import { expectOwnObjects, hintsOf, jsonOf, startService } from './service';

shortenWaits();

const KEY = 'a-key-of-ours';
const SEND = { resource: 'customApiCall', operation: 'send' };

const query = (...parameters: Array<[string, unknown]>): INodeParameters => ({
	queryParameters: {
		parameters: parameters.map(([name, value]) => ({ name, value })),
	} as IDataObject as INodeParameters,
});

interface Received {
	readonly method: string;
	readonly url: string;
	readonly body: unknown;
	readonly key: unknown;
}

/** A service of which the contract says nothing: it keeps what it receives, and answers what the test says. */
async function startUnknown(
	answer: (request: Received, count: number) => unknown = () => ({}),
	apiKey = KEY,
) {
	const received: Received[] = [];
	const app: FastifyInstance = fastify({ forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
	app.all('/*', async (request, reply) => {
		const { method, url, headers } = request;
		const one = { method, url, body: request.body, key: headers.api_key };
		received.push(one);
		const given = answer(one, received.length);
		if (given === 'drop') {
			reply.hijack();
			request.raw.socket.destroy();
			return;
		}
		const {
			status = 200,
			body,
			type = 'application/json',
			headers: more = {},
		} = given as IDataObject;
		const text =
			body === undefined
				? ''
				: Buffer.isBuffer(body) || typeof body === 'string'
					? body
					: JSON.stringify(body);
		await reply
			.code(Number(status))
			.header('content-type', type)
			.headers(more as Record<string, string>)
			.send(text);
	});
	open.add(app);
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	const node: Pick<NodeRunOptions, 'node' | 'credentials' | 'credentialType'> = {
		node: new BusinessProspectData(),
		credentials: { baseUrl: `${url}/gateway/v1/`, apiKey },
		credentialType: new BusinessProspectDataApi(),
	};
	return {
		received,
		node,
		run: async (
			parameters: INodeParameters,
			items: IDataObject[] = [{}],
			more: Partial<NodeRunOptions> = {},
		) =>
			await runNode({
				...node,
				expressionAfter: rowOfSource,
				onError: 'continueErrorOutput',
				parameters: { ...SEND, ...parameters },
				items,
				...more,
			}),
	};
}

const open = new Set<FastifyInstance>();
afterEach(async () => {
	await Promise.all([...open].map(async (app) => await app.close()));
	open.clear();
});

const numbered = (count: number) => Array.from({ length: count }, (_, row) => ({ row }));
const FAST = { options: { requests: { maxTries: 2, maxWait: 5 } } };
const NOTHING = { message: 'The request succeeded. The response is empty.' };

describe.each(ENDPOINTS.map(({ name, method, path }) => [name, method, path] as const))(
	'%s of the contract (%s %s)',
	(name, method, path) => {
		test('can be called, and its rows come out', async () => {
			const service = await startService();
			const request = exampleRequest(name, service.world);
			const answers: unknown[] = [];
			service.change((answer) => (answers.push(answer), answer));

			const run = await service.run({
				...SEND,
				method,
				path,
				...(method === 'GET'
					? query(...Object.entries(request))
					: { body: JSON.stringify(request) }),
			});

			expect(run.failure).toBeUndefined();
			expect(service.log.entries).toMatchObject([{ endpoint: name, status: 200, key: 'right' }]);
			const [answer] = JSON.parse(JSON.stringify(answers)) as [IDataObject];
			const rows = [answer, answer.data].find(Array.isArray) ?? [answer];
			expect(jsonOf(run.main)).toEqual(rows);
		});
	},
);

describe('what is sent', () => {
	test.each(['DELETE', 'PATCH', 'POST', 'PUT'])('%s with path, query and body', async (method) => {
		const service = await startUnknown();

		await service.run({
			method,
			path: ' v1/enrollments/a%20b',
			...query(['dry run', 'ä & b'], ['n', 5], ['tag', '={{ ["x", "y"] }}'], ['tag', 'z']),
			body: '{ "ids": ["1"] }',
		});

		expect(service.received).toEqual([
			{
				method,
				url: '/gateway/v1/enrollments/a%20b?dry%20run=%C3%A4%20%26%20b&n=5&tag=x&tag=y&tag=z',
				body: '{"ids":["1"]}',
				key: KEY,
			},
		]);
	});

	test.each<[string, unknown, unknown]>([
		['an empty object as text', '{}', '{}'],
		['an empty object', '={{ ({}) }}', '{}'],
		['a list', '[1]', '[1]'],
		['nothing', ' ', undefined],
		['an expression without a value', '={{ $json.none }}', undefined],
	])('%s as body', async (_what, body, sent) => {
		const service = await startUnknown();

		await service.run({ method: 'POST', path: '/v1/x', body: body as string });

		expect(service.received.map((request) => request.body)).toEqual([sent]);
	});

	test('GET has no body, even if one is saved', async () => {
		const service = await startUnknown();

		await service.run({ method: 'GET', path: '/v1/x', body: '{ "a": 1' });

		expect(service.received).toMatchObject([{ url: '/gateway/v1/x', body: undefined }]);
	});

	test('equal requests are not merged, and each row is linked', async () => {
		const service = await startUnknown((_, count) => ({ body: { data: [{ count }, { count }] } }));
		const one = { options: { requests: { maxConcurrentRequests: 1 } } };

		const run = await service.run({ method: 'POST', path: '/v1/x', ...one }, numbered(3));

		expect(service.received).toHaveLength(3);
		expect(jsonOf(run.main).map(({ count }) => count)).toEqual([1, 1, 2, 2, 3, 3]);
		expect(run.linked).toEqual([0, 0, 1, 1, 2, 2]);
		expect(hintsOf(run)).toEqual(['Returned 6 rows in 3 requests.']);
	});
});

test.each(['9007199254740991', '9007199254740992', '-12.5e3', '0.1', '"1234567890123456789"'])(
	'a body with %s is sent, with the same value',
	async (value) => {
		const service = await startUnknown();

		const run = await service.run({ method: 'POST', path: '/v1/x', body: `{ "a": ${value} }` });

		expect(run.error).toEqual([]);
		expect(service.received[0]?.body).toBe(JSON.stringify({ a: JSON.parse(value) as unknown }));
	},
);

describe('what comes out', () => {
	const list = [{ id: 1 }, 'two', null, [4]];
	const rows = [{ id: 1 }, { data: 'two' }, { data: null }, { data: [4] }];
	const page = { total_pages: 2, response_context: { correlation_id: 'c' } };

	test.each<[string, IDataObject, IDataObject[], IDataObject[]]>([
		['a list under data', { body: { ...page, data: list } }, rows, [{ ...page, data: list }]],
		['a list', { body: list }, rows, [{ data: list }]],
		['another object', { body: { ...page, data: { a: 1 } } }, [{ ...page, data: { a: 1 } }], []],
		['an empty list', { body: [] }, [], [{ data: [] }]],
		['an empty list under data', { body: { data: [] } }, [], [{ data: [] }]],
		['no body', { status: 204 }, [NOTHING], []],
		['an empty body', { status: 202 }, [NOTHING], []],
		['an empty object', { body: {} }, [NOTHING], []],
		['null', { body: 'null' }, [NOTHING], []],
		['a miss', { status: 404, body: { status: 'miss' } }, [{ status: 'miss' }], []],
	])('%s', async (_what, answer, asRows, asSummary) => {
		const service = await startUnknown(() => answer);

		const run = await service.run({ path: '/v1/x' });
		const summary = await service.run({ path: '/v1/x', output: 'summary' });

		expect([run.error, summary.error]).toEqual([[], []]);
		expect(jsonOf(run.main)).toEqual(asRows);
		expect(jsonOf(summary.main)).toEqual(asSummary.length > 0 ? asSummary : asRows);
	});

	test.each<[entry: IDataObject, row: IDataObject]>([
		[{ error: 'bounced' }, { data: { error: 'bounced' } }],
		[{ error: {}, message: 'm', details: [] }, { data: { error: {}, message: 'm', details: [] } }],
		[
			{ error: 'bounced', id: 1 },
			{ error: 'bounced', id: 1 },
		],
		[
			{ error: null, message: 'm' },
			{ error: null, message: 'm' },
		],
		[{ message: 'm' }, { message: 'm' }],
	])('an entry is no failed row, whatever its keys: %j', async (entry, row) => {
		const service = await startUnknown(() => ({ body: [entry] }));

		const run = await service.run({ path: '/v1/x' });

		expect(run.error).toEqual([]);
		expect(jsonOf(run.main)).toEqual([row]);
	});

	test('an empty response is an object of its own in each row and each run', async () => {
		const service = await startUnknown(() => ({ status: 204 }));

		const { main } = await service.run({ path: '/v1/x' }, numbered(2));
		const later = await service.run({ path: '/v1/x' });

		expectOwnObjects([...main, ...later.main]);
	});

	test.each([KEY, 'ab"cd'])(
		'the API key %s is in no row, even if the service repeats it',
		async (apiKey) => {
			const service = await startUnknown(
				({ key }) => ({ body: { headers: { key }, text: `x${apiKey}` } }),
				apiKey,
			);

			const run = await service.run({ path: '/v1/echo' });

			expect(jsonOf(run.main)).toEqual([{ headers: { key: '***' }, text: 'x***' }]);
		},
	);
});

describe('what fails', () => {
	test.each<[string, string, INodeParameters, number]>([
		['GET', 'always', {}, 2],
		['POST', 'once only', {}, 1],
		['PUT', 'once only', {}, 1],
		['DELETE', 'once only', {}, 1],
		['POST', 'again where it is said to be safe', { safeToRetry: true }, 2],
	])('a lost answer to %s: sent %s', async (method, _how, options, times) => {
		const service = await startUnknown((_, count) => (count === 1 ? 'drop' : { body: { ok: 1 } }));

		const run = await service.run({
			method,
			path: '/v1/x',
			options: { ...options, requests: { maxTries: 3, maxWait: 5 } },
		});

		expect(service.received).toHaveLength(times);
		expect(run.main).toHaveLength(times - 1);
		if (times === 1)
			expect(errorOf(run.error[0]).message).toMatch(/charged for it, so it was not sent again\./);
	});

	test.each([
		[404, 'Not this one'],
		[403, 'Not this one'],
		[409, 'Not this one'],
		[403, 'This contact belongs to another account'],
		[403, 'The quota of this list is used up'],
		[402, 'Pay for this one'],
		[301, 'Moved'],
	])('HTTP %d "%s" fails its own row, not the same path', async (status, message) => {
		const failure = { status, body: { message, correlation_id: 'c-1' } };
		const service = await startUnknown(({ url }) =>
			url.includes('id=1') ? failure : { body: { url } },
		);
		const one = { options: { requests: { maxConcurrentRequests: 1 } } };

		const run = await service.run(
			{ path: '/v1/x', ...query(['id', '={{ $json.id }}']), ...one },
			[1, 2, 1, 3].map((id, row) => ({ row, id })),
		);

		expect(run.linked).toEqual([1, 3]);
		expect(run.linkedErrors).toEqual([0, 2]);
		expect(errorOf(run.error[0])).toEqual({
			message: expect.stringContaining(`${message}.`),
			status,
			correlation_id: 'c-1',
			response: failure.body,
		});
		expect(service.received).toHaveLength(4);
	});

	test('with 404 the message names the path, without the key', async () => {
		const service = await startUnknown(() => ({ status: 404 }));

		const run = await service.run({ path: `/v1/$&/${KEY}` });

		expect(errorOf(run.error[0]).message).toBe(
			'The service found nothing at /v1/$&/*** (HTTP 404). Check Method, Path and Query Parameters, and Base URL in the credential.',
		);
	});

	test.each<[string, INodeParameters, RegExp, string]>([
		['no path', { path: '={{ $json.none }}' }, /^Path is empty\. Enter/, 'path'],
		['an address', { path: `https://evil.example/?k=${KEY}` }, /server's address/, 'path'],
		['a query in the path', { path: `/v1/x?k=${KEY}` }, /under Query Parameters/, 'path'],
		[
			'an ID that is missing',
			{ path: '=/v1/x/{{ $json.none ?? "" }}' },
			/^Path is incomplete/,
			'path',
		],
		['a name that is missing', query(['', 'x']), /has no name/, 'queryParameters'],
		['a value that is missing', query(['id', '={{ $json.none }}']), /"id" has no value/, ''],
		['a value that is NaN', query(['id', '={{ Number($json.none) }}']), /"id" has no value/, ''],
		['a value that is an object', query(['id', '={{ ({ a: 1 }) }}']), /neither text nor/, ''],
		['a broken body', { method: 'POST', body: `{ "k": "${KEY}` }, /^Body is not valid JSON/, ''],
		[
			'half of a character in the path',
			{ path: '={{ "/v1/a" + String.fromCharCode(0xd83d) + "b" }}' },
			/^Path contains half of a character/,
			'path',
		],
		['a date as body', { method: 'POST', body: '={{ $now }}' }, /^Body/, ''],
		['a text as body', { method: 'POST', body: '"x"' }, /^Body is neither a JSON object/, ''],
	])('%s, before any request', async (_what, parameters, message, field) => {
		const service = await startUnknown();

		const run = await service.run({ path: '/v1/x', ...parameters });

		expect(errorOf(run.error[0]).message).toMatch(message);
		expect(JSON.stringify(run)).not.toContain(KEY);
		expect(errorOf(run.error[0]).field).toBe(
			field || Object.keys(parameters).find((name) => name !== 'method'),
		);
		expect(service.received).toEqual([]);
	});
});

describe('as the tool of an agent', () => {
	const parameters = {
		...SEND,
		method: 'GET',
		path: "=/v1/businesses/{{ $fromAI('id') }}",
		...query(['page', "={{ $fromAI('page', '', 'string') }}"]),
		...FAST,
	};

	test('the model fills in path and query; what it leaves empty is left out', async () => {
		const service = await startUnknown(() => ({ body: { data: [{ a: 1 }] } }));

		const text = await callTool({ ...service.node, parameters }, { id: 'b-1', page: '' });

		expect(JSON.parse(text)).toEqual([{ a: 1 }]);
		expect(service.received).toMatchObject([{ method: 'GET', url: '/gateway/v1/businesses/b-1' }]);
	});

	test.each(['../../other', '%2e%2e/x', 'x?y=1', '/evil.example/x'])(
		'it cannot leave the path with %s',
		async (id) => {
			const service = await startUnknown();

			const text = await callTool({ ...service.node, parameters }, { id, page: '1' });

			expect(text).toMatch(/Path( is|:)/);
			expect(service.received).toEqual([]);
		},
	);
});

describe('a response with fields that mean something elsewhere', () => {
	test.each<[string, unknown, IDataObject]>([
		['a field "detail"', { id: 1, detail: 'Senior manager' }, { id: 1, detail: 'Senior manager' }],
		['the status of a job', { id: 'job-1', status: 'failure' }, { id: 'job-1', status: 'failure' }],
		['a number like the key', { year: 2024 }, { year: 2024 }],
	])('%s', async (_what, body, row) => {
		const service = await startUnknown(() => ({ body }), '2024');

		const run = await service.run({ method: 'POST', path: '/v1/x' });

		expect([jsonOf(run.error), jsonOf(run.main)]).toEqual([[], [row]]);
	});

	test('a failure reported in response_context is one; the error keeps the response', async () => {
		const body = { response_context: { request_status: 'failure' }, errors: ['Too old'] };
		const service = await startUnknown(() => ({ body }));

		const run = await service.run({ method: 'POST', path: '/v1/x' });

		expect(errorOf(run.error[0])?.message).toMatch(/^The service reports that the request failed/);
		expect(errorOf(run.error[0])?.response).toEqual(body);
	});
});

test.each<[number, IDataObject]>([
	[400, { errors: ['Seat limit reached'] }],
	[400, { title: 'Bad', description: 'Seat limit reached' }],
	[422, { errors: ['Seat limit reached'] }],
	[400, { message: 'Bad', errors: [{ field: 'seats' }] }],
	[400, { error: { code: 'LIMIT', message: 'Bad', details: { seats: 5 } } }],
	[422, { detail: [{ loc: ['body', 'seats'], msg: 'Bad', ctx: { limit: 5 } }] }],
])('HTTP %d: the whole explanation is kept in the error: %j', async (status, body) => {
	const service = await startUnknown(() => ({ status, body }));

	const run = await service.run({ method: 'POST', path: '/v1/x' });

	expect(errorOf(run.error[0])).toMatchObject({ status, response: body });
});

test.each([
	['JSON lines', 'application/x-ndjson', '{"id":1}\n{"id":2}\n'],
	['a log', 'text/plain', '[2026-11-01] export started'],
	['JSON that was cut off', 'application/json', '{"id":1,"name":"A'],
])('%s is an error that says what to use instead', async (_what, type, text) => {
	const service = await startUnknown(() => ({ type, body: `${text}${KEY}` }));

	const run = await service.run({ method: 'POST', path: '/v1/x' });
	const safe = await service.run({ path: '/v1/x' });

	const start = 'The response is a file or text, not JSON (HTTP 200).';
	const charged = ' The service may have processed the request and charged for it.';
	const end =
		" Use n8n's HTTP Request node for it, with a Header Auth credential whose name is api_key.";
	expect(errorOf(run.error[0])).toEqual({ message: `${start}${charged}${end}`, status: 200 });
	expect(errorOf(safe.error[0])).toEqual({ message: `${start}${end}`, status: 200 });
});
