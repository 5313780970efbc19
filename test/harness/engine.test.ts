import { WorkflowExecute } from 'n8n-core';
import {
	NodeApiError,
	NodeOperationError,
	type ICredentialType,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import nock from 'nock';
import { processedCount } from './deduplication';
import { runNode } from './engine';
import { NODE_ID } from './workflow';

const text = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	...more,
});

function probe(
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[]>,
	properties: INodeProperties[] = [],
): INodeType {
	return {
		description: {
			displayName: 'Probe',
			name: 'probe',
			group: ['transform'],
			version: 1,
			description: 'Shows how the engine treats a node',
			defaults: { name: 'Probe' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'businessProspectDataApi', required: true }],
			properties,
		},
		async execute() {
			return [await execute.call(this)];
		},
	};
}

const rows = [{ row: 1 }, { row: 2 }, { row: 3 }];
const rowOfCrm = "{{ $('CRM').item.json.row }}";

describe('items and parameters', () => {
	test('rows go in, items come out, in order', async () => {
		const node = probe(async function () {
			return this.getInputData().map(({ json }) => ({ json: { double: Number(json.row) * 2 } }));
		});

		const run = await runNode({ node, items: rows });

		expect(run.failure).toBeUndefined();
		expect(run.status).toBe('success');
		expect(run.main.map(({ json }) => json.double)).toEqual([2, 4, 6]);
		expect(Object.keys(run.runData)).toEqual(['CRM', 'Probe', 'After']);
		expect(run.linked).toEqual([]);
	});

	test('without rows the node does not run', async () => {
		const execute = jest.fn(async () => []);

		const run = await runNode({ node: probe(execute), items: [] });

		expect(execute).not.toHaveBeenCalled();
		expect(run.task).toBeUndefined();
	});

	test('binary data reaches the node', async () => {
		const node = probe(async function () {
			const content = await this.helpers.getBinaryDataBuffer(0, 'file');
			return [{ json: { content: content.toString() } }];
		});
		const file = { data: 'aGVsbG8=', mimeType: 'text/plain' };

		const run = await runNode({ node, items: [{ json: {}, binary: { file } }] });

		expect(run.main[0]?.json).toEqual({ content: 'hello' });
	});

	test('an expression is evaluated per item, a default is filled in, a hidden field is not', async () => {
		const properties = [
			text('id'),
			text('shown', { default: 'from the description' }),
			text('hidden', { displayOptions: { show: { shown: ['something else'] } } }),
		];
		const node = probe(async function () {
			return this.getInputData().map((_item, i) => ({
				json: {
					id: this.getNodeParameter('id', i),
					shown: this.getNodeParameter('shown', i),
					hidden: this.getNodeParameter('hidden', i, 'not there'),
				},
			}));
		}, properties);

		const run = await runNode({
			node,
			items: rows,
			parameters: { id: '={{ $json.row + 10 }}', hidden: 'x' },
		});

		expect(run.main.map(({ json }) => json.id)).toEqual([11, 12, 13]);
		expect(run.main[0]?.json).toMatchObject({
			shown: 'from the description',
			hidden: 'not there',
		});
	});

	test('a required parameter that is missing stops the workflow before it runs', async () => {
		const execute = jest.fn(async () => []);

		const run = await runNode({
			node: probe(execute, [text('id', { required: true })]),
			items: rows,
		});

		expect(run.failure?.message).toContain('issues');
		expect(execute).not.toHaveBeenCalled();
	});

	test('the workflow has the time zone and the mode that are asked for', async () => {
		const node = probe(async function () {
			return [{ json: { timezone: this.getTimezone(), mode: this.getMode() } }];
		});

		const run = await runNode({ node, timezone: 'Europe/Berlin', mode: 'trigger' });

		expect(run.main[0]?.json).toEqual({ timezone: 'Europe/Berlin', mode: 'trigger' });
	});

	test('nothing that the node does to its items reaches the test or a later run', async () => {
		const node = probe(async function () {
			const [item] = this.getInputData();
			Object.assign(item?.json ?? {}, { row: 'changed' });
			return [{ json: {} }];
		});
		const items = [{ row: 1 }];

		await runNode({ node, items });

		expect(items).toEqual([{ row: 1 }]);
	});
});

describe('item linking', () => {
	const twoPerRow = (link: (item: number) => Partial<INodeExecutionData>) =>
		probe(async function () {
			const items = this.getInputData();
			return [...items.keys()].reverse().flatMap((item) => [
				{ json: {}, ...link(item) },
				{ json: {}, ...link(item) },
			]);
		});

	test('items that name their row lead back to it', async () => {
		const node = twoPerRow((item) => ({ pairedItem: { item } }));

		const run = await runNode({ node, items: rows, expressionAfter: rowOfCrm });

		expect(run.linked).toEqual([3, 3, 2, 2, 1, 1]);
	});

	test('items that do not name it fail in the node behind', async () => {
		const run = await runNode({
			node: twoPerRow(() => ({})),
			items: rows,
			expressionAfter: rowOfCrm,
		});

		expect(run.main).toHaveLength(6);
		expect(run.lastNode).toBe('After');
		expect(run.failure?.message).toContain('Paired item data');
	});

	test('a row that does not exist fails in the node behind', async () => {
		const run = await runNode({
			node: twoPerRow((item) => ({ pairedItem: { item: item + 7 } })),
			items: rows,
			expressionAfter: rowOfCrm,
		});

		expect(run.lastNode).toBe('After');
		expect(run.failure).toBeDefined();
	});

	test('one item per row is linked by n8n itself', async () => {
		const node = probe(async function () {
			return this.getInputData().map(() => ({ json: {} }));
		});

		const run = await runNode({ node, items: rows, expressionAfter: rowOfCrm });

		expect(run.linked).toEqual([1, 2, 3]);
	});
});

describe('failing items', () => {
	const secondRow = (failed: Partial<INodeExecutionData>) =>
		probe(async function () {
			return this.getInputData().map((_item, item) => ({
				json: { ok: true },
				pairedItem: { item },
				...(item === 1 && failed),
			}));
		});
	const json = { error: { message: 'Bad id', field: 'id', received: { a: 1 } } };

	test('on the error output: json of an error alone, with the input row under it', async () => {
		const routing = jest.spyOn(WorkflowExecute.prototype, 'handleNodeErrorOutput');
		const run = await runNode({
			node: secondRow({ json }),
			items: rows,
			onError: 'continueErrorOutput',
			expressionAfter: rowOfCrm,
		});

		expect(routing).toHaveBeenCalledTimes(1);
		expect(run.error.map((item) => item.json)).toEqual([{ row: 2, ...json }]);
		expect(run.main.map((item) => item.json)).toEqual([{ ok: true }, { ok: true }]);
		expect(run.linked).toEqual([1, 3]);
		expect(run.linkedErrors).toEqual([2]);
	});

	test('any other key beside it leaves the item on the success output', async () => {
		const run = await runNode({
			node: secondRow({ json: { ...json, prospect_id: 'x' } }),
			items: rows,
			onError: 'continueErrorOutput',
		});

		expect(run.error).toEqual([]);
		expect(run.main).toHaveLength(3);
	});

	test('an `error` beside json cuts the json down to the message', async () => {
		const node = probe(async function () {
			const error = new NodeOperationError(this.getNode(), 'Bad id');
			return [{ json: { kept: false }, error, pairedItem: { item: 0 } }];
		});

		const errorOutput = await runNode({ node, items: rows, onError: 'continueErrorOutput' });
		const regular = await runNode({ node, items: rows, onError: 'continueRegularOutput' });

		expect(errorOutput.error[0]?.json).toEqual({ error: 'Bad id' });
		expect(regular.main[0]?.json).toEqual({ error: 'Bad id' });
	});

	test('in Continue the item stays whole and in its place, and there is no error output', async () => {
		const run = await runNode({
			node: secondRow({ json }),
			items: rows,
			onError: 'continueRegularOutput',
			expressionAfter: rowOfCrm,
		});

		expect(run.main.map((item) => item.json)).toEqual([{ ok: true }, json, { ok: true }]);
		expect(run.error).toEqual([]);
		expect(run.linked).toEqual([1, 2, 3]);
	});
});

describe('a node that throws', () => {
	const throwing = probe(async function () {
		this.addExecutionHints({ message: 'lost' });
		throw new NodeApiError(this.getNode(), { message: 'no' }, { message: 'Bad key', itemIndex: 1 });
	});

	test('stops the workflow, with the error as n8n records it', async () => {
		const run = await runNode({ node: throwing, items: rows });

		expect(run.status).toBe('error');
		expect(run.failure).toMatchObject({
			name: 'NodeApiError',
			message: 'Bad key',
			context: { itemIndex: 1 },
		});
		expect(run.lastNode).toBe('Probe');
		expect(run.main).toEqual([]);
		expect(run.hints).toEqual([]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'sends the untouched rows down the success output with %s',
		async (onError) => {
			const run = await runNode({ node: throwing, items: rows, onError });

			expect(run.failure).toBeUndefined();
			expect(run.main.map(({ json }) => json)).toEqual(rows);
			expect(run.error).toEqual([]);
			expect(run.task?.error?.message).toBe('Bad key');
		},
	);

	test('runs three times with Retry On Fail', async () => {
		const execute = jest
			.fn<Promise<INodeExecutionData[]>, []>()
			.mockRejectedValueOnce(new Error('first'))
			.mockResolvedValueOnce([{ json: { error: { message: 'second' } } }])
			.mockResolvedValueOnce([{ json: { ok: true } }]);

		const run = await runNode({ node: probe(execute), items: rows, retryOnFail: true });

		expect(execute).toHaveBeenCalledTimes(3);
		expect(run.main[0]?.json).toEqual({ ok: true });
	});
});

test('hints are reported', async () => {
	const node = probe(async function () {
		this.addExecutionHints({
			message: 'Enriched 3 prospects in 1 request',
			location: 'outputPane',
		});
		return [];
	});

	const run = await runNode({ node, items: rows });

	expect(run.hints).toEqual([
		{ message: 'Enriched 3 prospects in 1 request', location: 'outputPane' },
	]);
});

describe('credentials', () => {
	const host = 'https://service.example';
	const requesting = probe(async function () {
		const { baseUrl } = await this.getCredentials('businessProspectDataApi');
		const request: IHttpRequestOptions = {
			url: `${String(baseUrl)}/v1/ping`,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		};
		const response = (await this.helpers.httpRequestWithAuthentication.call(
			this,
			'businessProspectDataApi',
			request,
		)) as { statusCode: number };
		return [{ json: { status: response.statusCode } }];
	});
	const credentialType: ICredentialType = {
		name: 'businessProspectDataApi',
		displayName: 'API',
		properties: [text('baseUrl', { default: host }), text('apiKey'), text('tenant')],
		authenticate: {
			type: 'generic',
			properties: { headers: { api_key: '={{ $credentials.apiKey }}', client: 'n8n' } },
		},
	};

	beforeAll(() => nock.disableNetConnect());
	afterEach(() => nock.cleanAll());
	afterAll(() => {
		nock.enableNetConnect();
		nock.restore();
	});

	const expectKey = () =>
		nock(host, { reqheaders: { api_key: 'sandbox-key', client: 'n8n' } })
			.get('/v1/ping')
			.reply(200, {});

	test('a declarative credential signs the request, with the defaults of its fields', async () => {
		const service = expectKey();

		const run = await runNode({
			node: requesting,
			credentials: { apiKey: 'sandbox-key' },
			credentialType,
		});

		expect(run.failure).toBeUndefined();
		expect(run.main[0]?.json).toEqual({ status: 200 });
		expect(service.isDone()).toBe(true);
	});

	test('so does a function, and an expression in a field', async () => {
		const service = expectKey();
		const authenticate: ICredentialType['authenticate'] = async ({ apiKey }, request) => ({
			...request,
			headers: { api_key: apiKey, client: 'n8n' },
		});

		const run = await runNode({
			node: requesting,
			items: [{ key: 'sandbox-key' }],
			credentials: { apiKey: '={{ $json.key }}' },
			credentialType: { ...credentialType, authenticate },
		});

		expect(run.failure).toBeUndefined();
		expect(service.isDone()).toBe(true);
	});

	test('without a credential the node says so', async () => {
		const run = await runNode({ node: requesting, credentialType });

		expect(run.failure?.message).toContain('credentials');
	});

	test('a credential kept to its nodes is refused to another', async () => {
		const node = probe(async function () {
			return [{ json: await this.getCredentials('businessProspectDataApi') }];
		});
		const restricted = { ...credentialType, restrictToSupportedNodes: true as const };
		const options = { node, credentials: { apiKey: 'sandbox-key' }, credentialType: restricted };
		const unlisted = { ...node, description: { ...node.description, credentials: undefined } };

		expect((await runNode(options)).failure).toBeUndefined();
		expect((await runNode({ ...options, node: unlisted })).failure?.message).toContain(
			'restricted to specific nodes',
		);
	});
});

describe('cancelling', () => {
	test.each([
		['a promise', (started: Promise<void>) => started],
		['a function', (started: Promise<void>) => (cancel: () => void) => void started.then(cancel)],
	])('%s ends the waits of the node', async (_how, cancelAfterStart) => {
		let start = () => {};
		const started = new Promise<void>((resolve) => (start = resolve));
		const seen: string[] = [];
		const node = probe(async function () {
			start();
			const signal = this.getExecutionCancelSignal();
			await new Promise((end) => signal?.addEventListener('abort', end));
			seen.push('cancelled');
			return [];
		});

		const run = await runNode({ node, items: rows, cancelAfter: cancelAfterStart(started) });

		expect(seen).toEqual(['cancelled']);
		expect(run.status).toBe('canceled');
	});
});

describe('deduplication', () => {
	const remembering = probe(async function () {
		const ids = this.getInputData().map(({ json }) => Number(json.row));
		const { new: fresh } = await this.helpers.checkProcessedAndRecord(ids, 'node', {
			mode: 'entries',
			maxEntries: 3,
		});
		return fresh.map((id) => ({ json: { id } }));
	});
	const newIds = async (items: number[], workflowId?: string) => {
		const run = await runNode({
			node: remembering,
			items: items.map((row) => ({ row })),
			workflowId,
		});
		expect(run.failure).toBeUndefined();
		return run.main.map(({ json }) => json.id);
	};

	test('runs of one workflow remember, and the oldest entries go first', async () => {
		expect(await newIds([1, 2], 'watch')).toEqual([1, 2]);
		expect(await newIds([2, 3], 'watch')).toEqual([3]);
		expect(await newIds([1, 4], 'watch')).toEqual([4]);
		expect(processedCount('watch', NODE_ID)).toBe(3);
		expect(await newIds([1, 2], 'watch')).toEqual([1]);
	});

	test('a value twice in one call is new twice, as in n8n', async () => {
		expect(await newIds([5, 5], 'twice')).toEqual([5, 5]);
	});

	test('runs without a workflow id of their own share nothing', async () => {
		expect(await newIds([1])).toEqual([1]);
		expect(await newIds([1])).toEqual([1]);
	});
});
