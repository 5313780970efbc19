// An execution that is stopped sends no more requests: nothing is paid for what nobody will see.
// n8n is real; the service answers slowly, or says to wait for ten minutes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	activate,
	credentials,
	latestExecutions,
	NODE,
	node,
	rowsOf,
	SECOND_MS,
	shareN8n,
	START,
	SUITE_MS,
	until,
	workflowOf,
} from './stage.mjs';
import { pollingWorkflow } from './watching.mjs';

/**
 * An answer takes its time; four requests are under way at once.
 *
 * @type {import('../sandbox/faults/kinds.ts').Fault}
 */
const SLOW = { kind: 'delay', ms: 300 };
/** How many requests one poll of the trigger takes. */
const POLL_REQUESTS = 5;

const enrich = {
	resource: 'prospect',
	operation: 'enrich',
	identifyBy: 'prospectId',
	prospectIds: '={{ $json.ids }}',
	dataSets: ['profile'],
	options: { batchSize: 5, maxWait: 3600 },
};
const search = {
	resource: 'prospect',
	operation: 'getAll',
	returnAll: true,
	filters: { total_experience_months: [{ gte: 0 }] },
};
/**
 * What is stopped when `stopAfter` requests have come; with `waits`, all later ones are told to wait. Left alone, it takes
 * `requests` and gives `output` rows.
 */
const CASES = [
	{ name: 'enrich', parameters: enrich, stopAfter: 8, requests: 40, output: 200 },
	{ name: 'search', parameters: search, stopAfter: 4, requests: 10, output: 1_000 },
	{ name: 'wait', parameters: enrich, stopAfter: 5, requests: 40, output: 200, waits: true },
];

const stoppedWorkflow = ({ name, parameters }, { world }) =>
	workflowOf(name, [
		START,
		node('List', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ ids: world.prospectIds(200) }),
			options: {},
		}),
		node('Node', NODE, 1, parameters, { credentials }),
	]);

it('what is stopped sends no more', { timeout: SUITE_MS }, async (t) => {
	const { sandbox, n8n } = await shareN8n({
		workflows: (sandbox) => [
			...CASES.map((one) => stoppedWorkflow(one, sandbox)),
			// One request after the other.
			pollingWorkflow('stopped-trigger', {
				triggerOn: 'prospectEvent',
				ids: sandbox.world.prospectIds(40 * POLL_REQUESTS).join('\n'),
				options: { maxConcurrentRequests: 1 },
			}),
		],
	});
	const { log, world } = sandbox;
	const allAnswered = () => log.entries.every(({ status }) => status !== null);
	/** How often the node under test has ended: n8n says so in its log, also of an execution that was stopped. */
	const nodesEnded = async () =>
		(await readFile(n8n.logFile, 'utf8')).split('Running node "Node" finished').length - 1;
	/** n8n lives, and nothing has happened in it that nobody caught. */
	async function assertHealthy() {
		assert.equal((await fetch(`${n8n.url}/healthz`)).status, 200);
		assert.doesNotMatch(await readFile(n8n.logFile, 'utf8'), /unhandled|uncaught/i);
	}

	for (const { name, stopAfter, requests, output, waits = false } of CASES)
		await t.test(`${name} sends no more, and works when it is run again`, async (t) => {
			sandbox.clear();
			const isLater = () => waits && log.entries.length >= stopAfter;
			sandbox.fault({
				times: 'always',
				when: isLater,
				do: [SLOW, { kind: 'tooMany', retryAfter: 600 }],
			});
			sandbox.fault({ times: 'always', do: SLOW });
			const ended = await nodesEnded();

			const { executionId } = await n8n.rest('POST', `/workflows/${name}/run`, {
				triggerToStartFrom: { name: 'Start' },
			});
			const isTime = () => log.entries.length >= stopAfter && (!waits || allAnswered());
			await until(`${stopAfter} requests`, isTime);
			await n8n.rest('POST', `/executions/${executionId}/stop`);
			const stopped = Date.now();

			const came = log.entries.length;
			await until('the node has ended', async () => (await nodesEnded()) > ended);
			await sleep(2 * SECOND_MS);
			t.diagnostic(`${log.entries.length - came} requests after the stop was answered`);
			const late = log.entries.filter(({ time }) => time.getTime() > stopped + SECOND_MS);
			assert.deepEqual(late, []);
			assert.ok(came < requests, 'it was stopped too late to show anything');
			const { status } = await n8n.readExecution(executionId);
			assert.equal(status, 'canceled');
			await assertHealthy();

			sandbox.clear();
			assert.equal(rowsOf(await n8n.runWorkflow(name, 'Start'), 'Node').length, output);
			assert.equal(log.entries.length, requests);
		});

	await t.test('a trigger that is deactivated in a poll leaves no error', async () => {
		const id = 'stopped-trigger';
		const deactivate = async () => await n8n.rest('POST', `/workflows/${id}/deactivate`);
		const statuses = async () => (await latestExecutions(n8n, id)).map(({ status }) => status);
		// The next poll may have begun.
		const polled = () =>
			log.entries.length > 0 && log.entries.length % POLL_REQUESTS === 0 && allAnswered();

		sandbox.clear();
		await activate(n8n, id);
		await until('the poll at the activation', polled);

		sandbox.clear();
		sandbox.fault({ times: 'always', do: { kind: 'delay', ms: SECOND_MS } });
		await until('a poll', () => log.entries.length > 0);
		await deactivate();
		assert.ok(log.entries.length < POLL_REQUESTS, 'deactivated too late to show anything');
		await until('the end of the poll', polled);
		await sleep(SECOND_MS);
		assert.deepEqual(await statuses(), []);

		// What happened meanwhile comes when it is active again.
		sandbox.clear();
		world.addEvent({ prospect: 7 });
		await activate(n8n, id);
		await until('the event', async () => (await statuses())[0] === 'success');
		await deactivate();
		assert.deepEqual(await statuses(), ['success']);
		await assertHealthy();
	});
});
