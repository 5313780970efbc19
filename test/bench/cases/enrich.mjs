// Enrich: against hand-written code that sends the same requests, and against one request for each item in sequence.
import { enrich, enrichOneByOne } from '../byHand.mjs';
import { againstHand, ratio, shown, taken, timeFor, wall } from '../measure.mjs';
import { runNode, withFetch, withHelper } from '../node.mjs';
import { itemsOf } from '../people.mjs';

const parameters = {
	resource: 'prospect',
	operation: 'enrich',
	identifyBy: 'prospectId',
	prospectIds: ({ prospect_id }) => prospect_id,
	dataSets: ['profile', 'emails', 'phoneNumbers', 'networkPosts'],
};

async function compare(url, count, rounds) {
	const prospects = count * 0.95;
	const items = itemsOf(count, prospects);
	const acts = {
		byFetch: async () => await enrich(withFetch(url), items, 4),
		byHelper: async () => await enrich(withHelper(url), items, 4),
		node: async () => await runNode({ url, items, parameters }),
	};
	return await againstHand({
		what: `Enrich ${shown(count)} rows, 3 data sets`,
		url,
		rounds,
		act: async (name) => await timeFor(count, acts[name]),
		expected: Math.ceil(prospects / 50) * 3,
		rule: 'unique IDs ÷ 50 × 3',
		most: 1.3,
	});
}

export async function run({ url, short }) {
	const thousand = await compare(url, 1_000, short ? 2 : 7);
	const few = itemsOf(short ? 10 : 200);
	const sequence = await taken(wall, async () => await enrichOneByOne(withFetch(url), few));
	const faster = ratio(
		{
			what: 'Enrich 1,000 rows, 3 data sets: times faster',
			against: `one request for each row, in sequence (${few.length} rows, scaled)`,
			unit: 'ms',
			least: 100,
		},
		[sequence * (1_000 / few.length)],
		[Math.min(...thousand.samples.node)],
	);
	const more = short ? [] : (await compare(url, 10_000, 3)).rows;
	return [...thousand.rows, ...more, faster];
}
