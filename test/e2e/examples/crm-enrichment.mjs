import assert from 'node:assert/strict';
import { mobilePhone, professionalEmail } from '../../sandbox/world/prospect-data.ts';

const ID = 'crm-enrichment';
const EVERY_MONDAY = 'Every Monday at 6';
const TABLE = 'CRM contacts';
/** People that the CRM knows already, from this index on; the practice table has the first ten. */
const KNOWN = 100;
const DAY_MS = 86_400_000;
const range = (count, first = 0) => Array.from({ length: count }, (_, at) => first + at);
const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString();
const columnsOf = ({ id, createdAt, updatedAt, ...columns }) => columns;
const blank = (values) => ({
	full_name: null,
	company_name: null,
	profile_url: null,
	job_title: null,
	email: null,
	phone: null,
	prospect_id: null,
	checked_at: null,
	to_check: null,
	...values,
});
const NO_MATCH = 'No match. Correct or complete the details, and empty checked_at.';

/** What the service knows of a person, in the CRM's columns. */
function truthOf(world, index) {
	const person = world.person(index);
	const company = world.company(person.company);
	return {
		full_name: person.fullName,
		company_name: company.name,
		profile_url: person.network,
		job_title: person.position.title,
		email: professionalEmail(person, company),
		phone: mobilePhone(person),
		prospect_id: person.id,
	};
}

export const crm = {
	trigger: EVERY_MONDAY,
	table: 'contacts',
	identifiedBy: ['email', 'phone', 'profile_url', 'company_name', 'prospect_id'],
	rows(world) {
		const [one, two, three, four] = [1, 2, 3, 4].map((index) => truthOf(world, index));
		return [
			{ email: one.email },
			{ full_name: two.full_name, company_name: two.company_name },
			{ profile_url: three.profile_url, job_title: 'Intern' },
			{ email: 'nobody@nowhere.example', full_name: 'No Body' },
			{ full_name: four.full_name, prospect_id: four.prospect_id, checked_at: daysAgo(40) },
			{ email: 'short@nowhere.example', checked_at: daysAgo(31) },
		];
	},
	check(written, rows) {
		assert.deepEqual(
			written.map(({ prospect_id: id, to_check: why }) => [Boolean(id), why]),
			[true, true, true, false, true, false].map((found) => [found, found ? '' : NO_MATCH]),
		);
		for (const { email, phone, job_title: title } of written.slice(0, 3))
			assert.ok(email?.includes('@') && phone && title && title !== 'Intern');
		assert.equal(written[4].full_name ?? rows[4].full_name, rows[4].full_name);
		assert.equal(written[3].email, rows[3].email);
	},
};

export async function check({ run, sandbox, tables }) {
	const { log, world } = sandbox;
	const truth = (index) => truthOf(world, index);

	// The practice table: names without anything else, however often it is filled.
	await tables.drop(TABLE);
	for (const times of [1, 2]) {
		const filled = await run(ID, 'Fill practice table');
		assert.equal(filled.status, 'success', filled.error);
		const names = range(10).map((index) => {
			const { full_name, company_name, profile_url } = truth(index);
			return blank({ contact_id: `C-${1001 + index}`, full_name, company_name, profile_url });
		});
		assert.deepEqual((await tables.read(TABLE)).map(columnsOf), names, `filled ${times} times`);
		assert.equal(log.requestsTo().length, 1);
	}

	// 60 known contacts: most were checked 31 days ago, one lately, one never, and one too
	// long ago to know what changed since. Two changed since, one changed before.
	/** @type {any[]} */
	const known = range(60, KNOWN).map((index) => ({
		contact_id: `K-${index}`,
		...truth(index),
		email: 'old@elsewhere.example',
		job_title: 'Intern',
		checked_at: daysAgo(31),
	}));
	const [changedCompany, changedRole, changedBefore, lately, never, longAgo] = [1, 2, 3, 4, 5, 6];
	known[lately].checked_at = daysAgo(29);
	known[never].checked_at = null;
	known[longAgo].checked_at = daysAgo(100);
	/** @type {[number, number, string][]} */
	const changes = [
		[changedCompany, 1, 'prospect_changed_company'],
		[changedCompany, 2, 'prospect_changed_role'],
		// Before the last check, which came too early to see it.
		[changedRole, 33, 'prospect_changed_role'],
		[changedBefore, 40, 'prospect_changed_company'],
		[lately, 1, 'prospect_changed_company'],
	];
	for (const [at, days, name] of changes)
		world.addEvent({ prospect: KNOWN + at, event_name: name, time: new Date(daysAgo(days)) });
	// Of every 20th person there is no profile.
	const [at60, at61, at73, someoneElse] = [60, 61, 73, 62].map(truth);
	const fresh = [
		{ email: at60.email },
		{ email: at60.email?.toUpperCase(), phone: '+49 30 1' },
		{ full_name: at61.full_name, profile_url: at61.profile_url, job_title: 'Intern' },
		{ email: at73.email, job_title: 'Clerk', company_name: 'Elsewhere' },
		{ email: 'nobody@nowhere.example' },
		{ full_name: 'Only A. Name', phone: '+49 30 1 or so' },
		{ full_name: 'Nothing Else' },
		{
			full_name: 'Zoe Zimmer',
			company_name: 'Zimmer AG',
			job_title: 'Owner',
			email: someoneElse.email,
		},
	].map((row, at) => ({ contact_id: `N-${at}`, ...row }));
	await tables.add(TABLE, [...known, ...fresh]);
	const before = await tables.read(TABLE);

	const started = new Date().toISOString();
	const first = await run(ID, EVERY_MONDAY);
	assert.equal(first.status, 'success', first.error);
	const after = await tables.read(TABLE);
	const rowOf = (rows, id) => rows.find(({ contact_id }) => contact_id === id);
	const written = first.rows('Write to CRM').map(({ contact_id }) => contact_id);
	const ids = before.map(({ contact_id }) => contact_id);
	const leftOut = [`K-${KNOWN + lately}`, 'N-6'];
	assert.deepEqual(written.sort(), ids.filter((id) => !leftOut.includes(id)).sort());
	for (const id of leftOut) assert.deepEqual(rowOf(after, id), rowOf(before, id));

	const failed = rowOf(after, 'N-5');
	assert.match(failed.to_check, /^Phone Number: .+ is not a phone number|^Company Name is empty/);
	assert.equal(failed.checked_at, null);
	const checked = after.filter(({ contact_id: id }) => id !== 'N-5' && !leftOut.includes(id));
	for (const { contact_id: id, checked_at: at } of checked)
		assert.ok(new Date(at).toISOString() >= started, `${id}: ${at}`);
	const withoutDate = ({ id, createdAt, updatedAt, checked_at: _, ...columns }) => columns;
	const { checked_at: __, ...nothing } = blank({ to_check: '' });
	const { full_name: _name, ...of60 } = at60;
	const enriched = [changedCompany, changedRole, never, longAgo];
	assert.deepEqual(checked.map(withoutDate), [
		...range(10).map((index) => ({ ...nothing, contact_id: `C-${1001 + index}`, ...truth(index) })),
		...known
			.map(({ checked_at: _date, ...row }, at) => {
				const { email, job_title } = truth(KNOWN + at);
				if (!enriched.includes(at)) return { ...nothing, ...row };
				return {
					...nothing,
					...row,
					job_title,
					email: [never, longAgo].includes(at) ? row.email : email,
				};
			})
			.filter((_, at) => at !== lately),
		{ ...nothing, contact_id: 'N-0', ...of60 },
		{ ...nothing, contact_id: 'N-1', ...of60, email: fresh[1].email, phone: fresh[1].phone },
		{ ...nothing, contact_id: 'N-2', ...at61 },
		{
			...nothing,
			...fresh[3],
			phone: at73.phone,
			prospect_id: at73.prospect_id,
		},
		{ ...nothing, ...fresh[4], to_check: NO_MATCH },
		{
			...nothing,
			...fresh[7],
			...{ phone: '', profile_url: '', prospect_id: '' },
			to_check: `The match may be another person: ${someoneElse.full_name}. Correct the details, and empty checked_at.`,
		},
	]);
	assert.deepEqual(log.count('prospectEvents').unique, 57);
	assert.equal(log.count('match').requests, 1);
	// No contact details of someone who may be another person.
	for (const [dataSet, people] of /** @type {const} */ ([
		['contactsBulk', 17],
		['profileBulk', 18],
	])) {
		const { ids: bought, unique } = log.count(dataSet);
		assert.deepEqual([dataSet, bought, unique], [dataSet, people, people]);
	}

	// Nothing is due, but for the one that failed, for which nothing can be sent. The CRM returns it twice.
	await tables.add(TABLE, [columnsOf(failed)]);
	const second = await run(ID, EVERY_MONDAY);
	assert.equal(second.status, 'success', second.error);
	assert.equal(log.requestsTo().length, 0);
	assert.deepEqual(
		new Set(second.rows('Write to CRM').map(({ contact_id }) => contact_id)),
		new Set(['N-5']),
	);

	// After 30 days, the one without a match is asked about again, and nobody else.
	await tables.change(TABLE, rowOf(after, 'N-4').id, { checked_at: daysAgo(30.01) });
	const third = await run(ID, EVERY_MONDAY);
	assert.equal(third.status, 'success', third.error);
	assert.deepEqual(log.count('match'), { requests: 1, ids: 1, unique: 1, repeated: [] });
	assert.equal(log.requestsTo().length, 1);

	// A contact that fails does not hold up the others, and is asked about again.
	for (const at of [7, 8])
		await tables.change(TABLE, before[10 + at].id, { checked_at: daysAgo(31) });
	await tables.change(TABLE, before[19].id, { checked_at: '' });
	const refusal = sandbox.refuseIds([17, 19].map((at) => before[at].prospect_id));
	const fourth = await run(ID, EVERY_MONDAY);
	refusal.remove();
	assert.equal(fourth.status, 'success', fourth.error);
	const [refused, other, neverChecked] = (await tables.read(TABLE)).slice(17, 20);
	assert.match(neverChecked.to_check, /HTTP 422/);
	assert.match(refused.to_check, /HTTP 422/);
	assert.ok(refused.checked_at < daysAgo(30));
	assert.ok(other.checked_at > daysAgo(1) && other.to_check === '');

	// One data set fails: what was paid for is kept, and the next run buys only the other one.
	await tables.add(TABLE, [{ contact_id: 'H-1', profile_url: truth(64).profile_url }]);
	world.addEvent({
		prospect: KNOWN + 7,
		event_name: 'prospect_changed_company',
		time: new Date(daysAgo(1)),
	});
	const unpaid = sandbox.fault({
		when: { to: 'contactsBulk' },
		times: 'always',
		do: { kind: 'status', status: 402 },
	});
	const isHalf = ({ contact_id: id }) => ['H-1', refused.contact_id].includes(id);
	const half = async () => (await tables.read(TABLE)).filter(isHalf);
	for (const requests of [1, 0]) {
		const fifth = await run(ID, EVERY_MONDAY);
		assert.equal(fifth.status, 'success', fifth.error);
		const counts = ['match', 'profileBulk'].map((endpoint) => log.count(endpoint).requests);
		assert.deepEqual(counts, [requests, requests * 2]);
		const kept = ({ job_title, prospect_id, email, checked_at }) => [
			...[job_title, prospect_id, email, checked_at],
		];
		assert.deepEqual((await half()).map(kept), [
			kept({ ...refused, job_title: truth(KNOWN + 7).job_title }),
			kept({ ...truth(64), email: null, checked_at: null }),
		]);
		for (const { to_check: why } of await half())
			assert.match(why, /^Contact details are missing: .+no credits left/);
	}
	unpaid.remove();
	const sixth = await run(ID, EVERY_MONDAY);
	assert.equal(sixth.status, 'success', sixth.error);
	assert.deepEqual([log.count('match').requests, log.count('profileBulk').requests], [0, 0]);
	assert.deepEqual(
		(await half()).map(({ email, to_check }) => [email, to_check]),
		[KNOWN + 7, 64].map((index) => [truth(index).email, '']),
	);
}
