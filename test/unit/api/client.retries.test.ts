/** Which requests are retried, how often, and after which waits. */
import { sys } from 'typescript';
import type { RequestOptions } from '../../../nodes/BusinessProspectData/api/client';
import {
	type FakeResponse,
	clientOf,
	enrich,
	fakeService,
	OK,
	search,
	sendAll,
	settled,
} from './service';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

type Responses = FakeResponse | ((count: number) => FakeResponse);

/** Sends one request. Returns its result, the number of attempts and when they were sent, in seconds. */
async function send(
	responses: Responses,
	{ free = false, ...options }: { free?: boolean } & Partial<RequestOptions> = {},
) {
	const service = fakeService((_request, count) =>
		typeof responses === 'function' ? responses(count) : responses,
	);
	const client = await clientOf(service, options);
	const { value, failure } = await settled(client.send(free ? search : enrich));
	const sentAt = service.sent.map(({ at }) => at / 1000);
	const waits = sentAt.slice(1).map((second, index) => second - (sentAt[index] ?? 0));
	const message = failure?.message ?? '';
	return { attempts: sentAt.length, value, failure, message, sentAt, waits };
}

const failFirst =
	(failures: number, response: FakeResponse) =>
	(count: number): FakeResponse =>
		count <= failures ? response : OK;

/** All statuses without a body are in the next test, other responses in the fault matrix. */
describe('attempts, with two allowed', () => {
	test.each<[name: string, FakeResponse, paid: number, free: number]>([
		['500 with a validation error', { status: 500, body: { detail: [{ loc: [] }] } }, 1, 1],
		['DNS server busy', { code: 'EAI_AGAIN' }, 2, 2],
		['response cut off', { code: 'ERR_BAD_RESPONSE' }, 1, 2],
		['no such host', { code: 'ENOTFOUND' }, 1, 1],
		['certificate expired', { code: 'CERT_HAS_EXPIRED' }, 1, 1],
		['certificate unknown', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 1, 1],
	])('%s', async (_name, response, paid, free) => {
		const { attempts, message } = await send(response, { maxTries: 2 });

		expect(attempts).toBe(paid);
		expect(message.includes('charged for it')).toBe(paid < free);
		expect((await send(response, { maxTries: 2, free: true })).attempts).toBe(free);
	});
});

test('docs/errors.md says which statuses are retried, and which may have been charged', async () => {
	const retried: number[] = [];
	const retriedIfFree: number[] = [];
	const maybeCharged: number[] = [];
	for (let status = 400; status < 600; status++) {
		const options = { maxTries: 2, maxWait: 10 };
		const paid = await send({ status }, options);
		const free = await send({ status }, { ...options, free: true });
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

test.each<[name: string, FakeResponse]>([
	['a timeout', { code: 'ECONNABORTED' }],
	['a failing service', { status: 503 }],
	['the rate limit', { status: 429, headers: { 'retry-after': '50' } }],
])('%s: without options, the message mentions none', async (_name, response) => {
	const { message } = await send(response, {
		free: true,
		maxTries: 2,
		maxWait: 5,
		omitOptionAdvice: true,
	});

	expect(message).not.toBe('');
	expect(message).not.toMatch(/Option|Max Wait|Max Tries/);
});

describe('attempts', () => {
	test('end with the first success', async () => {
		const { attempts, value, failure } = await send(failFirst(3, { status: 503 }));

		expect(failure).toBeUndefined();
		expect(value).toEqual(OK.body);
		expect(attempts).toBe(4);
	});

	test('are bounded, and the message says so', async () => {
		expect(await send({ status: 500 }, { maxTries: 3 })).toMatchObject({
			attempts: 3,
			failure: { kind: 'server', status: 500 },
			message: expect.stringMatching(
				/HTTP 500.*No further attempt was made, because Max Tries under Options > Requests is 3\./,
			),
		});
		expect((await send({ status: 500 }, { maxTries: 1 })).message).toMatch(/Requests is 1\./);
	});

	test('do not include rate-limit waits', async () => {
		const limited = { status: 429, headers: { 'retry-after': '1' } };

		const { attempts, failure } = await send(failFirst(7, limited), { maxTries: 2 });

		expect(failure).toBeUndefined();
		expect(attempts).toBe(8);
	});
});

describe('earlier attempts', () => {
	test.each<[first: string, FakeResponse, mayHaveSucceeded: boolean]>([
		['a lost connection', { code: 'ECONNRESET' }, true],
		['a timeout', { code: 'ECONNABORTED' }, true],
		['HTTP 504', { status: 504 }, true],
		['a refused connection', { code: 'ECONNREFUSED' }, false],
		['HTTP 521', { status: 521 }, false],
		['a failing service', { status: 503 }, false],
		['the rate limit', { status: 429 }, false],
	])('%s may have succeeded: %s', async (_first, response, mayHaveSucceeded) => {
		const service = fakeService((_request, count) => (count === 1 ? response : OK));
		const client = await clientOf(service);

		const [first, second] = await sendAll(client, [search, { ...search, path: '/v1/other' }]);

		expect(first).toEqual({ value: OK.body, ...(mayHaveSucceeded && { mayHaveSucceeded }) });
		expect(second).toEqual({ value: OK.body });
	});
});

describe('waits between attempts', () => {
	test.each([0, 0.5, 0.999])('double from about a second (chance %d)', async (chance) => {
		jest.spyOn(Math, 'random').mockReturnValue(chance);

		const { waits } = await send({ status: 500 }, { maxTries: 12, maxWait: 86_400 });

		waits.slice(0, 6).forEach((wait, index) => {
			expect(wait).toBeGreaterThanOrEqual(0.7 * 2 ** index);
			expect(wait).toBeLessThanOrEqual(1.3 * 2 ** index);
		});
		expect(Math.max(...waits)).toBeLessThanOrEqual(80);
	});

	test('differ between requests that failed together', async () => {
		const service = fakeService((_request, count) => (count <= 4 ? { status: 500 } : OK));
		const client = await clientOf(service);

		await sendAll(client, Array(4).fill(enrich));

		expect(new Set(service.sent.slice(4).map(({ at }) => at)).size).toBeGreaterThan(1);
	});

	test.each([503, 521])('follow Retry-After of a %i', async (status) => {
		const { sentAt } = await send(failFirst(1, { status, headers: { 'retry-after': '30' } }));

		expect(sentAt).toEqual([0, 30]);
	});

	test('do not delay other requests', async () => {
		const service = fakeService(({ path }, count) =>
			path === enrich.path && count === 1 ? { status: 500 } : OK,
		);
		const client = await clientOf(service, { maxConcurrentRequests: 1 });

		await sendAll(client, [enrich, search]);

		expect(service.sent.map(({ path }) => path)).toEqual([enrich.path, search.path, enrich.path]);
		expect(service.sent[1]?.at).toBe(0);
	});
});

describe('Max Wait', () => {
	test('bounds the total wait of a request', async () => {
		const { sentAt, failure, message } = await send({ status: 500 }, { maxTries: 20, maxWait: 10 });

		expect(failure?.kind).toBe('server');
		expect(sentAt.at(-1)).toBeLessThanOrEqual(10);
		expect(sentAt.length).toBeGreaterThanOrEqual(3);
		expect(message).toMatch(
			/HTTP 500.*Max Wait under Options > Requests allows 10\b.*Raise Max Wait/,
		);
	});

	test('does not include the response time', async () => {
		const timeout = { code: 'ECONNABORTED', after: 100_000 };

		const { attempts, message } = await send(timeout, { free: true, maxTries: 3, maxWait: 60 });

		expect(attempts).toBe(3);
		expect(message).toContain('did not respond within 120 seconds');
	});

	test('does not include the time before the first attempt', async () => {
		const service = fakeService((_request, count) =>
			count === 1 ? { ...OK, after: 50_000 } : count === 2 ? { status: 500 } : OK,
		);
		const client = await clientOf(service, { maxConcurrentRequests: 1, maxWait: 10 });

		const outcomes = await sendAll(client, [enrich, enrich]);

		expect(outcomes[1]?.value).toEqual(OK.body);
	});

	test('of 0 sends once', async () => {
		expect(await send({ status: 500 }, { maxWait: 0 })).toMatchObject({ attempts: 1 });
	});
});
