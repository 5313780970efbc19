/** Which requests are sent, when, how often, and which no longer. */
import { sys } from 'typescript';
import type * as Workflow from 'n8n-workflow';
import type { Client, RequestOptions } from '../../../nodes/BusinessProspectData/api/client';
import type { ServiceRequest } from '../../../nodes/BusinessProspectData/api/httpRequest';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import {
	type FakeResponse,
	type FakeService,
	clientOf,
	enrich,
	fakeService,
	numbered,
	OK,
	search,
	sendAll,
	settled,
} from './service';

let mockUsesSignal = true;
jest.mock('n8n-workflow', () => {
	const actual = jest.requireActual<typeof Workflow>('n8n-workflow');
	const sleep = async (ms: number, signal?: AbortSignal) =>
		await actual.sleep(ms, mockUsesSignal ? signal : undefined);
	return { ...actual, __esModule: true, sleep };
});

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-01T00:00:00Z') }));
afterEach(() => {
	mockUsesSignal = true;
	jest.useRealTimers();
	jest.restoreAllMocks();
});

type Responses = FakeResponse | ((count: number, index: number) => FakeResponse);

const indexOf = (body: unknown) => (body as { index?: number }).index ?? 0;

/** Sends the requests at once. All times are in seconds. */
async function send(
	responses: Responses,
	options: Partial<RequestOptions> = {},
	requests: readonly ServiceRequest[] = [enrich],
) {
	const service = fakeService(({ body }, count) =>
		typeof responses === 'function' ? responses(count, indexOf(body)) : responses,
	);
	const client = await clientOf(service, options);
	const outcomes = await sendAll(client, requests);
	const sentAt = service.sent.map(({ at }) => at / 1000);
	return {
		client,
		outcomes,
		attempts: sentAt.length,
		kinds: outcomes.map(({ failure }) => failure?.kind),
		message: outcomes[0]?.failure?.message ?? '',
		order: service.sent.map(({ body }) => indexOf(body)),
		sentAt,
		waits: sentAt.slice(1).map((second, index) => second - (sentAt[index] ?? 0)),
	};
}

interface Scenario {
	readonly title: string;
	readonly responses: Responses;
	readonly options?: Partial<RequestOptions>;
	readonly requests?: readonly ServiceRequest[];
	readonly expected: Partial<Awaited<ReturnType<typeof send>>>;
}

const check = async ({ responses, options, requests, expected }: Scenario) => {
	expect(await send(responses, options, requests)).toMatchObject(expected);
};

const failFirst =
	(failures: number, response: FakeResponse) =>
	(count: number): FakeResponse =>
		count <= failures ? response : OK;

const throttled = (retryAfter?: string, body: unknown = {}, headers = {}): FakeResponse => ({
	status: 429,
	headers: { ...headers, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
	body,
});

const busy = (retryAfter: string): FakeResponse => ({ ...throttled(retryAfter), status: 503 });

const remaining = (count: string, more: Record<string, string> = {}) => ({
	'x-ratelimit-remaining': count,
	...more,
});

const ONE_BY_ONE = { maxConcurrentRequests: 1 };
const NONE = undefined;

describe('attempts', () => {
	test('docs/errors.md says which statuses are retried, and which may have been charged', async () => {
		const retried: number[] = [];
		const retriedIfFree: number[] = [];
		const maybeCharged: number[] = [];
		for (let status = 400; status < 600; status++) {
			const options = { maxTries: 2, maxWait: 10 };
			const paid = await send({ status }, options);
			const free = await send({ status }, options, [search]);
			if (paid.attempts > 1) retried.push(status);
			else if (free.attempts > 1) retriedIfFree.push(status);
			if (/may have processed the request and charged for it/.test(paid.message)) {
				maybeCharged.push(status);
			}
			expect(free.message).not.toMatch(/charged/);
		}

		expect(retried).toEqual([429, 500, 502, 503, 521, 523]);
		expect(retriedIfFree).toEqual([408, 504, 520, 522, 524, 598, 599]);
		expect(maybeCharged).toEqual(retriedIfFree);
		const page = sys.readFile('docs/errors.md') ?? '';
		expect(page).toContain('HTTP 500, 502, or 503');
		expect(page).toContain('HTTP 521 and 523');
		expect(page).toContain('HTTP 408, 504, 520, 522, 524, 598, or 599');
	});

	test.each<Scenario>([
		{
			title: 'end with the first success',
			responses: failFirst(3, { status: 503 }),
			expected: { attempts: 4, outcomes: [{ value: OK.body }] },
		},
		{
			title: 'do not include those that hit the rate limit',
			responses: failFirst(7, throttled('1')),
			options: { maxTries: 2 },
			expected: { attempts: 8, kinds: [NONE] },
		},
		{
			title: 'are bounded, and the message says so',
			responses: { status: 500 },
			options: { maxTries: 3 },
			expected: {
				attempts: 3,
				message: expect.stringMatching(/HTTP 500.*All 3 attempts failed\.$/),
			},
		},
		{
			title: 'are one with Max Wait 0, even if the service asks for no wait',
			responses: throttled('0'),
			options: { maxWait: 0 },
			expected: { attempts: 1 },
		},
		{
			title: 'wait as long as Retry-After of a failing service says',
			responses: failFirst(1, busy('30')),
			expected: { sentAt: [0, 30] },
		},
		{
			title: 'do not delay other requests',
			responses: failFirst(1, { status: 500 }),
			options: ONE_BY_ONE,
			requests: numbered(2, enrich),
			expected: { order: [0, 1, 0] },
		},
		{
			title: 'wait no longer than Max Wait, and the message says so',
			responses: { status: 500 },
			options: { maxTries: 20, maxWait: 2 },
			expected: {
				attempts: 2,
				message: expect.stringMatching(/HTTP 500.*Max Wait under .* allows 2\b.*Raise Max Wait/),
			},
		},
	])('$title', check);

	test.each([0, 0.999])('wait twice as long each time (chance %d)', async (chance) => {
		jest.spyOn(Math, 'random').mockReturnValue(chance);

		const { waits } = await send({ status: 500 }, { maxTries: 12, maxWait: 86_400 });

		waits.slice(0, 6).forEach((wait, index) => {
			expect(wait).toBeGreaterThanOrEqual(0.7 * 2 ** index);
			expect(wait).toBeLessThanOrEqual(1.3 * 2 ** index);
		});
		expect(Math.max(...waits)).toBeLessThanOrEqual(80);
	});
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

describe('the rate limit', () => {
	const withReset = (reset: string, retryAfter?: string) =>
		throttled(retryAfter, {}, remaining('0', { 'x-ratelimit-reset': reset }));
	const withDate = (date: string, retryAfter: string) => throttled(retryAfter, {}, { date });

	test.each<[name: string, () => FakeResponse, min: number, max: number]>([
		['Retry-After in seconds', () => throttled('17'), 17, 17],
		['Retry-After as a date', () => throttled(inSeconds(45)), 45, 45],
		['a date by a fast clock', () => withDate(inSeconds(3_600), inSeconds(3_645)), 45, 45],
		['retry_after in the body', () => throttled(NONE, { retry_after: '23' }), 23, 23],
		['the header rather than the body', () => throttled('5', { retry_after: 23 }), 5, 5],
		['the body if the header is not valid', () => throttled('x', { retry_after: 23 }), 23, 23],
		['a back-off if no wait is requested', () => throttled(NONE, '<html>'), 0.7, 1.3],
		['a back-off with Retry-After 0', () => throttled('0'), 0.7, 1.3],
		['Retry-After rather than the reset', () => withReset('50', '2'), 2, 2],
		['the reset', () => withReset('30'), 30, 30],
	])('the second attempt is sent after %s', async (_name, first, min, max) => {
		const { kinds, sentAt } = await send(failFirst(1, first()));

		expect(kinds).toEqual([NONE]);
		expect(sentAt).toHaveLength(2);
		expect(sentAt[1]).toBeGreaterThanOrEqual(min);
		expect(sentAt[1]).toBeLessThanOrEqual(max);
	});

	test('all requests wait together, for the longest wait', async () => {
		const waits = ['5', '40', '10'];
		const { kinds, sentAt } = await send(
			(count) => (waits[count - 1] ? throttled(waits[count - 1]) : OK),
			{ maxConcurrentRequests: 3 },
			numbered(6, enrich),
		);

		expect(kinds).toEqual(Array(6).fill(NONE));
		expect(sentAt.slice(0, 3)).toEqual([0, 0, 0]);
		expect(Math.min(...sentAt.slice(3))).toBeGreaterThanOrEqual(40);
	});

	test.each([
		['3600', '3,600'],
		['99999999999999', '100,000,000,000,000'],
	])('a wait of %s seconds fails at once, and no other request is sent', async (wait, seconds) => {
		const { attempts, outcomes } = await send(
			{ ...throttled(wait), after: 10 },
			{ maxWait: 60, ...ONE_BY_ONE },
			numbered(5, enrich),
		);

		expect(attempts).toBe(1);
		for (const { failure } of outcomes) {
			expect(failure).toMatchObject({ kind: 'rateLimited', status: 429 });
			expect(failure?.message).toMatch(
				RegExp(
					`rate limit.*HTTP 429.*total wait of this request to ${seconds} seconds.*Max Wait under Options allows 60\\b.*Raise Max Wait`,
				),
			);
		}
	});

	test.each<Scenario>([
		{
			title: 'throttled requests go before new ones, the one that has waited longest first',
			responses: failFirst(3, throttled('5')),
			options: { maxConcurrentRequests: 3 },
			requests: numbered(5, enrich),
			expected: { order: [0, 1, 2, 0, 1, 2, 3, 4] },
		},
		{
			title: 'waits beyond Max Wait in total fail only their own request if others succeed',
			responses: (_count, index) => (index === 0 ? throttled('60') : { ...OK, after: 10 }),
			options: { maxWait: 60, maxConcurrentRequests: 2 },
			requests: numbered(3, enrich),
			expected: { kinds: ['rateLimited', NONE, NONE], sentAt: [0, 0, 60, 60] },
		},
	])('$title', check);

	test('waits beyond Max Wait in total fail all requests if none succeeds meanwhile', async () => {
		const { kinds, sentAt, order } = await send(
			throttled('25'),
			{ maxWait: 60 },
			numbered(1_000, enrich),
		);

		expect(new Set(kinds)).toEqual(new Set(['rateLimited']));
		expect(sentAt.at(-1)).toBeLessThanOrEqual(60);
		expect(new Set(order).size).toBe(4);
	});

	test.each<[name: string, FakeResponse, first: number]>([
		['in the body', throttled(NONE, { retry_after: 0.02 }), 0.02],
		['in the header', throttled('1'), 1],
	])('if a requested wait %s is too short, the next waits grow', async (_name, response, first) => {
		const { kinds, waits } = await send(response, { maxWait: 300 });

		expect(kinds).toEqual(['rateLimited']);
		expect(waits[0]).toBeCloseTo(first, 2);
		// Doubles from a second, plus or minus a quarter.
		for (const [index, wait] of waits.slice(1, 6).entries()) {
			expect(wait).toBeGreaterThanOrEqual(Math.max(first, 0.75 * 2 ** index));
			expect(wait).toBeLessThanOrEqual(Math.max(first, 1.3 * 2 ** index));
		}
	});
});

describe('after a failure', () => {
	test.each<[name: string, FakeResponse, samePath: number, otherPath: number]>([
		['401', { status: 401 }, 1, 0],
		['402', { status: 402 }, 1, 1],
		['404', { status: 404 }, 1, 1],
		['422', { status: 422 }, 3, 1],
		['a lost connection', { code: 'ECONNRESET' }, 3, 1],
	])('%s: requests to its path, and to another', async (_name, response, samePath, otherPath) => {
		const service = fakeService(({ path }) => (path === enrich.path ? response : OK));
		const client = await clientOf(service, { ...ONE_BY_ONE, maxTries: 1 });

		const outcomes = await sendAll(client, [enrich, enrich, enrich, search]);

		const sentTo = (wanted: string) => service.sent.filter(({ path }) => path === wanted).length;
		expect([sentTo(enrich.path), sentTo(search.path)]).toEqual([samePath, otherPath]);
		const [first, second, third, other] = outcomes.map(({ failure }) => failure);
		expect([second?.message, third?.kind]).toEqual([first?.message, first?.kind]);
		expect(other?.kind).toBe(otherPath === 1 ? NONE : first?.kind);
	});

	test.each<Scenario>([
		{
			title: 'a wrong key also ends the retries of other requests',
			responses: (count) => ({ status: count === 1 ? 503 : 401 }),
			requests: [enrich, search],
			expected: { kinds: ['unauthorized', 'unauthorized'], attempts: 2 },
		},
		{
			title: 'after a success, a 404 without a word ends nothing',
			responses: (count) => (count === 2 ? { status: 404 } : OK),
			options: ONE_BY_ONE,
			requests: numbered(4, enrich),
			expected: { attempts: 4 },
		},
		{
			title: 'nor does one at first, if a request that is on its way succeeds',
			responses: (count) => (count === 1 ? { status: 404 } : { ...OK, after: 10 }),
			options: { maxConcurrentRequests: 2 },
			requests: numbered(4, enrich),
			expected: { attempts: 4 },
		},
		{
			title: 'stopOnFailure: no more requests are sent, even if the failed response allows more',
			responses: (count) =>
				count === 1
					? { ...OK, after: 10, headers: remaining('1') }
					: { status: 422, after: 20, headers: remaining('10') },
			options: { maxConcurrentRequests: 2, stopOnFailure: true },
			requests: numbered(5, enrich),
			expected: { attempts: 2 },
		},
		{
			title: 'a service that is down gets all attempts of three requests, and no other request',
			responses: { status: 503 },
			options: ONE_BY_ONE,
			requests: numbered(80, enrich),
			expected: { attempts: 15, kinds: numbered(80, enrich).map(() => 'server') },
		},
		{
			title: 'a success starts the count again',
			responses: (_, index) => (index % 3 === 2 ? OK : { status: 503 }),
			options: ONE_BY_ONE,
			requests: numbered(80, enrich),
			expected: { order: expect.arrayContaining([...Array(80).keys()]) },
		},
		{
			title: 'a success also starts the count of lost responses again',
			responses: (_, index) => (index === 5 ? OK : { code: 'ECONNRESET' }),
			options: { ...ONE_BY_ONE, maxTries: 1 },
			requests: numbered(14, enrich),
			expected: { attempts: 14 },
		},
		{
			title: '500 may be about a record, once a request has succeeded',
			responses: (_, index) => (index === 0 ? OK : { status: 500 }),
			options: ONE_BY_ONE,
			requests: numbered(9, enrich),
			expected: { attempts: 1 + 8 * 5 },
		},
	])('$title', check);

	test('10 responses lost in a row: only requests that are safe to retry are sent to the path', async () => {
		const service = fakeService(({ path }) => (path === enrich.path ? { code: 'ECONNRESET' } : OK));
		const client = await clientOf(service, { ...ONE_BY_ONE, maxTries: 1 });

		const outcomes = await sendAll(client, [
			...numbered(11, enrich),
			{ ...enrich, safeToRetry: true },
			{ ...search, safeToRetry: false },
		]);

		expect(service.sent.map(({ path }) => path)).toEqual([
			...Array<string>(11).fill(enrich.path),
			search.path,
		]);
		expect(outcomes.slice(9).map(({ failure }) => failure?.kind)).toEqual([
			'noResponse',
			'unreachable',
			'noResponse',
			NONE,
		]);
		expect(outcomes[10]?.failure?.message).toMatch(
			/^The service did not respond to 10 requests of this kind, and to no other in between, so.*check your credit usage/,
		);
	});
});

test('skipIf skips a retry: the request gets that failure', async () => {
	const service = fakeService(() => ({ status: 503 }));
	const client = await clientOf(service);
	const failure: Failure = { kind: 'invalid', message: 'Rejected before.' };
	const skipIf = () => (service.sent.length === 0 ? NONE : failure);

	expect(await settled(client.send(search, skipIf))).toEqual({ failure });
	expect(service.sent).toHaveLength(1);
});

describe('a stopped client', () => {
	/** Sends the requests, and stops half a second later. */
	async function stopAfter(
		responses: (count: number) => FakeResponse,
		requests: readonly ServiceRequest[],
		stop: (client: Client, service: FakeService) => void = (client) => client.stop(),
		options: Partial<RequestOptions> = {},
	) {
		const service = fakeService((_request, count) => responses(count));
		const client = await clientOf(service, options);
		const sending = requests.map(async (request) => await client.send(request));
		await jest.advanceTimersByTimeAsync(500);
		const sentBefore = service.sent.length;
		stop(client, service);
		const start = Date.now();
		const outcomes = await settled(Promise.all(sending));
		expect(service.sent).toHaveLength(sentBefore);
		expect(Date.now() - start).toBeLessThanOrEqual(1_000);
		return outcomes;
	}

	test('says of a request that was to be retried what its last attempt was', async () => {
		const [outcome] = await stopAfter(() => ({ code: 'ECONNRESET' }), [search]);

		expect(outcome).toMatchObject({
			failure: {
				kind: 'stopped',
				message: expect.stringMatching(
					/connection .*The execution was stopped before another attempt\.$/,
				),
			},
		});
	});

	test('sends nothing more if a caller stops it on a result', async () => {
		const service = fakeService(() => ({ ...OK, after: 10 }));
		const client = await clientOf(service, ONE_BY_ONE);
		const sending = numbered(3, enrich).map(async (request) => {
			await client.send(request);
			client.stop();
		});

		await settled(Promise.all(sending));

		expect(service.sent).toHaveLength(1);
	});

	const byStop = { how: 'stop()', stop: (client: Client) => client.stop() };
	const byCancel = {
		how: 'cancelling the execution',
		stop: (_client: Client, { cancel }: FakeService) => cancel(),
	};

	test.each(
		[byStop, byCancel].flatMap((way) =>
			[
				{ wait: 'the rate limit', response: throttled('100') },
				{ wait: 'the next attempt', response: busy('100') },
				{ wait: 'a slot', response: { ...OK, after: 1_500 } },
			].flatMap((wait) => [true, false].map((usesSignal) => ({ ...way, ...wait, usesSignal }))),
		),
	)(
		'$how ends the wait for $wait at once; sleep uses its signal: $usesSignal',
		async ({ stop, response, usesSignal }) => {
			// Up to n8n-workflow 2.33.2 it ignores it.
			mockUsesSignal = usesSignal;

			const outcomes = await stopAfter(() => response, [enrich, search, enrich], stop, ONE_BY_ONE);

			const unsent = outcomes.filter(({ failure }) => failure !== undefined);
			expect(unsent.length).toBeGreaterThanOrEqual(2);
			expect(unsent.every(({ failure }) => failure?.kind === 'stopped')).toBe(true);
			if (usesSignal) expect(jest.getTimerCount()).toBe(0);
		},
	);

	test('lets a request in flight finish, since it is paid for; cancelling may lose it', async () => {
		const responses = () => ({ ...OK, after: 1_000 });

		expect(await stopAfter(responses, [enrich])).toEqual([{ value: OK.body }]);
		expect(await stopAfter(responses, [enrich], byCancel.stop)).toMatchObject([
			{
				failure: {
					kind: 'stopped',
					message: expect.stringMatching(/may have processed the request and charged for it/),
				},
			},
		]);
	});
});

test('counts requests without a failure, and paid ones whose response was lost', async () => {
	const lost = { code: 'ECONNRESET' };
	const miss = { ...OK, body: { status: 'miss' } };
	const responses = [lost, { status: 504 }, miss, { status: 503 }, OK];
	const { client } = await send((count) => responses[count - 1] ?? lost, { maxTries: 1 }, [
		...Array(5).fill(enrich),
		search,
	]);

	expect(client.counts).toMatchObject({ successfulRequests: 2, lostResponses: 2 });
});
