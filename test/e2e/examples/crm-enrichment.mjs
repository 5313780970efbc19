import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mobilePhone, professionalEmail } from '../../sandbox/world/prospect-data.ts';
import { listen } from '../../n8n/ports.mjs';
import { atEnd } from '../stage.mjs';

const ID = 'crm-enrichment';
const EVERY_MONDAY = 'Every Monday at 6';
const TABLE = 'Practice contacts';

/** A CRM that takes contacts one by one, as HubSpot does. */
async function startCrm(t) {
	const crm = { url: '', contacts: new Map(), refuses: (_id) => false };
	const server = createServer(async (request, response) => {
		const { properties } = JSON.parse(Buffer.concat(await request.toArray()).toString());
		const id = request.url?.split('/').at(-1);
		const isRefused = request.method !== 'PATCH' || crm.refuses(id);
		if (!isRefused) crm.contacts.set(id, properties);
		response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(isRefused ? { message: 'Not valid' } : { id, properties }));
	});
	crm.url = `http://127.0.0.1:${await listen(server)}/crm/v3/objects/contacts`;
	atEnd(t, async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	});
	return crm;
}

export async function check({ run, sandbox, tables }, t) {
	const { log, world } = sandbox;
	await tables.drop(TABLE);
	for (const times of [1, 2]) {
		const filled = await run(ID, 'Fill practice table');
		assert.equal(filled.status, 'success', filled.error);
		assert.equal((await tables.read(TABLE)).length, 10, `filled ${times} times`);
	}

	// The practice table, and a second run that pays nothing.
	for (const requests of [3, 0]) {
		const result = await run(ID, EVERY_MONDAY);
		assert.equal(result.status, 'success', result.error);
		assert.equal(log.requestsTo().length, requests);
		assert.equal(result.rows('Write to CRM').length, 10);
		assert.deepEqual(result.rows('Rows that failed'), []);
	}
	const rows = await tables.read(TABLE);
	for (const [index, row] of rows.entries()) {
		const person = world.person(index);
		const company = world.company(person.company);
		assert.equal(row.contact_id, `C-${1001 + index}`);
		assert.equal(row.prospect_id, person.id);
		assert.equal(row.work_email ?? null, professionalEmail(person, company) ?? null);
		assert.equal(row.phone ?? null, mobilePhone(person) ?? null);
	}

	// A CRM that refuses a row: docs/crm.md says how to write to HubSpot.
	const crm = await startCrm(t);
	crm.refuses = (id) => id === 'C-1003';
	const replaced = {
		'Write to CRM': {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				method: 'PATCH',
				url: `=${crm.url}/{{ $json.contact_id }}`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: "={{ { properties: $json.removeField('contact_id') } }}",
				options: { batching: { batch: { batchSize: 15, batchInterval: 1000 } } },
			},
		},
	};
	const added = world.person(20);
	await tables.add(TABLE, [{ contact_id: 'N-1', profile_url: added.network }]);
	const refused = await run(ID, EVERY_MONDAY, replaced);
	assert.equal(refused.status, 'success', refused.error);
	assert.deepEqual([log.count('match').ids, log.idsAskedFor('profileBulk')], [1, [added.id]]);
	assert.equal(crm.contacts.size, 10);
	assert.equal(crm.contacts.get('N-1').prospect_id, added.id);
	const [failed, ...more] = refused.rows('Rows that failed');
	assert.deepEqual(more, []);
	assert.equal(failed.contact_id, 'C-1003');
	assert.match(JSON.stringify(failed.error), /Not valid/);

	crm.refuses = () => false;
	const again = await run(ID, EVERY_MONDAY, replaced);
	assert.equal(again.status, 'success', again.error);
	assert.equal(log.requestsTo().length, 0);
	assert.equal(crm.contacts.get('C-1003').prospect_id, world.prospectId(2));
}
