/** Requests that are no longer sent: after some failures, after stop(), and when the execution is cancelled. */
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import type * as Workflow from 'n8n-workflow';
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

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
	mockUsesSignal = true;
	jest.useRealTimers();
});

const limited: FakeResponse = { status: 429, headers: { 'retry-after': '100' } };

describe('after a failure', () => {
	test.each<[name: string, FakeResponse, samePath: number, otherPath: number]>([
		['401', { status: 401 }, 1, 0],
		['402', { status: 402 }, 1, 1],
		['403 credits', { status: 403, body: { message: 'No credits' } }, 1, 1],
		['403 permission', { status: 403 }, 1, 1],
		['404', { status: 404 }, 1, 1],
		['a redirect', { status: 302 }, 1, 1],
		['422', { status: 422 }, 3, 1],
		['500', { status: 500 }, 3, 1],
		['a lost connection', { code: 'ECONNRESET' }, 3, 1],
		['a reported failure', { status: 200, body: { status: 'failure' } }, 3, 1],
	])('%s: requests to its path, and to another', async (_name, response, samePath, otherPath) => {
		const service = fakeService(({ path }) => (path === enrich.path ? response : OK));
		const client = await clientOf(service, { maxConcurrentRequests: 1, maxTries: 1 });

		const outcomes = await sendAll(client, [enrich, enrich, enrich, search]);

		const paths = service.sent.map(({ path }) => path);
		expect(paths.filter((path) => path === enrich.path)).toHaveLength(samePath);
		expect(paths.filter((path) => path === search.path)).toHaveLength(otherPath);
		const [first, second, third, other] = outcomes.map(({ failure }) => failure);
		expect([second?.kind, third?.kind]).toEqual([first?.kind, first?.kind]);
		expect(second?.message).toBe(first?.message);
		expect(other?.kind).toBe(otherPath === 1 ? undefined : first?.kind);
	});

	test('a wrong key also ends the retries of other requests', async () => {
		const service = fakeService((_request, count) => ({ status: count === 1 ? 503 : 401 }));
		const client = await clientOf(service);

		const outcomes = await sendAll(client, [enrich, search]);

		expect(outcomes.map(({ failure }) => failure?.kind)).toEqual(['unauthorized', 'unauthorized']);
		expect(service.sent).toHaveLength(2);
	});

	test('stopOnFailure: no more requests are sent, even if the failed response allows more', async () => {
		const remaining = (count: string) => ({ 'x-ratelimit-remaining': count });
		const service = fakeService((_request, count) =>
			count === 1
				? { ...OK, after: 10, headers: remaining('1') }
				: { status: 422, after: 20, headers: remaining('10') },
		);
		const client = await clientOf(service, { maxConcurrentRequests: 2, stopOnFailure: true });

		await sendAll(client, numbered(5, enrich));

		expect(service.sent).toHaveLength(2);
	});

	test('stopOnFailure: a request that is retried has not failed yet', async () => {
		const service = fakeService((_request, count) => (count <= 2 ? { status: 503 } : OK));
		const client = await clientOf(service, { stopOnFailure: true });

		const outcomes = await sendAll(client, numbered(5, enrich));

		expect(outcomes.every(({ failure }) => failure === undefined)).toBe(true);
	});
});

describe('responses lost in a row', () => {
	const lost: FakeResponse = { code: 'ECONNRESET' };
	const ONE = { maxConcurrentRequests: 1, maxTries: 1 };

	test('after 10, only requests that are safe to retry are sent to the path', async () => {
		const service = fakeService(({ path }) => (path === enrich.path ? lost : OK));
		const client = await clientOf(service, ONE);

		const outcomes = await sendAll(client, [
			...numbered(15, enrich),
			{ ...enrich, safeToRetry: true },
			{ ...search, safeToRetry: false },
		]);

		expect(service.sent.map(({ path }) => path)).toEqual([
			...Array<string>(11).fill(enrich.path),
			search.path,
		]);
		const failures = outcomes.map(({ failure }) => failure);
		expect(failures.slice(0, 10).map((failure) => failure?.kind)).toEqual(
			Array(10).fill('noResponse'),
		);
		for (const failure of failures.slice(10, 15)) {
			expect(failure).toEqual({
				kind: 'unreachable',
				message:
					'The service did not respond to 10 requests of this kind in a row, so this request was not sent. The service may have charged for the requests without a response: check your credit usage. Run the remaining rows when the service responds again.',
			});
		}
		expect(failures.slice(15).map((failure) => failure?.kind)).toEqual(['noResponse', undefined]);
	});

	test('are counted from the last success on', async () => {
		const service = fakeService((_request, count) => (count % 10 === 0 ? OK : lost));
		const client = await clientOf(service, ONE);

		await sendAll(client, numbered(50, enrich));

		expect(service.sent).toHaveLength(50);
	});

	test('do not count if the request is safe to retry', async () => {
		const service = fakeService(() => lost);
		const client = await clientOf(service, ONE);

		await sendAll(client, numbered(15, search));

		expect(service.sent).toHaveLength(15);
	});
});

test('sends no other request after a caller stops on its result', async () => {
	const service = fakeService(() => ({ ...OK, after: 10 }));
	const client = await clientOf(service, { maxConcurrentRequests: 1 });

	await settled(
		Promise.all(
			numbered(3, enrich).map(async (request) => {
				await client.send(request);
				client.stop();
			}),
		),
	);

	expect(service.sent).toHaveLength(1);
});

test('does not send a request after stop() that was waiting for a decision on its path', async () => {
	const service = fakeService((_request, count) =>
		count === 1 ? { status: 404 } : { ...OK, after: 1_000 },
	);
	const client = await clientOf(service, { maxConcurrentRequests: 2 });
	const sending = numbered(3, enrich).map(async (request) => await client.send(request));
	await jest.advanceTimersByTimeAsync(500);

	client.stop();

	const outcomes = await settled(Promise.all(sending));
	expect(outcomes.map(({ failure }) => failure?.kind)).toEqual(['notFound', undefined, 'stopped']);
	expect(service.sent).toHaveLength(2);
});

test('skipIf skips a request that is still waiting', async () => {
	const service = fakeService(() => ({ ...OK, after: 1_000 }));
	const client = await clientOf(service, { maxConcurrentRequests: 1 });
	const invalid: Failure = { kind: 'invalid', message: 'Rejected before.' };
	const failures: Failure[] = [];
	const sending = [enrich, enrich].map(
		async (request) => await client.send(request, () => failures[0]),
	);
	await jest.advanceTimersByTimeAsync(500);
	failures.push(invalid);

	expect(await settled(Promise.all(sending))).toEqual([{ value: OK.body }, { failure: invalid }]);
	expect(service.sent).toHaveLength(1);
});

test('skipIf skips a retry: the request gets that failure', async () => {
	const service = fakeService(() => ({ status: 503 }));
	const client = await clientOf(service);
	const invalid: Failure = { kind: 'invalid', message: 'Rejected before.' };
	const skipIf = () => (service.sent.length === 0 ? undefined : invalid);

	expect(await settled(client.send(search, skipIf))).toEqual({ failure: invalid });
	expect(service.sent).toHaveLength(1);
});

describe('at a deadline', () => {
	const SECOND = 1_000;
	const sendUntil = async (seconds: number, respond: Parameters<typeof fakeService>[0]) => {
		const service = fakeService(respond);
		const start = performance.now();
		const client = await clientOf(service, {
			maxConcurrentRequests: 1,
			deadline: start + seconds * SECOND,
		});
		const outcomes = await settled(
			Promise.all(numbered(3, search).map(async (request) => await client.send(request))),
		);
		return {
			kinds: outcomes.map(({ failure }) => failure?.kind),
			sent: service.sent.length,
			seconds: (performance.now() - start) / SECOND,
		};
	};

	test('requests that still wait are not sent; the one in flight finishes', async () => {
		expect(await sendUntil(5, () => ({ ...OK, after: 4 * SECOND }))).toEqual({
			kinds: [undefined, undefined, 'stopped'],
			sent: 2,
			seconds: 8,
		});
	});

	test('no wait for the rate limit goes beyond it', async () => {
		const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '58' };

		expect(await sendUntil(18, () => ({ ...OK, headers }))).toEqual({
			kinds: [undefined, 'stopped', 'stopped'],
			sent: 1,
			seconds: 0,
		});
	});

	test('a 429 that asks for a longer wait ends the request, and all others', async () => {
		const headers = { 'retry-after': '19' };

		expect(await sendUntil(18, () => ({ status: 429, headers }))).toEqual({
			kinds: ['rateLimited', 'stopped', 'stopped'],
			sent: 1,
			seconds: 0,
		});
	});

	test('a failed request keeps its failure if its wait would be too long; the others go on', async () => {
		const { kinds, sent } = await sendUntil(2, (_request, number) =>
			number === 1 ? { status: 503, headers: { 'retry-after': '3' } } : OK,
		);

		expect([kinds, sent]).toEqual([['server', undefined, undefined], 3]);
	});
});

test('a request that is stopped before a retry says what its last attempt was', async () => {
	const service = fakeService(() => ({ code: 'ECONNRESET' }));
	const client = await clientOf(service);
	const sending = client.send(search);
	await jest.advanceTimersByTimeAsync(1);

	client.stop();

	const { failure, mayHaveSucceeded } = await settled(sending);
	expect(service.sent).toHaveLength(1);
	expect(failure?.kind).toBe('stopped');
	expect(failure?.message).toMatch(
		/connection .*The execution was stopped before another attempt\.$/,
	);
	expect(mayHaveSucceeded).toBe(true);
});

/** What a request may be waiting for when the client is stopped. */
const WAITS: Array<[wait: string, FakeResponse]> = [
	['the rate limit', limited],
	['the next attempt', { status: 503, headers: { 'retry-after': '100' } }],
	['a slot', { ...OK, after: 3_000 }],
];

const STOPS: Array<[how: string, stop: (client: Client, cancel: () => void) => void]> = [
	['stop()', (client) => client.stop()],
	['a cancelled execution', (_client, cancel) => cancel()],
];

describe.each(STOPS)('%s', (_how, stop) => {
	test.each(
		WAITS.flatMap(([wait, response]) =>
			[true, false].map((signal): [string, boolean, FakeResponse] => [wait, signal, response]),
		),
	)('ends the wait for %s at once, sleep uses its signal: %s', async (_wait, signal, response) => {
		// Up to n8n-workflow 2.33.2 it ignores it.
		mockUsesSignal = signal;
		const service = fakeService(() => response);
		const client = await clientOf(service, { maxConcurrentRequests: 1 });
		const requests = [enrich, search, enrich].map(async (request) => await client.send(request));
		await jest.advanceTimersByTimeAsync(2_000);
		const sentBefore = service.sent.length;
		const start = Date.now();

		stop(client, service.cancel);
		const outcomes = await settled(Promise.all(requests));

		const unsent = outcomes.filter(({ failure }) => failure !== undefined);
		expect(unsent.length).toBeGreaterThanOrEqual(2);
		for (const { failure } of unsent) {
			expect(failure).toMatchObject({ kind: 'stopped', message: expect.stringMatching(/stopped/) });
		}
		expect(service.sent).toHaveLength(sentBefore);
		expect(Date.now() - start).toBeLessThanOrEqual(1_000);
		if (signal) expect(jest.getTimerCount()).toBe(0);
	});
});

test.each<[string, (service: FakeService, client: Client) => void, outcome: object]>([
	[
		'stop() lets it finish, since it is paid for',
		(_service, client) => client.stop(),
		{ value: OK.body },
	],
	[
		'if the execution is cancelled, it may have been charged',
		({ cancel }) => cancel(),
		{
			failure: {
				kind: 'stopped',
				message: expect.stringMatching(/may have processed the request and charged for it/),
			},
		},
	],
])('a request that is pending: %s', async (_what, stop, outcome) => {
	const service = fakeService(() => ({ ...OK, after: 1_000 }));
	const client = await clientOf(service);
	const sending = client.send(enrich);
	await jest.advanceTimersByTimeAsync(500);

	stop(service, client);

	expect(await settled(sending)).toEqual(outcome);
});

test('sends nothing if the execution is cancelled already', async () => {
	const service = fakeService(() => OK);
	service.cancel();

	const outcomes = await sendAll(await clientOf(service), [enrich]);

	expect(outcomes).toMatchObject([{ failure: { kind: 'stopped' } }]);
	expect(service.sent).toHaveLength(0);
});

test('successCount() counts requests without a failure', async () => {
	const responses: FakeResponse[] = [OK, { status: 422 }, { ...OK, body: { status: 'miss' } }];
	const service = fakeService((_request, count) => responses[count - 1] ?? OK);
	const client = await clientOf(service);

	await sendAll(client, [enrich, enrich, enrich]);

	expect(client.successCount()).toBe(2);
});

test('lostResponseCount() counts requests without a response that may have been charged', async () => {
	const responses: FakeResponse[] = [{ code: 'ECONNRESET' }, { status: 504 }, OK, { status: 503 }];
	const service = fakeService(({ path }, count) =>
		path === enrich.path ? (responses[count - 1] ?? OK) : { code: 'ECONNRESET' },
	);
	const client = await clientOf(service, { maxTries: 1 });

	await sendAll(client, [enrich, enrich, enrich, enrich, search]);

	expect(client.lostResponseCount()).toBe(2);
});
