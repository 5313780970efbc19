import assert from 'node:assert/strict';
import { contactsOf } from '../../sandbox/world/prospect-data.ts';

const ID = 'list-building';
const TRIGGER = 'When clicking ‘Execute workflow’';
const TABLE = 'CRM contacts';

/**
 * The people whom the search finds first.
 *
 * @type {number[]}
 */
let found = [];

/**
 * Rows of a CRM that has the people at these places: by ID, profile URL, name and company, name and work email, and email
 * address alone.
 *
 * @param {number[]} places
 */
export function rowsOf(world, places) {
	const [byId, byUrl, byName, byNameAndEmail, byEmail] = places;
	const { fullName, company } = world.person(byName);
	const emailOf = (index) => contactsOf(world.person(index), world.company)?.professions_email;
	return [
		{ full_name: 'Renamed', prospect_id: world.prospectId(byId) },
		{ profile_url: `${world.person(byUrl).network.replace('https://', 'HTTP://www.')}/?from=mail` },
		{ full_name: fullName.toUpperCase(), company_name: world.company(company).name },
		{
			full_name: world.person(byNameAndEmail).fullName.toUpperCase(),
			email: emailOf(byNameAndEmail),
		},
		{ email: emailOf(byEmail)?.toUpperCase() },
	];
}

/**
 * Four of the people at these places aren't bought, and the fifth isn't added.
 *
 * @param {number[]} places
 */
export function checkLeftOut(result, { log, world }, places, count) {
	const [byEmail, ...others] = places.toReversed();
	const bought = log.requestsTo('contactsBulk').flatMap(({ ids }) => ids ?? []);
	const added = result.rows('Add to CRM').map(({ prospect_id: id }) => id);
	for (const index of others) assert.ok(!bought.includes(world.prospectId(index)));
	assert.ok(bought.includes(world.prospectId(byEmail)));
	assert.deepEqual(added.sort(), bought.filter((id) => id !== world.prospectId(byEmail)).sort());
	assert.equal(added.length, count);
}

/** Those who have an email address, so that each key can be tried. */
const keyed = (world) =>
	found
		.filter((index) => contactsOf(world.person(index), world.company)?.professions_email)
		.slice(0, 5);

export const crm = {
	trigger: TRIGGER,
	table: 'contacts',
	identifiedBy: ['email', 'profile_url', 'company_name', 'prospect_id'],
	rows: (world) => rowsOf(world, keyed(world)),
	checkAdded: (result, { sandbox }) => checkLeftOut(result, sandbox, keyed(sandbox.world), 21),
	mayBeEmpty: true,
};

export async function check({ run, sandbox, tables }) {
	const { log, world } = sandbox;
	await tables.drop(TABLE);
	const rowOf = (id) => {
		const person = world.person(world.prospectIndex(id));
		const contacts = contactsOf(person, world.company);
		return {
			contact_id: id,
			full_name: person.fullName,
			company_name: world.company(person.company).name,
			profile_url: person.network,
			job_title: person.position.title,
			email: contacts?.professions_email,
			phone: contacts?.mobile_phone,
			prospect_id: id,
			to_check: '',
		};
	};
	const saved = async () =>
		(await tables.read(TABLE)).map(
			({ id, createdAt, updatedAt, checked_at: checkedAt, ...row }) => {
				assert.ok(row.to_check ? checkedAt === null : Date.parse(checkedAt) > 0);
				return row;
			},
		);

	const first = await run(ID, TRIGGER);
	assert.equal(first.status, 'success', first.error);
	const rows = await saved();
	assert.equal(rows.length, 25);
	assert.deepEqual(
		rows,
		rows.map(({ prospect_id: id }) => rowOf(id)),
	);
	found = rows.map(({ prospect_id: id }) => world.prospectIndex(id));
	assert.equal(log.count('search').requests, 1);
	assert.deepEqual(log.count('contactsBulk'), { requests: 1, ids: 25, unique: 25, repeated: [] });
	assert.equal(log.requestsTo().length, 2);

	// The next run finds others, and keeps whoever has no contact details because the service refuses.
	const [refused] = (await run(ID, TRIGGER)).rows('Add to CRM').slice(-1);
	await tables.drop(TABLE);
	await run(ID, TRIGGER);
	const refusal = sandbox.refuseIds(refused.prospect_id);
	const second = await run(ID, TRIGGER);
	refusal.remove();
	assert.equal(second.status, 'success', second.error);
	const more = (await saved()).slice(25);
	const { to_check: why, ...row } = more.find(({ prospect_id: id }) => id === refused.prospect_id);
	assert.match(why, /HTTP 422/);
	const { to_check: _, ...expected } = rowOf(row.prospect_id);
	assert.deepEqual(row, { ...expected, email: null, phone: null });
	assert.ok(more.every(({ prospect_id: id }) => !rows.some((one) => one.prospect_id === id)));
}
