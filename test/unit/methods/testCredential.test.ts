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

async function resultOf(data: object, helpers?: object) {
	const context = helpers
		? { helpers }
		: new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const credential = { data: { apiKey: KEY, tenant: '', ...data } };
	return await testCredential.call(
		context as ICredentialTestFunctions,
		credential as object as ICredentialsDecrypted,
	);
}

test('is green for the service, with a free request that carries key and tenant', async () => {
	const { url, requests } = await serve({});

	expect(await resultOf({ baseUrl: `${url}/gateway/v1/`, tenant: 'acme' })).toEqual({
		status: 'OK',
		message: 'Connection successful!',
	});
	expect(requests).toMatchObject([
		{
			method: 'GET',
			url: '/gateway/v1/businesses/autocomplete?field=country&query=united',
			headers: { api_key: KEY, tenant: 'acme' },
		},
	]);
});

test.each<[response: FakeResponse, message: RegExp]>([
	[{ status: 401 }, /did not accept the API key \(HTTP 401\)/],
	[{ body: '' }, /empty response/],
	[{ body: '{ "ok": true }' }, /but not like the data API/],
	[
		{
			body: `{ "response_context": { "request_status": "failure" }, "message": "${KEY} expired" }`,
		},
		/failed \(HTTP 200\): \*\*\* expired\./,
	],
])('%j is red', async (response, message) => {
	const { url, requests } = await serve(response);

	expect(await resultOf({ baseUrl: url })).toEqual({
		status: 'Error',
		message: expect.stringMatching(message),
	});
	expect(requests).toHaveLength(1);
});

test.each([
	['', 'OK'],
	['20000', 'OK'],
	['20,000', 'OK'],
	['lots', 'Error'],
	['0', 'Error'],
	['20,00', 'Error'],
])('Max Credits per Month %j: %s', async (maxCreditsPerMonth, status) => {
	const { url } = await serve({});

	const result = await resultOf({ baseUrl: url, maxCreditsPerMonth });

	expect(result.status).toBe(status);
	if (status === 'Error') {
		expect(result.message).toMatch(/is not a whole number above 0\. Enter one such as 20000/);
	}
});

test('sends no key to where the Base URL redirects', async () => {
	const other = await serve({});
	const { url } = await serve({ status: 302, headers: { location: other.url } });

	expect((await resultOf({ baseUrl: url })).message).toMatch(/redirects to another/);
	expect(other.requests).toEqual([]);
});

// n8n takes the test of the first of the credential's nodes that it finds.
test.each([new BusinessProspectData(), new BusinessProspectDataTrigger()])(
	'$description.name offers it to n8n',
	({ description, methods }) => {
		const [{ testedBy } = {}] = description.credentials ?? [];
		expect(Reflect.get(methods.credentialTest, String(testedBy))).toBe(testCredential);
	},
);
