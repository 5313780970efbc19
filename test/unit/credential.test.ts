/** The credential: how its fields are read, and which requests get its key. */
import { type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { authHeaders, parseBaseUrl } from '../../nodes/BusinessProspectData/api/credential';

const credential = new BusinessProspectDataApi();
const DATA = { baseUrl: 'https://api.example.com/prefix/v1/', apiKey: 'key-1', tenant: '' };

test.each([
	['  https://api.example.com//\n', 'https://api.example.com'],
	['\u200bhttps://api.\u00adexample.com\u200b', 'https://api.example.com'],
	['HTTPS://API.Example.COM:443', 'https://api.example.com'],
	['https://api.example.com/prefix//v1//', 'https://api.example.com/prefix'],
	['https://api.example.com/apiv1', 'https://api.example.com/apiv1'],
	['http://127.255.0.9', 'http://127.255.0.9'],
	['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
])('the Base URL %j is read as %s', (value, expected) => {
	expect(parseBaseUrl(value)).toBe(expected);
});

test.each([
	['  \n', /is empty\. Enter/],
	[42, /is empty/],
	['api.example.com:8443/v1', /must start with https:/],
	['https:api.example.com', /must start with https:/],
	['javascript://api.example.com/%0aalert(1)', /must start with https:\/\//],
	['http://api.example.com', /starts with http:\/\/.* Use https:\/\//],
	['http://localhost.evil.example', /starts with http:\/\//],
	['http://[::ffff:10.0.0.1]', /starts with http:\/\//],
	['https://:443', /is not a valid URL/],
	['https://api.exam\nple.com', /contains a space or a line break/],
	['https://api.example.com?a=b', /must not contain "\?" or "#"/],
	['https://:hidden@api.example.com', /must not contain a user name or password/],
	['http://localhost:hidden@evil.example', /must not contain a user name or password/],
])('the Base URL %j is not accepted, and not repeated', (value, message) => {
	const parse = () => parseBaseUrl(value);

	expect(parse).toThrow(UserError);
	expect(parse).toThrow(/^Base URL /);
	expect(parse).toThrow(message);
	expect(parse).not.toThrow(/hidden|someone|evil/);
});

test.each([
	[{ apiKey: 'key-1', tenant: ' \t' }, { api_key: 'key-1' }],
	[{ apiKey: 'Bearer key-1' }, { api_key: 'key-1' }],
	[
		{ apiKey: ' key-1\n', tenant: ' acme ' },
		{ api_key: 'key-1', tenant: 'acme' },
	],
])('%j gives the headers %j', (fields, headers) => {
	expect(authHeaders(fields)).toEqual(headers);
});

test.each([
	[{ apiKey: ' \n' }, /^API Key is empty\. Copy it/],
	[{ apiKey: 'secret\r\nx-other: 1' }, /^API Key contains a line break/],
	[{ apiKey: 'secret\u0000' }, /^API Key contains a line break or a special character/],
	[{ apiKey: 'key-1', tenant: 'secret\nsecret' }, /^Tenant contains a line break/],
])('%j is not accepted', (fields, message) => {
	const read = () => authHeaders(fields);

	expect(read).toThrow(UserError);
	expect(read).toThrow(message);
	expect(read).not.toThrow(/secret/);
});

describe('authenticate', () => {
	/** `uri` is what the helper of the HTTP Request node calls the address; n8n's types for this function don't include it. */
	async function authenticated(
		request: { uri?: unknown; url?: unknown; baseURL?: string },
		fields: object = {},
	): Promise<IHttpRequestOptions> {
		if (typeof credential.authenticate !== 'function') throw new Error('not a function');
		return await credential.authenticate({ ...DATA, ...fields }, request as IHttpRequestOptions);
	}

	test.each([
		{ url: 'https://api.example.com/elsewhere' },
		{ uri: 'https://api.example.com/elsewhere', baseURL: 'https://evil.example' },
		{ uri: new URL('https://api.example.com/') },
		{ uri: null, url: 'https://api.example.com/', baseURL: 'https://evil.example' },
		{},
	])("adds the key on the base URL's origin, and follows no redirect: %j", async (request) => {
		const once = await authenticated({ ...request });

		expect(once).toMatchObject({
			...request,
			headers: { api_key: 'key-1' },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
		// n8n repeats requests.
		expect(await authenticated(once)).toEqual(once);
	});

	test.each([
		{ url: 'https://api.example.com:8443/prefix/v1/prospects' },
		{ url: 'https://api.example.com.evil.example/' },
		{ url: 'https://api.example.com@evil.example/' },
		{ url: '//evil.example/v1/prospects' },
		{ url: '\\\\evil.example/v1/prospects' },
		{ url: '/v1/prospects', baseURL: 'https://evil.example' },
		{ url: 'https:evil.example' },
		{ url: 'https://[' },
		{ uri: new URL('https://evil.example/') },
		{ uri: 'https://evil.example/', url: 'https://api.example.com/' },
		{ uri: 'https://api.example.com/', url: 'https://evil.example/' },
		{ baseURL: 'https://evil.example' },
	])('leaves a request to another origin unchanged: %j', async (request) => {
		expect(await authenticated({ ...request })).toEqual(request);
	});

	test('resolves a path against the base URL and its prefix', async () => {
		expect(await authenticated({ url: '/v1/prospects' })).toMatchObject({
			baseURL: 'https://api.example.com/prefix',
			url: '/v1/prospects',
		});
	});
});

test('keeps its saved names, hides the key as it is typed, and is for the nodes of this package only', () => {
	expect(credential).toMatchObject({
		name: 'businessProspectDataApi',
		restrictToSupportedNodes: true,
	});
	expect(credential).not.toHaveProperty('httpRequestNode');
	expect(
		credential.properties.map(({ name, required, typeOptions }) => [
			name,
			required === true,
			typeOptions?.password === true,
		]),
	).toEqual([
		['baseUrl', true, false],
		['apiKey', true, true],
		['tenant', false, false],
		['maxCreditsPerMonth', false, false],
	]);
});
