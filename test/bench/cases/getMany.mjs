// Get Many against hand-written paging: time, and memory above what the process had before.
import { search } from '../byHand.mjs';
import {
	againstHand,
	BY_FETCH,
	BY_HELPER,
	collectGarbage,
	inFreshProcess,
	median,
	ratio,
	shown,
	timeFor,
} from '../measure.mjs';
import { runNode, withFetch, withHelper } from '../node.mjs';

const parametersFor = (limit) => ({ resource: 'prospect', operation: 'getAll', limit });

const ACTS = {
	byFetch: async (url, limit) => await search(withFetch(url), limit, 4),
	byHelper: async (url, limit) => await search(withHelper(url), limit, 4),
	node: async (url, limit) =>
		await runNode({ url, items: [{ json: {} }], parameters: parametersFor(limit) }),
};

/** One sample, in a process of its own: milliseconds, and megabytes at the highest above those at the start. */
export async function sample({ name, url, limit }) {
	collectGarbage();
	const before = process.memoryUsage.rss();
	const ms = await timeFor(limit, async () => await ACTS[name](url, limit));
	return { ms, mb: (process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20 };
}

export async function run({ url, short }) {
	const limit = short ? 6_000 : 60_000;
	const what = `Get Many ${shown(limit)} rows`;
	const mb = { byFetch: [], byHelper: [], node: [] };
	const { rows } = await againstHand({
		what,
		url,
		rounds: short ? 1 : 3,
		async act(name) {
			const one = await inFreshProcess(import.meta.url, 'sample', { name, url, limit });
			mb[name].push(one.mb);
			return one.ms;
		},
		expected: limit / 100,
		rule: 'rows ÷ 100',
		most: 1.3,
	});
	const memory = { what: `${what}: memory`, unit: 'MB' };
	return [
		...rows,
		ratio({ ...memory, against: BY_FETCH, most: 1.5 }, mb.node, mb.byFetch, median),
		// This baseline is smaller and varies more.
		ratio({ ...memory, against: BY_HELPER, most: 1.75 }, mb.node, mb.byHelper, median),
	];
}
