/** What the client does when the account has reached its rate limit. */
import {
	type FakeResponse,
	clientOf,
	enrich,
	fakeService,
	numbered,
	OK,
	search,
	sendAll,
	settled,
} from './service';

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-01T00:00:00Z') }));
afterEach(() => jest.useRealTimers());

const throttled = (retryAfter?: string, body: unknown = {}): FakeResponse => ({
	status: 429,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	body,
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

/** The response of a service whose clock is off by some seconds. */
const withClock = ({ headers, ...response }: FakeResponse, offset: number): FakeResponse => ({
	...response,
	headers: { ...headers, date: inSeconds(offset) },
});

const withReset = ({ headers, ...response }: FakeResponse, reset: string): FakeResponse => ({
	...response,
	headers: { ...headers, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
});

describe('the second attempt is sent', () => {
	test.each<[name: string, () => FakeResponse, min: number, max: number]>([
		['after Retry-After in seconds', () => throttled('17'), 17, 17],
		['after a fraction of a second', () => throttled('0.5'), 0.5, 0.501],
		['at Retry-After as a date', () => throttled(inSeconds(45)), 45, 45],
		['at a date by a fast clock', () => withClock(throttled(inSeconds(3_645)), 3_600), 45, 45],
		['at a date by a slow clock', () => withClock(throttled(inSeconds(-3_555)), -3_600), 45, 45],
		[
			'at a date by our clock if theirs is unreadable',
			() => ({ ...throttled(), headers: { date: 'now', 'retry-after': inSeconds(45) } }),
			45,
			45,
		],
		['after retry_after in the body', () => throttled(undefined, { retry_after: 23 }), 23, 23],
		['after retry_after as text', () => throttled(undefined, { retry_after: '23' }), 23, 23],
		['after the header rather than the body', () => throttled('5', { retry_after: 23 }), 5, 5],
		['after the body if the header is empty', () => throttled('', { retry_after: 23 }), 23, 23],
		[
			'after the body if the header is not valid',
			() => throttled('x', { retry_after: 23 }),
			23,
			23,
		],
		['soon if no wait is requested', () => throttled(), 0.7, 1.3],
		['soon with a web page', () => throttled(undefined, '<html>'), 0.7, 1.3],
		['after a back-off with Retry-After 0', () => throttled('0'), 0.7, 1.3],
		['after a back-off with a past date', () => throttled(inSeconds(-60)), 0.7, 1.3],
		['after a back-off with a negative Retry-After', () => throttled('-5'), 0.7, 1.3],
		['after Retry-After rather than the reset', () => withReset(throttled('2'), '50'), 2, 2],
		['after the reset', () => withReset(throttled(), '30'), 30, 30],
		['after a minute if the reset is distant', () => withReset(throttled(), '3600'), 60, 60],
		['after a back-off if the reset is now', () => withReset(throttled(), '0'), 0.7, 1.3],
	])('%s', async (_name, first, min, max) => {
		const service = fakeService((_request, count) => (count === 1 ? first() : OK));
		const client = await clientOf(service);

		const { failure } = await settled(client.send(enrich));

		expect(failure).toBeUndefined();
		expect(service.sent).toHaveLength(2);
		const seconds = (service.sent[1]?.at ?? 0) / 1000;
		expect(seconds).toBeGreaterThanOrEqual(min);
		expect(seconds).toBeLessThanOrEqual(max);
	});
});

test('all requests wait together', async () => {
	const service = fakeService((_request, count) =>
		count === 2 ? throttled('30') : { ...OK, after: 100 },
	);
	const client = await clientOf(service, { maxConcurrentRequests: 2 });

	const outcomes = await sendAll(client, numbered(6, enrich));

	expect(outcomes.every(({ failure }) => failure === undefined)).toBe(true);
	const [first, second, ...others] = service.sent.map(({ at }) => at);
	expect([first, second]).toEqual([0, 0]);
	expect(others).toHaveLength(5);
	expect(Math.min(...others)).toBeGreaterThanOrEqual(30_000);
});

test('the longest wait applies', async () => {
	const waits = ['5', '40', '10'];
	const service = fakeService((_request, count) =>
		waits[count - 1] ? throttled(waits[count - 1]) : OK,
	);
	const client = await clientOf(service);

	await sendAll(client, numbered(3, enrich));

	expect(service.sent.slice(3).map(({ at }) => at >= 40_000)).toEqual([true, true, true]);
});

test('throttled requests are sent before new ones, the one that has waited longest first', async () => {
	const service = fakeService((_request, count) => (count <= 3 ? throttled('5') : OK));
	const client = await clientOf(service, { maxConcurrentRequests: 3 });

	await sendAll(client, numbered(5, enrich));

	const order = service.sent.map(({ body }) => (body as { index: number }).index);
	expect(order).toEqual([0, 1, 2, 0, 1, 2, 3, 4]);
});

describe('a wait longer than Max Wait', () => {
	test.each([
		['3600', '3,600'],
		['Infinity', 'Infinity'],
		['1e12', '1,000,000,000,000'],
		['99999999999999', '100,000,000,000,000'],
	])('of %s seconds fails at once, and no other request is sent', async (retryAfter, seconds) => {
		const service = fakeService(() => ({ ...throttled(retryAfter), after: 10 }));
		const client = await clientOf(service, { maxWait: 60, maxConcurrentRequests: 1 });

		const outcomes = await sendAll(client, numbered(5, enrich));

		expect(service.sent).toHaveLength(1);
		for (const { failure } of outcomes) {
			expect(failure).toMatchObject({ kind: 'rateLimited', status: 429 });
			expect(failure?.message).toMatch(
				RegExp(
					`rate limit.*HTTP 429.*total wait of this request to ${seconds} seconds.*Max Wait under Options > Requests allows 60\\b.*Raise Max Wait`,
				),
			);
		}
	});

	test('that a failing service requests, does not stop the other requests', async () => {
		const service = fakeService((_request, count) =>
			count === 1 ? { ...throttled('61'), status: 503 } : OK,
		);
		const client = await clientOf(service, { maxWait: 60, maxConcurrentRequests: 1 });

		const outcomes = await sendAll(client, numbered(2, enrich));

		expect(outcomes.map(({ failure }) => failure?.kind)).toEqual(['server', undefined]);
		expect(service.sent.map(({ at }) => at)).toEqual([0, 0]);
	});

	test.each(['25', undefined])(
		'in total (Retry-After %s) fails all requests if none has succeeded meanwhile',
		async (retryAfter) => {
			const service = fakeService(() => throttled(retryAfter));
			const client = await clientOf(service, { maxWait: 60 });

			const outcomes = await sendAll(client, numbered(1_000, enrich));

			expect(outcomes.filter(({ failure }) => failure?.kind !== 'rateLimited')).toEqual([]);
			expect(service.sent.at(-1)?.at).toBeLessThanOrEqual(60_000);
			const sent = service.sent.map(({ body }) => (body as { index: number }).index);
			expect(new Set(sent).size).toBe(4);
		},
	);

	test('in total fails only its own request if others succeed meanwhile', async () => {
		const service = fakeService(({ body }) =>
			(body as { index: number }).index === 0 ? throttled('60') : { ...OK, after: 10 },
		);
		const client = await clientOf(service, { maxWait: 60, maxConcurrentRequests: 2 });

		const outcomes = await sendAll(client, numbered(3, enrich));

		const kinds = outcomes.map(({ failure }) => failure?.kind);
		expect(kinds).toEqual(['rateLimited', undefined, undefined]);
		expect(service.sent.map(({ at }) => at)).toEqual([0, 0, 60_000, 60_000]);
	});

	test('in total, mostly for a failing service, fails only its own request', async () => {
		const service = fakeService(({ body }, count) => {
			if ((body as { index: number }).index > 0) return { ...OK, after: 10 };
			return { ...throttled('50'), status: count === 1 ? 503 : 429 };
		});
		const client = await clientOf(service, { maxWait: 60, maxConcurrentRequests: 1 });
		const requests = numbered(2, enrich);

		const outcomes = [
			...(await sendAll(client, requests)),
			...(await sendAll(client, requests.slice(1))),
		];

		const kinds = outcomes.map(({ failure }) => failure?.kind);
		expect(kinds).toEqual(['rateLimited', undefined, undefined]);
	});

	test('does not fail if it is exactly Max Wait', async () => {
		const service = fakeService((_request, count) => (count === 1 ? throttled('60') : OK));
		const client = await clientOf(service, { maxWait: 60 });

		expect((await settled(client.send(enrich))).failure).toBeUndefined();
	});
});

describe('a requested wait that is too short', () => {
	test.each<[name: string, FakeResponse, first: number]>([
		['in the body', throttled(undefined, { retry_after: 0.02 }), 0.02],
		['in the header', throttled('1'), 1],
	])('%s: the next waits grow', async (_name, response, first) => {
		const service = fakeService(() => response);
		const client = await clientOf(service, { maxWait: 300 });

		const { failure } = await settled(client.send(enrich));

		expect(failure?.kind).toBe('rateLimited');
		const at = service.sent.map((sent) => sent.at / 1000);
		const waits = at.slice(1).map((second, index) => second - (at[index] ?? 0));
		expect(waits[0]).toBeCloseTo(first, 2);
		// Doubles from a second, plus or minus a quarter.
		for (const [index, wait] of waits.slice(1, 6).entries()) {
			expect(wait).toBeGreaterThanOrEqual(Math.max(first, 0.75 * 2 ** index));
			expect(wait).toBeLessThanOrEqual(Math.max(first, 1.3 * 2 ** index));
		}
		expect(at.length).toBeLessThanOrEqual(13);
	});

	test('fails only its own request when it grows beyond Max Wait and others succeed', async () => {
		const service = fakeService(({ path }) =>
			path === enrich.path ? throttled(undefined, { retry_after: 0.02 }) : { ...OK, after: 10 },
		);
		const client = await clientOf(service, { maxWait: 1.4 });

		const outcomes = await sendAll(client, [enrich, search]);
		const last = await settled(client.send({ ...enrich, path: '/v1/other' }));

		const kinds = [...outcomes, last].map(({ failure }) => failure?.kind);
		expect(kinds).toEqual(['rateLimited', undefined, undefined]);
	});

	test('of a failing service: the next waits grow', async () => {
		const response = { ...throttled('0.02'), status: 503 };
		const service = fakeService(() => response);
		const client = await clientOf(service, { maxTries: 4 });

		await settled(client.send(enrich));

		expect(service.sent[1]?.at).toBeLessThanOrEqual(30);
		expect(service.sent.at(-1)?.at).toBeGreaterThanOrEqual(2_250);
	});
});
