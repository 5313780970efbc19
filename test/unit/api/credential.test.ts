import { UserError } from 'n8n-workflow';
import { authHeaders, parseBaseUrl } from '../../../nodes/BusinessProspectData/api/credential';

describe('the base URL', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		['  https://api.example.com//\n', 'https://api.example.com'],
		['\u200bhttps://api.\u00adexample.com\u200b', 'https://api.example.com'],
		['HTTPS://API.Example.COM', 'https://api.example.com'],
		['https://api.example.com:443', 'https://api.example.com'],
		['https://api.example.com:8443/', 'https://api.example.com:8443'],
		['https://api.example.com/v1', 'https://api.example.com'],
		['https://api.example.com/v1/', 'https://api.example.com'],
		['https://api.example.com/prefix', 'https://api.example.com/prefix'],
		['https://api.example.com/prefix/v1', 'https://api.example.com/prefix'],
		['https://api.example.com/prefix/v1//', 'https://api.example.com/prefix'],
		['https://api.example.com/prefix//v1', 'https://api.example.com/prefix'],
		['https://api.example.com/prefix///v1', 'https://api.example.com/prefix'],
		['https://api.example.com/apiv1', 'https://api.example.com/apiv1'],
		['https://api.example.com/v1/eu', 'https://api.example.com/v1/eu'],
		['http://localhost:3000', 'http://localhost:3000'],
		['HTTP://LocalHost:3000/v1', 'http://localhost:3000'],
		['http://127.0.0.1:3000/prefix/', 'http://127.0.0.1:3000/prefix'],
		['http://127.255.0.9', 'http://127.255.0.9'],
		['http://[::1]:3000', 'http://[::1]:3000'],
		['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
		['https://[2001:db8::1]/v1', 'https://[2001:db8::1]'],
	])('reads %j as %s', (value, expected) => {
		expect(parseBaseUrl(value)).toBe(expected);
	});

	it.each([
		['', /is empty\. Enter/],
		['  \n', /is empty/],
		[undefined, /is empty/],
		[null, /is empty/],
		[42, /is empty/],
		['api.example.com', /must start with https:/],
		['api.example.com:8443/v1', /must start with https:/],
		['localhost:3000', /must start with https:/],
		['https:api.example.com', /must start with https:/],
		['javascript:alert(1)', /must start with https:/],
		['http://api.example.com', /starts with http:\/\/.* Use https:\/\//],
		['http://localhost.evil.example', /starts with http:\/\//],
		['http://127.0.0.1.evil.example', /starts with http:\/\//],
		['http://evil.example/127.0.0.1', /starts with http:\/\//],
		['http://128.0.0.1', /starts with http:\/\//],
		['http://0.0.0.0', /starts with http:\/\//],
		['http://[::2]', /starts with http:\/\//],
		['http://[::ffff:10.0.0.1]', /starts with http:\/\//],
		['ftp://api.example.com', /must start with https:\/\//],
		['javascript://api.example.com/%0aalert(1)', /must start with https:\/\//],
		['file:///etc/hosts', /must start with https:\/\//],
		['https://', /is not a valid URL/],
		['https://:443', /is not a valid URL/],
		['https://api.example.com:notaport', /is not a valid URL/],
		['https://api example.com', /contains a space or a line break/],
		['https://api.exam\nple.com', /contains a space or a line break/],
		['https://api.example.com?a=b', /must not contain "\?" or "#"/],
		['https://api.example.com/#top', /must not contain "\?" or "#"/],
		['https://someone:hidden@api.example.com', /must not contain a user name or password/],
		['https://:hidden@api.example.com', /must not contain a user name or password/],
		['https://someone@api.example.com', /must not contain a user name or password/],
		['http://localhost:hidden@evil.example', /must not contain a user name or password/],
	])('rejects %j', (value, message) => {
		const parse = () => parseBaseUrl(value);
		expect(parse).toThrow(UserError);
		expect(parse).toThrow(/^Base URL /);
		expect(parse).toThrow(message);
		expect(parse).not.toThrow(/hidden|someone|evil/);
	});
});

describe('the account headers', () => {
	it('contain the key, and the tenant if there is one', () => {
		expect(authHeaders({ apiKey: 'key-1', tenant: '' })).toEqual({ api_key: 'key-1' });
		expect(authHeaders({ apiKey: 'key-1' })).toEqual({ api_key: 'key-1' });
		expect(authHeaders({ apiKey: 'key-1', tenant: ' \t' })).toEqual({ api_key: 'key-1' });
		expect(authHeaders({ apiKey: ' key-1\n', tenant: ' acme ' })).toEqual({
			api_key: 'key-1',
			tenant: 'acme',
		});
	});

	it.each([
		[{ apiKey: '' }, /^API Key is empty\. Copy it/],
		[{ apiKey: ' \n' }, /^API Key is empty/],
		[{}, /^API Key is empty/],
		[{ apiKey: 'secret\r\nx-other: 1' }, /^API Key contains a line break/],
		[{ apiKey: 'secret\nsecret' }, /^API Key contains a line break/],
		[{ apiKey: 'secret\u0000' }, /^API Key contains a line break or a special character/],
		[{ apiKey: '\u200bsecret' }, /^API Key contains .* special character/],
		[{ apiKey: 'key-1', tenant: 'secret\nsecret' }, /^Tenant contains a line break/],
	])('reject %j', (credential, message) => {
		const read = () => authHeaders(credential);
		expect(read).toThrow(UserError);
		expect(read).toThrow(message);
		expect(read).not.toThrow(/secret/);
	});
});
