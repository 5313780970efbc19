/** Which requests are sent again, how often, and after which time. */
import { sys } from 'typescript';
import type { RequestOptions } from '../../../nodes/BusinessProspectData/api/client';
import { requestOptions } from '../../../nodes/BusinessProspectData/runtime/options';
import { type Answer, clientOf, enrich, fakeService, OK, search, settled } from './service';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

type Answers = Answer | ((nth: number) => Answer);

/** Sends one request, and tells what came of it and when it was sent, in seconds. */
async function ask(
	answers: Answers,
	{ free = false, ...settings }: { free?: boolean } & Partial<RequestOptions> = {},
) {
	const service = fakeService((_request, nth) =>
		typeof answers === 'function' ? answers(nth) : answers,
	);
	const client = await clientOf(service, settings);
	const { value, failure } = await settled(client.send(free ? search : enrich));
	const at = service.sent.map((sent) => sent.at / 1000);
	const waits = at.slice(1).map((second, nth) => second - (at[nth] ?? 0));
	return { tries: at.length, value, failure, message: failure?.message ?? '', at, waits };
}

const failsUntil =
	(last: number, answer: Answer) =>
	(nth: number): Answer =>
		nth <= last ? answer : OK;

const HTML = '<html><body>Bad Gateway</body></html>';
const REPORTED = { response_context: { request_status: 'failure' } };

describe('sent again, of two tries', () => {
	test.each<[name: string, Answer, forEnrichment: number, forFreeReads: number]>([
		['200 with data', OK, 1, 1],
		['200 with a failure', { status: 200, body: REPORTED }, 1, 1],
		['200 without a body', { status: 200, body: '' }, 1, 1],
		['200 with a web page', { status: 200, body: HTML }, 1, 1],
		['204', { status: 204, body: '' }, 1, 1],
		['301', { status: 301, headers: { location: 'https://other.example/' } }, 1, 1],
		['307', { status: 307, headers: { location: 'https://other.example/' } }, 1, 1],
		['400', { status: 400, body: { message: 'no' } }, 1, 1],
		['401', { status: 401 }, 1, 1],
		['402', { status: 402 }, 1, 1],
		['403 credits', { status: 403, body: { message: 'No credits' } }, 1, 1],
		['403 permission', { status: 403 }, 1, 1],
		['404', { status: 404 }, 1, 1],
		['408', { status: 408 }, 1, 2],
		['413', { status: 413 }, 1, 1],
		['422', { status: 422, body: { detail: [] } }, 1, 1],
		['500', { status: 500 }, 2, 2],
		['500 with a validation error', { status: 500, body: { detail: [{ loc: [] }] } }, 1, 1],
		['501', { status: 501 }, 1, 1],
		['502', { status: 502, body: HTML }, 2, 2],
		['503', { status: 503 }, 2, 2],
		['504', { status: 504 }, 1, 2],
		['520', { status: 520, body: HTML }, 1, 2],
		['521', { status: 521, body: HTML }, 2, 2],
		['522', { status: 522, body: HTML }, 1, 2],
		['523', { status: 523, body: HTML }, 2, 2],
		['524', { status: 524, body: HTML }, 1, 2],
		['525', { status: 525, body: HTML }, 1, 1],
		['connection refused', { code: 'ECONNREFUSED' }, 2, 2],
		['name service busy', { code: 'EAI_AGAIN' }, 2, 2],
		['connection lost', { code: 'ECONNRESET' }, 1, 2],
		['answer cut off', { code: 'ERR_BAD_RESPONSE' }, 1, 2],
		['no answer in time', { code: 'ECONNABORTED' }, 1, 2],
		['no such host', { code: 'ENOTFOUND' }, 1, 1],
		['certificate expired', { code: 'CERT_HAS_EXPIRED' }, 1, 1],
		['certificate unknown', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 1, 1],
	])('%s', async (_name, answer, forEnrichment, forFreeReads) => {
		const enriched = await ask(answer, { maxTries: 2 });
		const read = await ask(answer, { maxTries: 2, free: true });

		expect(enriched.tries).toBe(forEnrichment);
		expect(read.tries).toBe(forFreeReads);
	});
});

test('README and Max Tries say which statuses are sent again', async () => {
	const again: number[] = [];
	const againIfFree: number[] = [];
	for (let status = 400; status < 600; status++) {
		const settings = { maxTries: 2, maxWait: 10 };
		const paid = (await ask({ status }, settings)).tries > 1;
		const free = (await ask({ status }, { ...settings, free: true })).tries > 1;
		if (paid) again.push(status);
		else if (free) againIfFree.push(status);
	}

	expect(again).toEqual([429, 500, 502, 503, 521, 523]);
	expect(againIfFree).toEqual([408, 504, 520, 522, 524]);
	const readme = sys.readFile('README.md') ?? '';
	expect(readme).toContain('HTTP 500, 502 or 503');
	expect(readme).toContain('HTTP 521 or 523');
	expect(readme).toContain('HTTP 408, 504, 520, 522 or 524');
	const [maxTries] = requestOptions.filter(({ name }) => name === 'maxTries');
	expect(maxTries?.property.description).toMatch(/HTTP 500, 502, 503.*paid requests too/);
	expect(maxTries?.property.description).toMatch(/no response.*only free requests/);
});

test.each<[name: string, Answer, may: boolean]>([
	['no answer in time', { code: 'ECONNABORTED' }, true],
	['a lost connection', { code: 'ECONNRESET' }, true],
	['a gateway that gave up', { status: 504 }, true],
	['a service that waited for the request', { status: 408 }, true],
	...[520, 522, 524].map((status): [string, Answer, boolean] => [
		`a gateway that gave up with ${status}`,
		{ status },
		true,
	]),
	['a gateway that was refused', { status: 521 }, false],
	['a gateway that found no way', { status: 523 }, false],
	['an answer cut off', { status: 200, body: '{"data": [' }, true],
	['a web page', { status: 200, body: HTML }, true],
	['an empty answer', { status: 204, body: '' }, true],
	['a refused connection', { code: 'ECONNREFUSED' }, false],
	['no such host', { code: 'ENOTFOUND' }, false],
	['a wrong key', { status: 401 }, false],
	['no credits', { status: 402 }, false],
	['a validation error', { status: 422 }, false],
	['the rate limit', { status: 429 }, false],
])('%s may have been charged: only enrichment says so', async (_name, answer, may) => {
	const settings = { maxTries: 1, maxWait: 0 };

	const enriched = await ask(answer, settings);
	const read = await ask(answer, { ...settings, free: true });

	expect(/may have done and charged/.test(enriched.message)).toBe(may);
	expect(read.message).not.toMatch(/charged/);
});

test.each<[name: string, Answer]>([
	['no answer in time', { code: 'ECONNABORTED' }],
	['a failing service', { status: 503 }],
	['the rate limit', { status: 429, headers: { 'retry-after': '50' } }],
])('%s: where there are no options, none are spoken of', async (_name, answer) => {
	const { message } = await ask(answer, {
		free: true,
		maxTries: 2,
		maxWait: 5,
		withoutOptions: true,
	});

	expect(message).not.toBe('');
	expect(message).not.toMatch(/Option|Max Wait|Max Tries/);
});

describe('the tries', () => {
	test('end with the first answer that has data', async () => {
		const { tries, value, failure } = await ask(failsUntil(3, { status: 503 }));

		expect(failure).toBeUndefined();
		expect(value).toEqual(OK.body);
		expect(tries).toBe(4);
	});

	test('are bounded, and the message says so', async () => {
		expect(await ask({ status: 500 }, { maxTries: 3 })).toMatchObject({
			tries: 3,
			failure: { kind: 'server', status: 500 },
			message: expect.stringMatching(
				/HTTP 500.*It was tried 3 times \(Max Tries under Options\)\./,
			),
		});
		expect((await ask({ status: 500 }, { maxTries: 1 })).message).toMatch(/tried 1 time \(/);
	});

	test('do not count waits for the rate limit', async () => {
		const limited = { status: 429, headers: { 'retry-after': '1' } };

		const { tries, failure } = await ask(failsUntil(7, limited), { maxTries: 2 });

		expect(failure).toBeUndefined();
		expect(tries).toBe(8);
	});
});

describe('what is known of the tries before', () => {
	test.each<[what: string, Answer, mayBeDone: boolean]>([
		['a lost connection', { code: 'ECONNRESET' }, true],
		['no answer in time', { code: 'ECONNABORTED' }, true],
		['a gateway that gave up', { status: 504 }, true],
		['a refused connection', { code: 'ECONNREFUSED' }, false],
		['a gateway that was refused', { status: 521 }, false],
		['a failing service', { status: 503 }, false],
		['the rate limit', { status: 429 }, false],
	])('%s: whether it may be done', async (_what, answer, mayBeDone) => {
		const service = fakeService((_request, nth) => (nth === 1 ? answer : OK));
		const client = await clientOf(service);

		const [first, second] = await settled(
			Promise.all([client.send(search), client.send({ ...search, path: '/v1/other' })]),
		);

		expect(first).toEqual({ value: OK.body, ...(mayBeDone && { mayBeDone }) });
		expect(second).toEqual({ value: OK.body });
	});
});

describe('the waits between tries', () => {
	test.each([0, 0.5, 0.999])('double from about a second (chance %d)', async (chance) => {
		jest.spyOn(Math, 'random').mockReturnValue(chance);

		const { waits } = await ask({ status: 500 }, { maxTries: 12, maxWait: 86_400 });

		waits.slice(0, 6).forEach((wait, nth) => {
			expect(wait).toBeGreaterThanOrEqual(0.7 * 2 ** nth);
			expect(wait).toBeLessThanOrEqual(1.3 * 2 ** nth);
		});
		expect(Math.max(...waits)).toBeLessThanOrEqual(80);
	});

	test('differ between requests that failed together', async () => {
		const service = fakeService((_request, nth) => (nth <= 4 ? { status: 500 } : OK));
		const client = await clientOf(service);

		await settled(Promise.all([1, 2, 3, 4].map(async () => await client.send(enrich))));

		expect(new Set(service.sent.slice(4).map(({ at }) => at)).size).toBeGreaterThan(1);
	});

	test.each([503, 521])('follow Retry-After of a %i', async (status) => {
		const { at } = await ask(failsUntil(1, { status, headers: { 'retry-after': '30' } }));

		expect(at).toEqual([0, 30]);
	});

	test('leave the other requests alone', async () => {
		const service = fakeService(({ path }, nth) =>
			path === enrich.path && nth === 1 ? { status: 500 } : OK,
		);
		const client = await clientOf(service, { maxConcurrentRequests: 1 });

		await settled(Promise.all([client.send(enrich), client.send(search)]));

		expect(service.sent.map(({ path }) => path)).toEqual([enrich.path, search.path, enrich.path]);
		expect(service.sent[1]?.at).toBe(0);
	});
});

describe('Max Wait', () => {
	test('bounds the waits of a request in all', async () => {
		const { at, failure, message } = await ask({ status: 500 }, { maxTries: 20, maxWait: 10 });

		expect(failure?.kind).toBe('server');
		expect(at.at(-1)).toBeLessThanOrEqual(10);
		expect(at.length).toBeGreaterThanOrEqual(3);
		expect(message).toMatch(/HTTP 500.*Max Wait under Options allows 10\b.*Raise Max Wait/);
	});

	test('does not count the time in which the service was at work', async () => {
		const late = { code: 'ECONNABORTED', after: 100_000 };

		const { tries } = await ask(late, { free: true, maxTries: 3, maxWait: 60 });

		expect(tries).toBe(3);
	});

	test('does not count the time before the request was first sent', async () => {
		const service = fakeService((_request, nth) =>
			nth === 1 ? { ...OK, after: 50_000 } : nth === 2 ? { status: 500 } : OK,
		);
		const client = await clientOf(service, { maxConcurrentRequests: 1, maxWait: 10 });

		const [, second] = await settled(Promise.all([client.send(enrich), client.send(enrich)]));

		expect(second.failure).toBeUndefined();
	});

	test('of 0 sends once', async () => {
		expect(await ask({ status: 500 }, { maxWait: 0 })).toMatchObject({ tries: 1 });
	});
});
