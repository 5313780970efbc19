// How figures are taken. No machine is quiet: what is measured and what it is compared with run by turns, and the lowest of
// several rounds counts, since what else runs on the machine only adds.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));

/**
 * Calls an exported function of a module in a process of its own.
 *
 * @param {string} url of the module
 * @param {string} name of the function; it takes and gives what JSON can hold
 * @param {string[]} execArgv options of Node.js; by default those of this process
 */
export async function inFreshProcess(url, name, input, execArgv = process.execArgv) {
	const child = fork(CHILD, [url, name, JSON.stringify(input)], { execArgv });
	return await new Promise((resolve, reject) => {
		child.on('message', resolve);
		child.on('error', reject);
		child.on('exit', (code) => reject(new Error(`${name} of ${url} ended with code ${code}.`)));
	});
}

/** How long an act takes, milliseconds. */
export async function wall(act) {
	const start = performance.now();
	await act();
	return performance.now() - start;
}

/** How much CPU an act takes in all threads of this process, milliseconds; other processes hardly change it. */
export async function cpu(act) {
	const before = process.cpuUsage();
	await act();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/**
 * Measures acts by turns, each once a round, in every other round backwards.
 *
 * @returns what was measured of each act, by round
 */
export async function byTurns(rounds, acts, measure) {
	const names = Object.keys(acts);
	const samples = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (const name of round % 2 === 0 ? names : names.toReversed()) {
			samples[name].push(await measure(acts[name]));
		}
	}
	return samples;
}

/** Renders a number for people: `12,345`. */
export const shown = (count) => count.toLocaleString('en-US');

export const lowest = (samples) => Math.min(...samples);
export const median = (samples) => samples.toSorted((a, b) => a - b)[(samples.length - 1) >> 1];

/**
 * How many times the baseline something takes; its spread is over the rounds.
 *
 * @param row `what`, `against` what, `unit`; `most` or `least` is the limit, `gate` that of the short form
 * @param pick which sample counts
 */
export function ratio(row, measured, baseline, pick = lowest) {
	const ratios = measured.map((sample, round) => sample / baseline[round]);
	return {
		...row,
		kind: 'ratio',
		measured: pick(measured),
		baseline: pick(baseline),
		result: pick(measured) / pick(baseline),
		spread: [Math.min(...ratios), Math.max(...ratios)],
	};
}

/** How much more than the baseline something takes. */
export function difference(row, measured, baseline) {
	const more = measured.map((sample, round) => sample - baseline[round]);
	return {
		...row,
		kind: 'difference',
		measured: lowest(measured),
		baseline: lowest(baseline),
		result: lowest(measured) - lowest(baseline),
		spread: [Math.min(...more), Math.max(...more)],
	};
}

/** A size in kilobytes. */
export const size = (what, measured, most) => ({
	what,
	against: '',
	unit: 'KB',
	kind: 'size',
	measured,
	result: measured,
	most,
});

/** A number of requests, that must be the expected one. */
export const requests = (what, against, measured, expected) => ({
	what: `${what}: requests`,
	against,
	unit: '',
	kind: 'count',
	measured,
	baseline: expected,
	result: measured,
	exactly: expected,
	gate: { exactly: expected },
});

/** Requests that the service got since it was last asked this. */
export const requestsSince = async (url) => Number(await (await fetch(`${url}/requests`)).text());

/**
 * The node against the same requests written by hand, once with `fetch` and once with n8n's request helper.
 *
 * @param acts `byFetch`, `byHelper` and `node`; each gives its output items, as many as `items`
 * @param asked the requests that the node must send, and `rule` in words
 */
export async function againstHand({ what, url, rounds, acts, items, asked, rule }) {
	const counts = [];
	const checked = (name) => async () => {
		await requestsSince(url);
		const output = await acts[name]();
		if (name === 'node') counts.push(await requestsSince(url));
		if (output.length !== items) {
			throw new Error(`${what}: ${name} put out ${output.length} items instead of ${items}.`);
		}
	};
	const names = ['byFetch', 'byHelper', 'node'];
	const samples = await byTurns(
		rounds,
		Object.fromEntries(names.map((name) => [name, checked(name)])),
		wall,
	);
	const row = { what, unit: 'ms', most: 1.15 };
	return {
		samples,
		rows: [
			requests(what, rule, counts.find((count) => count !== asked) ?? asked, asked),
			ratio({ ...row, against: 'by hand with fetch' }, samples.node, samples.byFetch),
			ratio({ ...row, against: "by hand with n8n's helper" }, samples.node, samples.byHelper),
		],
	};
}
