/** What is not sent any more: after a failure that stands, after stop, and after the execution was cancelled. */
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type { ServiceRequest } from '../../../nodes/BusinessProspectData/api/httpRequest';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import type * as Workflow from 'n8n-workflow';
import {
	type Answer,
	clientOf,
	enrich,
	fakeService,
	numbered,
	OK,
	search,
	settled,
} from './service';

let mockHeedsSignal = true;
jest.mock('n8n-workflow', () => {
	const actual = jest.requireActual<typeof Workflow>('n8n-workflow');
	const sleep = async (ms: number, signal?: AbortSignal) =>
		await actual.sleep(ms, mockHeedsSignal ? signal : undefined);
	return { ...actual, __esModule: true, sleep };
});

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
	mockHeedsSignal = true;
	jest.useRealTimers();
});

const sendAll = async (client: Client, requests: ServiceRequest[]) =>
	await settled(Promise.all(requests.map(async (request) => await client.send(request))));

const limited: Answer = { status: 429, headers: { 'retry-after': '100' } };

describe('after a failure', () => {
	test.each<[name: string, Answer, onThePath: number, elsewhere: number]>([
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
	])('%s: requests to its path, and to another', async (_name, answer, onThePath, elsewhere) => {
		const service = fakeService(({ path }) => (path === enrich.path ? answer : OK));
		const client = await clientOf(service, { maxConcurrentRequests: 1, maxTries: 1 });

		const outcomes = await sendAll(client, [enrich, enrich, enrich, search]);

		const paths = service.sent.map(({ path }) => path);
		expect(paths.filter((path) => path === enrich.path)).toHaveLength(onThePath);
		expect(paths.filter((path) => path === search.path)).toHaveLength(elsewhere);
		const [first, second, third, other] = outcomes.map(({ failure }) => failure);
		expect([second?.kind, third?.kind]).toEqual([first?.kind, first?.kind]);
		expect(second?.message).toBe(first?.message);
		expect(other?.kind).toBe(elsewhere === 1 ? undefined : first?.kind);
	});

	test('a wrong key also ends the tries of what was sent before', async () => {
		const service = fakeService((_request, nth) => ({ status: nth === 1 ? 503 : 401 }));
		const client = await clientOf(service);

		const outcomes = await sendAll(client, [enrich, search]);

		expect(outcomes.map(({ failure }) => failure?.kind)).toEqual(['unauthorized', 'unauthorized']);
		expect(service.sent).toHaveLength(2);
	});

	test('with stopsAtFailure nothing more is sent', async () => {
		const service = fakeService((_request, nth) => ({
			...(nth === 2 ? { status: 422 } : OK),
			after: 10,
		}));
		const settings = { maxConcurrentRequests: 1, stopsAtFailure: true };
		const client = await clientOf(service, settings);

		const outcomes = await sendAll(client, numbered(5, enrich));

		const kinds = outcomes.map(({ failure }) => failure?.kind);
		expect(kinds).toEqual([undefined, 'invalid', 'stopped', 'stopped', 'stopped']);
		expect(service.sent).toHaveLength(2);
	});

	test('with stopsAtFailure a request is tried again before it counts as failed', async () => {
		const service = fakeService((_request, nth) => (nth <= 2 ? { status: 503 } : OK));
		const client = await clientOf(service, { stopsAtFailure: true });

		const outcomes = await sendAll(client, numbered(5, enrich));

		expect(outcomes.every(({ failure }) => failure === undefined)).toBe(true);
	});
});

test('who stops on what came is in time: nothing more was sent', async () => {
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

test('a request held back until its path is known is not sent after stop()', async () => {
	const service = fakeService((_request, nth) =>
		nth === 1 ? { status: 404 } : { ...OK, after: 1_000 },
	);
	const client = await clientOf(service, { maxConcurrentRequests: 2 });
	const sending = numbered(3, enrich).map(async (request) => await client.send(request));
	await jest.advanceTimersByTimeAsync(500);

	client.stop();

	const outcomes = await settled(Promise.all(sending));
	expect(outcomes.map(({ failure }) => failure?.kind)).toEqual(['notFound', undefined, 'stopped']);
	expect(service.sent).toHaveLength(2);
});

test('a request that is refused when its turn comes is not sent', async () => {
	const service = fakeService(() => ({ ...OK, after: 1_000 }));
	const client = await clientOf(service, { maxConcurrentRequests: 1 });
	const refused: Failure = { kind: 'invalid', message: 'Refused before.' };
	const turn: { blockedBy?: Failure } = {};
	const sending = [enrich, enrich].map(
		async (request) => await client.send({ ...request, blockedBy: () => turn.blockedBy }),
	);
	await jest.advanceTimersByTimeAsync(500);
	turn.blockedBy = refused;

	expect(await settled(Promise.all(sending))).toEqual([{ value: OK.body }, { failure: refused }]);
	expect(service.sent).toHaveLength(1);
});

test.each<[what: string, kind: Failure['kind'], told: Failure['kind']]>([
	['for lack of time, has the failure of its last try', 'stopped', 'server'],
	['since the service refuses it, has that failure', 'invalid', 'invalid'],
])('a request that is not sent again, %s', async (_what, kind, told) => {
	const service = fakeService(() => ({ status: 503 }));
	const client = await clientOf(service);
	const blockedBy = () =>
		service.sent.length === 0 ? undefined : ({ kind, message: 'Not now.' } as const);

	const { failure } = await settled(client.send({ ...enrich, idempotent: true, blockedBy }));

	expect(failure?.kind).toBe(told);
	expect(service.sent).toHaveLength(1);
});

/** What a request may be waiting for when the end comes. */
const WAITS: Array<[what: string, Answer]> = [
	['the rate limit', limited],
	['the next try', { status: 503, headers: { 'retry-after': '100' } }],
	['a free place', { ...OK, after: 3_000 }],
];

const ENDS: Array<[how: string, end: (client: Client, cancel: () => void) => void]> = [
	['stop()', (client) => client.stop()],
	['a cancelled execution', (_client, cancel) => cancel()],
];

describe.each(ENDS)('%s', (_how, end) => {
	test.each(
		WAITS.flatMap(([what, answer]) =>
			[true, false].map((heeds): [string, boolean, Answer] => [what, heeds, answer]),
		),
	)('ends the wait for %s at once, sleep heeds its signal: %s', async (_what, heeds, answer) => {
		// Up to n8n-workflow 2.33.2 it does not.
		mockHeedsSignal = heeds;
		const service = fakeService(() => answer);
		const client = await clientOf(service, { maxConcurrentRequests: 1 });
		const requests = [enrich, search, enrich].map(async (request) => await client.send(request));
		await jest.advanceTimersByTimeAsync(2_000);
		const sentBefore = service.sent.length;
		const start = Date.now();

		end(client, service.cancel);
		const outcomes = await settled(Promise.all(requests));

		const unsent = outcomes.filter(({ failure }) => failure !== undefined);
		expect(unsent.length).toBeGreaterThanOrEqual(2);
		for (const { failure } of unsent) {
			expect(failure).toMatchObject({ kind: 'stopped', message: expect.stringMatching(/stopped/) });
		}
		expect(service.sent).toHaveLength(sentBefore);
		expect(Date.now() - start).toBeLessThanOrEqual(1_000);
		if (heeds) expect(jest.getTimerCount()).toBe(0);
	});

	test('lets nothing new start', async () => {
		const service = fakeService(() => OK);
		const client = await clientOf(service);

		end(client, service.cancel);

		expect(await sendAll(client, [enrich, search])).toMatchObject([
			{ failure: { kind: 'stopped' } },
			{ failure: { kind: 'stopped' } },
		]);
		expect(service.sent).toHaveLength(0);
	});
});

test('stop() leaves a request that is under way alone: its answer is paid for', async () => {
	const service = fakeService(() => ({ ...OK, after: 1_000 }));
	const client = await clientOf(service);
	const sending = client.send(enrich);
	await jest.advanceTimersByTimeAsync(500);

	client.stop();

	expect(await settled(sending)).toEqual({ value: OK.body });
});

test('a request that is under way when the execution is cancelled is not told to be unasked', async () => {
	const service = fakeService(() => ({ ...OK, after: 1_000 }));
	const client = await clientOf(service);
	const sending = client.send(enrich);
	await jest.advanceTimersByTimeAsync(500);

	service.cancel();

	const { failure } = await settled(sending);
	expect(failure?.kind).toBe('stopped');
	expect(failure?.message).not.toMatch(/not asked for/);
});

test('an execution that was cancelled before sends nothing', async () => {
	const service = fakeService(() => OK);
	service.cancel();

	const outcomes = await sendAll(await clientOf(service), [enrich]);

	expect(outcomes).toMatchObject([{ failure: { kind: 'stopped' } }]);
	expect(service.sent).toHaveLength(0);
});

test('answered() counts the answers with data', async () => {
	const answers: Answer[] = [OK, { status: 422 }, { ...OK, body: { status: 'miss' } }];
	const service = fakeService((_request, nth) => answers[nth - 1] ?? OK);
	const client = await clientOf(service);

	await sendAll(client, [enrich, enrich, enrich]);

	expect(client.successCount()).toBe(2);
});
