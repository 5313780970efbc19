// The workflows of examples/ in a real n8n: all are imported; those with a file in examples/ beside this one are filled in as
// their note says, and run. test/workflows runs the others.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
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

const namesIn = async (folder, ending) =>
	(await readdir(folder))
		.filter((file) => file.endsWith(ending))
		.map((file) => file.slice(0, -ending.length))
		.sort();

function nodeOf(workflow, name) {
	const found = workflow.nodes.find((node) => node.name === name);
	assert.ok(found, `${workflow.name} has no node "${name}"`);
	return found;
}

/** The example as a person has it after filling in what its note names: only what was empty may be filled in. */
function filledIn(workflow, { fillIn = {}, credentials: others = [] }) {
	for (const [node, parameters] of Object.entries(fillIn)) {
		const own = nodeOf(workflow, node).parameters;
		for (const name of Object.keys(parameters)) assert.equal(own[name], '', `${node}: ${name}`);
		Object.assign(own, parameters);
	}
	for (const node of workflow.nodes)
		if (node.credentials?.businessProspectDataApi) node.credentials = credentials;
	for (const { node, type, id, name } of others)
		nodeOf(workflow, node).credentials = { [type]: { id, name } };
	return workflow;
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

function labOf(n8n, rest) {
	const ended = async (id) =>
		(await latestExecutions(n8n, id)).filter(({ stoppedAt }) => stoppedAt);
	return {
		...rest,
		/** Runs an example by hand, or with some of its nodes replaced. */
		async run(id, trigger, replaced = {}) {
			rest.sandbox.log.clear();
			if (Object.keys(replaced).length === 0) return resultOf(await n8n.runWorkflow(id, trigger));
			const workflow = structuredClone(rest.workflows.find((one) => one.id === id));
			for (const [name, changes] of Object.entries(replaced))
				Object.assign(nodeOf(workflow, name), changes);
			const created = await n8n.rest('POST', '/workflows', { ...workflow, id: undefined });
			return resultOf(await n8n.runWorkflow(created.id, trigger));
		},
		/** Has an example running by itself while `act` lasts; its argument waits for one more execution from then on. */
		async whileActive(id, act) {
			await activate(n8n, id);
			try {
				await act(async () => {
					const since = Date.now();
					const isNew = ({ startedAt }) => Date.parse(startedAt) > since;
					const { id: found } = await until('an execution', async () =>
						(await ended(id)).find(isNew),
					);
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
		const sandbox = await startService(t, { eventsPerDay: 0, rateLimit: null });
		const inbox = await startInbox(t);
		const checks = new Map();
		for (const name of await namesIn(join(here, 'examples'), '.mjs'))
			checks.set(name, await import(`./examples/${name}.mjs`));
		const workflows = [];
		const others = [];
		for (const name of examples) {
			const workflow = JSON.parse(await readFile(join(examplesFolder, `${name}.json`), 'utf8'));
			const settings = checks.get(name)?.settings?.({ inbox }) ?? {};
			others.push(...(settings.credentials ?? []));
			workflows.push({ ...filledIn(workflow, settings), id: name, active: false });
		}
		const n8n = await startN8n(t, 'examples', {
			workflows,
			credentials: [credentialFor(sandbox), ...others],
		});
		const { lab: installed } = await getPackage();
		// For a moment after the activation n8n does not know the address.
		const lab = labOf(n8n, {
			...{ sandbox, inbox, workflows, tables: await tablesOf(n8n) },
			/** Connects an AI client to the MCP server at a path. */
			connect: async (path, token) =>
				await until(
					'the MCP server',
					async () =>
						await connectMcp(t, { lab: installed, url: `${n8n.url}/mcp/${path}`, token }).catch(
							(error) => {
								if (!/is not registered/.test(error.message)) throw error;
							},
						),
				),
			/** Sends a form's values, in the order of its fields. */
			async submit(path, values) {
				const body = new FormData();
				for (const [at, value] of values.entries()) body.set(`field-${at}`, value);
				const send = async () =>
					(await fetch(`${n8n.url}/form/${path}`, { method: 'POST', body })).ok;
				await until('the form', send);
			},
		});

		for (const [name, { check }] of checks)
			await t.test(name, async (t) => {
				// What the example before has bought would be free.
				await lab.tables.drop('Paid results');
				await check(lab, t);
				assert.deepEqual(sandbox.log.defects(), []);
			});
	});
});
