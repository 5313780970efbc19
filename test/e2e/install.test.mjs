// The package in a real n8n, from its tarball: what n8n then has, that a changed source shows in it as with `npm run dev`,
// and that nothing is lost when the package is removed and when a newer one takes its place.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { followSources } from '../demo/follow.mjs';
import { copySources } from '../n8n/instance.mjs';
import { run } from '../n8n/processes.mjs';
import { npmCommand } from '../setup/npm.mjs';
import { eventually, openBrowser, onCanvas, openNode, openWorkflow, step } from './browser.mjs';
import {
	atEnd,
	CREDENTIAL_TYPE,
	credentialFor,
	credentials,
	getPackage,
	interrupted,
	NODE,
	node,
	PACKAGE,
	rowsOf,
	START,
	startN8n,
	startService,
	SUITE_MS,
	TOOL,
	TRIGGER,
	workflowOf,
} from './stage.mjs';

const NEWER = '999.0.0';
const ICON = 'nodes/BusinessProspectData/businessProspectData.svg';
const PARAMETERS = 'nodes/BusinessProspectData/operations/prospect/getAll.ts';

const find = node(
	'Find',
	NODE,
	1,
	{
		resource: 'prospect',
		operation: 'getAll',
		limit: 3,
		filters: {
			job_level: [{ value: ['manager'] }],
			country_code: [
				{ value: { __rl: true, mode: 'list', value: 'us', cachedResultName: 'United States' } },
			],
		},
		options: { fields: 'full_name' },
	},
	{ credentials, position: [220, 0] },
);
/** It is there to be kept, and does not run. */
const watch = node(
	'Watch',
	TRIGGER,
	1,
	{ triggerOn: 'businessEvent', checkEvery: 'hour', options: { lookBackHours: 24 } },
	{ credentials, position: [0, 220] },
);
const WORKFLOW = workflowOf('kept', [START, find]);
WORKFLOW.nodes.push(watch);

/** The same package under a higher version. */
async function repack({ tarball }, folder, logFile) {
	const common = { logFile, signal: interrupted };
	await run('tar', ['-xzf', tarball], { ...common, cwd: folder, title: 'Unpacking the package' });
	const inside = join(folder, 'package');
	const file = join(inside, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8'));
	await writeFile(file, JSON.stringify({ ...manifest, version: NEWER }));
	await run(...npmCommand('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]), {
		...common,
		cwd: inside,
		title: 'Packing the newer package',
	});
	const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	assert.ok(packed);
	return join(folder, packed);
}

test('the installed package', { timeout: SUITE_MS }, async (t) => {
	const made = await getPackage();
	const folder = await mkdtemp(join(tmpdir(), 'business-prospect-data-install-'));
	atEnd(t, async () => await rm(folder, { recursive: true, force: true }));
	const sandbox = await startService(t);
	const n8n = await startN8n(t, 'install', {
		credentials: [credentialFor(sandbox)],
		workflows: [WORKFLOW],
		// JSON, so that errors can be told from other lines.
		env: { N8N_LOG_FORMAT: 'json', N8N_DEV_RELOAD: 'true' },
	});
	const page = await openBrowser(t, n8n);

	/** What n8n offers of this package: nodes or credentials. */
	const offered = async (kind) => {
		const all = await (await page.request.get(`/types/${kind}.json`)).json();
		return all.filter(({ name }) => name.startsWith(PACKAGE) || name === CREDENTIAL_TYPE);
	};
	const stored = async () => {
		const { nodes, connections, settings } = await n8n.rest('GET', `/workflows/${WORKFLOW.id}`);
		return { nodes, connections, settings };
	};
	const rows = async () => rowsOf(await n8n.runWorkflow(WORKFLOW.id, 'Start'), 'Find');

	const before = await stored();
	let found;

	await step(t, page, 'offers both nodes, the AI tool and the credential, with icons', async () => {
		const nodes = await offered('nodes');
		assert.deepEqual(nodes.map(({ name }) => name).sort(), [NODE, TOOL, TRIGGER]);
		const types = await offered('credentials');
		assert.deepEqual(
			types.map(({ name }) => name),
			[CREDENTIAL_TYPE],
		);
		for (const { name, iconUrl } of [...nodes, ...types])
			for (const theme of ['light', 'dark']) {
				const answer = await page.request.get(`/${iconUrl[theme]}`);
				assert.equal(answer.status(), 200, `${name}, ${theme}`);
				assert.match(answer.headers()['content-type'], /^image\/svg\+xml/, `${name}, ${theme}`);
			}
	});

	await step(t, page, 'runs, and n8n logs no error', async () => {
		found = await rows();
		assert.equal(found.length, 3);
		assert.deepEqual(Object.keys(found[0]), ['full_name']);
		// The lines that begin with "$ " are the commands of this test.
		const lines = (await readFile(n8n.logFile, 'utf8')).split('\n');
		const wrong = lines.filter((line) =>
			line.startsWith('{')
				? line.includes('"level":"error"')
				: /\berror\b/i.test(line) && !line.startsWith('$ '),
		);
		assert.deepEqual(wrong, []);
	});

	await step(t, page, 'shows changes of the sources in the open editor', async () => {
		const sources = join(folder, 'sources');
		await copySources(sources);
		const { logFile } = n8n;
		const following = await followSources(sources, n8n.dist, { logFile, signal: interrupted });
		try {
			await openWorkflow(page, WORKFLOW.id);
			await openNode(page, 'Find');
			const details = page.getByTestId('ndv');
			await details.getByText('Return All', { exact: true }).waitFor();
			const code = await readFile(join(sources, PARAMETERS), 'utf8');
			await writeFile(join(sources, PARAMETERS), code.replace("'Return All'", "'Return More'"));
			await details.getByText('Return More', { exact: true }).waitFor();

			await cp(join(sources, 'LICENSE'), join(sources, ICON));
			const license = await readFile(join(sources, 'LICENSE'), 'utf8');
			await eventually(async () =>
				assert.equal(await readFile(join(n8n.dist, ICON), 'utf8'), license),
			);
		} finally {
			await following.stop();
		}
	});

	await step(t, page, 'leaves workflows as they are when it is removed', async () => {
		await n8n.halt();
		await n8n.uninstall(PACKAGE);
		await n8n.resume();
		assert.deepEqual(await offered('nodes'), []);
		assert.deepEqual(await stored(), before);
		await openWorkflow(page, WORKFLOW.id);
		for (const name of ['Find', 'Watch'])
			await onCanvas(page, name).getByTestId('node-not-installed').waitFor();
	});

	await step(t, page, 'goes on with them when a newer version is installed', async () => {
		await n8n.halt();
		await n8n.install(await repack(made, folder, n8n.logFile));
		await n8n.resume();
		assert.deepEqual(
			(await offered('nodes')).map((node) => node.communityNodePackageVersion),
			[NEWER, NEWER, NEWER],
		);
		assert.deepEqual(await stored(), before);
		assert.deepEqual(await rows(), found);
	});
});
