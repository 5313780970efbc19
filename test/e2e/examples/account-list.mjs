import assert from 'node:assert/strict';

const ID = 'account-list';
const EVERY_DAY = 'Every day at 6';
const TABLE = 'Account list';
const DAY_MS = 86_400_000;
const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString();
const NOT_FOUND = 'Not found. Correct the name or website, and empty checked_at.';

export const crm = {
	trigger: EVERY_DAY,
	table: 'accounts',
	identifiedBy: ['company_name', 'business_id'],
	rows(world) {
		const [one, two, three, four] = [1, 2, 3, 4].map((index) => world.company(index));
		return [
			{ company_name: one.name },
			{ company_name: two.name, website: two.website },
			{ company_name: 'Nobody, Inc.' },
			{ business_id: three.id },
			{ company_name: four.name, business_id: four.id, checked_at: daysAgo(31), topics: 'Old' },
			{ company_name: 'Nobody Else', checked_at: daysAgo(31) },
		];
	},
	check(written, rows) {
		assert.deepEqual(
			written.map(({ business_id: id, to_check: why }) => [Boolean(id), why]),
			[true, true, false, true, true, false].map((found) => [found, found ? '' : NOT_FOUND]),
		);
		for (const at of [3, 4]) assert.equal(written[at].business_id, rows[at].business_id);
	},
};

export async function check({ run, sandbox, tables }) {
	const { log, world } = sandbox;
	await tables.drop(TABLE);
	const filled = await run(ID, 'Fill practice table');
	assert.equal(filled.status, 'success', filled.error);
	const companies = [
		...new Set(Array.from({ length: 50 }, (_, index) => world.person(index).company)),
	];
	assert.deepEqual(
		(await tables.read(TABLE)).map(({ account_id, account_name, website, business_id }) => [
			account_id,
			account_name,
			website,
			business_id,
		]),
		companies.map((index, at) => {
			const { name, website } = world.company(index);
			return [`A-${1001 + at}`, name, website, null];
		}),
	);
	assert.equal(log.requestsTo().length, 1);

	// A name twice, one with another website, one that nobody has, and one that is an address.
	const [first, second] = companies.map((index) => world.company(index));
	await tables.add(
		TABLE,
		[
			{ account_name: first.name.toUpperCase(), topics: 'Kept: Only if nothing is known' },
			{ account_name: first.name, website: 'elsewhere.example' },
			{ account_name: 'Nobody, Inc.' },
			{ account_name: 'https://acme.example' },
		].map((row, at) => ({ account_id: `B-${at}`, ...row })),
	);
	const refusal = sandbox.refuseIds(second.id);
	const result = await run(ID, EVERY_DAY);
	refusal.remove();
	assert.equal(result.status, 'success', result.error);
	assert.equal(log.count('search').requests, companies.length + 1);
	const rows = await tables.read(TABLE);
	const count = companies.length;
	const [refused, ...others] = [1, 0, ...companies.keys(), count].filter(
		(at, place, all) => all.indexOf(at) === place,
	);
	assert.match(rows[refused].to_check, /HTTP 422/);
	assert.equal(rows[refused].checked_at, null);
	// What was paid for is kept, so that the next run needs no search for it.
	assert.equal(rows[refused].business_id, second.id);
	for (const at of others) {
		const { id } = at === count ? first : world.company(companies[at]);
		assert.deepEqual([rows[at].business_id, rows[at].to_check], [id, '']);
	}
	const filledIn = (column) => others.filter((at) => rows[at][column]).length;
	for (const column of ['last_funding_round', 'funding_total_usd', 'level_of_intent', 'topics'])
		assert.ok(filledIn(column) > others.length / 2, `${column}: ${filledIn(column)}`);
	assert.deepEqual(
		rows.slice(-3).map(({ business_id, to_check }) => [business_id, to_check]),
		[
			[
				null,
				`Choose one of: ${first.name} (${first.website}). Then correct the name or website, and empty checked_at.`,
			],
			[null, NOT_FOUND],
			[null, 'Company Name: "https://acme.example" is not a name. Correct it.'],
		],
	);

	// One that is found but fails again still says so.
	await tables.change(TABLE, rows[refused].id, { to_check: '' });
	const refusalAgain = sandbox.refuseIds(second.id);
	const failedAgain = await run(ID, EVERY_DAY);
	refusalAgain.remove();
	assert.equal(failedAgain.status, 'success', failedAgain.error);
	assert.match((await tables.read(TABLE))[refused].to_check, /HTTP 422/);

	// Only the one that failed is asked about again.
	const again = await run(ID, EVERY_DAY);
	assert.equal(again.status, 'success', again.error);
	assert.equal(log.count('search').requests, 0);
	assert.deepEqual(log.count('intent'), { requests: 1, ids: 1, unique: 1, repeated: [] });
	const later = await tables.read(TABLE);
	assert.deepEqual([later[refused].business_id, later[refused].to_check], [second.id, '']);

	// After 30 days, a name that was not found is looked up again; data is refreshed, and a blank value replaces nothing.
	const [found, notFound] = [0, rows.length - 2];
	await tables.change(TABLE, rows[found].id, {
		checked_at: daysAgo(31),
		funding_total_usd: 1,
		last_funding_round: 'Old',
	});
	await tables.change(TABLE, rows[notFound].id, { checked_at: daysAgo(31) });
	const monthLater = await run(ID, EVERY_DAY);
	assert.equal(monthLater.status, 'success', monthLater.error);
	assert.equal(log.count('search').requests, 1);
	assert.equal(log.count('intent').ids, 1);
	const written = ['account_id', 'business_id'].map((column) =>
		monthLater.rows('Write to CRM').map((row) => row[column]),
	);
	assert.deepEqual(written, [
		[rows[found].account_id, rows[notFound].account_id, rows.at(-1).account_id],
		[first.id, null, null],
	]);

	// One data set fails: what was paid for is kept, and the next run buys only the other one.
	await tables.change(TABLE, rows[found].id, {
		checked_at: daysAgo(31),
		funding_total_usd: 1,
		level_of_intent: 'Old',
	});
	const unpaid = sandbox.fault({
		when: { to: 'intent' },
		times: 'always',
		do: { kind: 'status', status: 402 },
	});
	for (const requests of [1, 0]) {
		const half = await run(ID, EVERY_DAY);
		assert.equal(half.status, 'success', half.error);
		assert.equal(log.count('fundingAndAcquisition').requests, requests);
		const { funding_total_usd, level_of_intent, to_check } = (await tables.read(TABLE))[found];
		assert.deepEqual([funding_total_usd, level_of_intent], [rows[found].funding_total_usd, 'Old']);
		assert.match(to_check, /^Intent is missing: .+no credits left/);
	}
	unpaid.remove();
	const whole = await run(ID, EVERY_DAY);
	assert.equal(whole.status, 'success', whole.error);
	assert.deepEqual([log.count('fundingAndAcquisition').requests, log.count('intent').ids], [0, 1]);
	const { level_of_intent, to_check } = (await tables.read(TABLE))[found];
	assert.deepEqual([level_of_intent, to_check], [rows[found].level_of_intent, '']);
}
