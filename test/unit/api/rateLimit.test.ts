/** What the node does when the service says that the account's rate limit is used up. */
import { type Answer, clientOf, enrich, fakeService, numbered, OK, settled } from './service';

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-01T00:00:00Z') }));
afterEach(() => jest.useRealTimers());

const limited = (retryAfter?: string, body: unknown = {}): Answer => ({
	status: 429,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	body,
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

/** The answer of a service whose clock is off by so many seconds. */
const dated = ({ headers, ...answer }: Answer, off: number): Answer => ({
	...answer,
	headers: { ...headers, date: inSeconds(off) },
});

describe('the second try comes', () => {
	test.each<[name: string, () => Answer, atLeast: number, atMost: number]>([
		['after Retry-After in seconds', () => limited('17'), 17, 17],
		['after a part of a second', () => limited('0.5'), 0.5, 0.501],
		['at Retry-After as a date', () => limited(inSeconds(45)), 45, 45],
		['at a date by a clock that is fast', () => dated(limited(inSeconds(3_645)), 3_600), 45, 45],
		['at a date by a clock that is slow', () => dated(limited(inSeconds(-3_555)), -3_600), 45, 45],
		[
			'at a date by our clock, where theirs cannot be read',
			() => ({ ...limited(), headers: { date: 'now', 'retry-after': inSeconds(45) } }),
			45,
			45,
		],
		['after what the body says', () => limited(undefined, { retry_after: 23 }), 23, 23],
		['after what the body says as text', () => limited(undefined, { retry_after: '23' }), 23, 23],
		['after the header, also with a body', () => limited('5', { retry_after: 23 }), 5, 5],
		['after the body with an empty header', () => limited('', { retry_after: 23 }), 23, 23],
		['after the body with an odd header', () => limited('soon', { retry_after: 23 }), 23, 23],
		['soon without a told wait', () => limited(), 0.7, 1.3],
		['soon with a web page', () => limited(undefined, '<html>'), 0.7, 1.3],
		['not at once with Retry-After 0', () => limited('0'), 0.7, 1.3],
		['not at once with a date that has passed', () => limited(inSeconds(-60)), 0.7, 1.3],
		['not at once with Retry-After below 0', () => limited('-5'), 0.7, 1.3],
	])('%s', async (_name, first, atLeast, atMost) => {
		const service = fakeService((_request, nth) => (nth === 1 ? first() : OK));
		const client = await clientOf(service);

		const { failure } = await settled(client.send(enrich));

		expect(failure).toBeUndefined();
		expect(service.sent).toHaveLength(2);
		const seconds = (service.sent[1]?.at ?? 0) / 1000;
		expect(seconds).toBeGreaterThanOrEqual(atLeast);
		expect(seconds).toBeLessThanOrEqual(atMost);
	});

	test('after Retry-After, also when the headers tell a later reset', async () => {
		const { headers, ...answer } = limited('2');
		const told = { ...headers, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '50' };
		const service = fakeService((_request, nth) => (nth === 1 ? { ...answer, headers: told } : OK));
		const client = await clientOf(service, { maxWait: 10 });

		const { failure } = await settled(client.send(enrich));

		expect(failure).toBeUndefined();
		expect(service.sent.map(({ at }) => at)).toEqual([0, 2_000]);
	});

	test.each([
		['the reset', '30', 30_000, 30_000],
		['the reset in milliseconds', String(Date.parse('2026-03-01T00:00:30Z')), 30_000, 30_000],
		['a minute where the reset is far', '3600', 60_000, 60_000],
		['a moment where the reset is now', '0', 700, 1_300],
	])('after %s without Retry-After', async (_name, reset, atLeast, atMost) => {
		const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
		const service = fakeService((_request, nth) => (nth === 1 ? { status: 429, headers } : OK));
		const client = await clientOf(service);

		expect((await settled(client.send(enrich))).failure).toBeUndefined();
		expect(service.sent[1]?.at).toBeGreaterThanOrEqual(atLeast);
		expect(service.sent[1]?.at).toBeLessThanOrEqual(atMost);
	});

	test('also when the clock is set back meanwhile', async () => {
		const service = fakeService((_request, nth) => (nth === 1 ? limited('10') : OK));
		const client = await clientOf(service);
		const sending = client.send(enrich);
		await jest.advanceTimersByTimeAsync(5_000);

		jest.setSystemTime(Date.now() - 3_000);

		expect((await settled(sending)).failure).toBeUndefined();
	});
});

test('all requests of the run wait together', async () => {
	const service = fakeService((_request, nth) =>
		nth === 2 ? limited('30') : { ...OK, after: 100 },
	);
	const client = await clientOf(service, { maxConcurrentRequests: 2 });

	const requests = numbered(6, enrich).map(async (request) => await client.send(request));
	const outcomes = await settled(Promise.all(requests));

	expect(outcomes.every(({ failure }) => failure === undefined)).toBe(true);
	const [first, second, ...others] = service.sent.map(({ at }) => at);
	expect([first, second]).toEqual([0, 0]);
	expect(others).toHaveLength(5);
	expect(Math.min(...others)).toBeGreaterThanOrEqual(30_000);
});

test('the longest of several waits counts', async () => {
	const waits = ['5', '40', '10'];
	const service = fakeService((_request, nth) => (waits[nth - 1] ? limited(waits[nth - 1]) : OK));
	const client = await clientOf(service);

	await settled(
		Promise.all(numbered(3, enrich).map(async (request) => await client.send(request))),
	);

	expect(service.sent.slice(3).map(({ at }) => at >= 40_000)).toEqual([true, true, true]);
});

test('what was refused goes before what was not sent yet, and what succeeded is not sent again', async () => {
	const service = fakeService((_request, nth) => (nth === 2 ? limited('5') : { ...OK, after: 10 }));
	const client = await clientOf(service, { maxConcurrentRequests: 1 });

	await settled(
		Promise.all(numbered(4, enrich).map(async (request) => await client.send(request))),
	);

	expect(service.sent.map(({ body }) => (body as { nth: number }).nth)).toEqual([0, 1, 1, 2, 3]);
});

test('who waited longest goes first', async () => {
	const service = fakeService((_request, nth) => (nth <= 3 ? limited('5') : OK));
	const client = await clientOf(service, { maxConcurrentRequests: 3 });

	await settled(
		Promise.all(numbered(5, enrich).map(async (request) => await client.send(request))),
	);

	const order = service.sent.map(({ body }) => (body as { nth: number }).nth);
	expect(order).toEqual([0, 1, 2, 0, 1, 2, 3, 4]);
});

describe('a wait that is longer than Max Wait', () => {
	const tooLong = async (answer: Answer) => {
		const service = fakeService(() => ({ ...answer, after: 10 }));
		const client = await clientOf(service, { maxWait: 60, maxConcurrentRequests: 1 });
		const requests = numbered(5, enrich).map(async (request) => await client.send(request));
		return { outcomes: await settled(Promise.all(requests)), sent: service.sent };
	};

	test('fails at once, says so, and no other request is sent', async () => {
		const { outcomes, sent } = await tooLong(limited('3600'));

		expect(sent).toHaveLength(1);
		for (const { failure } of outcomes) {
			expect(failure?.kind).toBe('rateLimited');
			expect(failure?.status).toBe(429);
			expect(failure?.message).toMatch(
				/rate limit.*HTTP 429.*wait 3,600 seconds.*Max Wait under Options allows 60\b.*Raise Max Wait/,
			);
		}
	});

	test.each(['Infinity', '1e12', '99999999999999'])('also of %s seconds', async (retryAfter) => {
		const { outcomes, sent } = await tooLong(limited(retryAfter));

		expect(sent).toHaveLength(1);
		expect(outcomes.every(({ failure }) => failure?.kind === 'rateLimited')).toBe(true);
	});

	test.each<[what: string, answer: (nth: number) => Answer, kind: string, sentAt: number[]]>([
		[
			'of the rate limit, in all',
			(nth) => (nth <= 2 ? limited('60') : OK),
			'rateLimited',
			[0, 60_000, 60_000],
		],
		[
			'that a failing service asks for',
			(nth) => (nth === 1 ? { ...limited('61'), status: 503 } : OK),
			'server',
			[0, 0],
		],
	])('%s, does not stop the other requests', async (_what, answer, kind, sentAt) => {
		const service = fakeService((_request, nth) => answer(nth));
		const client = await clientOf(service, { maxWait: 60, maxConcurrentRequests: 1 });

		const outcomes = await settled(
			Promise.all(numbered(2, enrich).map(async (request) => await client.send(request))),
		);

		expect(outcomes.map(({ failure }) => failure?.kind)).toEqual([kind, undefined]);
		expect(service.sent.map(({ at }) => at)).toEqual(sentAt);
	});

	test('of exactly Max Wait is waited for', async () => {
		const service = fakeService((_request, nth) => (nth === 1 ? limited('60') : OK));
		const client = await clientOf(service, { maxWait: 60 });

		expect((await settled(client.send(enrich))).failure).toBeUndefined();
	});
});

describe('a wait that is told and not enough', () => {
	test.each<[name: string, Answer, first: number]>([
		['in the body', limited(undefined, { retry_after: 0.02 }), 0.02],
		['in the header', limited('1'), 1],
	])('%s: the next ones grow', async (_name, answer, first) => {
		const service = fakeService(() => answer);
		const client = await clientOf(service, { maxWait: 300 });

		const { failure } = await settled(client.send(enrich));

		expect(failure?.kind).toBe('rateLimited');
		const at = service.sent.map((sent) => sent.at / 1000);
		const waits = at.slice(1).map((second, nth) => second - (at[nth] ?? 0));
		expect(waits[0]).toBeCloseTo(first, 2);
		// Doubling from a second, by a quarter more or less.
		for (const [nth, wait] of waits.slice(1, 6).entries()) {
			expect(wait).toBeGreaterThanOrEqual(Math.max(first, 0.75 * 2 ** nth));
			expect(wait).toBeLessThanOrEqual(Math.max(first, 1.3 * 2 ** nth));
		}
		expect(at.length).toBeLessThanOrEqual(13);
	});

	test('grows beyond Max Wait for its own request alone', async () => {
		const service = fakeService(({ path }) =>
			path === enrich.path ? limited(undefined, { retry_after: 0.02 }) : OK,
		);
		const client = await clientOf(service, { maxWait: 1.4 });

		const first = await settled(client.send(enrich));
		const second = await settled(client.send({ ...enrich, path: '/v1/other' }));

		expect(first.failure?.kind).toBe('rateLimited');
		expect(second.failure).toBeUndefined();
	});

	test('of a service that fails', async () => {
		const answer = { ...limited('0.02'), status: 503 };
		const service = fakeService(() => answer);
		const client = await clientOf(service, { maxTries: 4 });

		await settled(client.send(enrich));

		expect(service.sent[1]?.at).toBeLessThanOrEqual(30);
		expect(service.sent.at(-1)?.at).toBeGreaterThanOrEqual(2_250);
	});
});

test('a limit that never ends is given up after Max Wait', async () => {
	const service = fakeService(() => limited('25'));
	const client = await clientOf(service, { maxWait: 60, maxTries: 1 });

	const { failure } = await settled(client.send(enrich));

	expect(service.sent.map(({ at }) => at)).toEqual([0, 25_000, 50_000]);
	expect(failure?.message).toMatch(/After 50 seconds.*wait 25 seconds more.*allows 60/);
});
