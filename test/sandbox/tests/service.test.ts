/** Key, rate limit, log, and faults. The fault matrix (test/faults) shows the other faults. */
import { turn } from '../../harness/process.cjs';
import { startService as start } from '../../workflows/service';
import { startSandbox } from '../sandbox';
import { ask } from './ask';

test('refuses a wrong key and tenant, unknown paths and methods, and notes no key', async () => {
	const sandbox = await start({ tenant: 'north' });
	const send = async (headers: Record<string, string>) =>
		(await ask(sandbox, 'search', {}, headers)).status;
	expect([await send({ api_key: 'a-wrong-key' }), await send({})]).toEqual([401, 403]);
	expect(await send({ tenant: 'north' })).toBe(200);
	const headers = { api_key: sandbox.apiKey };
	expect((await fetch(`${sandbox.url}/v1/nowhere`, { headers })).status).toBe(404);
	expect((await fetch(`${sandbox.url}/v1/prospects`, { headers })).status).toBe(405);
	expect(sandbox.log.entries.map(({ key }) => key)).toEqual(['wrong', ...Array(4).fill('right')]);
	expect(JSON.stringify(sandbox.log.entries)).not.toMatch(RegExp(`a-wrong-key|${sandbox.apiKey}`));
});

test('the rate limit slides, and says what is left and how long to wait', async () => {
	let time = Date.parse('2026-03-20T12:00:00Z');
	const sandbox = await start({ rateLimit: 2, now: () => new Date(time) });
	const send = async () => {
		const { status: code, headers } = await ask(sandbox, 'search', {});
		return [code, headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-reset')];
	};
	expect(await send()).toEqual([200, '1', '60']);
	time += 10_500;
	expect([await send(), await send()]).toEqual([
		[200, '0', '50'],
		[429, '0', '50'],
	]);
	time += 49_500;
	expect([await send(), await send()]).toEqual([
		[200, '0', '11'],
		[429, '0', '11'],
	]);
});

test('the log counts requests, ids, repeats, and answers against the contract', async () => {
	const sandbox = await start();
	const [a = '', b = '', c = ''] = sandbox.world.prospectIds(3);
	for (const prospect_ids of [[a, b], [c], [c, a]]) {
		await ask(sandbox, 'contactsBulk', { prospect_ids });
	}
	const { log } = sandbox;
	expect(log.count('contactsBulk')).toEqual({ requests: 3, ids: 5, unique: 3, repeated: [a, c] });
	expect(log.count('search').requests).toBe(0);
	expect(log.defects()).toEqual([]);
	Object.assign(sandbox.world.person(3), { fullName: 7 });
	await ask(sandbox, 'profileBulk', { prospect_ids: [sandbox.world.prospectId(3)] });
	expect(log.defects()).toEqual([expect.stringContaining('/data/0/data/full_name')]);
	sandbox.clear();
});

test('closes while requests hang, wait and drip', async () => {
	const sandbox = await startSandbox();
	const YEARS = 2_000_000_000;
	sandbox.fault({ do: { kind: 'hang' } });
	sandbox.fault({ do: { kind: 'delay', ms: YEARS } });
	sandbox.fault({ do: { kind: 'drip', pieces: 10, everyMs: YEARS } });
	const answers = Promise.allSettled([1, 2, 3].map(async () => await ask(sandbox, 'search', {})));
	while (sandbox.log.entries.filter(({ faults }) => faults.length > 0).length < 3) await turn();
	// Were one of them waited for, this would not end.
	await sandbox.close();
	expect((await answers).filter(({ status: end }) => end === 'rejected').length).toBeGreaterThan(1);
});
