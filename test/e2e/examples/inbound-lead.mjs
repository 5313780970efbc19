import assert from 'node:assert/strict';
import { mobilePhone, professionalEmail } from '../../sandbox/world/prospect-data.ts';

const ID = 'inbound-lead';
const PATH = 'talk-to-us';
const TABLE = 'Inbound leads';
/** Of one new lead. */
const PAID = ['contactsBulk', 'match', 'profileBulk', 'search'];

/** The ideal customer, as the example describes it. */
const LEVELS = ['c-suite', 'vice president', 'director'];
const DEPARTMENTS = ['sales', 'marketing'];
const SIZES = ['201-500', '501-1000', '1001-5000'];
const COUNTRIES = ['United States', 'United Kingdom', 'Germany'];

export const settings = ({ inbox }) => ({ fillIn: { 'Tell sales': { url: inbox.url } } });

export async function check({ run, whileActive, submit, sandbox, tables, inbox }) {
	const { log, world } = sandbox;
	await tables.drop(TABLE);
	const created = await run(ID, 'Create practice table');
	assert.equal(created.status, 'success', created.error);

	/** A person, with what the example must make of them. */
	function leadOf(index) {
		const person = world.person(index);
		const company = world.company(person.company);
		const score =
			(LEVELS.includes(person.position.level) ? 30 : 0) +
			(DEPARTMENTS.includes(person.position.department) ? 20 : 0) +
			(SIZES.includes(company.size) ? 30 : 0) +
			(COUNTRIES.includes(person.place.country) ? 20 : 0);
		const route = score >= 70 ? 'sales' : score >= 40 ? 'nurture' : 'check';
		const email = professionalEmail(person, company);
		return { person, company, score, route, email };
	}
	/** @type {any[]} */
	const leads = Array.from({ length: 300 }, (_, index) => leadOf(index)).filter(
		({ person, email }) => email && person.hasProfile,
	);
	const names = ({ person: { firstName, lastName } }) => [` ${firstName}`, `${lastName} `];

	await whileActive(ID, async (next) => {
		/** Fills in the form; gives the row of the CRM, and what was requested. */
		async function send(...values) {
			log.clear();
			const execution = next();
			await submit(PATH, values);
			const result = await execution;
			assert.equal(result.status, 'success', result.error);
			const requested = log.entries.map(({ endpoint }) => endpoint).toSorted();
			return { ...result, row: (await tables.read(TABLE)).at(-1), requested };
		}

		for (const route of ['sales', 'nurture', 'check']) {
			const lead = leads.find((one) => one.route === route);
			const { email, company, person, score } = lead;
			const { row, requested, ran } = await send(
				...names(lead),
				email.toUpperCase(),
				company.name,
				`About ${route}`,
			);
			assert.deepEqual(
				{ ...row, id: 0, createdAt: 0, updatedAt: 0, received_at: 0, checked_at: 0 },
				{
					...{ id: 0, createdAt: 0, updatedAt: 0, received_at: 0, checked_at: 0 },
					email,
					first_name: person.firstName,
					last_name: person.lastName,
					company_name: company.name,
					job_title: person.position.title,
					phone: mobilePhone(person),
					message: `About ${route}`,
					score,
					route,
					to_check: '',
				},
			);
			assert.deepEqual(requested, PAID);
			assert.equal(ran('Nurture here'), route === 'nurture');
			assert.equal(ran('A person checks here'), route === 'check');
			const told = `${person.fullName} (${email}) scored ${score}: About ${route}`;
			assert.deepEqual(inbox.take(), route === 'sales' ? [told] : []);
		}

		// Who comes back isn't bought again.
		const lead = leads.find(({ route }) => route === 'sales');
		const rowOf = async () => (await tables.read(TABLE)).find(({ email }) => email === lead.email);
		const before = await rowOf();
		const again = await send(...names(lead), lead.email, '', 'Hello?');
		assert.deepEqual(again.requested, []);
		assert.match(inbox.take().join(), /scored \d+: Hello\?$/);
		// What they write is kept with what they wrote before.
		const after = await rowOf();
		assert.ok(after.received_at > before.received_at);
		assert.deepEqual(after, {
			...before,
			message: 'About sales\n\nHello?',
			received_at: after.received_at,
			updatedAt: after.updatedAt,
		});

		// Someone unknown, someone else's address, and a service that is down: a person checks.
		const unknown = await send('No', 'Body', 'nobody@nowhere.example', '', '');
		assert.deepEqual(unknown.requested, ['match']);
		assert.ok(unknown.ran('Second source here'));
		assert.deepEqual([unknown.row.route, unknown.row.to_check], ['check', 'Not found']);
		const [other, last] = leads.slice(-2);
		const known = { job_title: 'Owner', phone: '+49 30 1234567', company_name: 'Zimmer AG' };
		await tables.add(TABLE, [{ email: other.email, ...known, checked_at: '2020-01-01' }]);
		const wrong = await send('Zoe', 'Zimmer', other.email, '', '');
		for (const [column, value] of Object.entries(known)) assert.equal(wrong.row[column], value);
		assert.deepEqual(wrong.row.route, 'check');
		assert.match(wrong.row.to_check, /^The match may be another person: /);
		const down = sandbox.fault({ times: 'always', do: { kind: 'status', status: 402 } });
		const failed = await send(...names(last), last.email, last.company.name, 'Hello');
		down.remove();
		assert.equal(failed.row.route, 'check');
		assert.match(failed.row.to_check, /no credits left/);
		const later = await send(...names(last), last.email, last.company.name, 'Hello');
		assert.deepEqual(later.requested, PAID);
		assert.deepEqual([later.row.score, later.row.to_check], [last.score, '']);

		// Without the phone number, a lead has a score, and isn't bought again.
		const [half] = leads.slice(-3);
		const unpaid = sandbox.fault({
			when: { to: 'contactsBulk' },
			times: 'always',
			do: { kind: 'status', status: 402 },
		});
		const { row: scored } = await send(...names(half), half.email, half.company.name, 'Hello');
		unpaid.remove();
		assert.deepEqual(
			[scored.score, scored.route, scored.job_title, scored.phone],
			[half.score, 'check', half.person.position.title, null],
		);
		assert.match(scored.to_check, /^The phone number is missing: .+no credits left/);
		const halfAgain = await send(...names(half), half.email, half.company.name, '');
		assert.deepEqual(halfAgain.requested, []);
		assert.deepEqual([halfAgain.row.message, halfAgain.row.to_check], ['Hello', scored.to_check]);

		// If sales can't be told, the CRM has the lead, and the execution fails.
		const [, untold] = leads.filter(({ route }) => route === 'sales');
		inbox.refuse(true);
		const execution = next();
		await submit(PATH, [...names(untold), untold.email, '', 'Not told']);
		const { status } = await execution;
		inbox.refuse(false);
		const { message, route } = (await tables.read(TABLE)).at(-1);
		assert.deepEqual([status, message, route], ['error', 'Not told', 'sales']);
	});
}
