/** Throughput, against a simulated service that allows 200 requests in any minute. */
import { createRateLimiter } from '../../../nodes/BusinessProspectData/api/rateLimiter';
import { createRateLimit } from '../../sandbox/rate-limit';
import {
	type FakeResponse,
	clientOf,
	enrich,
	fakeService,
	numbered,
	OK,
	sendAll,
	settled,
} from './service';

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-01T00:00:00Z') }));
afterEach(() => jest.useRealTimers());

const LIMIT = 200;
const WINDOW = 60_000;
const LATENCY = 100;

type Headers = 'remaining and reset' | 'remaining' | 'no headers';

/** A service with a sliding window, which it describes in its headers more or less precisely. */
function limitedService(
	kind: Headers,
	limit = LIMIT,
	latency: (count: number) => number = () => LATENCY,
) {
	const limiter = createRateLimit(limit, WINDOW, () => new Date());
	let throttled = 0;
	const service = fakeService((_request, count): FakeResponse => {
		const { allowed, remaining, resetSeconds } = limiter.take() ?? { allowed: true };
		const headers = {
			...(kind !== 'no headers' && { 'x-ratelimit-remaining': String(remaining) }),
			...(kind === 'remaining and reset' && { 'x-ratelimit-reset': String(resetSeconds) }),
		};
		if (allowed) return { ...OK, headers, after: latency(count) };
		throttled++;
		const retry = { 'retry-after': String(resetSeconds) };
		return { status: 429, headers: { ...headers, ...retry }, body: {}, after: latency(count) };
	});
	return { ...service, throttled: () => throttled };
}

/** Minimum duration in milliseconds: each request can start a minute after the 200th before it. */
function minDuration(count: number, concurrency: number): number {
	const starts: number[] = [];
	for (let index = 0; index < count; index++) {
		const slot = (starts[index - concurrency] ?? -LATENCY) + LATENCY;
		starts.push(Math.max(slot, (starts[index - LIMIT] ?? -WINDOW) + WINDOW));
	}
	return (starts.at(-1) ?? 0) + LATENCY;
}

async function sendTo(
	service: ReturnType<typeof limitedService>,
	count: number,
	concurrency: number,
) {
	const client = await clientOf(service, { maxConcurrentRequests: concurrency, maxTries: 1 });
	const start = Date.now();
	const outcomes = await sendAll(client, numbered(count, enrich));
	return {
		failed: outcomes.filter(({ failure }) => failure !== undefined).length,
		throttled: service.throttled(),
		sent: service.sent.length,
		highest: service.highest(),
		duration: Date.now() - start,
	};
}

test.each<[count: number, Headers, concurrency: number, maxThrottled: number]>([
	[300, 'remaining and reset', 4, 0],
	[300, 'remaining and reset', 50, 0],
	[300, 'remaining', 4, 4],
	[300, 'no headers', 4, 8],
	[1_000, 'remaining and reset', 4, 0],
])(
	'%i requests at 200 a minute, with %s, concurrency %d',
	async (count, kind, concurrency, maxThrottled) => {
		const { failed, throttled, sent, highest, duration } = await sendTo(
			limitedService(kind),
			count,
			concurrency,
		);

		expect(failed).toBe(0);
		expect(throttled).toBeLessThanOrEqual(maxThrottled);
		expect(sent).toBe(count + throttled);
		expect(highest).toBeLessThanOrEqual(concurrency);
		expect(duration).toBeLessThanOrEqual(minDuration(count, concurrency) * 1.1);
	},
);

test('limits throttling even if responses arrive out of order', async () => {
	const uneven = (count: number) => 50 + ((count * 37) % 200);
	const service = limitedService('remaining and reset', LIMIT, uneven);

	const { failed, throttled, sent } = await sendTo(service, 300, 4);

	expect(failed).toBe(0);
	expect(throttled).toBeLessThanOrEqual(4);
	expect(sent).toBe(300 + throttled);
});

test('with a low limit and high concurrency, all requests succeed', async () => {
	const { failed, duration } = await sendTo(limitedService('no headers', 20), 300, 50);

	expect(failed).toBe(0);
	expect(duration).toBeLessThanOrEqual(14 * WINDOW * 1.1);
});

test.each([
	[1, {}],
	[4, {}],
	[20, {}],
	...['', 'many', '-1'].map((value): [number, Record<string, string>] => [
		4,
		{ 'x-ratelimit-remaining': value, 'x-ratelimit-reset': value },
	]),
])('with concurrency %d, the headers %j do not slow it down', async (concurrency, headers) => {
	const service = fakeService(() => ({ ...OK, headers, after: LATENCY }));
	const client = await clientOf(service, { maxConcurrentRequests: concurrency });
	const start = Date.now();

	await sendAll(client, numbered(100, enrich));

	expect(Date.now() - start).toBeLessThanOrEqual((100 / concurrency) * LATENCY * 1.05);
	expect(service.highest()).toBe(concurrency);
});

test('pending requests count against the remaining ones', async () => {
	let remaining = 6;
	const service = fakeService(() => ({
		...OK,
		headers: { 'x-ratelimit-remaining': String(--remaining), 'x-ratelimit-reset': '20' },
		after: LATENCY,
	}));
	const client = await clientOf(service);

	const sending = Promise.all(numbered(12, enrich).map(async (one) => await client.send(one)));
	await jest.advanceTimersByTimeAsync(10_000);
	expect(service.sent).toHaveLength(6);
	remaining = 200;
	await settled(sending);

	expect(service.sent).toHaveLength(12);
	expect(service.sent[6]?.at).toBeGreaterThanOrEqual(20_000);
});

test.each([
	['3', 4],
	['4', 5],
])('%s remaining, with three pending: %i have started', async (remaining, started) => {
	const limiter = createRateLimiter(4, undefined);
	const ends: Array<() => void> = [];
	const tasks = Array.from({ length: 6 }, async () => {
		if (!(await limiter.acquire(false))) return;
		await new Promise<void>((end) => ends.push(end));
		limiter.updateFromResponse({ 'x-ratelimit-remaining': remaining });
		limiter.release();
	});
	await jest.advanceTimersByTimeAsync(1);
	ends[0]?.();
	await jest.advanceTimersByTimeAsync(1);

	expect(ends).toHaveLength(started);
	limiter.stop();
	for (const end of ends) end();
	await Promise.all(tasks);
});

const HOUR = 3_600_000;

test.each<[format: string, reset: () => number | string, clock: number]>([
	['seconds', () => 20, 0],
	['a time', () => Date.now() / 1000 + 20, 0],
	['a time in milliseconds', () => Date.now() + 20_000, 0],
	['a time in microseconds', () => (Date.now() + 20_000) * 1_000, 0],
	['a time in nanoseconds', () => `${Date.now() + 20_000}000000`, 0],
	["a time by the service's clock", () => (Date.now() + 20_000 - HOUR) / 1000, -HOUR],
	["milliseconds by the service's clock", () => Date.now() + 20_000 - HOUR, -HOUR],
])('with none remaining it waits for a reset in %s', async (_format, reset, clock) => {
	const headers = {
		'x-ratelimit-remaining': '0',
		'x-ratelimit-reset': String(reset()),
		...(clock !== 0 && { date: new Date(Date.now() + clock).toUTCString() }),
	};
	const service = fakeService(() => ({ ...OK, headers }));
	const client = await clientOf(service, { maxConcurrentRequests: 1 });

	await sendAll(client, [enrich, enrich]);

	expect(service.sent[1]?.at).toBeGreaterThanOrEqual(20_000);
	expect(service.sent[1]?.at).toBeLessThanOrEqual(20_010);
});

describe('a distant reset', () => {
	const distant = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '86400' };

	test('pauses the run for a minute, once, as long as responses disprove it', async () => {
		const service = fakeService(() => ({ ...OK, headers: distant }));
		const client = await clientOf(service, { maxConcurrentRequests: 1 });

		await sendAll(client, numbered(20, enrich));

		expect(service.sent[1]?.at).toBeGreaterThanOrEqual(60_000);
		expect(service.sent[19]?.at).toBeLessThanOrEqual(60_100);
	});

	test('pauses it again if the service has announced remaining requests since', async () => {
		const service = fakeService((_request, count) =>
			count === 2
				? { ...OK, headers: { 'x-ratelimit-remaining': '1' } }
				: { ...OK, headers: distant },
		);
		const client = await clientOf(service, { maxConcurrentRequests: 1 });

		await sendAll(client, numbered(4, enrich));

		expect(service.sent[3]?.at).toBeGreaterThanOrEqual(120_000);
	});
});

test('retries stay within the concurrency', async () => {
	const service = fakeService((_request, count) =>
		count % 3 === 0 ? { status: 503, after: LATENCY } : { ...OK, after: LATENCY },
	);
	const client = await clientOf(service, { maxConcurrentRequests: 3, maxTries: 20 });

	const outcomes = await sendAll(client, numbered(60, enrich));

	expect(outcomes.every(({ failure }) => failure === undefined)).toBe(true);
	expect(service.highest()).toBe(3);
	expect(client.successCount()).toBe(60);
});

test('a clock that is set back does not extend a pause', async () => {
	const service = fakeService((_request, count) =>
		count === 1 ? { status: 429, headers: { 'retry-after': '2' } } : OK,
	);
	const client = await clientOf(service);
	const sending = client.send(enrich);
	await jest.advanceTimersByTimeAsync(1_000);

	jest.setSystemTime(Date.now() - 3_600_000);
	await jest.advanceTimersByTimeAsync(60_000);

	expect(service.sent).toHaveLength(2);
	expect(await sending).toEqual({ value: OK.body });
});
