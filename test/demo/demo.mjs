// `npm run demo`: the package in a real n8n, against the sandbox of the service. `-- --once` stops after the table.
// `npm run dev`: the same for people who change the package; n8n shows each change within seconds.
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildTarball, startInstance } from '../n8n/instance.mjs';
import { installLab, localFolder } from '../n8n/lab.mjs';
import { PlainError } from '../n8n/processes.mjs';
import { startProgress } from '../n8n/progress.mjs';
import { startSandbox } from '../sandbox/sandbox.ts';
import { followSources } from './follow.mjs';
import { checkRows, renderTable } from './table.mjs';
import { WATCHED } from './watched.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const examplesFolder = join(root, 'examples');
const logFile = join(localFolder, 'demo.log');
const MAIN = 'list-building';
const EVENT_EVERY_MS = 20_000;
const CREDENTIAL = {
	id: 'businessProspectDataDemo',
	name: 'Business and Prospect Data (demo)',
	type: 'businessProspectDataApi',
};

/** The example workflows under the names of their files, using the demo's credential. */
async function readExamples() {
	const files = (await readdir(examplesFolder)).filter((name) => name.endsWith('.json'));
	return await Promise.all(
		files.map(async (file) => {
			const workflow = JSON.parse(await readFile(join(examplesFolder, file), 'utf8'));
			for (const { credentials } of workflow.nodes)
				if (credentials?.[CREDENTIAL.type])
					credentials[CREDENTIAL.type] = { id: CREDENTIAL.id, name: CREDENTIAL.name };
			return { ...workflow, id: basename(file, '.json'), active: false };
		}),
	);
}

/** What a node output in an execution. */
const output = (data, node) =>
	data.resultData.runData[node][0].data.main[0].map(({ json }) => json);

/** Runs the main example and returns its rows, and what is wrong with them. */
async function runMain(n8n, workflow) {
	const node = (name) => workflow.nodes.find((candidate) => candidate.name === name);
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	const { status, data } = await n8n.runWorkflow(workflow.id, trigger.name);
	if (status !== 'success') {
		const { error, lastNodeExecuted } = data.resultData;
		throw new PlainError(
			`The workflow "${workflow.name}" ended as ${status} in "${lastNodeExecuted}": ${error?.message} ${error?.description ?? ''}`,
		);
	}
	const rows = output(data, 'To your CRM');
	const faults = checkRows(
		rows,
		output(data, 'Find prospects'),
		node('Find prospects').parameters.limit,
	);
	return { rows, faults };
}

/** The requests that the service received: one line each. */
function describeRequests(entries) {
	const lines = entries.map(
		({ method, path, ids }) =>
			`  ${method} ${path}${ids.length > 0 ? ` for ${ids.length} people` : ''}`,
	);
	return `The service received ${entries.length} requests:\n${lines.join('\n')}`;
}

/** Resolves when the person or n8n ends the demo. */
async function untilStopped(n8n, signal) {
	if (signal.aborted) return;
	const aborted = once(signal, 'abort');
	const ended = n8n.ended.then(({ code }) => {
		throw new PlainError(`n8n ended by itself with code ${code}.`);
	});
	await Promise.race([aborted, ended]);
}

/** Tells the story; whatever ends it, all that it started is stopped. Returns the exit code. */
async function demo({ onlyOnce, dev }, signal) {
	const progress = startProgress();
	const packed = await mkdtemp(join(tmpdir(), 'business-prospect-data-'));
	let sandbox;
	let n8n;
	let happening;
	let following;
	try {
		await mkdir(localFolder, { recursive: true });
		await writeFile(logFile, '');
		progress.step('Building the package');
		const tarball = await buildTarball(packed, { logFile, signal });
		const lab = await installLab({ progress, logFile, signal });

		progress.step(`Starting the sandbox of the service and n8n ${lab.version}`);
		sandbox = await startSandbox();
		const examples = await readExamples();
		n8n = await startInstance({
			lab,
			tarball,
			credentials: [
				{ ...CREDENTIAL, data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey, tenant: '' } },
			],
			workflows: examples,
			env: dev ? { N8N_DEV_RELOAD: 'true' } : {},
			logFile,
			signal,
			onStage: progress.note,
		});

		const main = examples.find(({ id }) => id === MAIN);
		if (dev) {
			progress.step('Compiling, and whatever changes from now on');
			const first = [];
			/** @type {(line: string) => unknown} */
			let print = (line) => first.push(line);
			following = await followSources(root, n8n.dist, {
				logFile,
				signal,
				onLine: (line) => print(line),
			});
			progress.end();
			print = console.log;
			for (const line of first) print(line);
		} else {
			progress.step(`Running the workflow "${main.name}"`);
			const { rows, faults } = await runMain(n8n, main);
			progress.end();
			console.log(
				`\n${renderTable(rows, process.stdout.columns)}\n\n${rows.length} rows. ${describeRequests(sandbox.log.entries)}`,
			);
			if (faults.length > 0) {
				const list = faults.map((fault) => `  ${fault}`).join('\n');
				console.error(`\nThe rows are not right:
${list}`);
				return 1;
			}
			if (onlyOnce) return 0;
		}

		// A workflow that the person publishes starts at once, and not at the next of the few made events.
		happening = setInterval(() => sandbox.world.addEvent({ prospect: WATCHED }), EVENT_EVERY_MS);
		const { network } = sandbox.world.person(WATCHED);
		console.log(`
Open   ${n8n.url}/workflow/${MAIN}
       Email ${n8n.owner.email}, password ${n8n.owner.password}

Try    1. Change a filter in "Find prospects", and execute the workflow again.
       2. In a new workflow, add Match prospects with this Profile URL: ${network}
       3. Add the trigger "On prospect event" with the prospect ID ${sandbox.world.prospectId(WATCHED)}
          and Check Every set to Poll, publish the workflow, and open Executions: this person changes jobs every ${EVENT_EVERY_MS / 1_000} seconds.

Every node has a credential. To create one yourself: Base URL ${sandbox.url}, API Key ${sandbox.apiKey}
Press Ctrl+C to stop. Nothing is kept.`);
		await untilStopped(n8n, signal);
		return 0;
	} finally {
		clearInterval(happening);
		progress.end();
		if (signal.aborted) console.log('\nStopping ...');
		await following?.stop();
		await n8n?.stop();
		await sandbox?.close();
		await rm(packed, { recursive: true, force: true });
	}
}

const controller = new AbortController();
const stop = () => controller.abort();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, stop);
// Whoever read the output is gone.
process.stdout.on('error', stop);
// npm passes signals on to the shell that it starts, and that shell may not pass them on.
const parent = process.ppid;
if (process.env.npm_lifecycle_event)
	setInterval(() => process.ppid !== parent && stop(), 500).unref();

try {
	const given = process.argv.slice(2);
	const unknown = given.find((argument) => !['--once', '--dev'].includes(argument));
	if (unknown)
		throw new PlainError(
			`Unknown argument ${unknown}. Use: npm run demo, npm run demo -- --once, or npm run dev`,
		);
	const options = { onlyOnce: given.includes('--once'), dev: given.includes('--dev') };
	process.exitCode = await demo(options, controller.signal);
} catch (error) {
	process.exitCode = controller.signal.aborted ? 130 : 1;
	if (error instanceof PlainError) console.error(`\n${error.message}`);
	else if (!controller.signal.aborted) {
		await appendFile(logFile, `\n${error.stack}\n`);
		console.error(`\n${error.message}\nMore about it is in ${logFile}`);
	}
}
process.exit();
