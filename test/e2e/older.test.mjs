// `npm run test:e2e:1x`: the package in the newest n8n 1, where much is missing that n8n 2 has. What users meet first: the
// package installs, rows that fail leave by the error branch, the trigger starts workflows, an agent uses the node.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentWorkflow, startChatModel } from './chatModel.mjs';
import {
	credentialFor,
	credentials,
	into,
	NODE,
	node,
	PACKAGE,
	SECOND_MS,
	START,
	startN8n,
	SUITE_MS,
	TOOL,
	TRIGGER,
	workflowOf,
} from './stage.mjs';
import { assertAllOnce, startBusyService, startWatching, watchingWorkflows } from './watching.mjs';

/** Which rows have an ID that is none. */
const BAD = [3, 7];
const FILES = [
	`/icons/${PACKAGE}/dist/nodes/BusinessProspectData/businessProspectData.svg`,
	`/schemas/${NODE}/1.0.0/prospect/enrich.json`,
];
/** Versions of the agent that this n8n has. */
const AGENTS = [3, 2.2];

const enrich = (resource, ids, dataSet) => ({
	...{ resource, operation: 'enrich', dataSets: [dataSet] },
	...{ identifyBy: `${resource}Id`, [`${resource}Ids`]: ids },
});

const rowsWorkflow = ({ world }) =>
	workflowOf(
		'rows',
		[
			START,
			node('Enrich', NODE, 1, enrich('prospect', '={{ $json.id }}', 'profile'), {
				credentials,
				onError: 'continueErrorOutput',
			}),
			node('Good', 'n8n-nodes-base.noOp', 1, {}),
			node('Bad', 'n8n-nodes-base.noOp', 1, {}),
		],
		{
			connections: { Start: into('main', 'Enrich'), Enrich: into('main', 'Good', 'Bad') },
			pinData: {
				Start: Array.from({ length: 10 }, (_, row) => ({
					json: { row, id: BAD.includes(row) ? 'abc' : world.prospectId(row) },
				})),
			},
		},
	);

it('the package in the newest n8n 1', { timeout: SUITE_MS }, async (t) => {
	const service = await startBusyService(t);
	const { sandbox } = service;
	const model = await startChatModel(t);
	const ids = "={{ $fromAI('ids', 'The ids', 'string') }}";
	const tool = node('Enrich', TOOL, 1, enrich('business', ids, 'fundingAndAcquisition'), {
		credentials,
	});
	const n8n = await startN8n(t, 'older', {
		version: '1x',
		// The module that the others do without is unknown here, and unknown ones keep n8n from starting.
		env: { N8N_DISABLED_MODULES: 'mcp' },
		credentials: [credentialFor(sandbox), model.credential],
		workflows: [
			rowsWorkflow(sandbox),
			...AGENTS.map((version) => agentWorkflow(`agent-${version}`, version, [tool])),
			...watchingWorkflows(sandbox),
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
		for (const [apiKey, expected] of [
			[sandbox.apiKey, 'OK'],
			['wrong', 'Error'],
		]) {
			const credential = credentialFor({ url: sandbox.url, apiKey });
			const { status } = await n8n.rest('POST', '/credentials/test', { credentials: credential });
			assert.equal(status, expected);
		}
	});

	await t.test('rows that fail leave by the error branch, with their input', async () => {
		const { status, data } = await n8n.runWorkflow('rows', 'Start');
		assert.equal(status, 'success');
		const { Good, Bad } = data.resultData.runData;
		assert.equal(Good[0].data.main[0].length, 10 - BAD.length);
		const bad = Bad[0].data.main[0].map(({ json }) => json);
		assert.deepEqual(
			bad.map(({ row, id, error }) => [row, id, error.field]),
			BAD.map((row) => [row, 'abc', 'prospectIds']),
		);
		assert.match(bad[0].error.message, /"abc" is not a prospect ID/);
	});

	for (const version of AGENTS)
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

	await t.test('the trigger outputs each event once, even across a restart', async (t) => {
		const results = await startWatching(n8n, service);
		service.plan(40 * SECOND_MS);
		await sleep(10 * SECOND_MS);
		await service.nextRequest();
		await n8n.halt();
		await n8n.resume();
		await sleep(10 * SECOND_MS);
		assertAllOnce(t, await results());
	});
});
