import assert from 'node:assert/strict';
import { contactsOf } from '../../sandbox/world/prospect-data.ts';

export async function check({ run, sandbox: { log, world } }) {
	const result = await run('list-building', 'When clicking ‘Execute workflow’');

	assert.equal(result.status, 'success', result.error);
	const rows = result.rows('Shape rows');
	assert.equal(rows.length, 25);
	const expected = rows.map(({ prospect_id: id }) => {
		const person = world.person(world.prospectIndex(id));
		const contacts = contactsOf(person, world.company);
		return {
			prospect_id: id,
			first_name: person.firstName,
			last_name: person.lastName,
			title: person.position.title,
			company: world.company(person.company).name,
			email: contacts?.professions_email,
			phone: contacts?.mobile_phone,
		};
	});
	assert.deepEqual(rows, expected);
	assert.equal(log.count('search').requests, 1);
	assert.deepEqual(log.count('contactsBulk'), { requests: 1, ids: 25, unique: 25, repeated: [] });
	assert.equal(log.requestsTo().length, 2);
}
