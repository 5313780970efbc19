// Every workflow of examples/, imported into a real n8n, filled in as its note says, run, and held against what the
// sandbox's world says must come out. What each one does is in examples/<its name>.mjs beside this file.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkCrms } from './crms.mjs';
import { startInbox } from './inbox.mjs';
import { connectMcp } from './mcpClient.mjs';
import {
	activate,
	credentialFor,
	credentials,
	getPackage,
	latestExecutions,
	startN8n,
	startService,
	SUITE_MS,
	until,
} from './stage.mjs';
import { tablesOf } from './tables.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const examplesFolder = join(here, '..', '..', 'examples');

/** Executed by a suite of their own. */
const ELSEWHERE = { 'company-research-agent': 'agent' };

const TIME_ZONE = 'Europe/Berlin';

const namesIn = async (folder, ending) =>
	(await readdir(folder))
		.filter((file) => file.endsWith(ending))
		.map((file) => file.slice(0, -ending.length))
		.sort();

/** The example as a person has it after filling in what its note names: only what was empty may be filled in. */
function filledIn(workflow, { fillIn = {}, faster = {}, credentials: others = [] }) {
	for (const [node, parameters] of Object.entries(fillIn))
		for (const name of Object.keys(parameters))
			assert.equal(nodeOf(workflow, node).parameters[name], '', `${node}: ${name} is not empty`);
	for (const [node, parameters] of [...Object.entries(fillIn), ...Object.entries(faster)])
		Object.assign(nodeOf(workflow, node).parameters, parameters);
	for (const node of workflow.nodes) {
		if (node.credentials?.businessProspectDataApi) node.credentials = credentials;
		if (node.waitBetweenTries) node.waitBetweenTries = 100;
	}
	for (const { node, type, id, name } of others)
		nodeOf(workflow, node).credentials = { [type]: { id, name } };
	return workflow;
}

function nodeOf(workflow, name) {
	const found = workflow.nodes.find((node) => node.name === name);
	assert.ok(found, `${workflow.name} has no node "${name}"`);
	return found;
}

/** What came of an execution. */
const resultOf = ({ status, data: { resultData } }) => ({
	status,
	error: resultData.error?.message,
	ran: (node) => node in resultData.runData,
	/** The items on one of a node's outputs, in all its runs. */
	rows: (node, output = 0) =>
		(resultData.runData[node] ?? [])
			.flatMap(({ data }) => data?.main[output] ?? [])
			.map(({ json }) => json),
});

/** Looks until there is something; fails after two minutes. */
const eventually = async (look) => await until(`${look}`, look);

function labOf(n8n, rest) {
	const ended = async (id) =>
		(await latestExecutions(n8n, id)).filter(({ stoppedAt }) => stoppedAt);
	return {
		...rest,
		eventually,
		ended,
		/** Runs an example by hand. */
		async run(id, trigger) {
			rest.sandbox.log.clear();
			return resultOf(await n8n.runWorkflow(id, trigger));
		},
		/** Runs an example by hand, and kills n8n without warning when `isTime` says so. n8n is started again. */
		async kill(id, trigger, isTime) {
			rest.sandbox.log.clear();
			await n8n.rest('POST', `/workflows/${id}/run`, { triggerToStartFrom: { name: trigger } });
			await eventually(isTime);
			await n8n.halt('SIGKILL');
			await n8n.resume();
		},
		/** Has an example running by itself while `act` lasts; its argument waits for one more execution from then on. */
		async whileActive(id, act) {
			await activate(n8n, id);
			try {
				await act(async () => {
					const since = Date.now();
					const isNew = ({ startedAt }) => Date.parse(startedAt) > since;
					const { id: found } = await eventually(async () => (await ended(id)).find(isNew));
					return resultOf(await n8n.readExecution(found));
				});
			} finally {
				await n8n.rest('POST', `/workflows/${id}/deactivate`);
			}
		},
	};
}

describe('the examples', { timeout: SUITE_MS }, () => {
	before(() => getPackage());

	it('come out right', async (t) => {
		const examples = await namesIn(examplesFolder, '.json');
		const checked = await namesIn(join(here, 'examples'), '.mjs');
		const unchecked = examples.filter((name) => !checked.includes(name) && !(name in ELSEWHERE));
		assert.deepEqual(unchecked, [], 'Examples that no suite executes');
		assert.deepEqual(
			checked.filter((name) => !examples.includes(name)),
			[],
			'Checks without their example',
		);

		const sandbox = await startService(t, { eventsPerDay: 0, rateLimit: null });
		const inbox = await startInbox(t);
		const checks = new Map();
		for (const name of checked) checks.set(name, await import(`./examples/${name}.mjs`));
		const workflows = [];
		const others = [];
		for (const name of examples) {
			const workflow = JSON.parse(await readFile(join(examplesFolder, `${name}.json`), 'utf8'));
			const settings = checks.get(name)?.settings?.({ sandbox, inbox }) ?? {};
			others.push(...(settings.credentials ?? []));
			workflows.push({ ...filledIn(workflow, settings), id: name, active: false });
		}
		const n8n = await startN8n(t, 'examples', {
			workflows,
			credentials: [credentialFor(sandbox), ...others],
			env: { GENERIC_TIMEZONE: TIME_ZONE },
		});
		const { lab: installed } = await getPackage();
		const lab = labOf(n8n, {
			sandbox,
			inbox,
			tables: await tablesOf(n8n),
			timeZone: TIME_ZONE,
			/** Connects an AI client to the MCP server at a path. */
			async connect(path, token) {
				const options = { lab: installed, url: `${n8n.url}/mcp/${path}`, token };
				return await eventually(
					async () =>
						await connectMcp(t, options).catch((error) => {
							// For a moment after the activation n8n does not know the address.
							if (!/is not registered/.test(error.message)) throw error;
						}),
				);
			},
			/** Sends a form's values, in the order of its fields. */
			async submit(path, values) {
				const body = new FormData();
				for (const [at, value] of values.entries()) body.set(`field-${at}`, value);
				// For a moment after the activation n8n does not know the address.
				await eventually(
					async () => (await fetch(`${n8n.url}/form/${path}`, { method: 'POST', body })).ok,
				);
			},
		});

		for (const [name, { check, crm }] of checks)
			await t.test(name, async (t) => {
				// What another example told after its own check.
				inbox.take();
				await check(lab);
				const statuses = (await lab.ended(name)).map(({ status }) => status);
				assert.ok(statuses.includes('success'), `${name} was not executed`);
				const workflow = workflows.find(({ id }) => id === name);
				if (crm) await checkCrms(t, lab, n8n, workflow, crm);
				assert.deepEqual(sandbox.log.defects(), []);
			});
	});
});
