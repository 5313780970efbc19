// How figures are taken. No machine is quiet: what is measured and what it is compared with run by turns, and the lowest of
// several rounds counts, since what else runs on the machine only adds.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Bench } from 'tinybench';

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

/** Needs `--expose-gc`. */
export function collectGarbage() {
	if (!globalThis.gc) throw new Error('Run Node.js with --expose-gc.');
	globalThis.gc();
}

/** Milliseconds that pass. */
export const wall = () => performance.now();

/** Milliseconds of CPU in all threads of this process: other processes hardly change them. */
export function cpu() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** What the clock says that an act takes. */
export async function taken(now, act) {
	const start = now();
	await act();
	return now() - start;
}

/** The longest CPU between two turns of the event loop while an act runs. */
export async function longestBlock(act) {
	const turns = [];
	let last = cpu();
	const timer = setInterval(() => {
		turns.push(cpu() - last);
		last = cpu();
	}, 5);
	await act();
	clearInterval(timer);
	return Math.max(...turns);
}

/** The milliseconds in which an act outputs so many items. */
export async function timeFor(count, act) {
	let items = [];
	const ms = await taken(wall, async () => {
		items = await act();
	});
	if (items.length !== count) throw new Error(`${items.length} items instead of ${count}.`);
	return ms;
}

/**
 * Measures acts by turns, each once a round, in every other round backwards.
 *
 * @param acts by name; one that measures by itself gives `{ overriddenDuration }`
 * @param now the clock, `wall` or `cpu`
 * @returns the milliseconds of each act, by round
 */
export async function byTurns(rounds, acts, now) {
	const bench = new Bench({ now, iterations: 1, time: 0, warmup: false, throws: true });
	// No act pays for what another left behind.
	const beforeEach = collectGarbage;
	const names = Object.keys(acts);
	for (const name of names) bench.add(name, acts[name], { async: true, beforeEach });
	/** @type {Record<string, number[]>} */
	const samples = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (const name of round % 2 === 0 ? names : names.toReversed()) {
			const task = bench.getTask(name);
			task?.reset();
			await task?.run();
			if (task?.result.state !== 'completed') throw new Error(`${name} was not measured.`);
			samples[name].push(task.result.latency.mean);
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
export const ratio = (row, measured, baseline, pick = lowest) =>
	compared({ ...row, kind: 'ratio' }, measured, baseline, pick, (one, other) => one / other);

/** How much more than the baseline something takes. */
export const difference = (row, measured, baseline) =>
	compared({ ...row, kind: 'difference' }, measured, baseline, lowest, (one, other) => one - other);

function compared(row, samples, others, pick, compare) {
	const [measured, baseline] = [pick(samples), pick(others)];
	const results = samples.map((sample, round) => compare(sample, others[round]));
	const spread = [Math.min(...results), Math.max(...results)];
	return { ...row, measured, baseline, result: compare(measured, baseline), spread };
}

export const BY_FETCH = 'hand-written, with fetch';
export const BY_HELPER = "hand-written, with n8n's helper";

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
const requests = (what, against, measured, expected) => ({
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

/** Requests that the service got since the last call. */
const requestsSince = async (url) => Number(await (await fetch(`${url}/requests`)).text());

/**
 * The node against the same requests written by hand, once with `fetch` and once with n8n's request helper.
 *
 * @param act gives the milliseconds that `byFetch`, `byHelper` or `node` takes
 * @param expected the requests that the node must send, and `rule` in words
 * @param most how many times the baselines it may take
 */
export async function againstHand({ what, url, rounds, act, expected, rule, most }) {
	const counts = [];
	const checked = (name) => async () => {
		await requestsSince(url);
		const overriddenDuration = await act(name);
		if (name === 'node') counts.push(await requestsSince(url));
		return { overriddenDuration };
	};
	const names = ['byFetch', 'byHelper', 'node'];
	const samples = await byTurns(
		rounds,
		Object.fromEntries(names.map((name) => [name, checked(name)])),
		wall,
	);
	const row = { what, unit: 'ms', most };
	return {
		samples,
		rows: [
			requests(what, rule, counts.find((count) => count !== expected) ?? expected, expected),
			ratio({ ...row, against: BY_FETCH }, samples.node, samples.byFetch),
			ratio({ ...row, against: BY_HELPER }, samples.node, samples.byHelper),
		],
	};
}
