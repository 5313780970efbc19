import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { CHARGES } from '../../nodes/BusinessProspectData/catalog/prices';

const credential = new BusinessProspectDataApi();
const DATA = { baseUrl: 'https://api.example.com/prefix/v1/', apiKey: 'key-1', tenant: '' };

async function authenticated(
	request: IHttpRequestOptions,
	data: ICredentialDataDecryptedObject = DATA,
): Promise<IHttpRequestOptions> {
	if (typeof credential.authenticate !== 'function') throw new Error('not a function');
	return await credential.authenticate(data, request);
}

/** The HTTP Request node's helper calls the address `uri`, which n8n's types for this function don't include. */
const withAnyAddress = (request: { uri?: unknown; url?: unknown; baseURL?: string }) =>
	request as IHttpRequestOptions;

describe('authenticate', () => {
	it.each([
		'https://api.example.com/prefix/v1/prospects',
		'https://api.example.com/elsewhere',
		'https://API.example.com:443/prefix/v1/prospects',
	])("adds the key to %s, on the base URL's origin", async (url) => {
		const request = await authenticated({ url, method: 'POST', headers: { accept: 'a/b' } });
		expect(request).toMatchObject({ url, method: 'POST' });
		expect(request.headers).toEqual({ accept: 'a/b', api_key: 'key-1' });
	});

	it('follows no redirect with the key', async () => {
		const request = await authenticated({
			url: 'https://api.example.com/',
			disableFollowRedirect: false,
		});
		expect(request.disableFollowRedirect).toBe(true);
	});

	it.each([
		{ url: 'https://api.example.com:8443/prefix/v1/prospects' },
		{ url: 'http://api.example.com/prefix/v1/prospects' },
		{ url: 'https://api.example.com.evil.example/' },
		{ url: 'https://api.example.com@evil.example/' },
		{ url: 'https://www.api.example.com/' },
		{ url: 'https://evil.example/?https://api.example.com' },
		{ url: '//evil.example/v1/prospects' },
		{ url: '\\\\evil.example/v1/prospects' },
		{ url: ' https://evil.example' },
		{ url: '/v1/prospects', baseURL: 'https://evil.example' },
		{ url: 'https://evil.example/v1/prospects', baseURL: 'https://api.example.com' },
		{ url: '', baseURL: 'https://evil.example' },
		{ url: 'https:evil.example' },
		{ url: 'https://[' },
		// As the helper of the HTTP Request node calls it.
		{ uri: 'https://evil.example/v1/prospects' },
		{ uri: 'https://api.example.com:8443/prefix/v1/prospects' },
		{ uri: '//evil.example/v1/prospects' },
		{ uri: 'https:evil.example' },
		{ uri: new URL('https://evil.example/') },
		{ uri: '/v1/prospects', baseURL: 'https://evil.example' },
		{ uri: 'https://evil.example/', url: 'https://api.example.com/' },
		{ uri: 'https://api.example.com/', url: 'https://evil.example/' },
		{ uri: 'https://evil.example/', url: '' },
		{ uri: null, url: 'https://evil.example/' },
		{ baseURL: 'https://evil.example' },
	])('leaves a request to another origin unchanged: %j', async (request) => {
		expect(await authenticated(withAnyAddress({ ...request }))).toEqual(request);
	});

	describe('called with `uri`, as by the helper of the HTTP Request node', () => {
		it.each([
			{ uri: 'https://api.example.com/elsewhere', baseURL: 'https://evil.example' },
			{ uri: new URL('https://api.example.com/') },
			{ uri: 'https://api.example.com/', url: 'https://api.example.com/v1' },
			{ uri: null, url: 'https://api.example.com/', baseURL: 'https://evil.example' },
			{ uri: 'https://api.example.com/', url: null, baseURL: 'https://evil.example' },
			{ uri: '/v1/prospects' },
			{},
		])("adds the key on the base URL's origin: %j", async (request) => {
			const { headers } = await authenticated(withAnyAddress({ ...request }));
			expect(headers).toEqual({ api_key: 'key-1' });
		});

		it('follows no redirect with the key', async () => {
			const request = { uri: 'https://api.example.com/', followAllRedirects: true };
			expect(await authenticated(withAnyAddress(request))).toMatchObject({
				followRedirect: false,
				followAllRedirects: false,
			});
		});
	});

	it('resolves a path against the base URL and its prefix', async () => {
		expect(await authenticated({ url: '/v1/prospects' })).toMatchObject({
			baseURL: 'https://api.example.com/prefix',
			url: '/v1/prospects',
			headers: { api_key: 'key-1' },
		});
	});

	it('is idempotent, since n8n repeats requests', async () => {
		const once = await authenticated({ url: '/v1/prospects' });
		expect(await authenticated(once)).toEqual(once);
	});

	it.each([
		[{ baseUrl: 'http://api.example.com' }, /^Base URL starts with http/],
		[{ baseUrl: '' }, /^Base URL is empty/],
		[{ apiKey: '' }, /^API Key is empty/],
		[{ apiKey: 'key-1\nkey-2' }, /^API Key contains a line break/],
		[{ tenant: 'a\r\nb' }, /^Tenant contains a line break/],
	])('rejects %j before any request, without the key', async (change, message) => {
		const request = authenticated({ url: '/v1/prospects' }, { ...DATA, ...change });
		await expect(request).rejects.toThrow(message);
		await expect(request).rejects.not.toThrow(/key-1/);
	});
});

describe('the credential', () => {
	it('is for the nodes of this package only', () => {
		expect(credential.restrictToSupportedNodes).toBe(true);
		expect(credential).not.toHaveProperty('httpRequestNode');
	});

	it('keeps its saved names', () => {
		expect(credential.name).toBe('businessProspectDataApi');
		expect(
			credential.properties.map(({ name, required: required }) => [name, required === true]),
		).toEqual([
			['baseUrl', true],
			['apiKey', true],
			['tenant', false],
			['prices', false],
		]);
		const groups = credential.properties.flatMap(({ options = [] }) => options);
		expect(
			groups.map((group) => [
				group.name,
				'values' in group && group.values.map(({ name }) => name),
			]),
		).toEqual([['price', ['charge', 'credits']]]);
		expect(CHARGES.map(({ value }) => value).sort()).toEqual(
			[
				...BUSINESS_DATA_SETS.map(({ value }) => value),
				...['businessEvents', 'contacts', 'contactsEmail', 'contactsPhone', 'match'],
				...['networkPosts', 'profile', 'prospectEvents'],
			].sort(),
		);
	});

	it('hides the key as it is typed', () => {
		const hidden = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
	});
});
