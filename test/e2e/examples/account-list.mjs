import assert from 'node:assert/strict';

const ID = 'account-list';
const EVERY_DAY = 'Every day at 6';
const TABLE = 'Account list';

export async function check({ run, sandbox, tables }) {
	const { log, world } = sandbox;
	await tables.drop(TABLE);
	const filled = await run(ID, 'Fill practice table');
	assert.equal(filled.status, 'success', filled.error);
	const companies = [
		...new Set(Array.from({ length: 50 }, (_, index) => world.person(index).company)),
	];
	assert.deepEqual(
		(await tables.read(TABLE)).map(({ account_name, website, business_id }) => [
			account_name,
			website,
			business_id,
		]),
		companies.map((index) => {
			const { name, website } = world.company(index);
			return [name, website, null];
		}),
	);
	assert.equal(log.requestsTo().length, 1);

	// A name twice, one with another website, one that nobody has, and one that is an address.
	const [first, second] = companies.map((index) => world.company(index));
	await tables.add(TABLE, [
		{ account_name: first.name.toUpperCase(), website: null },
		{ account_name: first.name, website: 'elsewhere.example' },
		{ account_name: 'Nobody, Inc.', website: null },
		{ account_name: 'https://acme.example', website: null },
	]);
	const refusal = sandbox.refuseIds(second.id);
	const result = await run(ID, EVERY_DAY);
	refusal.remove();
	assert.equal(result.status, 'success', result.error);
	assert.equal(log.count('search').requests, companies.length + 1);
	const rows = await tables.read(TABLE);
	const valueOf = (at, column) => rows[at]?.[column];

	const [refused, ...others] = [1, ...companies.keys()].filter(
		(at, place) => place === 0 || at !== 1,
	);
	assert.equal(valueOf(refused, 'business_id'), null);
	assert.match(valueOf(refused, 'to_check'), /HTTP 422/);
	for (const at of [...others, companies.length]) {
		const { id, name } = at === companies.length ? first : world.company(companies[at]);
		assert.deepEqual(
			[valueOf(at, 'business_id'), valueOf(at, 'company_name'), valueOf(at, 'to_check')],
			[id, name, ''],
		);
	}
	const filledIn = (column) => others.filter((at) => valueOf(at, column)).length;
	for (const column of ['last_funding_round', 'funding_total_usd', 'level_of_intent', 'topics'])
		assert.ok(filledIn(column) > others.length / 2, `${column}: ${filledIn(column)}`);
	assert.deepEqual(
		rows.slice(-3).map(({ business_id, to_check }) => [business_id, to_check]),
		[
			[null, `Choose one of: ${first.name} (${first.website})`],
			[null, 'Not found. Check the spelling of the name.'],
			[null, 'Company Name: "https://acme.example" is not a name. Correct it.'],
		],
	);

	// Only those without an ID are looked up again.
	const again = await run(ID, EVERY_DAY);
	assert.equal(again.status, 'success', again.error);
	assert.equal(log.count('search').requests, 3);
	assert.deepEqual(log.count('intent'), { requests: 1, ids: 1, unique: 1, repeated: [] });
	assert.equal((await tables.read(TABLE))[refused].business_id, second.id);
}
