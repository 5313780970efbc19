// Remember In in a real n8n: a run that is killed goes on, and what one workflow bought, another gets.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
	credentialFor,
	credentials,
	into,
	NODE,
	node,
	startN8n,
	startService,
	SUITE_MS,
	until,
} from './stage.mjs';
import { tablesOf } from './tables.mjs';

const ROWS = 2_000;
const KILLED_AFTER = 15;
/** 2 × Max Concurrent Requests × 50 records: those under way, and those behind which the writing is. */
const MAX_PAID_TWICE = 400;
const TABLE = 'Paid results';

const workflowOf = (id, { world }, dataSets) => ({
	id,
	name: id,
	active: false,
	settings: { executionOrder: 'v1' },
	nodes: [
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		node('List', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ list: world.prospectIds(ROWS).map((id) => ({ id })) }),
			options: {},
		}),
		node('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
		node(
			'Node',
			NODE,
			1,
			{
				resource: 'prospect',
				operation: 'enrich',
				prospectIds: '={{ $json.id }}',
				dataSets,
				rememberIn: TABLE,
			},
			{ credentials },
		),
	],
	connections: {
		Start: into('main', 'List'),
		List: into('main', 'Rows'),
		Rows: into('main', 'Node'),
	},
});

const idsIn = (entries) => entries.flatMap(({ body }) => body.prospect_ids);

it('pays once, whatever happens', { timeout: SUITE_MS }, async (t) => {
	const sandbox = await startService(t, { people: ROWS, rateLimit: null, eventsPerDay: 0 });
	const n8n = await startN8n(t, 'remember', {
		workflows: [
			workflowOf('first', sandbox, ['profile']),
			workflowOf('second', sandbox, ['profile']),
		],
		credentials: [credentialFor(sandbox)],
	});
	const run = async (id) => {
		const { status, data } = await n8n.runWorkflow(id, 'Start');
		assert.equal(status, 'success');
		return data.resultData.runData.Node[0];
	};
	const tables = await tablesOf(n8n);

	await t.test('a run that is killed, and started again', async (t) => {
		sandbox.fault({ times: 'always', do: { kind: 'delay', ms: 300 } });
		await n8n.rest('POST', '/workflows/first/run', { triggerToStartFrom: { name: 'Start' } });
		await until('some requests', () => sandbox.log.entries.length >= KILLED_AFTER);
		await n8n.halt('SIGKILL');
		const bought = new Set(idsIn(sandbox.log.entries));
		await n8n.resume();
		sandbox.clear();

		const { data } = await run('first');

		const twice = idsIn(sandbox.log.entries).filter((id) => bought.has(id)).length;
		t.diagnostic(`${bought.size} bought before it was killed, ${twice} of them again`);
		assert.ok(twice <= MAX_PAID_TWICE, `${twice} were paid for twice`);
		assert.equal(data.main[0].length, ROWS);
	});

	await t.test('another workflow, another day: nothing is requested', async (t) => {
		sandbox.clear();
		const started = Date.now();
		const { data, hints } = await run('second');
		t.diagnostic(`${ROWS} remembered rows in ${Date.now() - started} ms`);
		assert.deepEqual(sandbox.log.entries, []);
		assert.equal(data.main[0].length, ROWS);
		assert.match(hints[0].message, /2,000 remembered, 0 bought, 0 requests/);
	});

	await t.test('one row for each person, in text that can be read', async () => {
		const rows = await tables.read(TABLE);
		assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
		assert.equal(rows.length, ROWS);
		assert.match(rows[0].key, /^127\.0\.0\.1:\d+ profile [a-f0-9]{40}$/);
		assert.ok('data' in JSON.parse(rows[0].data));
	});
});
