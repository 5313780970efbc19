// The package in a real n8n, from its tarball: what n8n then has, and that nothing is lost when the package is removed
// and when a newer one takes its place.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run } from '../n8n/processes.mjs';
import { npmCommand } from '../setup/npm.mjs';
import { openBrowser, onCanvas, openWorkflow, step } from './browser.mjs';
import {
	atEnd,
	credentialFor,
	credentials,
	getPackage,
	interrupted,
	into,
	NODE,
	node,
	PACKAGE,
	startN8n,
	startService,
	SUITE_MS,
	TRIGGER,
} from './stage.mjs';

const CREDENTIAL_TYPE = 'businessProspectDataApi';
const NEWER = '999.0.0';
const SAVED = ['nodes', 'connections', 'settings'];

/** Finds people and enriches them; the trigger is there to be kept, and does not run. */
const WORKFLOW = {
	id: 'kept',
	name: 'Kept',
	active: false,
	settings: { executionOrder: 'v1' },
	nodes: [
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		node(
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
						{
							value: {
								__rl: true,
								mode: 'list',
								value: 'us',
								cachedResultName: 'United States',
							},
						},
					],
				},
				options: { fields: 'full_name' },
			},
			{ credentials, position: [220, 0] },
		),
		node(
			'Watch',
			TRIGGER,
			1,
			{
				triggerOn: 'businessEvent',
				ids: 'adbc7adf263200453d326ef500000002',
				checkEvery: 'hour',
				options: { lookBackHours: 24 },
			},
			{ credentials, position: [0, 220] },
		),
	],
	connections: { Start: into('main', 'Find') },
};

/** The same package under a higher version. */
async function repack(t, { tarball }, logFile) {
	const folder = await mkdtemp(join(tmpdir(), 'business-prospect-data-newer-'));
	atEnd(t, async () => await rm(folder, { recursive: true, force: true }));
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

test('each of the nodes that n8n brings loads: an example may be combined with any', async () => {
	const { lab } = await getPackage();
	const program = fileURLToPath(new URL('../n8n/loadNodes.cjs', import.meta.url));
	const { stdout } = await promisify(execFile)(lab.node, [program, lab.folder]);
	const [last = ''] = stdout.trim().split('\n').slice(-1);
	const { loaded, failed } = JSON.parse(last);
	assert.deepEqual(failed, []);
	assert.ok(loaded > 900);
});

test('the installed package', { timeout: SUITE_MS }, async (t) => {
	const made = await getPackage();
	const sandbox = await startService(t);
	const n8n = await startN8n(t, 'install', {
		credentials: [credentialFor(sandbox)],
		workflows: [WORKFLOW],
		// So that errors can be told from other lines.
		env: { N8N_LOG_FORMAT: 'json' },
	});
	const page = await openBrowser(t, n8n);

	/** What n8n offers of this package: nodes or credentials. */
	const offered = async (kind) => {
		const all = await (await page.request.get(`/types/${kind}.json`)).json();
		return all.filter(({ name }) => name.startsWith(PACKAGE) || name === CREDENTIAL_TYPE);
	};
	const stored = async () => {
		const workflow = await n8n.rest('GET', `/workflows/${WORKFLOW.id}`);
		return Object.fromEntries(SAVED.map((key) => [key, workflow[key]]));
	};
	const rows = async () => {
		const { status, data } = await n8n.runWorkflow(WORKFLOW.id, 'Start');
		assert.equal(status, 'success');
		return data.resultData.runData.Find[0].data.main[0].map(({ json }) => json);
	};

	const before = await stored();
	let found;

	await step(t, page, 'offers both nodes, the AI tool and the credential, with icons', async () => {
		const nodes = await offered('nodes');
		assert.deepEqual(nodes.map(({ name }) => name).sort(), [NODE, `${NODE}Tool`, TRIGGER]);
		const credentialTypes = await offered('credentials');
		assert.deepEqual(
			credentialTypes.map(({ name }) => name),
			[CREDENTIAL_TYPE],
		);
		for (const { name, iconUrl } of [...nodes, ...credentialTypes])
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
				? line.includes('"level":"error"') || line.includes(PACKAGE)
				: /\berror\b/i.test(line) && !line.startsWith('$ '),
		);
		assert.deepEqual(wrong, []);
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
		await n8n.install(await repack(t, made, n8n.logFile));
		await n8n.resume();
		const nodes = await offered('nodes');
		assert.deepEqual(
			nodes.map((node) => node.communityNodePackageVersion),
			[NEWER, NEWER, NEWER],
		);
		assert.deepEqual(await stored(), before);
		assert.deepEqual(await rows(), found);
	});
});
