// Get Many against hand-written paging: time, and memory above what the process had before.
import { search } from '../byHand.mjs';
import {
	byTurns,
	collectGarbage,
	inFreshProcess,
	median,
	ratio,
	requests,
	requestsSince,
	shown,
	taken,
	wall,
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
	let rows = [];
	collectGarbage();
	const before = process.memoryUsage.rss();
	const ms = await taken(wall, async () => {
		rows = await ACTS[name](url, limit);
	});
	if (rows.length !== limit) throw new Error(`${name} output ${rows.length} rows.`);
	return { ms, mb: (process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20 };
}

export async function run({ url, short }) {
	const limit = short ? 6_000 : 60_000;
	const what = `Get Many ${shown(limit)} rows`;
	const counts = [];
	const mb = { byFetch: [], byHelper: [], node: [] };
	const act = (name) => async () => {
		await requestsSince(url);
		const one = await inFreshProcess(import.meta.url, 'sample', { name, url, limit });
		if (name === 'node') counts.push(await requestsSince(url));
		mb[name].push(one.mb);
		return { overriddenDuration: one.ms };
	};
	const ms = await byTurns(
		short ? 1 : 3,
		Object.fromEntries(Object.keys(ACTS).map((name) => [name, act(name)])),
		wall,
	);
	const expected = limit / 100;
	return [
		requests(what, 'rows ÷ 100', counts.find((count) => count !== expected) ?? expected, expected),
		ratio(
			{ what, against: 'hand-written, with fetch', unit: 'ms', most: 1.15 },
			ms.node,
			ms.byFetch,
		),
		ratio(
			{ what, against: "hand-written, with n8n's helper", unit: 'ms', most: 1.15 },
			ms.node,
			ms.byHelper,
		),
		ratio(
			{ what: `${what}: memory`, against: 'hand-written, with fetch', unit: 'MB', most: 1.5 },
			mb.node,
			mb.byFetch,
			median,
		),
		ratio(
			{
				what: `${what}: memory`,
				against: "hand-written, with n8n's helper",
				unit: 'MB',
				// This baseline is smaller and varies more.
				most: 1.75,
			},
			mb.node,
			mb.byHelper,
			median,
		),
	];
}
