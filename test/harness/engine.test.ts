/** What n8n's engine does with a node's items, errors and credentials, on which the package builds. */
import {
	NodeApiError,
	NodeOperationError,
	type ICredentialType,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { runNode } from './engine';

const probe = (execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[]>): INodeType => ({
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
		properties: [],
	},
	async execute() {
		return [await execute.call(this)];
	},
});

const rows = [{ row: 1 }, { row: 2 }, { row: 3 }];

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

test('items that do not name their row fail in the node behind', async () => {
	const run = await runNode({
		node: probe(async () => [{ json: {} }, { json: {} }]),
		items: rows,
		expressionAfter: "{{ $('CRM').item.json.row }}",
	});

	expect(run.main).toHaveLength(2);
	expect(run.failure?.message).toContain('Paired item data');
});

describe('failing items', () => {
	test('any other key beside the error leaves the item on the success output', async () => {
		const json = { error: { message: 'Bad id', field: 'id' }, prospect_id: 'x' };
		const node = probe(async () => [{ json, pairedItem: { item: 0 } }]);

		const run = await runNode({ node, items: rows, onError: 'continueErrorOutput' });

		expect(run.error).toEqual([]);
		expect(run.main).toHaveLength(1);
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

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'a node that throws sends the untouched rows down the success output with %s',
		async (onError) => {
			const node = probe(async function () {
				throw new NodeApiError(this.getNode(), { message: 'no' }, { message: 'Bad key' });
			});

			const run = await runNode({ node, items: rows, onError });

			expect(run.failure).toBeUndefined();
			expect(run.main.map(({ json }) => json)).toEqual(rows);
			expect(run.error).toEqual([]);
			expect(run.task?.error?.message).toBe('Bad key');
		},
	);
});

test('a credential kept to its nodes is refused to another', async () => {
	const node = probe(async function () {
		return [{ json: await this.getCredentials('businessProspectDataApi') }];
	});
	const credentialType: ICredentialType = {
		name: 'businessProspectDataApi',
		displayName: 'API',
		properties: [],
		restrictToSupportedNodes: true,
	};
	const options = { node, credentials: { apiKey: 'sandbox-key' }, credentialType };
	const unlisted = { ...node, description: { ...node.description, credentials: undefined } };

	expect((await runNode(options)).failure).toBeUndefined();
	expect((await runNode({ ...options, node: unlisted })).failure?.message).toContain(
		'restricted to specific nodes',
	);
});

test('the deduplication store takes a value twice in one call as new twice, as n8n does, and begins empty', async () => {
	const node = probe(async function () {
		const ids = this.getInputData().map(({ json }) => Number(json.row));
		const { new: fresh } = await this.helpers.checkProcessedAndRecord(ids, 'node', {
			mode: 'entries',
		});
		return fresh.map((id) => ({ json: { id } }));
	});

	// The second run shares nothing with the first: neither has a workflow id.
	for (let number = 0; number < 2; number++) {
		const run = await runNode({ node, items: [{ row: 5 }, { row: 5 }] });
		expect(run.main.map(({ json }) => json.id)).toEqual([5, 5]);
	}
});
