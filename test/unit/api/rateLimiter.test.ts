/** Throughput, against a simulated service that allows so many requests in any minute. */
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

const WINDOW = 60_000;
const LATENCY = 100;

type Headers = 'remaining and reset' | 'remaining' | 'no headers';

interface Limit {
	readonly headers: Headers;
	readonly limit?: number;
	readonly latency?: (count: number) => number;
	readonly count?: number;
	readonly concurrency?: number;
}

/** Sends requests to a service with a sliding window, which it describes in its headers more or less precisely. */
async function sendTo({
	headers: kind,
	limit = 200,
	latency = () => LATENCY,
	count: requests = 300,
	concurrency = 4,
}: Limit) {
	const window = createRateLimit(limit, WINDOW, () => new Date());
	let throttled = 0;
	const service = fakeService((_request, count): FakeResponse => {
		const { allowed, remaining, resetSeconds } = window.take() ?? { allowed: true };
		const headers = {
			...(kind !== 'no headers' && { 'x-ratelimit-remaining': String(remaining) }),
			...(kind === 'remaining and reset' && { 'x-ratelimit-reset': String(resetSeconds) }),
		};
		if (allowed) return { ...OK, headers, after: latency(count) };
		throttled++;
		const retry = { 'retry-after': String(resetSeconds) };
		return { status: 429, headers: { ...headers, ...retry }, body: {}, after: latency(count) };
	});
	const client = await clientOf(service, { maxConcurrentRequests: concurrency, maxTries: 1 });
	const start = Date.now();
	const outcomes = await sendAll(client, numbered(requests, enrich));
	expect(outcomes.filter(({ failure }) => failure !== undefined)).toEqual([]);
	expect(service.sent).toHaveLength(requests + throttled);
	expect(service.highest()).toBeLessThanOrEqual(concurrency);
	return { throttled, windows: (Date.now() - start) / WINDOW };
}

/** `windows`: how many minutes the requests take if no second is wasted, with a tenth to spare. */
test.each<Limit & { maxThrottled: number; windows: number }>([
	{ headers: 'remaining and reset', maxThrottled: 0, windows: 1.15 },
	{ headers: 'remaining and reset', concurrency: 50, maxThrottled: 0, windows: 1.15 },
	{ headers: 'remaining', maxThrottled: 4, windows: 1.15 },
	{ headers: 'no headers', maxThrottled: 8, windows: 1.15 },
	{ headers: 'remaining and reset', count: 1_000, maxThrottled: 0, windows: 4.5 },
	{ headers: 'no headers', limit: 20, concurrency: 50, maxThrottled: 800, windows: 15.4 },
	{
		headers: 'remaining and reset',
		// Responses arrive out of order.
		latency: (count) => 50 + ((count * 37) % 200),
		maxThrottled: 4,
		windows: 1.3,
	},
])('$headers, concurrency $concurrency, limit $limit', async (limited) => {
	const { throttled, windows } = await sendTo(limited);

	expect(throttled).toBeLessThanOrEqual(limited.maxThrottled);
	expect(windows).toBeLessThanOrEqual(limited.windows);
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

const HOUR = 3_600_000;

test.each<[format: string, reset: () => number | string, clock: number, prefix?: string]>([
	['seconds', () => 20, 0],
	['seconds, in the header without X-', () => 20, 0, ''],
	['a time', () => Date.now() / 1000 + 20, 0],
	['a time in nanoseconds', () => `${Date.now() + 20_000}000000`, 0],
	["a time by the service's clock", () => (Date.now() + 20_000 - HOUR) / 1000, -HOUR],
])(
	'with none remaining it waits for a reset in %s',
	async (_format, reset, clock, prefix = 'x-') => {
		const headers = {
			[`${prefix}ratelimit-remaining`]: '0',
			[`${prefix}ratelimit-reset`]: String(reset()),
			...(clock !== 0 && { date: new Date(Date.now() + clock).toUTCString() }),
		};
		const service = fakeService(() => ({ ...OK, headers }));
		const client = await clientOf(service, { maxConcurrentRequests: 1 });

		await sendAll(client, [enrich, enrich]);

		expect(service.sent[1]?.at).toBeGreaterThanOrEqual(20_000);
		expect(service.sent[1]?.at).toBeLessThanOrEqual(20_010);
	},
);

test('a distant reset is waited for a minute, and again only if requests remained meanwhile', async () => {
	const distant = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '86400' };
	const service = fakeService((_request, count) => ({
		...OK,
		headers: count === 20 ? { 'x-ratelimit-remaining': '1' } : distant,
	}));
	const client = await clientOf(service, { maxConcurrentRequests: 1 });

	await sendAll(client, numbered(22, enrich));

	expect(service.sent[1]?.at).toBeGreaterThanOrEqual(60_000);
	expect(service.sent[19]?.at).toBeLessThanOrEqual(60_100);
	expect(service.sent[21]?.at).toBeGreaterThanOrEqual(120_000);
});

test('a clock that is set back does not extend a pause', async () => {
	const service = fakeService((_request, count) =>
		count === 1 ? { status: 429, headers: { 'retry-after': '2' } } : OK,
	);
	const client = await clientOf(service);
	const sending = client.send(enrich);
	await jest.advanceTimersByTimeAsync(1_000);

	jest.setSystemTime(Date.now() - HOUR);
	await jest.advanceTimersByTimeAsync(60_000);

	expect(await sending).toEqual({ value: OK.body });
});
