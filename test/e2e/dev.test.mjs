// What `npm run dev` does: a changed source shows in the open editor.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { followSources } from '../demo/follow.mjs';
import { copySources } from '../n8n/instance.mjs';
import { eventually, openBrowser, openNode, openWorkflow, step } from './browser.mjs';
import { atEnd, interrupted, NODE, node, startN8n, SUITE_MS } from './stage.mjs';

const WORKFLOW = {
	id: 'dev',
	name: 'Dev',
	active: false,
	settings: { executionOrder: 'v1' },
	nodes: [node('Find', NODE, 1, { resource: 'prospect', operation: 'getAll' })],
	connections: {},
};
const PARAMETERS = 'nodes/BusinessProspectData/operations/prospect/getAll.ts';
const ICON = 'nodes/BusinessProspectData/businessProspectData.svg';

test('a change of the sources', { timeout: SUITE_MS }, async (t) => {
	const n8n = await startN8n(t, 'dev', {
		env: { N8N_DEV_RELOAD: 'true' },
		workflows: [WORKFLOW],
	});
	const folder = await mkdtemp(join(tmpdir(), 'business-prospect-data-dev-'));
	atEnd(t, async () => await rm(folder, { recursive: true, force: true }));
	const sources = join(folder, 'sources');
	await copySources(sources);
	const following = await followSources(sources, n8n.dist, {
		logFile: n8n.logFile,
		signal: interrupted,
	});
	atEnd(t, () => following.stop());

	const page = await openBrowser(t, n8n);
	await step(t, page, 'of a label shows in the open details', async (t) => {
		await openWorkflow(page, WORKFLOW.id);
		await openNode(page, 'Find');
		const details = page.getByTestId('ndv');
		await details.getByText('Return All', { exact: true }).waitFor();
		const file = join(sources, PARAMETERS);
		const code = await readFile(file, 'utf8');
		await writeFile(file, code.replace("'Return All'", "'Return Everything'"));
		const began = Date.now();
		await details.getByText('Return Everything', { exact: true }).waitFor();
		t.diagnostic(`seen after ${Date.now() - began} ms`);
	});

	await t.test('of an icon is copied', async () => {
		const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';
		await writeFile(join(sources, ICON), icon);
		await eventually(async () => assert.equal(await readFile(join(n8n.dist, ICON), 'utf8'), icon));
	});
});
