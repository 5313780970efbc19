/** A request without a response, through n8n's own request helper: the codes whose errors n8n wraps in different ways. */
import nock from 'nock';
import { errorOf } from '../../harness/engine';
import { BASE_URL, interceptRequests, people, run } from '../run/fakeService';

interceptRequests();

test.each<[code: string, message: RegExp]>([
	['ECONNREFUSED', /could not be reached.*Check Base URL/],
	['ENOTFOUND', /No server was found at the address in Base URL.*Check Base URL/],
	['CERT_HAS_EXPIRED', /secure connection.*certificate/],
	['ECONNRESET', /connection was lost.*may have.*charged.*credit usage/],
	['ETIMEDOUT', /did not respond within.*charged/],
])('fails with %s', async (code, message) => {
	const lost = Object.assign(new Error(`connect ${code} sandbox-key`), { code });
	nock(BASE_URL).post(/.*/).replyWithError(lost);

	const { main } = await run(
		people(1),
		{ options: { requests: { maxTries: 1 } } },
		{ onError: 'continueRegularOutput' },
	);

	expect(errorOf(main[0])).toMatchObject({ message: expect.stringMatching(message), code });
	expect(errorOf(main[0])).not.toHaveProperty('status');
	expect(JSON.stringify(main)).not.toContain('sandbox-key');
});
