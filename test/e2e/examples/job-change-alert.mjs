import assert from 'node:assert/strict';
import { eventRecord } from '../../sandbox/world/events.ts';

const ID = 'job-change-alert';
const EVERY_MORNING = 'Every morning at 7';
const TABLE = 'CRM contacts';
const TOLD = 'Told job changes';
const DAY_MS = 86_400_000;

export const settings = ({ inbox }) => ({ fillIn: { 'Send message': { url: inbox.url } } });

export const crm = {
	trigger: EVERY_MORNING,
	table: 'contacts',
	identifiedBy: ['prospect_id'],
	rows: (world) =>
		[201, 202, 203].map((index) => ({
			full_name: world.person(index).fullName,
			prospect_id: world.prospectId(index),
		})),
	/** Each contact has one change, which no CRM was told of yet. */
	async prepare({ world, tables }, at) {
		await tables.drop(TOLD);
		if (at > 0) return;
		for (const prospect of [201, 202, 203])
			world.addEvent({ prospect, event_name: 'prospect_changed_company', time: new Date() });
	},
	written: (result) => result.rows('Not told yet'),
	check(told, rows) {
		assert.deepEqual(
			told.map(({ full_name: name }) => name),
			rows.map(({ full_name: name }) => name),
		);
	},
	asksEveryTime: true,
};

export async function check({ run, sandbox, inbox, tables, timeZone }) {
	const { log, world } = sandbox;
	await tables.drop(TABLE);
	const filled = await run(ID, 'Fill practice table');
	assert.equal(filled.status, 'success', filled.error);
	const rows = await tables.read(TABLE);
	assert.deepEqual(
		rows.map(({ prospect_id: id }) => id),
		world.prospectIds(50),
	);
	assert.equal(log.requestsTo().length, 1);
	// One without a company, one that was not looked up yet, and a typing error.
	await tables.change(TABLE, rows[45].id, { company_name: '' });
	await tables.add(TABLE, [
		{ contact_id: 'N-1', full_name: 'Not Looked Up' },
		{ contact_id: 'N-2', full_name: 'Typing Error', prospect_id: 'abc' },
	]);

	const evening = new Date().setUTCHours(23, 30, 0, 0);
	const ago = (days) => new Date(evening - days * DAY_MS);
	const plant = (prospect, time, name = 'prospect_changed_company') =>
		eventRecord(world.addEvent({ prospect, event_name: name, time }));
	/** @param {any} event */
	function lineOf({ prospect_id: id, event_name: name, event_time: time, data }) {
		const person = world.person(world.prospectIndex(id));
		const day = new Intl.DateTimeFormat('en-GB', {
			day: 'numeric',
			month: 'short',
			timeZone,
		});
		const what =
			name === 'prospect_changed_company'
				? `left ${data.previous_company_name} and is now ${data.current_job_title} at ${data.current_company_name}`
				: `has a new role at ${person.index === 45 ? 'the same company' : world.company(person.company).name}`;
		return `${person.fullName} ${what} (${day.format(new Date(time))})`;
	}
	const problem =
		'1 of your contacts could not be checked: Prospect IDs: "abc" is not a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f. Run Match first, then drag prospect_id here, or set Identify By to Person Details.';
	/** Runs it, and holds what it tells against what happened. */
	async function tells(events) {
		inbox.take();
		const result = await run(ID, EVERY_MORNING);
		assert.equal(result.status, 'success', result.error);
		const [changes = '', ...others] = inbox.take().filter((text) => text !== problem);
		assert.deepEqual(others, []);
		assert.deepEqual(changes.split('\n').sort(), events.length ? events.map(lineOf).sort() : ['']);
	}

	const changes = [plant(3, ago(1)), plant(45, ago(5), 'prospect_changed_role')];
	plant(5, ago(95));
	plant(6, ago(1), 'prospect_job_start_anniversary');
	const laterWatched = plant(70, ago(1));
	await tells(changes);
	const { requests, unique, repeated } = log.count('prospectEvents');
	assert.deepEqual({ requests, unique, repeated }, { requests: 2, unique: 50, repeated: [] });
	await tells([]);

	// What happened while it was off for three weeks, and who was added to the CRM meanwhile.
	const meanwhile = [20, 12, 1].map((days) => plant(3, ago(days)));
	const { fullName, company } = world.person(70);
	await tables.add(TABLE, [
		{
			contact_id: 'N-3',
			full_name: fullName,
			company_name: world.company(company).name,
			prospect_id: world.prospectId(70),
		},
	]);
	// A message that cannot be sent counts as not told.
	inbox.refuse(true);
	const failed = await run(ID, EVERY_MORNING);
	inbox.refuse(false);
	assert.equal(failed.status, 'error');
	await tells([...meanwhile, laterWatched]);
	await tells([]);
}
