/** What the fault matrix (test/faults) does not show about the faults. */
// First: what loads n8n-workflow afterwards gets a virtual clock.
import { startClock } from '../../faults/clock';
import type { EndpointName } from '../contract/contract';
import type { Fault } from '../faults/kinds';
import { startSandbox, type Sandbox } from '../sandbox';
import { ask } from './ask';

let sandbox: Sandbox;
const NOW = '2026-03-20T12:00:00Z';
const HOUR = 3_600_000;
beforeAll(async () => {
	startClock(NOW);
	sandbox = await startSandbox({ rateLimit: null, now: () => new Date(NOW) });
});
afterEach(() => {
	expect(sandbox.log.defects()).toEqual([]);
	sandbox.clear();
});
afterAll(async () => await sandbox.close());

const last = () => sandbox.log.entries.at(-1);

/** The answer of a bulk request for three people under the fault. */
async function under(fault: Fault | Fault[], name: EndpointName = 'profileBulk') {
	sandbox.fault({ do: fault });
	return await ask(sandbox, name);
}

describe('another answer instead', () => {
	test('any status with any body and headers', async () => {
		const page = await under({
			kind: 'status',
			status: 502,
			body: '<html>',
			headers: { 'content-type': 'text/html', 'x-test': '1' },
		});
		expect([page.status, page.text]).toEqual([502, '<html>']);
		expect(page.headers.get('content-type')).toBe('text/html');
		expect(page.headers.get('x-test')).toBe('1');
		expect((await under({ kind: 'status', status: 500, body: { a: 1 } })).body).toEqual({ a: 1 });
	});

	test.each([
		['header', '7', undefined],
		['date', 'Fri, 20 Mar 2026 12:00:07 GMT', undefined],
		['body', null, 7],
		['both', '7', 7],
		['nowhere', null, undefined],
	] as const)('429 with the wait in %s', async (place, header, body) => {
		const answer = await under({ kind: 'tooMany', retryAfter: 7, in: place });
		expect(answer.status).toBe(429);
		expect([answer.headers.get('retry-after'), answer.body.retry_after]).toEqual([header, body]);
	});

	test('redirect', async () => {
		sandbox.fault({ do: { kind: 'redirect', to: 'https://elsewhere.example/', status: 307 } });
		const answer = await ask(sandbox, 'search', {}, { redirect: 'manual' });
		expect([answer.status, answer.headers.get('location')]).toEqual([
			307,
			'https://elsewhere.example/',
		]);
	});

	test('web page', async () => {
		const page = await under({ kind: 'html' });
		expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(page.text).toContain('<html>');
	});

	test.each([
		['failure', 'profileBulk', { data: null }],
		['miss', 'prospectEvents', { output_events: [] }],
		['failure', 'deleteEnrollment', { status: 'failure' }],
	] as const)('%s with status 200 of %s', async (request_status, name, members) => {
		const answer = await under({ kind: 'outcome', request_status }, name);
		expect(answer.status).toBe(200);
		expect(answer.body).toMatchObject({ response_context: { request_status }, ...members });
	});
});

describe('validation errors', () => {
	const loc = (...path: unknown[]) => [
		{ loc: ['body', ...path], msg: expect.any(String), type: 'value_error' },
	];

	test.each<[Omit<Extract<Fault, { kind: 'invalid' }>, 'kind'>, detail: unknown]>([
		[{}, loc('prospect_ids', '0')],
		[{ position: 2, indexAs: 'number' }, loc('prospect_ids', 2)],
		[{ names: 'list' }, loc('prospect_ids')],
		[{ names: 'member', member: 'parameters.topics' }, loc('parameters', 'topics')],
		[{ names: 'text' }, expect.any(String)],
		[{ names: 'nothing', status: 400 }, []],
	])('name a place, the list, another member, or nothing: %j', async (how, detail) => {
		const answer = await under({ kind: 'invalid', ...how });
		expect(answer.status).toBe(how.status ?? 422);
		expect(answer.body.detail).toEqual(detail);
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
});

test('a rule is for some requests only', async () => {
	const status = (code: number): Fault => ({ kind: 'status', status: code });
	const statuses = async (...names: EndpointName[]) => {
		const all: number[] = [];
		for (const name of names) all.push((await ask(sandbox, name)).status);
		return all;
	};
	sandbox.fault({ when: { to: ['search', '/v1/prospects/match'] }, do: status(500), times: 2 });
	expect(await statuses('profileBulk', 'match', 'search', 'search')).toEqual([200, 500, 500, 200]);
	sandbox.fault({ when: { to: 'profileBulk', nth: [2, 3] }, times: 'always', do: status(503) });
	expect(await statuses('profileBulk', 'match')).toEqual([200, 200]);
	expect(await statuses('profileBulk', 'profileBulk', 'profileBulk')).toEqual([503, 503, 200]);
	sandbox.fault({
		when: { body: (body) => JSON.stringify(body).includes('page_size') },
		do: status(504),
	});
	expect(await statuses('profileBulk', 'search')).toEqual([200, 504]);
	sandbox.fault({ when: (request) => request.method === 'DELETE', do: status(500) });
	expect(await statuses('profileBulk', 'deleteEnrollment')).toEqual([200, 500]);
});

test('a wait and an error can meet the same request', async () => {
	const started = Date.now();
	const answer = await under([
		{ kind: 'delay', ms: HOUR },
		{ kind: 'status', status: 503 },
	]);
	expect(answer.status).toBe(503);
	expect(Date.now() - started).toBeGreaterThanOrEqual(HOUR - 1);
	expect(last()?.faults).toEqual(['delay', 'status']);
});

test('drip, gzip and huge bring the same body', async () => {
	const { data } = (await ask(sandbox, 'profileBulk')).body;
	const started = Date.now();
	const dripped = await under({ kind: 'drip', pieces: 5, everyMs: HOUR });
	expect(Date.now() - started).toBeGreaterThanOrEqual(4 * HOUR - 4);
	expect([dripped.status, dripped.body.data]).toEqual([200, data]);
	expect(last()?.status).toBe(200);
	const zipped = await under({ kind: 'gzip' });
	expect([zipped.headers.get('content-encoding'), zipped.body.data]).toEqual(['gzip', data]);
	const huge = await under({ kind: 'huge', megabytes: 3 });
	expect(huge.text.length).toBeGreaterThan(3_000_000);
	expect(huge.body.data).toEqual(data);
	const packed = await under({ kind: 'huge', megabytes: 3, zipped: true });
	expect(packed.headers.get('content-encoding')).toBe('gzip');
	expect(Number(packed.headers.get('content-length'))).toBeLessThan(100_000);
	expect(packed.text.length).toBeGreaterThan(3_000_000);
	expect(packed.body.data).toEqual(data);
});
