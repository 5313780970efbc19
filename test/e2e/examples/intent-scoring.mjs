import assert from 'node:assert/strict';
import { intent } from '../../sandbox/world/intent.ts';

const ID = 'intent-scoring';
const TABLE = 'Target accounts';
const EVERY_TUESDAY = 'Every Tuesday at 6';
const DAY_MS = 86_400_000;
const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString();
const TIERS = { 'In-Depth Research': 'A', 'In Depth Research': 'A', 'Active Research': 'B' };

export const crm = {
	trigger: EVERY_TUESDAY,
	table: 'accounts',
	identifiedBy: ['business_id'],
	rows: (world) =>
		[1, 2, 3, 4, 5, 6].map((index) => ({
			company_name: world.company(index).name,
			business_id: world.businessId(index),
			...(index > 3 && { score: 7, tier: 'A', topics: 'Old', checked_at: daysAgo(index + 2.1) }),
		})),
	check(written) {
		for (const { score, tier, to_check: why } of written) {
			assert.equal(typeof score, 'number');
			assert.match(tier, /^[ABC]$/);
			assert.equal(why, '');
		}
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
		.map((index) => ({
			account_id: `B-${index}`,
			business_id: world.businessId(index),
			company_name: `Account ${index}`,
		}));
	const unknown = {
		account_id: 'B-0',
		business_id: world.unknownBusinessId(),
		company_name: 'Nobody',
	};
	await tables.add(TABLE, [...added, unknown]);
	const count = companies.length + added.length + 1;
	assert.ok(count > 50);

	const result = await run(ID, EVERY_TUESDAY);
	assert.equal(result.status, 'success', result.error);
	assert.deepEqual(log.count('intent'), { requests: 2, ids: count, unique: count, repeated: [] });
	assert.equal(log.requestsTo().length, 2);
	const { topics, min_score: minScore } = log.requestsTo('intent')[0].body.parameters;
	assert.ok(topics.length >= 12);
	assert.equal(minScore, 75);

	function scored({ account_id, business_id: businessId, company_name }) {
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
			account_id,
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
		(await tables.read(TABLE)).map(({ account_id, company_name, score, tier, topics: top }) => ({
			account_id,
			company_name,
			score,
			tier,
			topics: top,
		}));
	assert.deepEqual(await stored(), expected);
	const [{ to_check: noData }] = (await tables.read(TABLE)).slice(-1);
	assert.match(noData, /^The service has no intent data of this account/);
	const best = [...expected].sort((a, b) => b.score - a.score).filter(({ tier }) => tier === 'A');
	assert.deepEqual(
		result.rows('Call these first').map(({ crm_id }) => crm_id),
		best.map(({ account_id }) => account_id),
	);

	// A second run has nothing to do. An account with a wrong ID holds up nobody, and says so.
	const again = await run(ID, EVERY_TUESDAY);
	assert.equal(again.status, 'success', again.error);
	assert.equal(log.requestsTo().length, 0);
	assert.equal(again.ran('Write to CRM'), false);
	await tables.add(TABLE, [
		{ account_id: 'B-X', business_id: 'abc', company_name: 'Typing Error', score: 5, tier: 'B' },
	]);
	const [{ id }] = await tables.read(TABLE);
	await tables.change(TABLE, id, { score: 1, tier: 'Z', checked_at: daysAgo(6.01) });
	const third = await run(ID, EVERY_TUESDAY);
	assert.equal(third.status, 'success', third.error);
	assert.deepEqual(log.count('intent'), { requests: 1, ids: 1, unique: 1, repeated: [] });
	assert.deepEqual((await stored()).slice(0, -1), expected);
	const { score, tier, checked_at: checkedAt, to_check: why } = (await tables.read(TABLE)).at(-1);
	assert.deepEqual([score, tier, checkedAt], [5, 'B', null]);
	assert.match(why, /^Business IDs: "abc" is not a business ID/);
}
