/** What n8n's engine does with a node's items, errors and credentials, on which the package builds. */
import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { described, type NodeRunOptions, runNode } from './engine';

const rows = [{ row: 1 }, { row: 2 }, { row: 3 }];

const probe = (execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[]>): INodeType => ({
	description: {
		...described('Probe', ['main']),
		credentials: [{ name: 'businessProspectDataApi', required: true }],
		properties: [],
	},
	async execute() {
		return [await execute.call(this)];
	},
});

const run = async (
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[]>,
	options: Partial<NodeRunOptions> = {},
) => await runNode({ node: probe(execute), items: rows, ...options });

test('nothing that the node does to its items reaches the test or a later run', async () => {
	await run(async function () {
		Object.assign(this.getInputData()[0]?.json ?? {}, { row: 'changed' });
		return [];
	});

	expect(rows[0]).toEqual({ row: 1 });
});

test('any other key beside the error leaves the item on the success output', async () => {
	const json = { error: { message: 'Bad id' }, prospect_id: 'x' };

	const { main, error } = await run(async () => [{ json, pairedItem: { item: 0 } }], {
		onError: 'continueErrorOutput',
	});

	expect([main.length, error]).toEqual([1, []]);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'%s: an `error` beside json cuts it down to the message, and a throw sends on the untouched rows',
	async (onError) => {
		const cut = await run(
			async function () {
				const error = new NodeOperationError(this.getNode(), 'Bad id');
				return [{ json: { kept: false }, error, pairedItem: { item: 0 } }];
			},
			{ onError },
		);
		const thrown = await run(
			async function () {
				throw new NodeApiError(this.getNode(), { message: 'no' }, { message: 'Bad key' });
			},
			{ onError },
		);

		expect([...cut.main, ...cut.error].map(({ json }) => json)).toEqual([{ error: 'Bad id' }]);
		expect([thrown.failure, thrown.error]).toEqual([undefined, []]);
		expect(thrown.main.map(({ json }) => json)).toEqual(rows);
		expect(thrown.task?.error?.message).toBe('Bad key');
	},
);
