// What the end-to-end tests share: the package as it would be published, a real n8n to put it in, and an end for both.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildTarball, startInstance } from '../n8n/instance.mjs';
import { installLab, localFolder } from '../n8n/lab.mjs';
import { listen } from '../n8n/ports.mjs';
import { startProgress } from '../n8n/progress.mjs';
import { SANDBOX_KEY, startSandbox } from '../sandbox/sandbox.ts';

export const PACKAGE = 'n8n-nodes-business-prospect-data';
export const NODE = `${PACKAGE}.businessProspectData`;
export const TOOL = `${NODE}Tool`;
export const TRIGGER = `${PACKAGE}.businessProspectDataTrigger`;
export const CREDENTIAL_TYPE = 'businessProspectDataApi';
export const REPLACE_PICTURES = '--replace-pictures';
/** Whether the documentation's pictures are replaced instead of compared. */
export const replacePictures = process.argv.includes(REPLACE_PICTURES);
export const SECOND_MS = 1_000;
/** How long something may take that takes a quick machine a few seconds. */
export const PATIENCE_MS = 120 * SECOND_MS;
/** How long a suite may take: many times what it takes, because each wait in it has a limit of its own. */
export const SUITE_MS = 1_800 * SECOND_MS;
const CREDENTIAL = { id: 'service', name: 'Service', type: CREDENTIAL_TYPE };

/** What a workflow's node says to use the credential of `credentialFor`. */
export const credentials = {
	[CREDENTIAL.type]: { id: CREDENTIAL.id, name: CREDENTIAL.name },
};

/** The credential for a sandbox. */
export const credentialFor = ({ url: baseUrl, apiKey }) => ({
	...CREDENTIAL,
	data: { baseUrl, apiKey, tenant: '' },
});

/** A node of a workflow. */
export const node = (name, type, typeVersion, parameters, more) => ({
	id: name,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
	...more,
});

export const START = node('Start', 'n8n-nodes-base.manualTrigger', 1, {});

/** The connections of a node: for each of its outputs, the node that it leads to. */
export const into = (type, ...outputs) => ({
	[type]: outputs.map((to) => [{ node: to, type, index: 0 }]),
});

/** A workflow of nodes one after another. */
export const workflowOf = (id, nodes, more) => ({
	id,
	name: id,
	active: false,
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
	nodes,
	connections: Object.fromEntries(
		nodes.slice(1).map(({ name }, at) => [nodes[at].name, into('main', name)]),
	),
	...more,
});

/** The rows on the first output of a node, in its first run. */
export const rowsOf = ({ data }, name) =>
	data.resultData.runData[name][0].data.main[0].map(({ json }) => json);

const interruption = new AbortController();
/** Aborted when someone interrupts the tests. */
export const interrupted = interruption.signal;
/** @type {(() => unknown)[]} what the tests share and is to be ended */
const shared = [];
/** What is to be ended, for each test. */
const endings = new Map([[null, shared]]);

/** Ends what was started last first, because it may need what was there before it; and all of it, even if one end fails. */
async function endThose(list) {
	try {
		while (list.length > 0) await list.pop()();
	} finally {
		if (list.length > 0) await endThose(list);
	}
}

/** Ends all that is still there. */
export async function endAll() {
	for (const list of [...endings.values()].reverse()) await endThose(list);
}

/** Has something ended with the test, or with all of them without one, and also when the tests are interrupted. */
export function atEnd(t, end) {
	const list = endings.get(t) ?? [];
	if (!endings.has(t)) {
		endings.set(t, list);
		t.after(() => endThose(list));
	}
	list.push(end);
}

// Without this, an interrupt would end this process and leave what it started.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
	process.once(name, async () => {
		interruption.abort();
		await endAll();
		process.exit(130);
	});

/** An empty file for what programs say. */
export async function startLog(name) {
	await mkdir(localFolder, { recursive: true });
	const logFile = join(localFolder, `e2e-${name.replaceAll(' ', '-')}.log`);
	await writeFile(logFile, '');
	return logFile;
}

const prepared = new Map();
async function prepare(version) {
	const logFile = await startLog('build');
	const folder = await mkdtemp(join(tmpdir(), 'business-prospect-data-e2e-'));
	shared.push(async () => await rm(folder, { recursive: true, force: true }));
	const progress = startProgress();
	try {
		const lab = await installLab({ progress, logFile, version, signal: interrupted });
		progress.step('Building the package');
		const tarball = await buildTarball(folder, { logFile, signal: interrupted });
		return { lab, tarball };
	} finally {
		progress.end();
	}
}

/** n8n and the packed package; made once for all suites. */
export function getPackage(version = 'newest') {
	if (!prepared.has(version)) prepared.set(version, prepare(version));
	return prepared.get(version);
}

/**
 * Starts a sandbox of the service that ends with the test.
 *
 * @param {Parameters<typeof startSandbox>[0]} [options]
 */
export async function startService(t, options) {
	const sandbox = await startSandbox({ rateLimit: null, ...options });
	atEnd(t, () => sandbox.close());
	return sandbox;
}

/** Starts a server that ends with the test, and gives its address. */
export async function startHttp(t, answer) {
	const server = createServer(answer);
	const port = await listen(server);
	atEnd(t, async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	});
	return `http://127.0.0.1:${port}`;
}

/**
 * Starts an n8n with the package that ends with the test.
 *
 * @param {import('node:test').TestContext | null} t
 * @param {string} name of the log file
 * @param {Omit<Parameters<typeof startInstance>[0], 'lab' | 'tarball' | 'logFile' | 'signal'> & { version?: string }} options
 *   `version` as `installLab` takes it
 */
export async function startN8n(t, name, { version, ...options }) {
	const logFile = await startLog(name);
	const starting = getPackage(version).then((made) =>
		startInstance({ ...made, ...options, logFile, signal: interrupted }),
	);
	atEnd(t, async () => {
		// One that fails to start has removed itself.
		const started = await starting.catch(() => undefined);
		if (started === undefined) return;
		const { folder, halt, stop } = started;
		try {
			await halt();
			const telling = await filesWith(SANDBOX_KEY, [logFile, ...(await filesIn(folder))]);
			assert.deepEqual(telling, [], 'the API key is in files of n8n');
		} finally {
			await stop();
		}
	});
	return await starting;
}

let sharing;
async function startShared() {
	const sandbox = await startService(null, { eventsPerDay: 0 });
	// The log tells when a node ends, also in an execution that is stopped.
	const n8n = await startN8n(null, 'shared', { env: { N8N_LOG_LEVEL: 'debug' } });
	return { sandbox, n8n, known: new Set() };
}

/**
 * An n8n and a service that suites share, because n8n takes longer to start than many a test. Each suite adds what it
 * needs, and finds the service without faults and with an empty log.
 *
 * @param {{ workflows?: (sandbox: Awaited<ReturnType<typeof startSandbox>>) => object[],
 *   credentials?: { name: string, type: string, data: object }[] }} [add] the service's credential comes with workflows
 */
export async function shareN8n({ workflows, credentials: more = [] } = {}) {
	sharing ??= startShared();
	const { sandbox, n8n, known } = await sharing;
	sandbox.clear();
	for (const { name, type, data } of [...(workflows ? [credentialFor(sandbox)] : []), ...more]) {
		if (!known.has(name)) await n8n.rest('POST', '/credentials', { name, type, data });
		known.add(name);
	}
	for (const workflow of workflows?.(sandbox) ?? []) await n8n.rest('POST', '/workflows', workflow);
	return { sandbox, n8n };
}

const filesIn = async (folder) =>
	(await readdir(folder, { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));

/** Which of the files have the text: n8n's database with all executions is one of them. */
async function filesWith(text, files) {
	const has = await Promise.all(files.map(async (path) => (await readFile(path)).includes(text)));
	return files.filter((_, at) => has[at]);
}

/** Waits until a function gives something, and fails when it never does. */
export async function until(what, give, patienceMs = PATIENCE_MS) {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const given = await give();
		if (given) return given;
		assert.ok(Date.now() < deadline, `waited in vain for ${what}`);
		await sleep(20, undefined, { signal: interrupted });
	}
}

/** The executions of a workflow, the newest first, without their data. */
export async function latestExecutions(n8n, workflowId) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const all = [];
	for (let before = ''; ; before = `&lastId=${all.at(-1).id}`) {
		const { results } = await n8n.rest('GET', `/executions?limit=100&filter=${filter}${before}`);
		all.push(...results);
		if (results.length < 100) return all;
	}
}

/** Publishes and activates a workflow. */
export async function activate(n8n, workflowId) {
	const { versionId } = await n8n.rest('GET', `/workflows/${workflowId}`);
	await n8n.rest('POST', `/workflows/${workflowId}/activate`, { versionId });
}
