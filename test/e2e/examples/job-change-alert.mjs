import assert from 'node:assert/strict';
import { eventRecord } from '../../sandbox/world/events.ts';

const ID = 'job-change-alert';
const EVERY_MORNING = 'Every morning at 7';
const TABLE = 'CRM contacts';
const DAY_MS = 86_400_000;

export const settings = ({ inbox }) => ({
	fillIn: { 'Send message': { url: inbox.url } },
	faster: { [EVERY_MORNING]: { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } } },
});

export async function check({ run, whileActive, eventually, sandbox, inbox, tables, timeZone }) {
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
		{ full_name: 'Not Looked Up', network: 'x' },
		{ full_name: 'Typing Error', network: 'y', prospect_id: 'abc' },
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
	const changes = [plant(3, ago(1)), plant(45, ago(5), 'prospect_changed_role')];
	plant(5, ago(20));
	plant(6, ago(1), 'prospect_job_start_anniversary');
	const laterWatched = plant(70, ago(1));
	const problem =
		'1 of your contacts could not be checked: Prospect IDs: "abc" is not a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f. Run Match first, then drag prospect_id here, or set Identify By to Person Details.';

	// By hand: everything of the last week.
	inbox.take();
	const byHand = await run(ID, EVERY_MORNING);
	assert.equal(byHand.status, 'success', byHand.error);
	assert.deepEqual(inbox.take(), [changes.map(lineOf).join('\n'), problem]);
	const { requests, unique, repeated } = log.count('prospectEvents');
	assert.deepEqual({ requests, unique, repeated }, { requests: 2, unique: 50, repeated: [] });

	// By itself: each change once, also of those who are added to the CRM and of what happens meanwhile.
	await whileActive(ID, async (oneMore) => {
		const told = [];
		const untilTold = async (count) =>
			await eventually(() => {
				const lines = inbox.take().flatMap((text) => text.split('\n'));
				told.push(...lines.filter((line) => line !== problem));
				return told.length >= count;
			});
		await untilTold(2);
		await oneMore();
		const happened = plant(3, new Date(), 'prospect_changed_role');
		await tables.add(TABLE, [
			{
				full_name: world.person(70).fullName,
				company_name: world.company(world.person(70).company).name,
				network: 'z',
				prospect_id: world.prospectId(70),
			},
		]);
		await untilTold(4);
		await oneMore();
		await untilTold(4);
		assert.deepEqual(told.sort(), [...changes, happened, laterWatched].map(lineOf).sort());
	});
}
