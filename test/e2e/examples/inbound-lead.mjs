import assert from 'node:assert/strict';
import { mobilePhone, professionalEmail } from '../../sandbox/world/prospect-data.ts';

const ID = 'inbound-lead';
const PATH = 'talk-to-us';
const TABLE = 'Practice leads';

/** People of the sandbox with a score of 70 and of 30. */
const SALES = 2;
const LOW = 1;

export const settings = ({ inbox }) => ({ fillIn: { 'Tell sales': { url: inbox.url } } });

export async function check({ run, whileActive, submit, sandbox, tables, inbox }) {
	const { log, world } = sandbox;
	await tables.drop(TABLE);
	const created = await run(ID, 'Create practice table');
	assert.equal(created.status, 'success', created.error);

	function leadOf(index) {
		const person = world.person(index);
		const company = world.company(person.company);
		const { firstName, lastName, fullName, position } = person;
		const email = professionalEmail(person, company) ?? '';
		const values = [` ${firstName}`, `${lastName} `, email.toUpperCase(), company.name, 'Hello'];
		return { values, fullName, email, phone: mobilePhone(person), title: position.title };
	}

	await whileActive(ID, async (next) => {
		/** Fills in the form; gives the row of the CRM, and what was requested. */
		async function send(...values) {
			log.clear();
			const execution = next();
			await submit(PATH, values);
			const result = await execution;
			const requested = log.entries.map(({ endpoint }) => endpoint);
			return { ...result, row: (await tables.read(TABLE)).at(-1), requested };
		}
		const { values, email, phone, title, fullName } = leadOf(SALES);

		// Whoever sends the form again isn't bought again.
		for (const requests of [['match', 'profileBulk', 'contacts'], []]) {
			const { row, requested, status, error } = await send(...values);
			assert.equal(status, 'success', error);
			assert.deepEqual(requested, requests);
			assert.deepEqual(
				[row.email, row.full_name, row.job_title, row.phone, row.score],
				[email, fullName, title, phone, 70],
			);
			assert.deepEqual(inbox.take(), [`${fullName} (${email}, ${phone}) scored 70: Hello`]);
		}

		// Unknown people, other people and low scores end apart.
		const [first, last, , company] = values;
		/** @type {[end: string, form: string[]][]} */
		const cases = [
			['Nurture here', leadOf(LOW).values],
			['Second source here', [first, last, 'nobody@nowhere.example', '', '']],
			['A person checks here', ['Zoe', 'Zimmer', email, company, '']],
		];
		for (const [end, form] of cases) {
			const { ran, requested, status, error } = await send(...form);
			assert.equal(status, 'success', error);
			assert.ok(ran(end), end);
			assert.ok(!requested.includes('contacts'));
			assert.deepEqual(inbox.take(), []);
		}

		// If sales can't be told, the CRM has the lead, and the execution fails.
		inbox.refuse(true);
		const { status, row } = await send(...values.slice(0, 4), 'Not told');
		inbox.refuse(false);
		assert.deepEqual([status, row.message], ['error', 'Not told']);
	});
}
