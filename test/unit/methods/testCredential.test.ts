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
import { type Answer, serve } from '../../harness/servers';

const KEY = 'key-1';
const BASE = 'https://service.example';
const VALUES: Answer = { body: [{ query: 'united', label: 'United States', value: 'us' }] };

async function resultOf(data: object = {}) {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const credential = { data: { baseUrl: BASE, apiKey: KEY, tenant: '', ...data } };
	return await testCredential.call(
		context as object as ICredentialTestFunctions,
		credential as object as ICredentialsDecrypted,
	);
}

test('is green for the service, with a free request that carries key and tenant', async () => {
	const requests = serve(BASE, () => VALUES);

	expect(await resultOf({ baseUrl: `${BASE}/gateway/v1/`, tenant: 'acme' })).toEqual({
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

test.each<[response: Answer, message: RegExp]>([
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
	const requests = serve(BASE, () => response);

	expect(await resultOf()).toEqual({
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
	serve(BASE, () => VALUES);

	const result = await resultOf({ maxCreditsPerMonth });

	expect(result.status).toBe(status);
	if (status === 'Error') {
		expect(result.message).toMatch(/is not a whole number above 0\. Enter one such as 20000/);
	}
});

test('sends no key to where the Base URL redirects', async () => {
	const others = serve('https://other.example');
	serve(BASE, () => ({ status: 302, headers: { location: 'https://other.example/v1' } }));

	expect((await resultOf()).message).toMatch(/redirects to another/);
	expect(others).toEqual([]);
});

// n8n takes the test of the first of the credential's nodes that it finds.
test.each([new BusinessProspectData(), new BusinessProspectDataTrigger()])(
	'$description.name offers it to n8n',
	({ description, methods }) => {
		const [{ testedBy } = {}] = description.credentials ?? [];
		expect(Reflect.get(methods.credentialTest, String(testedBy))).toBe(testCredential);
	},
);
