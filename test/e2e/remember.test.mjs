// Remember In in a real n8n: a run that is killed goes on, and what one workflow bought, another gets.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { contactsOf } from '../sandbox/world/prospect-data.ts';
import {
	credentials,
	NODE,
	node,
	rowsOf,
	shareN8n,
	START,
	SUITE_MS,
	until,
	workflowOf,
} from './stage.mjs';
import { tablesOf } from './tables.mjs';

const PEOPLE = 500;
const BATCH = 10;
const KILLED_AFTER = 25;
/** 2 × Max Concurrent Requests × the batch: those under way, and those behind which the writing is. */
const MAX_PAID_TWICE = 2 * 4 * BATCH;
const TABLE = 'Remembered data';

const rememberWorkflow = (id, { world }) =>
	workflowOf(id, [
		START,
		node(
			'Node',
			NODE,
			1,
			{
				...{ resource: 'prospect', operation: 'enrich', dataSets: ['profile'], rememberIn: TABLE },
				...{ identifyBy: 'prospectId', prospectIds: world.prospectIds(PEOPLE).join() },
				options: { batchSize: BATCH },
			},
			{ credentials },
		),
	]);

const idsIn = (entries) => entries.flatMap(({ body }) => body.prospect_ids);

it('pays once, whatever happens', { timeout: SUITE_MS }, async (t) => {
	const { sandbox, n8n } = await shareN8n({
		workflows: (sandbox) => ['first', 'second'].map((id) => rememberWorkflow(id, sandbox)),
	});
	const tables = await tablesOf(n8n);
	await tables.drop(TABLE);

	await t.test('a run that is killed, and started again', async (t) => {
		sandbox.fault({ times: 'always', do: { kind: 'delay', ms: 300 } });
		await n8n.rest('POST', '/workflows/first/run', { triggerToStartFrom: { name: 'Start' } });
		await until('some requests', () => sandbox.log.entries.length >= KILLED_AFTER);
		await n8n.halt('SIGKILL');
		const bought = new Set(idsIn(sandbox.log.entries));
		await n8n.resume();
		sandbox.clear();

		const rows = rowsOf(await n8n.runWorkflow('first', 'Start'), 'Node');

		const twice = idsIn(sandbox.log.entries).filter((id) => bought.has(id)).length;
		t.diagnostic(`${bought.size} bought before it was killed, ${twice} of them again`);
		assert.ok(bought.size > MAX_PAID_TWICE && bought.size < PEOPLE);
		assert.ok(twice <= MAX_PAID_TWICE, `${twice} were paid for twice`);
		assert.equal(rows.length, PEOPLE);
	});

	await t.test('another workflow, another day: nothing is requested', async () => {
		sandbox.clear();
		const execution = await n8n.runWorkflow('second', 'Start');

		assert.equal(rowsOf(execution, 'Node').length, PEOPLE);
		assert.deepEqual(sandbox.log.entries, []);
		const [{ hints }] = execution.data.resultData.runData.Node;
		assert.match(hints[0].message, /500 remembered, 0 bought, 0 requests/);
	});

	await t.test('one row for each person, in text that can be read', async () => {
		const rows = await tables.read(TABLE);
		assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
		assert.equal(rows.length, PEOPLE);
		assert.match(rows[0].key, /^127\.0\.0\.1:\d+ profile [a-f0-9]{40}$/);
		assert.ok('data' in JSON.parse(rows[0].data));
	});

	await t.test('a person is erased as docs/privacy.md says', async () => {
		const { world } = sandbox;
		const given = [...Array(world.people).keys()].map((index) => world.person(index));
		const person = given.find(({ fullName, hasEmail }) => /[^ -~]/.test(fullName) && hasEmail);
		const company = world.company(person.company).name;
		const email = contactsOf(person, world.company)?.professions_email ?? '';
		assert.ok(email);
		const details = [
			{ email: email.toUpperCase() },
			{ fullName: person.fullName.toUpperCase(), companyName: company },
			{ fullName: person.fullName, companyName: 'Nobody Ltd.' },
		];
		for (const [at, detail] of details.entries()) {
			const id = `erase ${at}`;
			const [start, enrich] = rememberWorkflow(id, sandbox).nodes;
			const parameters = { ...enrich.parameters, identifyBy: 'personDetails', ...detail };
			parameters.dataSets = ['emails', 'profile'];
			await n8n.rest('POST', '/workflows', workflowOf(id, [start, { ...enrich, parameters }]));
			await n8n.runWorkflow(id, 'Start');
		}
		const names = [person.id, person.fullName, email].map((name) => name.toLowerCase());
		const rowsAbout = async () =>
			(await tables.read(TABLE)).filter((row) =>
				names.some((name) => JSON.stringify(row).toLowerCase().includes(name)),
			);
		assert.ok((await rowsAbout()).length >= 5);

		for (const name of names) await tables.erase(TABLE, 'key', name);
		for (const name of [person.id, email]) await tables.erase(TABLE, 'data', name);

		assert.deepEqual(await rowsAbout(), []);
	});
});
