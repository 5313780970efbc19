// A running n8n with this package in it: started, logged in to, used through its REST API, and stopped.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../setup/npm.mjs';
import { freePort } from './ports.mjs';
import { PlainError, run, startServer } from './processes.mjs';

const gulp = join(dirname(createRequire(import.meta.url).resolve('gulp')), 'bin', 'gulp.js');
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { name: packageName } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** How many executions a worker runs at once; the least that n8n recommends. */
export const WORKER_JOBS = 5;
const OWNER = { email: 'demo@example.com', firstName: 'Demo', lastName: 'Owner' };

// Settings of the person's own n8n that must not reach this one.
const FOREIGN =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|GENERIC_|CREDENTIALS_|WORKFLOWS_|NODES_|NODE_FUNCTION_|WEBHOOK_|NODE_PATH$|NODE_OPTIONS$|npm_)/;

// Nothing that asks the internet, counts usage or puts a notice before the canvas.
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_DISABLED_MODULES: 'mcp-registry',
};

/** All that a build and `npm pack` read. */
const SOURCES = [
	'credentials',
	'nodes',
	'gulpfile.js',
	'LICENSE',
	'package.json',
	'README.md',
	'tsconfig.json',
];

/** Copies them, with a link to the modules that are installed here. */
export async function copySources(copy) {
	await mkdir(copy);
	for (const name of SOURCES) await cp(join(root, name), join(copy, name), { recursive: true });
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
}

/**
 * Builds the package and packs it as it would be published: in a copy, so that nobody's `dist` changes meanwhile.
 *
 * @param {{ logFile: string, signal?: AbortSignal }} options
 * @returns the path of the tarball in the folder
 */
export async function buildTarball(folder, options) {
	const copy = join(folder, 'source');
	await copySources(copy);
	const common = { ...options, cwd: copy };
	// Types are checked elsewhere.
	await run(process.execPath, [gulp, '--silent'], { ...common, title: 'Building the package' });
	await run(...npmCommand('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]), {
		...common,
		title: 'Packing the package',
	});
	const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (!tarball) throw new PlainError(`Packing the package left no tarball; see ${options.logFile}`);
	return join(folder, tarball);
}

/** Where n8n looks for packages. */
const nodesFolder = (userFolder) => join(userFolder, '.n8n', 'nodes');

/** The package goes in as n8n itself would put it there. */
async function installPackage(userFolder, tarball, options) {
	const nodes = nodesFolder(userFolder);
	await mkdir(nodes, { recursive: true });
	// Without it npm would look for a package.json in the folders above.
	await writeFile(join(nodes, 'package.json'), '{ "name": "installed-nodes", "private": true }\n');
	const flags = [
		'--omit=peer',
		'--legacy-peer-deps',
		'--ignore-scripts',
		'--no-audit',
		'--no-fund',
	];
	await run(...npmCommand('npm', ['install', ...flags, tarball]), {
		...options,
		cwd: nodes,
		title: 'Installing the package in n8n',
	});
}

/** n8n 1 gives new workflows ids of its own, unless they are imported. */
async function importThings(kind, things, { lab, folder, logFile, ...options }) {
	if (things.length === 0) return;
	const file = join(folder, `${kind}.json`);
	await writeFile(file, JSON.stringify(things), { mode: 0o600 });
	await run(lab.node, [lab.n8n, `import:${kind}`, `--input=${file}`], {
		...options,
		logFile,
		cwd: folder,
		title: `Importing ${kind} into n8n`,
	});
	await rm(file);
}

/** A client of n8n's REST API that keeps the login cookie. Answers are n8n's `data`. */
function restClient(url, signal) {
	let cookie = '';
	return async function rest(method, path, body) {
		const response = await fetch(`${url}/rest${path}`, {
			method,
			signal,
			headers: { 'content-type': 'application/json', cookie },
			body: body === undefined ? undefined : JSON.stringify(body),
		}).catch((error) => {
			signal?.throwIfAborted();
			throw new PlainError(
				`n8n did not answer ${method} ${path}: ${error.cause?.message ?? error.message}`,
			);
		});
		const text = await response.text();
		if (!response.ok)
			throw new PlainError(
				`n8n answered ${method} ${path} with ${response.status}: ${text.slice(0, 300)}`,
			);
		const setCookie = response.headers.getSetCookie().find((c) => c.startsWith('n8n-auth='));
		if (setCookie) cookie = setCookie.split(';')[0];
		return JSON.parse(text).data;
	};
}

/**
 * Starts an n8n of its own: fresh folder, free ports, nothing shared with an n8n that the person may have. Its folder
 * is outside the clone, so that the package finds n8n's modules only and not those that the clone has installed.
 *
 * @param {{
 *   lab: { node: string, n8n: string, folder: string, version: string },
 *   tarball: string,
 *   credentials?: { id: string, name: string, type: string, data: object }[],
 *   workflows?: { id: string, name: string, nodes: object[], connections: object }[],
 *   env?: Record<string, string>,
 *   logFile: string,
 *   signal?: AbortSignal,
 *   onStage?: (text: string) => void,
 * }} options credentials in plain data (n8n encrypts them), with a name for each; `env` adds to n8n's environment; `onStage` hears
 *   what is being done
 * @returns `dist` is where the built package is; `rest` is logged in as the owner; `runWorkflow` waits for the execution's
 *   end; `halt` ends n8n (SIGTERM unless told otherwise) and `resume` starts it again at the same address with all that it
 *   had saved; in between `install` and `uninstall` change the packages; `startWorker` adds a process that takes jobs from
 *   the queue, with the package in a folder of its own, as on another machine; `stop` ends all of it and removes the folder
 * @throws {PlainError} when a step fails; nothing is left running then
 */
export async function startInstance({
	lab,
	tarball,
	credentials = [],
	workflows = [],
	env = {},
	logFile,
	signal,
	onStage = () => {},
}) {
	const folder = await mkdtemp(join(tmpdir(), 'business-prospect-data-n8n-'));
	let server;
	const workers = [];
	async function stop() {
		await Promise.all([server, ...workers].map((one) => one?.stop()));
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}

	try {
		const port = await freePort();
		const temporary = join(folder, 'tmp');
		await mkdir(temporary);
		const noProxy = [process.env.no_proxy ?? process.env.NO_PROXY, '127.0.0.1', 'localhost']
			.filter(Boolean)
			.join(',');
		const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
		const options = {
			logFile,
			signal,
			env: {
				...Object.fromEntries(own),
				...QUIET,
				// Saves a third of the processor time of a start. Node.js 20 ignores it.
				NODE_COMPILE_CACHE: join(lab.folder, 'compile-cache'),
				N8N_USER_FOLDER: folder,
				N8N_PORT: String(port),
				N8N_LISTEN_ADDRESS: '127.0.0.1',
				N8N_RUNNERS_BROKER_PORT: String(await freePort()),
				N8N_SECURE_COOKIE: 'false',
				N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
				TMPDIR: temporary,
				TEMP: temporary,
				TMP: temporary,
				NO_PROXY: noProxy,
				no_proxy: noProxy,
				...env,
			},
		};
		onStage('installing the package in n8n');
		await installPackage(folder, tarball, { logFile, signal });
		const isOld = lab.version.startsWith('1.');
		if (isOld) {
			await importThings('credentials', credentials, { ...options, lab, folder });
			await importThings('workflow', workflows, { ...options, lab, folder });
		}

		onStage('starting n8n');
		async function begin() {
			server = startServer(lab.node, [lab.n8n, 'start'], {
				...options,
				cwd: folder,
				title: 'n8n',
				readyLine: 'Editor is now accessible',
			});
			await server.ready;
		}
		/**
		 * If n8n ends while it creates an execution, which then has no start time, its next start fails on that execution, and
		 * the one after it works. So it is started twice, as a supervisor of processes would do.
		 */
		async function resume() {
			try {
				await begin();
			} catch (error) {
				const hasEnded = await Promise.race([server.ended.then(() => true), sleep(0, false)]);
				if (!hasEnded || signal?.aborted) throw error;
				await begin();
			}
		}
		async function startWorker(more = {}) {
			const home = await mkdtemp(join(folder, 'worker-'));
			await installPackage(home, tarball, { logFile, signal });
			const worker = startServer(lab.node, [lab.n8n, 'worker', `--concurrency=${WORKER_JOBS}`], {
				...options,
				cwd: home,
				env: {
					...options.env,
					N8N_USER_FOLDER: home,
					N8N_RUNNERS_BROKER_PORT: String(await freePort()),
					...more,
				},
				title: 'The n8n worker',
				readyLine: 'n8n worker is now ready',
			});
			workers.push(worker);
			await worker.ready;
			return worker;
		}
		async function halt(endSignal) {
			await server.stop(endSignal);
			return await server.ended;
		}
		await begin();

		const url = `http://127.0.0.1:${port}`;
		const rest = restClient(url, signal);
		const owner = { email: OWNER.email, password: `Demo-${randomBytes(6).toString('hex')}1` };
		await rest('POST', '/owner/setup', { ...OWNER, password: owner.password });
		if (!isOld) {
			for (const { name, type, data } of credentials)
				await rest('POST', '/credentials', { name, type, data });
			// n8n finds the credentials by their names.
			for (const workflow of workflows) await rest('POST', '/workflows', workflow);
		}

		const { parse } = createRequire(join(lab.folder, 'node_modules', 'n8n', 'package.json'))(
			'flatted',
		);
		async function readExecution(id) {
			const { data, ...execution } = await rest('GET', `/executions/${id}`);
			return { ...execution, data: parse(data) };
		}
		async function runWorkflow(id, trigger, timeoutMs = 120_000) {
			const { executionId } = await rest('POST', `/workflows/${id}/run`, {
				triggerToStartFrom: { name: trigger },
				// n8n 1 runs the workflow that it is sent.
				...(isOld && {
					workflowData: await rest('GET', `/workflows/${id}`),
				}),
			});
			const deadline = Date.now() + timeoutMs;
			for (;;) {
				const { status, stoppedAt, data } = await readExecution(executionId);
				if (stoppedAt) return { id: executionId, status, data };
				if (Date.now() > deadline)
					throw new PlainError(`The workflow ${id} was not done after ${timeoutMs / 1000} seconds`);
				await sleep(250, undefined, { signal });
			}
		}
		return {
			install: async (other) => await installPackage(folder, other, { logFile, signal }),
			uninstall: async (name) =>
				await run(...npmCommand('npm', ['uninstall', '--no-audit', '--no-fund', name]), {
					logFile,
					signal,
					cwd: nodesFolder(folder),
					title: `Removing ${name} from n8n`,
				}),
			url,
			owner,
			folder,
			dist: join(nodesFolder(folder), 'node_modules', packageName, 'dist'),
			logFile,
			rest,
			runWorkflow,
			readExecution,
			get ended() {
				return server.ended;
			},
			halt,
			resume,
			startWorker,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}
