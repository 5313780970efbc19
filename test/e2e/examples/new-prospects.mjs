import assert from 'node:assert/strict';
import { contactsOf } from '../../sandbox/world/prospect-data.ts';
import { checkLeftOut, rowsOf } from './list-building.mjs';

const ID = 'new-prospects';
const TRIGGER = 'New prospects';
const TABLE = 'CRM contacts';
/** n8n refuses a poll time of less than a minute, but takes several of a minute each. */
const EVERY_FEW_SECONDS = Array.from({ length: 15 }, (_, at) => ({
	mode: 'custom',
	cronExpression: `${at * 4} * * * * *`,
}));

/**
 * Five of the people whom a test run finds, who have an email address, so that each key can be tried.
 *
 * @type {number[]}
 */
let keyed = [];

export const settings = () => ({
	faster: { [TRIGGER]: { pollTimes: { item: EVERY_FEW_SECONDS } } },
});

export const crm = {
	trigger: TRIGGER,
	table: 'contacts',
	identifiedBy: ['email', 'profile_url', 'company_name', 'prospect_id'],
	rows: (world) => rowsOf(world, keyed),
	checkAdded: (result, { sandbox }) => checkLeftOut(result, sandbox, keyed, 5),
	paid: 'contactsBulk',
};

export async function check({ run, whileActive, eventually, sandbox, tables }) {
	const { log, world } = sandbox;
	const indexOf = (id) => world.prospectIndex(id);
	async function startTable() {
		await tables.drop(TABLE);
		const filled = await run(ID, 'Fill practice table');
		assert.equal(filled.status, 'success', filled.error);
		return await crmRows();
	}
	const crmRows = async () =>
		(await tables.read(TABLE)).map(({ prospect_id, full_name, job_title, email, phone }) => ({
			prospect_id,
			full_name,
			job_title,
			email,
			phone,
		}));
	const NOTHING = { professions_email: null, mobile_phone: null };
	function rowOf(id, contacts = contactsOf(world.person(indexOf(id)), world.company) ?? NOTHING) {
		const { fullName, position } = world.person(indexOf(id));
		return {
			prospect_id: id,
			full_name: fullName,
			job_title: position.title,
			email: contacts.professions_email,
			phone: contacts.mobile_phone,
		};
	}

	// By hand: some of those who match.
	const practice = await startTable();
	assert.equal(practice.length, 10);
	const byHand = await run(ID, TRIGGER);
	assert.equal(byHand.status, 'success', byHand.error);
	const ids = byHand.rows(TRIGGER).map(({ prospect_id: id }) => id);
	assert.equal(ids.length, 10);
	const isIn = (id) => practice.some(({ prospect_id: known }) => known === id);
	assert.deepEqual(await crmRows(), [
		...practice,
		...ids.filter((id) => !isIn(id)).map((id) => rowOf(id)),
	]);
	keyed = ids
		.map(indexOf)
		.filter((index) => contactsOf(world.person(index), world.company)?.professions_email)
		.slice(0, 5);

	// By itself: only who comes later. The CRM has one of them, and the contact details of another one can't be had.
	await startTable();
	const [added, inCrm, failing] = ids.filter((id) => !isIn(id));
	for (const id of [added, inCrm, failing]) world.unlisted.add(indexOf(id));
	await tables.add(TABLE, [{ contact_id: 'K-1', full_name: 'Known Already', prospect_id: inCrm }]);
	const refused = sandbox.refuseIds(failing);
	try {
		await whileActive(ID, async (oneMore) => {
			// The first check counts and reads the pages; the one after it outputs nobody.
			await eventually(() => log.count('search').requests >= 3);
			world.unlisted.clear();
			await oneMore();
			await eventually(async () => (await crmRows()).length >= practice.length + 3);
		});
	} finally {
		refused.remove();
	}
	assert.deepEqual(
		new Set((await crmRows()).slice(practice.length)),
		new Set([
			{ ...rowOf(inCrm, NOTHING), full_name: 'Known Already', job_title: null },
			rowOf(added),
			rowOf(failing, NOTHING),
		]),
	);
	const failed = (await tables.read(TABLE)).find(({ prospect_id: id }) => id === failing);
	assert.match(failed.to_check, /HTTP 422/);
	assert.equal(failed.checked_at, null);
	assert.deepEqual(log.count('contactsBulk', { worked: true }).repeated, []);
	assert.ok(!log.requestsTo('contactsBulk').some(({ ids }) => ids?.includes(inCrm)));
}
