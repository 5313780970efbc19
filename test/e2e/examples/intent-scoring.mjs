import assert from 'node:assert/strict';
import { intent } from '../../sandbox/world/intent.ts';

const ID = 'intent-scoring';
const TABLE = 'Target accounts';
const TIERS = { 'In-Depth Research': 'A', 'In Depth Research': 'A', 'Active Research': 'B' };

export async function check({ run, sandbox, tables }) {
	const { log, world } = sandbox;
	await tables.drop(TABLE);
	const filled = await run(ID, 'Fill practice table');
	assert.equal(filled.status, 'success', filled.error);
	const companies = [
		...new Set(Array.from({ length: 50 }, (_, index) => world.person(index).company)),
	];
	const accounts = await tables.read(TABLE);
	assert.deepEqual(
		accounts.map(({ business_id, company_name, score }) => [business_id, company_name, score]),
		companies.map((index) => [world.businessId(index), world.company(index).name, null]),
	);
	assert.equal(log.requestsTo().length, 1);

	// More than fit in one request; one of them the service does not know.
	const added = Array.from({ length: 100 }, (_, index) => index)
		.filter((index) => !companies.includes(index))
		.slice(0, 20)
		.map((index) => ({ business_id: world.businessId(index), company_name: `Account ${index}` }));
	const unknown = { business_id: world.unknownBusinessId(), company_name: 'Nobody' };
	await tables.add(TABLE, [...added, unknown]);
	const count = companies.length + added.length + 1;
	assert.ok(count > 50);

	const result = await run(ID, 'Every Tuesday at 6');
	assert.equal(result.status, 'success', result.error);
	assert.deepEqual(log.count('intent'), { requests: 2, ids: count, unique: count, repeated: [] });
	assert.equal(log.requestsTo().length, 2);
	const { topics, min_score: minScore } = log.requestsTo('intent')[0].body.parameters;
	assert.ok(topics.length >= 12);
	assert.equal(minScore, 75);

	function scored({ id, business_id: businessId, company_name }) {
		const index = world.businessIndex(businessId);
		const found =
			index === undefined
				? { intent_topics: null, level_of_intent: null }
				: intent(
						world.company(index),
						{ topics, min_score: minScore },
						{ company: world.company, companies: world.companies, now: new Date() },
					);
		const returned = JSON.parse(found.intent_topics ?? '[]');
		const sum = returned.reduce((all, { composite_score: score }) => all + score, 0);
		return {
			id,
			company_name,
			score: Math.round(sum / topics.length),
			tier: TIERS[String(found.level_of_intent)] ?? 'C',
			topics: returned.map(({ topic }) => topic).join('; ') || null,
		};
	}
	const expected = (await tables.read(TABLE)).map(scored);
	const tiers = new Set(expected.map(({ tier }) => tier));
	assert.deepEqual([...tiers].sort(), ['A', 'B', 'C']);
	const stored = async () =>
		(await tables.read(TABLE)).map(({ id, company_name, score, tier, topics: top }) => ({
			id,
			company_name,
			score,
			tier,
			topics: top,
		}));
	assert.deepEqual(await stored(), expected);
	const best = [...expected].sort((a, b) => b.score - a.score).filter(({ tier }) => tier === 'A');
	assert.deepEqual(result.rows('Call these first'), best);

	// An account with a wrong ID: the others are scored all the same, and the run counts as failed.
	await tables.add(TABLE, [{ business_id: 'abc', company_name: 'Typing Error' }]);
	await tables.change(TABLE, expected[0].id, { score: 1, tier: 'Z' });
	const failed = await run(ID, 'Every Tuesday at 6');
	assert.equal(failed.status, 'error');
	assert.match(failed.error, /^1 account.* Typing Error: Business IDs: "abc" is not a business ID/);
	assert.deepEqual((await stored()).slice(0, -1), expected);
}
