// The whole node in a workflow of n8n's engine, without a network, against a node that only reads the same parameter.
import { createRequire } from 'node:module';
import { answer } from '../answers.mjs';
import { runNode } from '../../harness/engine.ts';
import { byTurns, cpu, ratio, shown } from '../measure.mjs';
import { account, node } from '../node.mjs';
import { itemsOf } from '../people.mjs';

// n8n's engine has this copy of the module; an import would give another.
const { Expression } = createRequire(import.meta.url)('n8n-workflow');

const PARAMETERS = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.prospect_id }}',
	dataSets: ['profile'],
};

/** n8n's evaluator of expressions: its default, which needs Node.js 24, else the other one that runs them apart. */
async function startExpressions() {
	const settings = { poolSize: 1, maxCodeCacheSize: 1_024, bridgeTimeout: 5_000 };
	for (const engine of ['vm', 'quickjs']) {
		try {
			await Expression.initExpressionEngine({ ...settings, bridgeMemoryLimit: 128, engine });
			return engine;
		} catch {
			// The next one.
		}
	}
	throw new Error('None of n8n’s expression engines starts.');
}

const NODES = {
	whole: {
		description: node.description,
		async execute() {
			this.helpers.httpRequestWithAuthentication = async (_type, { url, body }) =>
				answer(new URL(url).pathname, body);
			return await node.execute.call(this);
		},
	},
	reading: {
		description: node.description,
		async execute() {
			const items = this.getInputData();
			return [
				items.map(({ json }, item) => {
					this.getNodeParameter('prospectIds', item);
					return { json, pairedItem: { item } };
				}),
			];
		},
	},
};

async function execution(name, items) {
	const { main, failure } = await runNode({
		node: NODES[name],
		items,
		parameters: PARAMETERS,
		...account('https://service.example'),
	});
	if (failure !== undefined || main.length !== items.length) {
		throw new Error(failure?.message ?? `${name} output ${main.length} items.`);
	}
}

export async function run({ short }) {
	const engine = await startExpressions();
	const items = itemsOf(short ? 500 : 10_000);
	const act = (name) => async () => await execution(name, items);
	const acts = { whole: act('whole'), reading: act('reading') };
	// The first expressions of a process take longer.
	await byTurns(1, acts, cpu);
	const samples = await byTurns(5, acts, cpu);
	return [
		ratio(
			{
				what: `Enrich ${shown(items.length)} rows in n8n's engine, one expression`,
				against: `a node that only reads it (${engine})`,
				unit: 'ms CPU',
				most: 1.2,
			},
			samples.whole,
			samples.reading,
		),
	];
}
