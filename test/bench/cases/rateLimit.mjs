// How long requests take at the service's rate limit, on a simulated clock, against the shortest that the limit allows.
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRequire } from 'node:module';
import { createRateLimit } from '../../sandbox/rate-limit.ts';
import { answer } from '../answers.mjs';
import { ratio, shown } from '../measure.mjs';
import { runAlone } from '../node.mjs';
import { itemsOf } from '../people.mjs';

const { sleep } = createRequire(import.meta.url)('n8n-workflow');

const LIMIT = 200;
const WINDOW_MS = 60_000;
const LATENCY_MS = 100;
const AT_ONCE = 4;
const STEP_MS = 5;

/** Runs an act on a simulated clock; gives its milliseconds. */
async function simulated(act) {
	mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-03-01T00:00:00Z') });
	// Node's simulated clock leaves this one out.
	const monotonic = mock.method(performance, 'now', () => Date.now());
	try {
		const start = Date.now();
		let done = false;
		const ended = act().finally(() => (done = true));
		while (!done) {
			await nextTurn();
			if (!done) mock.timers.tick(STEP_MS);
		}
		await ended;
		return Date.now() - start;
	} finally {
		monotonic.mock.restore();
		mock.timers.reset();
	}
}

/** Milliseconds that requests take at least: the window lets each in a minute after the 200th before it. */
function shortest(requests) {
	/** @type {number[]} */
	const starts = [];
	for (let nth = 0; nth < requests; nth++) {
		const free = (starts[nth - AT_ONCE] ?? -LATENCY_MS) + LATENCY_MS;
		starts.push(Math.max(free, (starts[nth - LIMIT] ?? -WINDOW_MS) + WINDOW_MS));
	}
	return Math.max(...starts) + LATENCY_MS;
}

/** Enriches as many prospects as fill the requests, against a service with its limit in headers, or only in 429 responses. */
async function atTheLimit(requests, hasHeaders) {
	const limit = createRateLimit(LIMIT, WINDOW_MS, () => new Date());
	const limited = async (path, body) => {
		const verdict = limit.take();
		if (verdict === null) throw new Error('The service has no limit.');
		const { allowed, remaining, resetSeconds } = verdict;
		await sleep(LATENCY_MS);
		const headers = {
			...(hasHeaders && { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': resetSeconds }),
			...(!allowed && { 'retry-after': String(resetSeconds) }),
		};
		return allowed ? { ...answer(path, body), headers } : { statusCode: 429, headers, body: {} };
	};
	const parameters = {
		resource: 'prospect',
		operation: 'enrich',
		identifyBy: 'prospectId',
		prospectIds: ({ prospect_id }) => prospect_id,
		dataSets: ['profile'],
	};
	const items = itemsOf(requests * 50);
	return await simulated(async () => await runAlone({ items, parameters, answer: limited }));
}

export async function run() {
	const rows = [];
	for (const [requests, hasHeaders] of [
		[300, true],
		[300, false],
		[1_000, true],
	]) {
		const ms = await atTheLimit(requests, hasHeaders);
		rows.push(
			ratio(
				{
					what: `${shown(requests)} requests at ${LIMIT} a minute, ${hasHeaders ? 'limit in headers' : 'only 429 with Retry-After'}`,
					against: 'the shortest that the limit allows (simulated clock)',
					unit: 'ms',
					most: 1.1,
				},
				[ms],
				[shortest(requests)],
			),
		);
	}
	return rows;
}
