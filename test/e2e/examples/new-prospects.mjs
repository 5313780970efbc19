import assert from 'node:assert/strict';
import { contactsOf } from '../../sandbox/world/prospect-data.ts';

const ID = 'new-prospects';
const TRIGGER = 'New prospects';
const TABLE = 'CRM contacts';
/** n8n refuses a poll time of less than a minute, but takes several of a minute each. */
const EVERY_FEW_SECONDS = Array.from({ length: 15 }, (_, at) => ({
	mode: 'custom',
	cronExpression: `${at * 4} * * * * *`,
}));

export const settings = () => ({
	faster: { [TRIGGER]: { pollTimes: { item: EVERY_FEW_SECONDS } } },
});

export async function check({ run, whileActive, eventually, sandbox, tables }) {
	const { log, world } = sandbox;
	const indexOf = (id) => world.prospectIndex(id);
	async function startTable() {
		await tables.drop(TABLE);
		const created = await run(ID, 'Create practice table');
		assert.equal(created.status, 'success', created.error);
	}
	/** The rows of the CRM. */
	const crm = async () =>
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
	await startTable();
	const byHand = await run(ID, TRIGGER);
	assert.equal(byHand.status, 'success', byHand.error);
	const ids = byHand.rows(TRIGGER).map(({ prospect_id: id }) => id);
	assert.equal(ids.length, 10);
	assert.deepEqual(
		await crm(),
		ids.map((id) => rowOf(id)),
	);

	// By itself: only who comes later. The CRM has one of them, and the contact details of another one can't be had.
	await startTable();
	const [added, inCrm, failing] = ids;
	for (const id of [added, inCrm, failing]) world.unlisted.add(indexOf(id));
	await tables.add(TABLE, [{ full_name: 'Known Already', network: 'x', prospect_id: inCrm }]);
	const refused = sandbox.refuseIds(failing);
	try {
		await whileActive(ID, async (oneMore) => {
			// The first check counts and reads the pages; the one after it outputs nobody.
			await eventually(() => log.count('search').requests >= 3);
			world.unlisted.clear();
			await oneMore();
			await eventually(async () => (await crm()).length >= 3);
		});
	} finally {
		refused.remove();
	}
	assert.deepEqual(
		new Set(await crm()),
		new Set([
			{ ...rowOf(inCrm, NOTHING), full_name: 'Known Already', job_title: null },
			rowOf(added),
			rowOf(failing, NOTHING),
		]),
	);
	assert.deepEqual(log.count('contactsBulk', { worked: true }).repeated, []);
	assert.ok(!log.requestsTo('contactsBulk').some(({ ids }) => ids?.includes(inCrm)));
}
