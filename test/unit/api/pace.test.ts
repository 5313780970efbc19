/** How fast requests go out: against a simulated service with a limit of 200 requests in any minute. */
import { createRateLimiter } from '../../../nodes/BusinessProspectData/api/rateLimiter';
import { createRateLimit } from '../../sandbox/rate-limit';
import { type Answer, clientOf, enrich, fakeService, numbered, OK, settled } from './service';

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-01T00:00:00Z') }));
afterEach(() => jest.useRealTimers());

const LIMIT = 200;
const WINDOW = 60_000;
const LATENCY = 100;

type Told =
	| 'remaining and reset'
	| 'reset as a time'
	| 'reset as a time in milliseconds'
	| 'remaining'
	| 'nothing';

/** A service with a sliding window, that tells more or less of it in its headers. */
function limitedService(
	told: Told,
	limit = LIMIT,
	latency: (nth: number) => number = () => LATENCY,
) {
	const limiter = createRateLimit(limit, WINDOW, () => new Date());
	let refused = 0;
	const service = fakeService((_request, nth): Answer => {
		const { allowed, remaining, resetSeconds } = limiter.take() ?? { allowed: true };
		const resetAt = Math.ceil(Date.now() / 1000) + Number(resetSeconds);
		const reset =
			{ 'reset as a time': resetAt, 'reset as a time in milliseconds': resetAt * 1000 }[
				String(told)
			] ?? resetSeconds;
		const headers = {
			...(told !== 'nothing' && { 'x-ratelimit-remaining': String(remaining) }),
			...(told !== 'nothing' && told !== 'remaining' && { 'x-ratelimit-reset': String(reset) }),
		};
		if (allowed) return { ...OK, headers, after: latency(nth) };
		refused++;
		const retry = { 'retry-after': String(resetSeconds) };
		return { status: 429, headers: { ...headers, ...retry }, body: {}, after: latency(nth) };
	});
	return { ...service, refused: () => refused };
}

/** Milliseconds that the requests take at least: the window lets each in a minute after the 200th before it. */
function shortest(count: number, atOnce: number): number {
	const starts: number[] = [];
	for (let nth = 0; nth < count; nth++) {
		const free = (starts[nth - atOnce] ?? -LATENCY) + LATENCY;
		starts.push(Math.max(free, (starts[nth - LIMIT] ?? -WINDOW) + WINDOW));
	}
	return (starts.at(-1) ?? 0) + LATENCY;
}

async function sendAll(service: ReturnType<typeof limitedService>, count: number, atOnce: number) {
	const client = await clientOf(service, { maxConcurrentRequests: atOnce, maxTries: 1 });
	const start = Date.now();
	const requests = numbered(count, enrich).map(async (request) => await client.send(request));
	const outcomes = await settled(Promise.all(requests));
	return {
		failed: outcomes.filter(({ failure }) => failure !== undefined).length,
		refused: service.refused(),
		sent: service.sent.length,
		highest: service.highest(),
		took: Date.now() - start,
	};
}

describe('300 requests at 200 a minute', () => {
	test.each<[Told, atOnce: number, refusedAtMost: number]>([
		['remaining and reset', 4, 0],
		['reset as a time', 4, 0],
		['reset as a time in milliseconds', 4, 0],
		['remaining and reset', 50, 0],
		['remaining', 4, 4],
		['nothing', 4, 8],
	])('with %s told, %d at once', async (told, atOnce, refusedAtMost) => {
		const { failed, refused, sent, highest, took } = await sendAll(
			limitedService(told),
			300,
			atOnce,
		);

		expect(failed).toBe(0);
		expect(refused).toBeLessThanOrEqual(refusedAtMost);
		expect(sent).toBe(300 + refused);
		expect(highest).toBeLessThanOrEqual(atOnce);
		expect(took).toBeLessThanOrEqual(shortest(300, atOnce) * 1.1);
	});

	test('1,000 of them, with more than a minute to go', async () => {
		const { failed, refused, took } = await sendAll(
			limitedService('remaining and reset'),
			1_000,
			4,
		);

		expect(failed).toBe(0);
		expect(refused).toBe(0);
		expect(took).toBeLessThanOrEqual(shortest(1_000, 4) * 1.1);
	});
});

test('answers that come in another order hardly mislead', async () => {
	const uneven = (nth: number) => 50 + ((nth * 37) % 200);
	const service = limitedService('remaining and reset', LIMIT, uneven);

	const { failed, refused, sent } = await sendAll(service, 300, 4);

	expect(failed).toBe(0);
	expect(refused).toBeLessThanOrEqual(4);
	expect(sent).toBe(300 + refused);
});

test('with a small quota and many at once, none waits in vain', async () => {
	const { failed, took } = await sendAll(limitedService('nothing', 20), 300, 50);

	expect(failed).toBe(0);
	expect(took).toBeLessThanOrEqual(14 * WINDOW * 1.1);
});

describe('a service without these headers', () => {
	test.each([1, 4, 20])('is not slowed: %d at once, and never more', async (atOnce) => {
		const service = fakeService(() => ({ ...OK, after: LATENCY }));
		const client = await clientOf(service, { maxConcurrentRequests: atOnce });
		const start = Date.now();

		await settled(
			Promise.all(numbered(100, enrich).map(async (request) => await client.send(request))),
		);

		expect(Date.now() - start).toBeLessThanOrEqual((100 / atOnce) * LATENCY * 1.05);
		expect(service.highest()).toBe(atOnce);
	});

	test.each(['', 'many', '-1'])('nor by a header that says %j', async (remaining) => {
		const headers = { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': remaining };
		const service = fakeService(() => ({ ...OK, headers, after: LATENCY }));
		const client = await clientOf(service);
		const start = Date.now();

		await settled(
			Promise.all(numbered(40, enrich).map(async (request) => await client.send(request))),
		);

		expect(Date.now() - start).toBeLessThanOrEqual((40 / 4) * LATENCY * 1.05);
	});
});

test('few remaining requests are not overdrawn by those under way', async () => {
	let remaining = 6;
	const service = fakeService(() => ({
		...OK,
		headers: { 'x-ratelimit-remaining': String(--remaining), 'x-ratelimit-reset': '20' },
		after: LATENCY,
	}));
	const client = await clientOf(service);

	const sending = Promise.all(
		numbered(12, enrich).map(async (request) => await client.send(request)),
	);
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
])('%s left by the answer, while three are under way: %i have started', async (left, started) => {
	const pace = createRateLimiter(4, undefined);
	const ends: Array<() => void> = [];
	const tasks = Array.from({ length: 6 }, async () => {
		await pace.run(async () => {
			await new Promise<void>((end) => ends.push(end));
			pace.note({ 'x-ratelimit-remaining': left });
		}, false);
	});
	await jest.advanceTimersByTimeAsync(1);
	ends[0]?.();
	await jest.advanceTimersByTimeAsync(1);

	expect(ends).toHaveLength(started);
	pace.stop();
	for (const end of ends) end();
	await Promise.all(tasks);
});

test.each([
	['seconds', () => 20],
	['a time', () => Date.now() / 1000 + 20],
	['a time in milliseconds', () => Date.now() + 20_000],
	['a time in microseconds', () => (Date.now() + 20_000) * 1_000],
	['a time in nanoseconds', () => `${Date.now() + 20_000}000000`],
])('with nothing left it waits for a reset told as %s', async (_how, reset) => {
	const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset()) };
	const service = fakeService(() => ({ ...OK, headers }));
	const client = await clientOf(service, { maxConcurrentRequests: 1 });

	await settled(Promise.all([client.send(enrich), client.send(enrich)]));

	expect(service.sent[1]?.at).toBeGreaterThanOrEqual(20_000);
	expect(service.sent[1]?.at).toBeLessThanOrEqual(20_010);
});

test.each([
	['a time', () => Date.now() / 1000 + 20 - 3_600],
	['a time in milliseconds', () => Date.now() + 20_000 - 3_600_000],
])('a reset told as %s is measured by the clock of the service', async (_how, reset) => {
	const date = new Date(Date.now() - 3_600_000).toUTCString();
	const headers = { date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset()) };
	const service = fakeService(() => ({ ...OK, headers }));
	const client = await clientOf(service, { maxConcurrentRequests: 1 });

	await settled(Promise.all([client.send(enrich), client.send(enrich)]));

	expect(service.sent[1]?.at).toBeGreaterThanOrEqual(20_000);
	expect(service.sent[1]?.at).toBeLessThanOrEqual(20_010);
});

describe('a distant reset', () => {
	const distant = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '86400' };

	test('pauses the run for a minute, once, as long as responses disprove it', async () => {
		const service = fakeService(() => ({ ...OK, headers: distant }));
		const client = await clientOf(service, { maxConcurrentRequests: 1 });

		await settled(Promise.all(numbered(20, enrich).map(client.send)));

		expect(service.sent[1]?.at).toBeGreaterThanOrEqual(60_000);
		expect(service.sent[19]?.at).toBeLessThanOrEqual(60_100);
	});

	test('pauses it again after the service had announced remaining requests', async () => {
		const service = fakeService((_request, nth) =>
			nth === 2
				? { ...OK, headers: { 'x-ratelimit-remaining': '1' } }
				: { ...OK, headers: distant },
		);
		const client = await clientOf(service, { maxConcurrentRequests: 1 });

		await settled(Promise.all(numbered(4, enrich).map(client.send)));

		expect(service.sent[3]?.at).toBeGreaterThanOrEqual(120_000);
	});
});

test('requests that come back from a wait stay within the maximum', async () => {
	const service = fakeService((_request, nth) =>
		nth % 3 === 0 ? { status: 503, after: LATENCY } : { ...OK, after: LATENCY },
	);
	const client = await clientOf(service, { maxConcurrentRequests: 3, maxTries: 20 });

	const outcomes = await settled(
		Promise.all(numbered(60, enrich).map(async (request) => await client.send(request))),
	);

	expect(outcomes.every(({ failure }) => failure === undefined)).toBe(true);
	expect(service.highest()).toBe(3);
	expect(client.successCount()).toBe(60);
});
