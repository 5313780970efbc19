/** The test of a credential, with n8n's own request helper: what the dialog says, and what is sent to whom. */
import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { testCredential } from '../../../nodes/BusinessProspectData/methods/testCredential';
import { listen } from '../../harness/process.cjs';

const KEY = 'key-1';
const VALUES = [{ query: 'united', label: 'United States', value: 'us' }];

interface FakeResponse {
	status?: number;
	headers?: Record<string, string>;
	body?: string;
}

type Request = Parameters<Parameters<typeof listen>[0]>[0];

const servers: Array<{ close(): void }> = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A server with the same response to every request, and the requests it received. */
async function serve({ status = 200, headers = {}, body = JSON.stringify(VALUES) }: FakeResponse) {
	const requests: Request[] = [];
	const server = await listen((request, response) => {
		requests.push(request);
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
	});
	servers.push(server);
	return { url: server.url, requests };
}

const context = () =>
	new CredentialTestContext({} as IWorkflowExecuteAdditionalData) as ICredentialTestFunctions;

const resultOf = async (data: object, on: ICredentialTestFunctions = context()) =>
	await testCredential.call(on, {
		id: '1',
		name: 'Account',
		type: 'businessProspectDataApi',
		data: { apiKey: KEY, tenant: '', ...data },
	} as ICredentialsDecrypted);

/** The test as if its request had failed with this error code. */
const resultFor = async (code: string) =>
	await resultOf({ baseUrl: 'https://api.example.com' }, {
		helpers: {
			request: async () => {
				throw Object.assign(new Error(`${code} ${KEY}`), { code });
			},
		},
	} as unknown as ICredentialTestFunctions);

test('is green for the service, with a free request that carries key and tenant', async () => {
	const { url, requests } = await serve({});

	expect(await resultOf({ baseUrl: `${url}/gateway/v1/`, tenant: 'acme' })).toEqual({
		status: 'OK',
		message: 'Connection successful!',
	});
	expect(requests.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
		'GET /gateway/v1/businesses/autocomplete?field=country&query=united',
	]);
	expect(requests[0]?.headers).toMatchObject({ api_key: KEY, tenant: 'acme' });
});

test.each([
	[301, /redirects to another/],
	[307, /redirects to another/],
	[401, /did not accept the API key/],
	[402, /no credits left/],
	[403, /not allowed/],
	[404, /does not know the address/],
	[422, /rejected the request/],
	[429, /rate limit/],
	[418, /rejected the request/],
	...[500, 502, 503].map((status): [number, RegExp] => [status, /failed .+Try again later/]),
	...[408, 504, 524].map((status): [number, RegExp] => [status, /did not respond in time/]),
])('says what status %d means', async (status, expected) => {
	const { url, requests } = await serve({ status, headers: { location: '/elsewhere' } });
	const { status: result, message } = await resultOf({ baseUrl: url });

	expect(result).toBe('Error');
	expect(message).toMatch(expected);
	expect(message).toContain(`(HTTP ${status})`);
	expect(requests).toHaveLength(1);
});

test('sends no key to where the Base URL redirects', async () => {
	const other = await serve({});
	const { url } = await serve({ status: 302, headers: { location: other.url } });

	expect((await resultOf({ baseUrl: url })).message).toMatch(/redirects to another/);
	expect(other.requests).toEqual([]);
});

test.each([
	['<!doctype html>', /web page/],
	['\n<html>', /web page/],
	['', /empty response/],
	['[]', /but not like the data API/],
	['null', /empty response/],
	['{ "ok": true }', /but not like the data API/],
	['"text"', /not valid JSON/],
	[
		`{ "response_context": { "request_status": "failure" }, "message": "The key ${KEY} has expired" }`,
		/failed \(HTTP 200\): The key \*\*\* has expired\./,
	],
	['{ "response_context": { "request_status": "failure" } }', /reports that the request failed/],
])('is red for the body %j', async (body, expected) => {
	const { url } = await serve({ body });

	expect(await resultOf({ baseUrl: url })).toEqual({
		status: 'Error',
		message: expect.stringMatching(expected) as unknown,
	});
});

test('says what to do when nothing responds at that address', async () => {
	const { url } = await serve({});
	servers[0]?.close();

	expect(await resultOf({ baseUrl: url })).toEqual({
		status: 'Error',
		message:
			'The service could not be reached. Check Base URL in the credential, and whether the service is up.',
	});
});

test.each([
	['ENOTFOUND', /^No server was found at the address in Base URL\. Check/],
	['DEPTH_ZERO_SELF_SIGNED_CERT', /^A secure connection .+ could not be established\. Check/],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /^A secure connection .+ could not be established\. Check/],
	['EPROTO', /^A secure connection .+ could not be established\. Check/],
	['ETIMEDOUT', /^The service did not respond within 60 seconds\. Try again later/],
])('%s becomes a sentence without the code or the key', async (code, expected) => {
	const { status, message } = await resultFor(code);

	expect(status).toBe('Error');
	expect(message).toMatch(expected);
	expect(message).not.toMatch(new RegExp(`${code}|${KEY}`));
});

test.each([
	[{ baseUrl: '' }, /^Base URL is empty/],
	[{ baseUrl: 'http://api.example.com' }, /^Base URL starts with http/],
	[{ baseUrl: 'https://api.example.com', apiKey: '' }, /^API Key is empty/],
	[{ baseUrl: 'https://api.example.com', tenant: 'a\nb' }, /^Tenant contains a line break/],
])('names the wrong field of %j', async (data, expected) => {
	const { status, message } = await resultOf(data);

	expect(status).toBe('Error');
	expect(message).toMatch(expected);
});

// n8n takes the test of the first of the credential's nodes that it finds.
test.each([new BusinessProspectData(), new BusinessProspectDataTrigger()])(
	'$description.name offers it to n8n',
	({ description, methods }) => {
		const [{ testedBy } = {}] = description.credentials ?? [];
		expect(Reflect.get(methods.credentialTest, String(testedBy))).toBe(testCredential);
	},
);
