import { UserError } from 'n8n-workflow';

const EXAMPLE = 'https://api.example.com';

/**
 * The service's address as typed into the credential, in the form that paths such as `/v1/prospects` are appended to:
 * scheme, host and path prefix, without the version segment and without a slash at its end.
 *
 * @throws UserError that names the field "Base URL" when the value is not an https address (or http on this machine).
 * The value itself is never repeated, since it may hold a password or, by mistake, the key.
 */
export function parseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw refusal(`is empty. Enter the address of the service, such as ${EXAMPLE}.`);
	if (/\s/.test(text)) throw refusal('has a blank or a line break in it. Take it out.');
	if (!text.includes('://')) {
		throw refusal(`has no https:// at its start. Put it before the address, as in ${EXAMPLE}.`);
	}
	if (/[?#]/.test(text)) throw refusal('must not have a "?" or "#". Take it and what follows out.');

	const url = readUrl(text);
	if (url === undefined) throw refusal(`is not a web address. Enter one such as ${EXAMPLE}.`);
	if (url.username !== '' || url.password !== '') {
		throw refusal('must not hold a user name or password. Take out all between "//" and "@".');
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
		throw refusal(
			'starts with http://, so anyone on the way could read the API key. Use https:// (http:// is accepted for localhost only).',
		);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw refusal(`must start with https://, as in ${EXAMPLE}.`);
	}
	const prefix = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
	return url.origin + prefix;
}

/** Whether both addresses have the same scheme, host and port. One that cannot be read has none. */
export function isSameOrigin(url: string, baseUrl: string): boolean {
	const origin = readUrl(url)?.origin;
	return origin !== undefined && origin === readUrl(baseUrl)?.origin;
}

/**
 * Whether every address of a request leads to the credential's own origin. n8n's request helpers name it `url` or, the
 * older ones, `uri`; a path goes on from `requestBase`.
 */
export const isSentTo = (
	baseUrl: string,
	{ url, uri }: { readonly url?: unknown; readonly uri?: unknown },
	requestBase: string,
): boolean =>
	[url ?? uri ?? '', uri ?? url ?? ''].every((address) => {
		const text = String(address);
		// `https:host` is a path beside a base of the same scheme, and an address without one.
		return isSameOrigin(URL.canParse(text) ? text : joined(text, requestBase), baseUrl);
	});

const joined = (path: string, base: string): string =>
	URL.canParse(path, base) ? new URL(path, base).href : '';

/**
 * The headers that identify the account: `api_key`, and `tenant` when it is filled in (contract: Authentication).
 * Surrounding blanks are taken off.
 *
 * @throws UserError that names the field, never its value, when the key is missing or a header cannot carry the text.
 */
export function authHeaders(credential: { apiKey?: unknown; tenant?: unknown }): {
	api_key: string;
	tenant?: string;
} {
	const apiKey = headerText('API Key', credential.apiKey);
	if (apiKey === '') {
		throw new UserError('API Key is empty. Copy it from the account page of the service.');
	}
	const tenant = headerText('Tenant', credential.tenant);
	return tenant === '' ? { api_key: apiKey } : { api_key: apiKey, tenant };
}

function headerText(field: string, value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/[^\x20-\x7e]/.test(text)) {
		throw new UserError(
			`${field} has a line break or a special character in it. Copy it again, without anything before or after it.`,
		);
	}
	return text;
}

function readUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}

/** `URL` has already brought every spelling of an address (127.1, 0x7f.1, upper case) into this form. */
function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

const refusal = (problem: string) => new UserError(`Base URL ${problem}`);
