// `npm run test:e2e:1x`: the package in the newest n8n 1, where much is missing that n8n 2 has. What users meet first: the
// package installs, rows that fail leave by the error branch, the trigger starts workflows, an agent uses the node.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentWorkflow, startChatModel } from './chatModel.mjs';
import {
	atEnd,
	credentialFor,
	credentials,
	into,
	NODE,
	node,
	PACKAGE,
	startN8n,
	SUITE_MS,
	TRIGGER,
} from './stage.mjs';
import {
	assertAllOnce,
	SECOND_MS,
	startBusyService,
	startWatching,
	watches,
	workflowOf,
} from './watching.mjs';

const TOOL = `${NODE}Tool`;
const ROWS = 100;
/** Which rows have an ID that is none. */
const BAD = [3, 20, 21, 77, 99];

const FILES = [
	`/icons/${PACKAGE}/dist/nodes/BusinessProspectData/businessProspectData.svg`,
	`/icons/${PACKAGE}/dist/nodes/BusinessProspectData/businessProspectData.dark.svg`,
	`/schemas/${NODE}/1.0.0/prospect/enrich.json`,
];

const settings = { executionOrder: 'v1' };
const start = node('Start', 'n8n-nodes-base.manualTrigger', 1, {});

const rowsWorkflow = ({ world }) => ({
	id: 'rows',
	name: 'rows',
	active: false,
	settings,
	pinData: {
		Start: Array.from({ length: ROWS }, (_, row) => ({
			json: { row, id: BAD.includes(row) ? 'abc' : world.prospectId(row) },
		})),
	},
	nodes: [
		start,
		node(
			'Enrich',
			NODE,
			1,
			{
				resource: 'prospect',
				operation: 'enrich',
				prospectIds: '={{ $json.id }}',
				dataSets: ['profile'],
			},
			{ credentials, onError: 'continueErrorOutput' },
		),
		node('Good', 'n8n-nodes-base.noOp', 1, {}),
		node('Bad', 'n8n-nodes-base.set', 3.4, {
			assignments: {
				assignments: [
					{ id: 'a', name: 'message', value: '={{ $json.error.message }}', type: 'string' },
					{ id: 'b', name: 'field', value: '={{ $json.error.field }}', type: 'string' },
					{ id: 'c', name: 'row', value: "={{ $('Start').item.json.row }}", type: 'number' },
				],
			},
		}),
	],
	connections: { Start: into('main', 'Enrich'), Enrich: into('main', 'Good', 'Bad') },
});

/** Two versions of the agent that this n8n has, each with a version of the model node. */
const AGENTS = [
	{ agent: 3, model: 1.2 },
	{ agent: 2.2, model: 1.2 },
];
const ENRICH = node(
	'Enrich',
	TOOL,
	1,
	{
		resource: 'business',
		operation: 'enrich',
		businessIds: "={{ $fromAI('ids', 'The ids', 'string') }}",
		dataSets: ['fundingAndAcquisition'],
	},
	{ credentials },
);

describe('the package in the newest n8n 1', { timeout: SUITE_MS }, () => {
	it('works', async (t) => {
		const service = await startBusyService(t, { rateLimit: null });
		const { sandbox } = service;
		const model = await startChatModel();
		atEnd(t, () => model.close());
		const watched = watches(sandbox);
		const n8n = await startN8n(t, 'older', {
			version: '1x',
			// The module that the others do without is unknown here, and unknown ones keep n8n from starting.
			env: { N8N_DISABLED_MODULES: 'mcp' },
			credentials: [credentialFor(sandbox), model.credential],
			workflows: [
				rowsWorkflow(sandbox),
				...AGENTS.map((versions) => ({
					...agentWorkflow(versions, [ENRICH]),
					id: `agent-${versions.agent}`,
					active: false,
				})),
				...watched.map(workflowOf),
			],
		});

		await t.test('n8n has both nodes and the tool, with icons and schemas', async () => {
			const names = [NODE, TOOL, TRIGGER];
			const types = await n8n.rest('POST', '/node-types', {
				nodeInfos: names.map((name) => ({ name, version: 1 })),
			});
			assert.deepEqual(
				types.map(({ name }) => `${PACKAGE}.${name}`),
				names,
			);
			for (const path of FILES) assert.equal((await fetch(n8n.url + path)).status, 200, path);
		});

		await t.test('the credential is tested', async () => {
			const answers = [];
			for (const apiKey of [sandbox.apiKey, 'wrong']) {
				const credential = credentialFor({ url: sandbox.url, apiKey });
				answers.push(await n8n.rest('POST', '/credentials/test', { credentials: credential }));
			}
			assert.deepEqual(
				answers.map(({ status }) => status),
				['OK', 'Error'],
			);
			t.diagnostic(`a wrong key: ${answers[1].message}`);
		});

		await t.test('rows that fail leave by the error branch, with their input', async () => {
			const { status, data } = await n8n.runWorkflow('rows', 'Start');
			assert.equal(status, 'success');
			const { Enrich, Good, Bad } = data.resultData.runData;
			const [good, bad] = Enrich[0].data.main;
			assert.deepEqual([good.length, bad.length], [ROWS - BAD.length, BAD.length]);
			assert.equal(Good[0].data.main[0].length, good.length);
			assert.deepEqual(
				bad.map(({ json }) => [json.row, json.id]),
				BAD.map((row) => [row, 'abc']),
			);
			assert.deepEqual(
				Bad[0].data.main[0].map(({ json }) => [json.row, json.field]),
				BAD.map((row) => [row, 'prospectIds']),
			);
			assert.match(Bad[0].data.main[0][0].json.message, /"abc" is not a prospect ID/);
		});

		for (const { agent: version } of AGENTS) {
			await t.test(`agent ${version} uses the tool`, async () => {
				const call = (ids) => ({ calls: [{ tool: 'Enrich', arguments: { ids } }] });
				model.play([call(sandbox.world.businessId(1)), call('abc'), { say: 'Done.' }]);
				const { status } = await n8n.runWorkflow(`agent-${version}`, 'Start');
				assert.equal(status, 'success', JSON.stringify(model.requests.at(-1)));
				const results = model.requests.at(-1)?.results ?? [];
				const [found, wrong] = results.map((text) => JSON.parse(text));
				assert.equal(found[0].business_id, sandbox.world.businessId(1));
				assert.match(wrong[0].error.message, /"abc" is not a business ID/);
			});
		}

		await t.test('the trigger outputs each event once, even across a restart', async (t) => {
			const { results } = await startWatching(n8n, service, watched);
			service.plan(60 * SECOND_MS);
			service.busy = true;
			await sleep(30 * SECOND_MS);
			await service.nextRequest();
			await n8n.halt();
			await n8n.resume();
			await sleep(20 * SECOND_MS);
			assertAllOnce(t, await results());
		});
	});
});
