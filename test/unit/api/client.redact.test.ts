/** No message contains the key, whatever the service sends. */
import { createRedact } from '../../../nodes/BusinessProspectData/api/responseBody';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { type FakeResponse, clientOf, enrich, fakeService, KEY, settled, TENANT } from './service';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const shown = (failure: Failure | undefined) => JSON.stringify(failure ?? {});

async function failureOf(response: FakeResponse) {
	const client = await clientOf(
		fakeService(() => response),
		{ maxTries: 1, maxWait: 0 },
	);
	return (await settled(client.send(enrich))).failure;
}

const echo = `Key ${KEY} of tenant ${TENANT} is wrong`;
const issues = [{ loc: ['header', KEY, TENANT], msg: echo, type: 'x' }];

test.each<[where: string, FakeResponse]>([
	['a message', { status: 401, body: { message: echo } }],
	['a detail', { status: 403, body: { detail: echo } }],
	['details', { status: 402, body: { details: echo } }],
	['an error', { status: 429, body: { error: { message: echo } } }],
	['an error code', { status: 500, body: { error: { code: echo } } }],
	['a validation error', { status: 422, body: { detail: issues } }],
	['a reported failure', { status: 200, body: { status: 'failure', message: echo } }],
	['a body that is not JSON', { status: 200, body: echo }],
	['a web page', { status: 404, body: `<p>${echo}</p>` }],
	['a redirect', { status: 302, headers: { location: `https://x.example/${KEY}` }, body: echo }],
	['the correlation ID', { status: 500, body: { correlation_id: echo } }],
])('redacts the key in %s', async (_where, response) => {
	const failure = await failureOf(response);

	expect(failure?.message).toBeTruthy();
	expect(shown(failure)).not.toContain(KEY);
});

test.each(Array.from({ length: KEY.length }, (_, more) => 300 - KEY.length + more))(
	'redacts the key after %d characters of a long text',
	async (length) => {
		const failure = await failureOf({
			status: 500,
			body: { message: `${'x'.repeat(length)}${KEY} and more` },
		});

		expect(shown(failure)).not.toContain(KEY.slice(0, 4));
	},
);

test('redacts a key that is encoded as in a URL', () => {
	const redact = createRedact('a+/b=');

	expect(redact('a+/b= and api_key=a%2B%2Fb%3D&x=1')).toBe('*** and api_key=***&x=1');
});

test('redacts a key within HTML tags', async () => {
	const failure = await failureOf({
		status: 500,
		body: { message: `${KEY.slice(0, 9)}<b>${KEY}` },
	});

	expect(shown(failure)).not.toContain(KEY);
});

/** The message of a 401 with the text, for an account with the tenant. */
async function messageOf(message: string, tenant: string) {
	const service = fakeService(() => ({ status: 401, body: { message } }));
	const getCredentials = async () => ({
		baseUrl: 'https://service.example',
		apiKey: KEY,
		tenant,
	});
	const client = await clientOf({
		...service,
		context: Object.assign(service.context, { getCredentials }),
	});
	return (await settled(client.send(enrich))).failure?.message;
}

test.each(['service', 'e', KEY.slice(0, 4)])('does not redact the tenant %p', async (tenant) => {
	expect(await messageOf(`No such tenant: ${tenant}`, tenant)).toMatch(
		RegExp(`^The service did not accept the API key \\(HTTP 401\\): No such tenant: ${tenant}\\.`),
	);
});

test('redacts the key in a tenant that begins with it', async () => {
	expect(await messageOf(`${KEY}-sales is unknown`, `${KEY}-sales`)).toMatch(
		/: \*\*\*-sales is unknown/,
	);
});
