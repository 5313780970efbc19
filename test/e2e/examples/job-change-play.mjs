import assert from 'node:assert/strict';
import { professionalEmail } from '../../sandbox/world/prospect-data.ts';

const ID = 'job-change-play';
const EVERY_MORNING = 'Every morning at 7';
const EVERY_HOUR = 'Every hour';
const CONTACTS = 'Play contacts';
const PROPOSALS = 'Job change proposals';
const DAY_MS = 86_400_000;
/** The practice table has the first fifty people. */
const PRACTICE = 50;

/** Two who move, in `check` below. */
const [MOVER, SILENT] = [12, 19];

export const crm = {
	trigger: EVERY_MORNING,
	table: 'contacts',
	identifiedBy: ['prospect_id'],
	rows: (world) =>
		[MOVER, SILENT].map((index) => ({
			full_name: world.person(index).fullName,
			company_name: 'Formerly',
			prospect_id: world.prospectId(index),
		})),
	written: (result) => result.rows('Moved contact'),
	// Job changes are asked for every morning; what they lead to is bought once.
	asksEveryTime: true,
};

export async function check({ run, sandbox, tables }) {
	const { log, world } = sandbox;
	const emailOf = (index) => {
		const person = world.person(index);
		return professionalEmail(person, world.company(person.company));
	};
	for (const table of [CONTACTS, PROPOSALS]) await tables.drop(table);
	const filled = await run(ID, 'Fill practice table');
	assert.equal(filled.status, 'success', filled.error);
	const contacts = await tables.read(CONTACTS);
	assert.deepEqual(
		contacts.map(({ prospect_id: id }) => id),
		world.prospectIds(PRACTICE),
	);
	// Other examples' events.
	for (const { id, prospect_id: prospect } of contacts)
		if (world.surfacedEvents({ kind: 'prospect', ids: [prospect] }).length > 0)
			await tables.change(CONTACTS, id, { status: 'left' });

	/** Someone moves away from the company and role of another person, who isn't in the CRM. */
	function leave(index, successor) {
		const { company, position } = world.person(successor);
		const { id, name } = world.company(company);
		return world.addEvent({
			prospect: index,
			event_name: 'prospect_changed_company',
			time: new Date(Date.now() - DAY_MS),
			data: {
				current_company_name: 'Elsewhere',
				current_job_title: 'Chief Clerk',
				previous_company_id: id,
				previous_company_name: name,
				previous_job_title: position.title,
			},
		});
	}
	const ids = '9007199254740993123';
	await tables.change(CONTACTS, contacts[MOVER].id, { contact_id: ids });
	const [followed, unfollowed] = [leave(MOVER, 70), leave(SILENT, 71)];
	await tables.add(CONTACTS, [{ contact_id: 'recTypo', prospect_id: 'abc' }]);

	// What happened is proposed, and nothing is written.
	const before = await tables.read(CONTACTS);
	const proposed = await run(ID, EVERY_MORNING);
	assert.equal(proposed.status, 'success', proposed.error);
	assert.deepEqual(await tables.read(CONTACTS), before);
	assert.deepEqual([log.count('contacts').requests, log.count('search').requests], [2, 2]);
	const columnsOf = ({ id, createdAt, updatedAt, ...columns }) => columns;
	const proposals = await tables.read(PROPOSALS);
	const ofKind = (kind) => proposals.filter((row) => row.kind === kind).map(columnsOf);
	const movedRow = (index, { event_id: event }, crm_id, email) => ({
		proposal_id: `${event}-${crm_id}`,
		status: 'proposed',
		kind: 'moved',
		crm_id,
		full_name: world.person(index).fullName,
		job_title: 'Chief Clerk',
		company_name: 'Elsewhere',
		email,
		prospect_id: world.prospectId(index),
	});
	assert.deepEqual(
		ofKind('moved').map(({ why, ...row }) => row),
		[
			movedRow(MOVER, followed, ids, emailOf(MOVER)),
			movedRow(SILENT, unfollowed, contacts[SILENT].contact_id, ''),
		],
	);
	assert.match(ofKind('moved')[0].why, /^Left .+ on \d+ \w+ \d{4}\. The new email is [a-z-]+$/);
	assert.deepEqual(
		ofKind('successor').map(({ crm_id, prospect_id, company_name }) => [
			crm_id,
			prospect_id,
			company_name,
		]),
		[
			[ids, 70],
			[contacts[SILENT].contact_id, 71],
		].map(([id, index]) => [
			id,
			world.prospectId(index),
			world.company(world.person(index).company).name,
		]),
	);
	assert.deepEqual(
		ofKind('to check').map(({ proposal_id: id, why }) => [id, why.slice(0, 40)]),
		[['recTypo-check', 'Prospect IDs: "abc" is not a prospect ID']],
	);

	// A second morning proposes, and costs, nothing new.
	const again = await run(ID, EVERY_MORNING);
	assert.equal(again.status, 'success', again.error);
	assert.deepEqual([log.count('contacts').requests, log.count('search').requests], [0, 0]);
	assert.deepEqual((await tables.read(PROPOSALS)).map(columnsOf), proposals.map(columnsOf));

	// What a person approves is written, once.
	const successor = proposals.find(({ kind, crm_id: id }) => kind === 'successor' && id === ids);
	const move = proposals.find(({ kind, crm_id: id }) => kind === 'moved' && id === ids);
	for (const { id } of [successor, move])
		await tables.change(PROPOSALS, id, { status: 'Approved' });
	for (const times of [1, 2]) {
		const written = await run(ID, EVERY_HOUR);
		assert.equal(written.status, 'success', written.error);
		assert.equal(written.ran('Add contact'), times === 1);
		assert.equal(log.requestsTo().length, 0);
	}
	const after = await tables.read(CONTACTS);
	assert.deepEqual(
		after.slice(0, before.length).map(columnsOf),
		before.map((row) => columnsOf(row.contact_id === ids ? { ...row, status: 'left' } : row)),
	);
	const added = ({ proposal_id, full_name, company_name, job_title, email, prospect_id }) => ({
		...{ contact_id: `new-${proposal_id}`, full_name, company_name, job_title },
		...{ email, prospect_id, status: null },
	});
	assert.deepEqual(
		after
			.slice(before.length)
			.map(columnsOf)
			.sort((a, b) => (a.contact_id < b.contact_id ? -1 : 1)),
		[successor, move].map(added).sort((a, b) => (a.contact_id < b.contact_id ? -1 : 1)),
	);
	const statuses = (await tables.read(PROPOSALS)).map(({ proposal_id: id, status }) => [
		id,
		status,
	]);
	assert.deepEqual(
		statuses
			.filter(([, status]) => status === 'written')
			.map(([id]) => id)
			.sort(),
		[successor, move].map(({ proposal_id: id }) => id).sort(),
	);
}
