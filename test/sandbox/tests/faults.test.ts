// First: what loads n8n-workflow afterwards gets a virtual clock.
import { turn } from '../../harness/process.cjs';
import { startClock } from '../../faults/clock';
import type { Fault } from '../faults/kinds';
import { startSandbox, type Sandbox } from '../sandbox';
import { ask, type Answer } from './ask';

let sandbox: Sandbox;
const NOW = new Date('2026-03-20T12:00:00Z');
const HOUR = 3_600_000;
beforeAll(async () => {
	startClock('2026-03-20T12:00:00Z');
	sandbox = await startSandbox({ rateLimit: null, now: () => NOW });
});
afterEach(() => {
	expect(sandbox.log.defects()).toEqual([]);
	sandbox.clear();
});
afterAll(async () => await sandbox.close());

const last = () => sandbox.log.entries.at(-1);
const three = () => ({ prospect_ids: sandbox.world.prospectIds(3) });

/** The answer of a bulk request for three people under the fault. */
async function under(fault: Fault | Fault[], name: Parameters<typeof ask>[1] = 'profileBulk') {
	sandbox.fault({ do: fault });
	return await ask(sandbox, name);
}

describe('no answer', () => {
	test('delay waits, then answers', async () => {
		const started = Date.now();
		const answer = await under({ kind: 'delay', ms: HOUR });
		expect(Date.now() - started).toBeGreaterThanOrEqual(HOUR - 1);
		expect(answer.status).toBe(200);
		expect(last()).toMatchObject({ worked: true, faults: ['delay'] });
	});

	test('hang never answers', async () => {
		sandbox.fault({ do: { kind: 'hang' } });
		const client = new AbortController();
		const answer = ask(sandbox, 'profileBulk', three(), { signal: client.signal });
		while (last()?.faults.length !== 1) {
			await turn();
		}
		client.abort();
		await expect(answer).rejects.toThrow(/abort/);
		expect(last()).toMatchObject({ status: null, worked: false, faults: ['hang'] });
	});

	test('drop cuts the connection before the work, dropAfterWork after it', async () => {
		await expect(under({ kind: 'drop' })).rejects.toThrow('fetch failed');
		expect(last()).toMatchObject({ status: null, worked: false });
		await expect(under({ kind: 'dropAfterWork' })).rejects.toThrow('fetch failed');
		expect(last()).toMatchObject({ status: null, worked: true });
	});

	test('dropMidway sends half of the body', async () => {
		await expect(under({ kind: 'dropMidway' })).rejects.toThrow('terminated');
		expect(last()).toMatchObject({ worked: true, faults: ['dropMidway'] });
	});
});

describe('another answer instead', () => {
	test.each([400, 401, 402, 403, 404, 413, 500, 502, 503, 504])('status %d', async (status) => {
		const answer = await under({ kind: 'status', status });
		expect(answer.status).toBe(status);
		expect(answer.body).toEqual({
			response_context: {
				correlation_id: last()?.correlationId,
				request_status: 'failure',
				time_took_in_seconds: expect.any(Number),
			},
			message: expect.any(String),
		});
		expect(last()).toMatchObject({ status, worked: false, faults: ['status'] });
	});

	test('with any body and headers', async () => {
		const page = await under({
			kind: 'status',
			status: 502,
			body: '<html>',
			headers: { 'content-type': 'text/html', 'x-test': '1' },
		});
		expect([page.text, page.headers.get('content-type'), page.headers.get('x-test')]).toEqual([
			'<html>',
			'text/html',
			'1',
		]);
		expect((await under({ kind: 'status', status: 500, body: { a: 1 } })).body).toEqual({ a: 1 });
	});

	test('429, with the wait in each place', async () => {
		const wait = async (place: 'header' | 'date' | 'body' | 'both' | 'nowhere') => {
			const answer = await under({ kind: 'tooMany', retryAfter: 7, in: place });
			expect(answer.status).toBe(429);
			return [answer.headers.get('retry-after'), answer.body.retry_after];
		};
		expect(await wait('header')).toEqual(['7', undefined]);
		expect(await wait('date')).toEqual(['Fri, 20 Mar 2026 12:00:07 GMT', undefined]);
		expect(await wait('body')).toEqual([null, 7]);
		expect(await wait('both')).toEqual(['7', 7]);
		expect(await wait('nowhere')).toEqual([null, undefined]);
	});

	test('redirect', async () => {
		sandbox.fault({ do: { kind: 'redirect', to: 'https://elsewhere.example/', status: 307 } });
		const answer = await ask(sandbox, 'search', {}, { redirect: 'manual' });
		expect([answer.status, answer.headers.get('location')]).toEqual([
			307,
			'https://elsewhere.example/',
		]);
	});

	test('empty body and web page', async () => {
		const empty = await under({ kind: 'empty' });
		expect([empty.status, empty.text]).toEqual([200, '']);
		const page = await under({ kind: 'html' });
		expect([page.status, page.headers.get('content-type')]).toEqual([
			200,
			'text/html; charset=utf-8',
		]);
		expect(page.text).toContain('<html>');
	});

	test('failure and miss with status 200', async () => {
		const failure = await under({ kind: 'outcome', request_status: 'failure' });
		expect(failure.body).toMatchObject({
			response_context: { request_status: 'failure' },
			data: null,
		});
		const miss = await under({ kind: 'outcome', request_status: 'miss' }, 'prospectEvents');
		expect(miss.body).toMatchObject({
			response_context: { request_status: 'miss' },
			output_events: [],
		});
		expect(miss.status).toBe(200);
		const deleted = await under({ kind: 'outcome', request_status: 'failure' }, 'deleteEnrollment');
		expect(deleted.body.status).toBe('failure');
	});
});

describe('validation errors', () => {
	const details = (answer: Answer) => [answer.status, answer.body.detail];
	const loc = (...path: unknown[]) => [
		{ loc: ['body', ...path], msg: expect.any(String), type: 'value_error' },
	];

	test('name a place, the list, another member, or nothing', async () => {
		expect(details(await under({ kind: 'invalid' }))).toEqual([422, loc('prospect_ids', '0')]);
		expect(details(await under({ kind: 'invalid', position: 2, indexAs: 'number' }))).toEqual([
			422,
			loc('prospect_ids', 2),
		]);
		expect(details(await under({ kind: 'invalid', names: 'list' }))).toEqual([
			422,
			loc('prospect_ids'),
		]);
		expect(
			details(await under({ kind: 'invalid', names: 'member', member: 'parameters.topics' })),
		).toEqual([422, loc('parameters', 'topics')]);
		expect(details(await under({ kind: 'invalid', names: 'text' }))).toEqual([
			422,
			expect.any(String),
		]);
		expect(details(await under({ kind: 'invalid', names: 'nothing', status: 400 }))).toEqual([
			400,
			[],
		]);
	});

	test.each(['list', 'text'] as const)(
		'with the ID of the request no two texts are the same (%s)',
		async (names) => {
			const texts = new Set<string>();
			for (let request = 0; request < 3; request++) {
				const { text } = await under({ kind: 'invalid', names, requestId: true });
				expect(text).toContain(last()?.correlationId);
				texts.add(text);
			}
			expect(texts.size).toBe(3);
		},
	);

	test('an id can be refused wherever it turns up', async () => {
		const [a = '', b = '', c = ''] = sandbox.world.prospectIds(3);
		const handle = sandbox.refuseIds([b]);
		const send = async (...prospect_ids: string[]) =>
			await ask(sandbox, 'contactsBulk', { prospect_ids });
		expect((await send(a, b, c)).locs).toEqual(['body.prospect_ids.1']);
		expect((await send(c, a)).status).toBe(200);
		expect((await send(b)).locs).toEqual(['body.prospect_ids.0']);
		expect((await ask(sandbox, 'profile', { prospect_id: b })).status).toBe(422);
		expect(handle.hits).toBe(3);
		handle.remove();
		expect((await send(b)).status).toBe(200);
		sandbox.refuseIds([a, c], { names: 'list' });
		expect((await send(b, c)).locs).toEqual(['body.prospect_ids']);
	});

	test('a match item goes by a text in it', async () => {
		sandbox.refuseIds('bad@x.example');
		const prospects_to_match = [{ email: 'good@x.example' }, { email: 'bad@x.example' }];
		expect((await ask(sandbox, 'match', { prospects_to_match })).locs).toEqual([
			'body.prospects_to_match.1',
		]);
	});
});

describe('rules', () => {
	const statuses = async (count: number, name: Parameters<typeof ask>[1] = 'profileBulk') => {
		const all: number[] = [];
		for (let number = 0; number < count; number++) all.push((await ask(sandbox, name)).status);
		return all;
	};
	const status = (code: number): Fault => ({ kind: 'status', status: code });

	test('a rule holds once, so often, or always', async () => {
		sandbox.fault({ do: status(500) });
		sandbox.fault({ do: status(503), times: 2 });
		expect(await statuses(4)).toEqual([500, 503, 503, 200]);
		const always = sandbox.fault({ do: status(502), times: 'always' });
		expect(await statuses(3)).toEqual([502, 502, 502]);
		always.remove();
		expect(await statuses(1)).toEqual([200]);
		expect(always.hits).toBe(3);
	});

	test('a rule is for some requests only', async () => {
		sandbox.fault({ when: { to: ['search', '/v1/prospects/match'] }, do: status(500), times: 2 });
		expect(await statuses(1)).toEqual([200]);
		expect([...(await statuses(1, 'match')), ...(await statuses(2, 'search'))]).toEqual([
			500, 500, 200,
		]);
		sandbox.fault({ when: { to: 'profileBulk', nth: [2, 3] }, times: 'always', do: status(503) });
		expect([...(await statuses(1)), ...(await statuses(1, 'match'))]).toEqual([200, 200]);
		expect(await statuses(3)).toEqual([503, 503, 200]);
		sandbox.fault({
			when: { body: (body) => JSON.stringify(body).includes('page_size') },
			do: status(504),
		});
		expect([...(await statuses(1)), ...(await statuses(1, 'search'))]).toEqual([200, 504]);
		sandbox.fault({ when: (request) => request.method === 'DELETE', do: status(500) });
		expect([...(await statuses(1)), ...(await statuses(1, 'deleteEnrollment'))]).toEqual([
			200, 500,
		]);
	});

	test('a wait and an error can meet the same request', async () => {
		const started = Date.now();
		const answer = await under([{ kind: 'delay', ms: HOUR }, status(503)]);
		expect(answer.status).toBe(503);
		expect(Date.now() - started).toBeGreaterThanOrEqual(HOUR - 1);
		expect(last()?.faults).toEqual(['delay', 'status']);
	});
});
