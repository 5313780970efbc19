// What the end-to-end tests share: the package as it would be published, a real n8n to put it in, and an end for both.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildTarball, startInstance } from '../n8n/instance.mjs';
import { installLab, localFolder } from '../n8n/lab.mjs';
import { startProgress } from '../n8n/progress.mjs';
import { SANDBOX_KEY, startSandbox } from '../sandbox/sandbox.ts';

export const PACKAGE = 'n8n-nodes-business-prospect-data';
export const NODE = `${PACKAGE}.businessProspectData`;
export const TRIGGER = `${PACKAGE}.businessProspectDataTrigger`;
export const REPLACE_PICTURES = '--replace-pictures';
/** Whether the documentation's pictures are replaced instead of compared. */
export const replacePictures = process.argv.includes(REPLACE_PICTURES);
/** How long something may take that takes a quick machine a few seconds. */
export const PATIENCE_MS = 120_000;
/** How long a suite may take: many times what it takes, because each wait in it has a limit of its own. */
export const SUITE_MS = 1_800_000;
const CREDENTIAL = { id: 'service', name: 'Service', type: 'businessProspectDataApi' };

/** What a workflow's node says to use the credential of `credentialFor`. */
export const credentials = {
	[CREDENTIAL.type]: { id: CREDENTIAL.id, name: CREDENTIAL.name },
};

/** The credential for a sandbox, or for whatever stands at `baseUrl` before it. */
export const credentialFor = ({ url, apiKey }, baseUrl = url) => ({
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

/** The connections of a node: for each of its outputs, the node that it leads to. */
export const into = (type, ...outputs) => ({
	[type]: outputs.map((to) => [{ node: to, type, index: 0 }]),
});

const interruption = new AbortController();
/** Aborted when someone interrupts the tests. */
export const interrupted = interruption.signal;
/** @type {(() => unknown)[]} what the tests share and is to be ended */
const shared = [];
/** What is to be ended, for each test. */
const endings = new Map([[null, shared]]);

/** Ends what was started last first: it may need what was there before it. */
async function endThose(list) {
	while (list.length > 0) await list.pop()();
}

/** Ends all that is still there. */
export async function endAll() {
	for (const list of [...endings.values()].reverse()) await endThose(list);
}

/** Has something ended with the test, and also when the tests are interrupted. */
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
 * @param {import('node:test').TestContext} t
 * @param {Parameters<typeof startSandbox>[0]} [options]
 */
export async function startService(t, options) {
	const sandbox = await startSandbox(options);
	atEnd(t, () => sandbox.close());
	return sandbox;
}

/**
 * Starts an n8n with the package that ends with the test.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} name of the log file
 * @param {Omit<Parameters<typeof startInstance>[0], 'lab' | 'tarball' | 'logFile' | 'signal'> & { version?: string }} options
 *   `version` as `installLab` takes it
 * @returns {Promise<Awaited<ReturnType<typeof startInstance>>>}
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

const filesIn = async (folder) =>
	(await readdir(folder, { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));

/** Which of the files have the text: n8n's database with all executions is one of them. */
async function filesWith(text, files) {
	const has = await Promise.all(files.map(async (path) => (await readFile(path)).includes(text)));
	return files.filter((_, at) => has[at]);
}

/**
 * Waits until a function gives something, and fails when it never does.
 *
 * @template Given
 * @param {string} what it waits for
 * @param {() => Given | Promise<Given>} give
 */
export async function until(what, give, patienceMs = PATIENCE_MS) {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const given = await give();
		if (given) return given;
		assert.ok(Date.now() < deadline, `waited in vain for ${what}`);
		await sleep(20, undefined, { signal: interrupted });
	}
}

/** The latest executions of a workflow, the newest first, without their data. */
export async function latestExecutions(n8n, workflowId) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await n8n.rest('GET', `/executions?limit=100&filter=${filter}`);
	return results;
}

/** Publishes and activates a workflow. */
export async function activate(n8n, workflowId) {
	const { versionId } = await n8n.rest('GET', `/workflows/${workflowId}`);
	await n8n.rest('POST', `/workflows/${workflowId}/activate`, { versionId });
}
