// An execution that is stopped sends no more requests: nothing is paid for what nobody will see.
// n8n is real; the service answers slowly, or says to wait for ten minutes.
//
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	activate,
	credentialFor,
	credentials,
	getPackage,
	into,
	latestExecutions,
	NODE,
	node,
	startN8n,
	startService,
	SUITE_MS,
	TRIGGER,
	until,
} from './stage.mjs';
import { EVERY_TEN_SECONDS, SECOND_MS } from './watching.mjs';

/** @typedef {import('../sandbox/faults/kinds.ts').Fault} Fault */

/**
 * An answer takes its time; four requests are under way at once.
 *
 * @type {Fault}
 */
const SLOW = { kind: 'delay', ms: 300 };
const PEOPLE = 3_000;
/** How many requests one poll of the trigger takes. */
const POLL_REQUESTS = 5;

const enrich = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	dataSets: ['profile'],
	options: { requests: { batchSize: 5, maxWait: 3600 } },
};
const goesOn = 'continueRegularOutput';

/**
 * What is stopped: `rows` go in; the stop comes after `stopAfter` requests, all of them answered where there is a
 * `fault` from request `faultFrom` on. Left alone, it takes `requests` and gives `output` rows.
 *
 * @type {Record<string, { parameters: object, onError?: string, rows: number, stopAfter: number, fault?: Fault,
 *   faultFrom?: number, requests: number, output: number }>}
 */
const CASES = {
	'an enrichment in batches': {
		parameters: enrich,
		onError: goesOn,
		rows: 300,
		stopAfter: 8,
		requests: 60,
		output: 300,
	},
	'a search over many pages': {
		parameters: {
			resource: 'prospect',
			operation: 'getAll',
			returnAll: true,
			filters: { total_experience_months: [{ gte: 0 }] },
		},
		rows: 1,
		stopAfter: 6,
		requests: PEOPLE / 100,
		output: PEOPLE,
	},
	'a request for each item': {
		parameters: {
			resource: 'business',
			operation: 'getStatistics',
			output: 'summary',
			options: {
				additionalFilters:
					'={{ { company_age: { type: "includes", values: [String($json.row)] } } }}',
			},
		},
		onError: goesOn,
		rows: 60,
		stopAfter: 6,
		requests: 60,
		output: 60,
	},
	'a wait for the rate limit': {
		parameters: enrich,
		rows: 300,
		fault: { kind: 'tooMany', retryAfter: 600 },
		faultFrom: 5,
		stopAfter: 5,
		requests: 60,
		output: 300,
	},
	'a wait after a failure': {
		parameters: enrich,
		onError: goesOn,
		rows: 5,
		fault: { kind: 'status', status: 503, headers: { 'retry-after': '600' } },
		faultFrom: 1,
		stopAfter: 1,
		requests: 1,
		output: 5,
	},
};

const idOf = (name) => name.replaceAll(' ', '-');

/**
 * @param {string} name
 * @param {(typeof CASES)[string]} one
 */
function workflowOf(name, { parameters, onError, rows }, { world }) {
	const list = world.prospectIds(rows).map((id, row) => ({ id, row }));
	return {
		id: idOf(name),
		name,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('List', 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ list }),
				options: {},
			}),
			node('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
			node('Node', NODE, 1, parameters, { credentials, ...(onError && { onError }) }),
		],
		connections: {
			Start: into('main', 'List'),
			List: into('main', 'Rows'),
			Rows: into('main', 'Node'),
		},
	};
}

/** Checks for events every ten seconds, with one request after the other. */
const triggerWorkflow = ({ world }) => ({
	id: 'trigger',
	name: 'trigger',
	active: false,
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
	nodes: [
		node(
			'Trigger',
			TRIGGER,
			1,
			{
				triggerOn: 'prospectEvent',
				ids: world.prospectIds(40 * POLL_REQUESTS).join('\n'),
				checkEvery: 'poll',
				pollTimes: { item: EVERY_TEN_SECONDS },
				options: { requests: { maxConcurrentRequests: 1 } },
			},
			{ credentials },
		),
	],
	connections: {},
});

/** Starts the service, and n8n with all workflows; says how to use them. */
async function startAll(t) {
	const sandbox = await startService(t, { people: PEOPLE, rateLimit: null, eventsPerDay: 0 });
	const n8n = await startN8n(t, 'cancel', {
		workflows: [
			...Object.entries(CASES).map(([name, one]) => workflowOf(name, one, sandbox)),
			triggerWorkflow(sandbox),
		],
		credentials: [credentialFor(sandbox)],
		env: { N8N_LOG_LEVEL: 'debug' },
	});
	return {
		sandbox,
		n8n,
		allAnswered: () => sandbox.log.entries.every(({ status }) => status !== null),

		/** How often the node under test has ended: n8n says so in its log, also of an execution that was stopped. */
		nodesEnded: async () =>
			(await readFile(n8n.logFile, 'utf8')).split('Running node "Node" finished').length - 1,

		/** n8n lives, and nothing has happened in it that nobody caught. */
		async assertHealthy() {
			const { status } = await fetch(`${n8n.url}/healthz`);
			assert.equal(status, 200);
			const log = await readFile(n8n.logFile, 'utf8');
			assert.doesNotMatch(log, /unhandled|uncaught/i);
		},

		/** Has a workflow run until some requests have come, and stops it; says when that was answered. */
		async stopMidway(id, stopAfter, isTime) {
			const { executionId } = await n8n.rest('POST', `/workflows/${id}/run`, {
				triggerToStartFrom: { name: 'Start' },
			});
			await until(
				`${stopAfter} requests`,
				() => sandbox.log.entries.length >= stopAfter && isTime(),
			);
			await n8n.rest('POST', `/executions/${executionId}/stop`);
			return { executionId, stopped: Date.now() };
		},
	};
}

describe('what is stopped', { timeout: SUITE_MS }, () => {
	before(() => getPackage());

	it('in n8n', async (t) => {
		const { sandbox, n8n, allAnswered, nodesEnded, assertHealthy, stopMidway } = await startAll(t);
		const { log, world } = sandbox;

		for (const [name, one] of Object.entries(CASES)) {
			const { stopAfter, fault, faultFrom = 0, requests, output } = one;
			const id = idOf(name);

			await t.test(`${name} sends no more, and works when it is run again`, async (t) => {
				sandbox.clear();
				if (fault !== undefined)
					sandbox.fault({
						times: 'always',
						when: () => log.entries.length >= faultFrom,
						do: [SLOW, fault],
					});
				sandbox.fault({ times: 'always', do: SLOW });

				const ended = await nodesEnded();
				const { executionId, stopped } = await stopMidway(
					id,
					stopAfter,
					() => fault === undefined || allAnswered(),
				);
				const came = log.entries.length;
				await until('the node has ended', async () => (await nodesEnded()) > ended);
				await sleep(2 * SECOND_MS);

				const late = log.entries.filter(({ time }) => time.getTime() > stopped + SECOND_MS);
				t.diagnostic(
					`${came} requests when the stop was answered, ${log.entries.length - came} after it; left alone it takes ${requests}`,
				);
				assert.deepEqual(late, []);
				if (fault === undefined)
					assert.ok(came <= requests / 2, 'it was stopped too late to show anything');
				await until(
					'the status',
					async () => (await n8n.readExecution(executionId)).status === 'canceled',
				);
				await assertHealthy();

				sandbox.clear();
				const again = await n8n.runWorkflow(id, 'Start');
				assert.equal(again.status, 'success');
				const items = again.data.resultData.runData.Node[0].data.main[0];
				assert.equal(items.length, output);
				assert.deepEqual(
					items.filter(({ json }) => json.error !== undefined),
					[],
				);
				assert.equal(log.entries.length, requests);
			});
		}

		await t.test(
			'a trigger that is deactivated in the middle of a poll leaves no error',
			async () => {
				const deactivate = async () => await n8n.rest('POST', '/workflows/trigger/deactivate');
				const executions = async () =>
					(await latestExecutions(n8n, 'trigger')).map(({ status }) => status);
				// The next poll may have begun.
				const polled = () =>
					log.entries.length > 0 && log.entries.length % POLL_REQUESTS === 0 && allAnswered();

				sandbox.clear();
				await activate(n8n, 'trigger');
				await until('the poll at the activation', polled);

				sandbox.clear();
				sandbox.fault({ times: 'always', do: { kind: 'delay', ms: SECOND_MS } });
				await until('a poll', () => log.entries.length > 0);
				await deactivate();
				assert.ok(log.entries.length < POLL_REQUESTS, 'deactivated too late to show anything');
				await until('the end of the poll', polled);
				await sleep(SECOND_MS);
				assert.deepEqual(await executions(), []);
				await assertHealthy();

				// What happened meanwhile comes when it is active again.
				sandbox.clear();
				world.addEvent({ prospect: 7 });
				await activate(n8n, 'trigger');
				await until('the event', async () => (await executions())[0] === 'success');
				await deactivate();
				assert.deepEqual(await executions(), ['success']);
				await assertHealthy();
			},
		);
	});
});
