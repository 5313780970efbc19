/** Failing connections, a wrong key and cancelled waits, through n8n's own request helper. */
import { sleep } from 'n8n-workflow';
import nock from 'nock';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { startSandbox } from '../../sandbox/sandbox';
import { HOST, interceptRequests, type SentOne, sendOne, shown, withClient } from './withClient';
import { enrich, KEY, search } from './service';

interceptRequests();

describe('a request without a response', () => {
	const lost = (code: string) => Object.assign(new Error(`connect ${code} ${KEY}`), { code });

	test.each<[code: string, kind: Failure['kind'], message: RegExp]>([
		['ECONNREFUSED', 'unreachable', /could not be reached.*Check Base URL/],
		['EAI_AGAIN', 'unreachable', /could not be reached/],
		['ENOTFOUND', 'unreachable', /No server was found at the address in Base URL.*Check Base URL/],
		['CERT_HAS_EXPIRED', 'unreachable', /secure connection.*certificate/],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'unreachable', /secure connection.*certificate/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unreachable', /secure connection.*certificate/],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'unreachable', /secure connection.*certificate/],
		['EPROTO', 'unreachable', /secure connection.*certificate/],
		['ECONNRESET', 'noResponse', /connection was lost.*may have.*charged.*credit usage/],
		['EPIPE', 'noResponse', /connection was lost.*charged/],
		['ETIMEDOUT', 'noResponse', /did not respond within.*charged/],
	])('fails with %s', async (code, kind, message) => {
		nock(HOST).post(enrich.path).replyWithError(lost(code));

		const { failure } = await sendOne(enrich);

		expect(failure).toMatchObject({
			kind,
			message: expect.stringMatching(message),
			details: { code },
		});
		expect(failure?.status).toBeUndefined();
		expect(shown(failure)).not.toContain(KEY);
	});

	test('was free: the message does not mention charges', async () => {
		nock(HOST).post(search.path).replyWithError(lost('ECONNRESET'));

		const { failure } = await sendOne(search);

		expect(failure?.message).toMatch(
			/^The connection was lost .* Try again later\. No further attempt was made/,
		);
	});

	test('fails with a timeout', async () => {
		// A real server: nock's delays are not timed by every version of n8n's request helper.
		const sandbox = await startSandbox({ apiKey: KEY, people: 1, companies: 1 });
		sandbox.fault({ times: 'always', do: { kind: 'hang' } });
		nock.enableNetConnect('127.0.0.1');

		const { failure } = await sendOne(enrich, { timeout: 1 }, sandbox.url);

		expect(failure?.kind).toBe('noResponse');
		expect(failure?.message).toMatch(/did not respond within 1 second.*charged/);
		expect(sandbox.log.entries).toHaveLength(1);
		nock.disableNetConnect();
		await sandbox.close();
	});
});

test('sends a wrong key once', async () => {
	let received = 0;
	nock(HOST)
		.persist()
		.post(/.*/)
		.reply(401, () => {
			received++;
			return {};
		});

	const { kinds } = await withClient(async (client) => {
		const first = await client.send(enrich);
		const second = await client.send(search);
		return { kinds: [first.failure?.kind, second.failure?.kind] };
	});

	expect(kinds).toEqual(['unauthorized', 'unauthorized']);
	expect(received).toBe(1);
});

test.each([
	['the rate limit', 429],
	['the next attempt', 503],
])('cancelling the execution in n8n ends the wait for %s', async (_wait, status) => {
	let cancel = () => {};
	nock(HOST).post(enrich.path).reply(status, {}, { 'retry-after': '200' });
	nock(HOST).post(search.path).optionally().reply(status, {}, { 'retry-after': '200' });
	const outcome = new Promise<SentOne>((resolve) => {
		const use = async (client: Client) => {
			const sending = client.send(enrich);
			const waiting = client.send(search);
			while (!nock.isDone()) await sleep(5);
			await sleep(50);
			cancel();
			const outcomes = [await sending, await waiting];
			resolve({ successes: client.successCount(), value: outcomes });
			return {};
		};
		const options = { maxTries: 2, maxWait: 300, maxConcurrentRequests: 1 };
		const cancelAfter = (cancelNow: () => void) => {
			cancel = cancelNow;
		};
		withClient(use, options, { cancelAfter }).catch(() => undefined);
	});

	expect((await outcome).value).toMatchObject([
		{ failure: { kind: 'stopped' } },
		{ failure: { kind: 'stopped' } },
	]);
});
