import assert from 'node:assert/strict';
import { mobilePhone, professionalEmail } from '../../sandbox/world/prospect-data.ts';

const ID = 'crm-enrichment';
const EVERY_MONDAY = 'Every Monday at 6';
const TABLE = 'CRM contacts';
/** People that the CRM knows already, from this index on; the practice table has the first ten. */
const KNOWN = 100;
const range = (count, first = 0) => Array.from({ length: count }, (_, at) => first + at);
const columnsOf = ({ id, createdAt, updatedAt, ...columns }) => columns;
const blank = (values) => ({
	full_name: null,
	company_name: null,
	network: null,
	job_title: null,
	email: null,
	phone: null,
	prospect_id: null,
	...values,
});

export async function check({ run, sandbox, tables }) {
	const { log, world } = sandbox;
	/** What the service knows of a person, in the CRM's columns. */
	const truth = (index) => {
		const person = world.person(index);
		const company = world.company(person.company);
		return {
			full_name: person.fullName,
			company_name: company.name,
			network: person.network,
			job_title: person.position.title,
			email: professionalEmail(person, company),
			phone: mobilePhone(person),
			prospect_id: person.id,
		};
	};

	// The practice table: names without anything else, however often it is filled.
	await tables.drop(TABLE);
	for (const times of [1, 2]) {
		const filled = await run(ID, 'Fill practice table');
		assert.equal(filled.status, 'success', filled.error);
		const names = range(10).map((index) => {
			const { full_name, company_name, network } = truth(index);
			return blank({ full_name, company_name, network });
		});
		assert.deepEqual((await tables.read(TABLE)).map(columnsOf), names, `filled ${times} times`);
		assert.equal(log.requestsTo().length, 1);
	}

	// 60 known contacts, three of them out of date, and six new ones. Of every 20th person there is no profile.
	const outdated = {
		101: { job_title: 'Intern' },
		120: { company_name: 'Elsewhere' },
		159: { job_title: null },
	};
	const known = range(60, KNOWN).map((index) => ({ ...truth(index), ...outdated[index] }));
	const [at60, at61, at73] = [60, 61, 73].map(truth);
	const fresh = [
		{ email: at60.email },
		{ email: at60.email?.toUpperCase(), phone: '+49 30 1' },
		{ full_name: at61.full_name, network: at61.network, job_title: 'Intern' },
		{ email: at73.email, job_title: 'Clerk', company_name: 'Elsewhere' },
		{ email: 'nobody@nowhere.example' },
		{ full_name: 'Only A. Name' },
	];
	await tables.add(TABLE, [...known, ...fresh]);
	const before = await tables.read(TABLE);

	const first = await run(ID, EVERY_MONDAY);
	assert.equal(first.status, 'success', first.error);
	const after = await tables.read(TABLE);
	const [unnamed, unmatched, nameless] = [70, 74, 75];
	const { full_name: _name, network: _network, ...of60 } = at60;
	assert.deepEqual(after.map(columnsOf), [
		...range(10).map(truth),
		...range(60, KNOWN).map(truth),
		blank(of60),
		blank({ ...of60, email: fresh[1].email, phone: fresh[1].phone }),
		at61,
		blank({ ...fresh[3], phone: at73.phone, prospect_id: at73.prospect_id }),
		blank(fresh[4]),
		blank(fresh[5]),
	]);
	const written = [...range(10), 11, 30, 69, ...range(4, unnamed)].map((at) => before[at].id);
	assert.deepEqual(
		first
			.rows('Write to CRM')
			.map(({ id }) => id)
			.sort((a, b) => a - b),
		written,
	);
	const others = ({ id }) => !written.includes(id);
	assert.deepEqual(after.filter(others), before.filter(others));
	assert.deepEqual(first.rows('New contacts to check'), [
		{
			id: before[nameless].id,
			full_name: 'Only A. Name',
			reason:
				"Company Name is empty. A name alone doesn't identify a person: also fill in Company Name, or Email, Phone Number or Profile URL.",
		},
	]);
	assert.equal(log.count('match').requests, 1);
	assert.deepEqual(log.count('contactsBulk'), { requests: 1, ids: 13, unique: 13, repeated: [] });
	assert.deepEqual(log.count('profileBulk'), { requests: 3, ids: 73, unique: 73, repeated: [] });
	assert.equal(log.requestsTo().length, 5);

	// Nothing has changed: nothing is written, and contact details are not asked for again.
	const second = await run(ID, EVERY_MONDAY);
	assert.equal(second.status, 'success', second.error);
	assert.equal(second.ran('Write to CRM'), false);
	assert.deepEqual(await tables.read(TABLE), after);
	assert.deepEqual(log.count('profileBulk'), { requests: 2, ids: 73, unique: 73, repeated: [] });
	assert.deepEqual(log.count('match'), { requests: 1, ids: 1, unique: 1, repeated: [] });
	assert.match(log.idsAskedFor('match')[0], /nobody@nowhere/);
	assert.equal(log.requestsTo().length, 3);
	assert.equal(second.rows('Compare with CRM', 1).length, 70);
	assert.ok(after[unmatched].prospect_id === null);

	// A contact that fails does not hold up the others.
	await tables.change(TABLE, after[0].id, { job_title: 'Intern' });
	const refusal = sandbox.refuseIds(world.prospectId(105));
	const third = await run(ID, EVERY_MONDAY);
	refusal.remove();
	assert.equal(third.status, 'success', third.error);
	assert.deepEqual(third.rows('Write to CRM').map(columnsOf), [truth(0)]);
	const [problem, ...more] = third.rows('Known contacts to check');
	assert.deepEqual(more, []);
	assert.deepEqual([problem.id, problem.full_name], [after[15].id, truth(105).full_name]);
	assert.match(problem.reason, /HTTP 422/);
}
