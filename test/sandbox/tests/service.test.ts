import { turn } from '../../harness/process.cjs';
import { SANDBOX_KEY, startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import { answerOf, ask } from './ask';

const running: Sandbox[] = [];
const start = async (options?: SandboxOptions) => {
	const sandbox = await startSandbox(options);
	running.push(sandbox);
	return sandbox;
};
afterEach(async () => {
	await Promise.all(running.splice(0).map(async (sandbox) => await sandbox.close()));
});

const rateOf = (headers: Headers) =>
	['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));

describe('key and tenant', () => {
	test('a missing or wrong key is refused, and its value noted nowhere', async () => {
		const sandbox = await start();
		const wrong = await ask(sandbox, 'search', {}, { headers: { api_key: 'a-wrong-key' } });
		const path = `${sandbox.url}/v1/businesses/autocomplete?field=country`;
		const missing = await answerOf(await fetch(path));
		const right = await answerOf(await fetch(path, { headers: { API_KEY: sandbox.apiKey } }));
		expect([wrong.status, missing.status, right.status]).toEqual([401, 401, 200]);
		expect(wrong.body).toMatchObject({ response_context: { request_status: 'failure' } });
		expect(sandbox.log.entries.map(({ key }) => key)).toEqual(['wrong', 'missing', 'right']);
		expect(sandbox.log.entries.map(({ worked }) => worked)).toEqual([false, false, true]);
		const noted = JSON.stringify(sandbox.log.entries);
		expect(noted).not.toContain('a-wrong-key');
		expect(noted).not.toContain(SANDBOX_KEY);
	});

	test('a tenant matters only when one is set', async () => {
		const headers = { tenant: 'north' };
		const open = await start();
		expect((await ask(open, 'search', {}, { headers })).status).toBe(200);
		expect(open.log.entries[0]?.headers.tenant).toBe('north');
		const closed = await start({ tenant: 'north' });
		expect((await ask(closed, 'search', {}, { headers })).status).toBe(200);
		expect((await ask(closed, 'search', {})).status).toBe(403);
		const other = { headers: { tenant: 'south' } };
		expect((await ask(closed, 'search', {}, other)).status).toBe(403);
	});
});

describe('rate limit', () => {
	test('slides, counts what is left, and says how long to wait', async () => {
		let time = Date.parse('2026-03-20T12:00:00Z');
		const sandbox = await start({ rateLimit: 3, now: () => new Date(time) });
		const send = async () => await ask(sandbox, 'search', {});
		expect(rateOf((await send()).headers)).toEqual(['3', '2', '60']);
		time += 10_500;
		expect(rateOf((await send()).headers)).toEqual(['3', '1', '50']);
		expect(rateOf((await send()).headers)).toEqual(['3', '0', '50']);
		const refused = await send();
		expect(refused.status).toBe(429);
		expect(rateOf(refused.headers)).toEqual(['3', '0', '50']);
		expect(refused.headers.get('retry-after')).toBe('50');
		expect(refused.body).toMatchObject({
			retry_after: 50,
			response_context: { request_status: 'failure' },
		});
		expect(sandbox.log.entries.at(-1)).toMatchObject({ status: 429, worked: false });
		time += 49_499;
		expect((await send()).status).toBe(429);
		time += 1;
		// The first request has left, those refused did not count.
		const allowed = await send();
		expect([allowed.status, ...rateOf(allowed.headers)]).toEqual([200, '3', '0', '11']);
		expect((await send()).status).toBe(429);
	});

	test('wrong keys do not count, other refusals do', async () => {
		const sandbox = await start({ rateLimit: 2 });
		await ask(sandbox, 'search', {}, { headers: { api_key: 'x' } });
		expect((await ask(sandbox, 'search', { size: 0 })).headers.get('x-ratelimit-remaining')).toBe(
			'1',
		);
		sandbox.fault({ do: { kind: 'status', status: 503 } });
		expect((await ask(sandbox, 'search', {})).headers.get('x-ratelimit-remaining')).toBe('0');
		expect((await ask(sandbox, 'search', {})).status).toBe(429);
	});

	test('can be lifted, and the window can be short', async () => {
		const sandbox = await start({ rateLimit: null });
		expect(rateOf((await ask(sandbox, 'search', {})).headers)).toEqual([null, null, null]);
		sandbox.setRateLimit(1);
		expect((await ask(sandbox, 'search', {})).status).toBe(200);
		expect((await ask(sandbox, 'search', {})).status).toBe(429);
		sandbox.clear();
		expect((await ask(sandbox, 'search', {})).status).toBe(200);
		let time = Date.parse('2026-03-20T12:00:00Z');
		const short = await start({ rateLimit: 1, rateWindowMs: 150, now: () => new Date(time) });
		await ask(short, 'search', {});
		const refused = await ask(short, 'search', {});
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
		time += 150;
		expect((await ask(short, 'search', {})).status).toBe(200);
	});
});

describe('paths', () => {
	test('unknown ones and wrong methods are refused in JSON', async () => {
		const sandbox = await start();
		const get = async (path: string, method = 'GET') =>
			await answerOf(
				await fetch(sandbox.url + path, { method, headers: { api_key: SANDBOX_KEY } }),
			);
		const unknown = await get('/v1/v1/prospects');
		expect([unknown.status, unknown.body.message]).toEqual([404, 'Not found']);
		const wrong = await get('/v1/prospects');
		expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
		expect((await get('/v1/businesses/autocomplete', 'POST')).status).toBe(405);
		expect(sandbox.log.entries.map(({ endpoint }) => endpoint)).toEqual([null, null, null]);
		expect(sandbox.log.requestsTo()).toEqual([]);
	});

	test('a prefix goes before /v1', async () => {
		const sandbox = await start({ pathPrefix: '/gateway' });
		expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/gateway$/);
		expect((await ask(sandbox, 'search', {})).status).toBe(200);
		expect(sandbox.log.entries[0]?.path).toBe('/v1/prospects');
		const outside = await fetch(sandbox.url.replace('/gateway', '/v1/prospects'));
		expect(outside.status).toBe(404);
	});
});

describe('log', () => {
	test('counts requests, ids and repeats', async () => {
		const sandbox = await start();
		const [a = '', b = '', c = ''] = sandbox.world.prospectIds(3);
		sandbox.fault({ when: { nth: 2 }, do: { kind: 'status', status: 500 } });
		await ask(sandbox, 'contactsBulk', { prospect_ids: [a, b] });
		await ask(sandbox, 'contactsBulk', { prospect_ids: [c] });
		await ask(sandbox, 'contactsBulk', { prospect_ids: [c, a] });
		await ask(sandbox, 'profileBulk', { prospect_ids: [b] });
		expect(sandbox.log.idsAskedFor('contactsBulk')).toEqual([a, b, c, c, a]);
		expect(sandbox.log.count('contactsBulk')).toEqual({
			requests: 3,
			ids: 5,
			unique: 3,
			repeated: [a, c],
		});
		expect(sandbox.log.count('contactsBulk', { worked: true })).toEqual({
			requests: 2,
			ids: 4,
			unique: 3,
			repeated: [a],
		});
		expect(sandbox.log.count('prospects/profiles/bulk_enrich').requests).toBe(1);
		expect(sandbox.log.count().requests).toBe(4);
		expect(sandbox.log.entries.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
		sandbox.clear();
		expect(sandbox.log.entries).toEqual([]);
	});

	test('knows how many requests were under way at once', async () => {
		const sandbox = await start({ delayMs: 40 });
		const send = async () => await ask(sandbox, 'search', {});
		await Promise.all([send(), send(), send()]);
		await send();
		expect(sandbox.log.maxConcurrency()).toBe(3);
		expect(sandbox.log.entries[3]?.pending).toBe(1);
	});

	test('holds what was sent', async () => {
		const sandbox = await start({ now: () => new Date('2026-03-20T12:00:00Z') });
		await ask(sandbox, 'autocomplete', { field: 'country', query: 'a b' });
		await ask(sandbox, 'match', { prospects_to_match: [{ email: 'a@b.example' }] });
		expect(sandbox.log.entries).toMatchObject([
			{
				method: 'GET',
				path: '/v1/businesses/autocomplete',
				query: { field: 'country', query: 'a b' },
				time: new Date('2026-03-20T12:00:00Z'),
			},
			{
				body: { prospects_to_match: [{ email: 'a@b.example' }] },
				ids: ['{"email":"a@b.example"}'],
			},
		]);
	});

	test('reports an answer against the contract as a defect of the sandbox', async () => {
		const sandbox = await start();
		// A person whose data is not what it should be.
		Object.assign(sandbox.world.person(3), { fullName: 7 });
		await ask(sandbox, 'profileBulk', { prospect_ids: [sandbox.world.prospectId(3)] });
		expect(sandbox.log.defects()).toEqual([expect.stringContaining('/data/0/data/full_name')]);
	});
});

describe('control over HTTP', () => {
	const call = async (sandbox: Sandbox, path: string, body?: unknown) =>
		await answerOf(
			await fetch(`${sandbox.url}/_sandbox/${path}`, {
				method: body === undefined ? 'GET' : 'POST',
				headers: body === undefined ? {} : { 'content-type': 'application/json' },
				body: body === undefined ? undefined : JSON.stringify(body),
			}),
		);

	test('steers the sandbox from another process', async () => {
		const sandbox = await start({ control: true, eventsPerDay: 0 });
		expect((await call(sandbox, 'world?people=2&companies=1')).body).toEqual({
			prospect_ids: sandbox.world.prospectIds(2),
			business_ids: sandbox.world.businessIds(1),
		});
		await call(sandbox, 'faults', { when: { to: 'search' }, do: { kind: 'status', status: 502 } });
		expect((await ask(sandbox, 'search', {})).status).toBe(502);
		expect((await call(sandbox, 'faults', { do: { kind: 'nonsense' } })).status).toBe(400);
		expect((await call(sandbox, 'faults', { do: { kind: 'change' } })).status).toBe(400);
		const event = await call(sandbox, 'events', { prospect: 1, event_id: 'e1' });
		expect(event.body).toMatchObject({ event_id: 'e1', prospect_id: sandbox.world.prospectId(1) });
		expect((await call(sandbox, 'events')).body).toEqual([event.body]);
		expect((await call(sandbox, 'log')).body).toMatchObject({ count: { requests: 1 } });
		await call(sandbox, 'rate', { limit: 1 });
		await ask(sandbox, 'search', {});
		expect((await ask(sandbox, 'search', {})).status).toBe(429);
		await call(sandbox, 'clear', {});
		expect((await call(sandbox, 'log')).body).toMatchObject({ entries: [] });
	});

	test('is there only when asked for', async () => {
		const sandbox = await start();
		expect((await call(sandbox, 'log')).status).toBe(404);
	});
});

test('closes while requests hang, wait and drip, and cuts them off', async () => {
	const sandbox = await startSandbox();
	const YEARS = 2_000_000_000;
	sandbox.fault({ do: { kind: 'hang' } });
	sandbox.fault({ do: { kind: 'delay', ms: YEARS } });
	sandbox.fault({ do: { kind: 'drip', everyMs: YEARS } });
	const answers = Array.from({ length: 3 }, async () =>
		ask(sandbox, 'search', {}).then(
			({ status }) => status,
			() => 'cut off',
		),
	);
	while (sandbox.log.entries.length < 3 || sandbox.log.entries.some((e) => e.faults.length === 0)) {
		await turn();
	}
	// Were one of them waited for, here or there, this would not end.
	await sandbox.close();
	// The one that waited may still be told that the server fails.
	const [hanging, waiting, dripping] = await Promise.all(answers);
	expect([hanging, dripping]).toEqual(['cut off', 'cut off']);
	expect([500, 'cut off']).toContain(waiting);
});
