import assert from 'node:assert/strict';
import { mobilePhone, professionalEmail } from '../../sandbox/world/prospect-data.ts';

const ID = 'bulk-enrichment';
const EVERY_NIGHT = 'Every night at 1';
const TABLE = 'Bulk contacts';
const PRACTICE = 100;
const PEOPLE = 300;
const ROWS_PER_RUN = 200;
const ROWS_PER_CHUNK = 50;
/** Paid requests, each for the people of one chunk. */
const PAID = ['match', 'profileBulk', 'contactsBulk'];

const numbers = (values) => ({
	assignments: {
		assignments: Object.entries(values).map(([name, value]) => ({
			id: name,
			name,
			value,
			type: 'number',
		})),
	},
});

export const crm = {
	trigger: EVERY_NIGHT,
	table: 'contacts',
	identifiedBy: ['email', 'phone', 'profile_url', 'full_name', 'company_name'],
	rows(world) {
		const [one, two, three] = [1, 2, 3].map((index) => world.person(index));
		return [
			{ email: professionalEmail(one, world.company(one.company)) },
			{ full_name: two.fullName, company_name: world.company(two.company).name },
			{ profile_url: three.network, job_title: 'Intern' },
			{ email: 'nobody@nowhere.example', job_title: 'Clerk' },
		];
	},
	check(written) {
		assert.deepEqual(
			written.map(({ checked_at: at, to_check: why }) => [Boolean(at), why]),
			['', '', '', 'No match found'].map((why) => [true, why]),
		);
		for (const { phone, job_title: title } of written.slice(0, 3))
			assert.ok(phone && title && title !== 'Intern');
		assert.equal(written[3].job_title, 'Clerk');
	},
	// With every row looked up, a night without rows is no mistake.
	mayBeEmpty: true,
};

export const settings = ({ inbox }) => ({
	fillIn: { 'Send message': { url: inbox.url } },
	faster: { Settings: numbers({ rows_per_run: ROWS_PER_RUN, rows_per_chunk: ROWS_PER_CHUNK }) },
});

export async function check({ run, kill, sandbox, tables, inbox }) {
	const { log, world } = sandbox;
	const checked = async () => (await tables.read(TABLE)).filter(({ checked_at: at }) => at);
	/** Whom the runs paid for, over several of them. @type {Map<string, string[]>} */
	const paid = new Map(PAID.map((endpoint) => [endpoint, []]));
	const count = () => {
		for (const [endpoint, ids] of paid) ids.push(...log.idsAskedFor(endpoint));
	};

	await tables.drop(TABLE);
	const filled = await run(ID, 'Fill practice table');
	assert.equal(filled.status, 'success', filled.error);
	assert.equal((await tables.read(TABLE)).length, PRACTICE);

	// 200 more people, an ID that no number can hold, and someone who can't be looked up.
	const others = [
		{ contact_id: '9007199254740993123', email: 'nobody@nowhere.example' },
		{ contact_id: 'recOnlyName', full_name: 'Only A. Name' },
	];
	const people = Array.from({ length: PEOPLE - PRACTICE }, (_, at) => {
		const person = world.person(PRACTICE + at);
		return {
			contact_id: `rec${PRACTICE + at}`,
			full_name: person.fullName,
			company_name: world.company(person.company).name,
			profile_url: person.network,
		};
	});
	await tables.add(TABLE, [...people, ...others]);
	const rows = await tables.read(TABLE);

	// Killed in the second chunk: what was written is not bought again.
	const second = () => log.count('contactsBulk').requests >= 2;
	await kill(ID, EVERY_NIGHT, second);
	count();
	const survived = (await checked()).length;
	assert.ok(survived >= ROWS_PER_CHUNK && survived <= 2 * ROWS_PER_CHUNK, `${survived} written`);
	assert.deepEqual(inbox.take(), []);

	// The limit ends a run with a message, and the next run goes on.
	const limited = await run(ID, EVERY_NIGHT);
	assert.equal(limited.status, 'success', limited.error);
	count();
	assert.equal((await checked()).length, survived + ROWS_PER_RUN);
	assert.match(
		inbox.take().join(),
		/^Looked up 200 rows, the limit for a run\. More rows are left/,
	);
	const last = await run(ID, EVERY_NIGHT);
	assert.equal(last.status, 'success', last.error);
	count();
	const left = PEOPLE + others.length - survived - ROWS_PER_RUN;
	assert.match(inbox.take().join(), new RegExp(`^Looked up ${left} rows\\. None is left, but `));

	// At most one chunk was paid twice, and nobody was lost.
	for (const [endpoint, ids] of paid) {
		const unique = new Set(ids).size;
		assert.ok(ids.length - unique <= ROWS_PER_CHUNK, `${endpoint}: ${ids.length} for ${unique}`);
	}
	const done = await tables.read(TABLE);
	const ofPeople = Array.from({ length: PEOPLE }, (_, index) => {
		const person = world.person(index);
		const company = world.company(person.company);
		return {
			contact_id: rows[index].contact_id,
			full_name: person.fullName,
			company_name: company.name,
			profile_url: person.network,
			job_title: person.hasProfile ? person.position.title : null,
			email: professionalEmail(person, company),
			phone: mobilePhone(person),
			prospect_id: person.id,
			to_check: '',
		};
	});
	const columnsOf = ({ id, createdAt, updatedAt, checked_at, ...columns }) => columns;
	assert.deepEqual(done.slice(0, PEOPLE).map(columnsOf), ofPeople);
	assert.deepEqual(
		done.slice(PEOPLE).map(({ contact_id, to_check }) => [contact_id, to_check]),
		[
			['9007199254740993123', 'No match found'],
			[
				'recOnlyName',
				"Company Name is empty. A name alone doesn't identify a person: also fill in Company Name, or Email, Phone Number or Profile URL.",
			],
		],
	);

	// Nothing is left: nothing is sent.
	const idle = await run(ID, EVERY_NIGHT);
	assert.equal(idle.status, 'success', idle.error);
	assert.deepEqual(inbox.take(), ['All rows have been looked up. No request was sent.']);
	assert.equal(log.requestsTo().length, 0);

	// Rows that the mapping finds nothing in, or no ID, and then a service that is down.
	await tables.add(TABLE, [{ email: 'no.id@nowhere.example' }]);
	const withoutId = await run(ID, EVERY_NIGHT);
	assert.equal(withoutId.status, 'error');
	assert.match(
		withoutId.error,
		/^Nothing was sent: rows read: 1, .+ 0\. Rows without crm_id: 1\. /,
	);
	await tables.add(TABLE, [{ contact_id: 'recA1', job_title: 'Clerk' }]);
	const unusable = await run(ID, EVERY_NIGHT);
	assert.equal(unusable.status, 'error');
	assert.match(
		unusable.error,
		/^Nothing was sent: rows read: 2, .+crm_id: 1\. .+ row: contact_id, full_name,/,
	);
	assert.equal(log.requestsTo().length, 0);
	const [{ id }] = (await tables.read(TABLE)).slice(-1);
	await tables.change(TABLE, id, { email: ofPeople[0].email });
	const down = sandbox.fault({ times: 'always', do: { kind: 'status', status: 402 } });
	const stopped = await run(ID, EVERY_NIGHT);
	down.remove();
	assert.equal(stopped.status, 'error');
	assert.match(stopped.error, /^All rows of a chunk failed, .*no credits left/);
	assert.deepEqual(
		(await tables.read(TABLE)).slice(-1).map(({ email, checked_at }) => [email, checked_at]),
		[[ofPeople[0].email, '']],
	);

	// One data set fails: what was paid for is kept, and the next run buys only the other one.
	const unpaid = sandbox.fault({
		when: { to: 'contactsBulk' },
		times: 'always',
		do: { kind: 'status', status: 402 },
	});
	for (const requests of [1, 0]) {
		const half = await run(ID, EVERY_NIGHT);
		assert.equal(half.status, 'error');
		assert.match(half.error, /^All rows of a chunk failed, .+: Contact details are missing: /);
		const counts = ['match', 'profileBulk'].map((endpoint) => log.count(endpoint).requests);
		assert.deepEqual(counts, [requests, requests]);
		const [{ job_title, prospect_id }] = (await tables.read(TABLE)).slice(-1);
		assert.deepEqual([job_title, prospect_id], [ofPeople[0].job_title, ofPeople[0].prospect_id]);
	}
	unpaid.remove();
	const whole = await run(ID, EVERY_NIGHT);
	assert.equal(whole.status, 'success', whole.error);
	assert.equal(log.requestsTo().length, 1);
	const [{ phone, to_check }] = (await tables.read(TABLE)).slice(-1);
	assert.deepEqual([phone, to_check], [ofPeople[0].phone, '']);
	assert.match(
		inbox.take().join(),
		/^Looked up 1 rows\..+ Rows left out because they have no crm_id: 1\. Give them an ID/,
	);
}
