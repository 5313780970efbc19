/** Custom API Call: what is sent and where, what comes of every kind of response, and what is sent once only. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { errorOf, rowOfSource, runNode } from '../harness/engine';
import { type Answer, serve } from '../harness/servers';
import { shortenWaits } from '../harness/timeouts';
import { callTool } from '../harness/tool';
import { expectOwnObjects, jsonOf } from './service';

shortenWaits();

const KEY = 'a-key-of-ours';
const SEND = { resource: 'customApiCall', operation: 'send' };

const query = (...parameters: Array<[string, unknown]>) => ({
	queryParameters: {
		parameters: parameters.map(([name, value]) => ({ name, value })),
	} as INodeParameters,
});

const BASE = 'https://service.example';

/** A service of which the contract says nothing. */
function startUnknown(answer?: Parameters<typeof serve>[1], apiKey = KEY) {
	const received = serve(BASE, answer);
	const node = {
		node: new BusinessProspectData(),
		credentials: { baseUrl: `${BASE}/gateway/v1/`, apiKey },
		credentialType: new BusinessProspectDataApi(),
	};
	const run = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
		await runNode({
			...{ ...node, items, expressionAfter: rowOfSource, onError: 'continueErrorOutput' },
			parameters: { ...SEND, path: '/v1/x', ...parameters },
		});
	return { received, node, run };
}

const ONE_BY_ONE = { options: { maxConcurrentRequests: 1 } };

test('what is sent: method, path, query and body, with the key', async () => {
	const service = startUnknown();
	const methods = ['DELETE', 'PATCH', 'POST', 'PUT'];
	const sent = query(['dry run', 'ä & b'], ['n', 5], ['tag', '={{ ["x", "y"] }}'], ['tag', 'z']);

	for (const method of methods)
		await service.run({ method, path: ' v1/enrollments/a%20b', ...sent, body: '{ "ids": ["1"] }' });

	const url = '/gateway/v1/enrollments/a%20b?dry%20run=%C3%A4%20%26%20b&n=5&tag=x&tag=y&tag=z';
	const sentAs = { url, body: { ids: ['1'] }, headers: { api_key: KEY } };
	expect(service.received).toMatchObject(methods.map((method) => ({ method, ...sentAs })));
});

test.each([
	['POST', '{}', {}],
	['POST', '={{ ({}) }}', {}],
	['POST', ' ', undefined],
	['POST', '={{ $json.none }}', undefined],
	// GET has no body, even if one is saved.
	['GET', '{ "a": 1', undefined],
])('%s with the body %j sends %j', async (method, body, sent) => {
	const service = startUnknown();

	await service.run({ method, body });

	expect(service.received.map((request) => request.body)).toEqual([sent]);
});

test('equal requests are not merged, and each row is linked', async () => {
	const service = startUnknown((_, count) => ({ body: { data: [{ count }, { count }] } }));

	const run = await service.run({ method: 'POST', ...ONE_BY_ONE }, [{ row: 0 }, { row: 1 }]);

	expect(jsonOf(run.main).map(({ count }) => count)).toEqual([1, 1, 2, 2]);
	expect(run.linked).toEqual([0, 0, 1, 1]);
});

const NOTHING = [{ message: 'The request succeeded. The response is empty.' }];
const list = [{ id: 1 }, 'two', null, [4]];
const rows = [{ id: 1 }, { data: 'two' }, { data: null }, { data: [4] }];
const page = { total_pages: 2, response_context: { correlation_id: 'c' } };
const failed = { error: {}, message: 'm', details: [] };
const detail = [{ loc: ['body', 'x'], msg: 'x' }];
const job = { id: 'job-1', status: 'failure', detail, error: 'bounced' };

test.each<[string, Answer, rows: unknown[], summary?: unknown[]]>([
	['a list under data', { body: { ...page, data: list } }, rows, [{ ...page, data: list }]],
	['a list', { body: list }, rows, [{ data: list }]],
	['another object', { body: { ...page, data: { a: 1 } } }, [{ ...page, data: { a: 1 } }]],
	['an empty list', { body: { data: [] } }, [], [{ data: [] }]],
	['no body', { status: 204 }, NOTHING],
	['an empty object', { body: {} }, NOTHING],
	['null', { body: 'null' }, NOTHING],
	['a miss', { status: 404, body: { status: 'miss' } }, [{ status: 'miss' }]],
	['fields that mean something elsewhere', { body: job }, [job]],
	['what n8n takes for an error', { body: [failed] }, [{ data: failed }], [{ data: [failed] }]],
	['a number like the key', { body: { year: 2024 } }, [{ year: 2024 }]],
	['the key', { body: { headers: ['2024'], x: 'k2024' } }, [{ headers: ['***'], x: 'k***' }]],
])('what comes out: %s', async (...[, answer, asRows, asSummary = asRows]) => {
	const service = startUnknown(() => answer, '2024');

	const run = await service.run({}, [{}, {}]);
	const summary = await service.run({ output: 'summary' });

	expect([...run.error, ...summary.error]).toEqual([]);
	expect(jsonOf(run.main)).toEqual([...asRows, ...asRows]);
	expect(jsonOf(summary.main)).toEqual(asSummary);
	expectOwnObjects([...run.main, ...summary.main]);
});

test.each<[number, IDataObject]>([
	[404, { message: 'Not this one' }],
	[403, { message: 'The quota of this list is used up' }],
	[402, { message: 'Pay for this one' }],
	[400, { message: 'Bad', errors: [{ field: 'seats' }] }],
	[422, { detail: [{ loc: ['body', 'seats'], msg: 'Bad', ctx: { limit: 5 } }] }],
])('HTTP %d with %j fails its own row, not the same path', async (status, body) => {
	const service = startUnknown(({ url }) =>
		String(url).includes('id=1') ? { status, body: { ...body, key: KEY } } : { body: { url } },
	);
	const items = [1, 2, 1, 3].map((id, row) => ({ row, id }));
	const path = `/v1/$&/${KEY}`;

	const run = await service.run(
		{ path, ...query(['id', '={{ $json.id }}']), ...ONE_BY_ONE },
		items,
	);

	expect([...run.linked, ...run.linkedErrors]).toEqual([1, 3, 0, 2]);
	expect(errorOf(run.error[0])).toMatchObject({ status, response: { ...body, key: '***' } });
	expect(JSON.stringify([run.main, run.error])).not.toContain(KEY);
	expect(service.received).toHaveLength(4);
});

test.each<[string, INodeParameters, RegExp]>([
	['an address', { path: `https://evil.example/?k=${KEY}` }, /^Path: .*server's address/],
	['a name that is missing', query(['', 'x']), /has no name/],
	['a value that is missing', query(['id', '={{ $json.none }}']), /"id" has no value/],
	['a value that is an object', query(['id', '={{ ({ a: 1 }) }}']), /neither text nor/],
	['a broken body', { body: `{ "k": "${KEY}` }, /^Body is not valid JSON/],
	[
		'a number that n8n would round',
		{ body: '{ "ids": [9007199254740993] }' },
		/^Body: "9007199254740992" is a number that n8n has rounded/,
	],
	[
		'a number that n8n has rounded',
		{ body: '={{ ({ id: 12345678901234567890 }) }}' },
		/^Body: .* Put it in quotes\./,
	],
	['a text as body', { body: '"x"' }, /^Body is neither a JSON object/],
])('%s, before any request', async (_what, parameters, message) => {
	const service = startUnknown();

	const run = await service.run({ method: 'POST', ...parameters });

	expect(errorOf(run.error[0])).toMatchObject({
		message: expect.stringMatching(message),
		field: Object.keys(parameters)[0],
	});
	expect(JSON.stringify(run)).not.toContain(KEY);
	expect(service.received).toEqual([]);
});

test('as the tool of an agent, the model fills in path and query, and cannot leave the path', async () => {
	const service = startUnknown(() => ({ body: { data: [{ a: 1 }] } }));
	const parameters = {
		...{ ...SEND, method: 'GET', path: "=/v1/businesses/{{ $fromAI('id') }}" },
		...query(['page', "={{ $fromAI('page', '', 'string') }}"]),
	};
	const call = async (id: string) =>
		await callTool({ ...service.node, parameters }, { id, page: '' });

	for (const id of ['../../other', '%2e%2e/x', 'x?y=1', '/evil.example/x'])
		expect(await call(id)).toMatch(/Path( is|:)/);
	expect(service.received).toEqual([]);
	expect(JSON.parse(await call('b-1'))).toEqual([{ a: 1 }]);
	// What the model leaves empty is left out.
	expect(service.received).toMatchObject([{ url: '/gateway/v1/businesses/b-1' }]);
});
