import { UserError } from 'n8n-workflow';
import { removeInvisible } from '../core/text';

const EXAMPLE = 'https://api.example.com';

/**
 * Normalizes the credential's Base URL, so that paths such as `/v1/prospects` can be appended to it.
 *
 * @throws UserError when the value isn't a valid Base URL. The message never repeats the value, which may contain a password or,
 * by mistake, the API key.
 */
export function parseBaseUrl(value: unknown): string {
	// Copied text may contain invisible characters.
	const text = typeof value === 'string' ? removeInvisible(value).trim() : '';
	if (text === '') throw baseUrlError(`is empty. Enter the service's address, such as ${EXAMPLE}.`);
	if (/\s/.test(text)) throw baseUrlError('contains a space or a line break. Remove it.');
	if (!text.includes('://')) {
		throw baseUrlError(`must start with https://, as in ${EXAMPLE}.`);
	}
	if (/[?#]/.test(text)) {
		throw baseUrlError('must not contain "?" or "#". Remove it and everything after it.');
	}

	const url = parseUrl(text);
	if (url === undefined) throw baseUrlError(`is not a valid URL. Enter one such as ${EXAMPLE}.`);
	if (url.username !== '' || url.password !== '') {
		throw baseUrlError(
			'must not contain a user name or password. Remove everything between "//" and "@".',
		);
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
		throw baseUrlError(
			'starts with http://, so others on the network could read the API key. Use https:// (http:// works for localhost only).',
		);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw baseUrlError(`must start with https://, as in ${EXAMPLE}.`);
	}
	const withoutEnd = (path: string) => path.replace(/(?<!\/)\/+$/, '');
	const prefix = withoutEnd(withoutEnd(url.pathname).replace(/\/v1$/, ''));
	return url.origin + prefix;
}

/**
 * True if the request goes only to the origin of `baseUrl`. The address is in `url` or `uri`, depending on n8n's request helper.
 * Relative addresses are resolved against `requestBase`.
 */
export function isSentTo(
	baseUrl: string,
	{ url, uri }: { readonly url?: unknown; readonly uri?: unknown },
	requestBase: string,
): boolean {
	const { origin } = new URL(baseUrl);
	const addresses = [url, uri].filter((address) => address !== undefined && address !== null);
	// Without an address, the request goes to `requestBase` itself.
	if (addresses.length === 0) addresses.push('');
	return addresses.every((address) => {
		const text = String(address);
		// `https:host` is relative to a base of the same scheme, but absolute on its own. The absolute form counts, because it may
		// name another server.
		return (parseUrl(text) ?? parseUrl(text, requestBase))?.origin === origin;
	});
}

/**
 * The headers that identify the account (contract: Authentication).
 *
 * @throws UserError when the API key is missing, or a trimmed field has characters other than printable ASCII. The message never
 * repeats the field's value.
 */
export function authHeaders(credential: { apiKey?: unknown; tenant?: unknown }): {
	api_key: string;
	tenant?: string;
} {
	// As documentation writes it for other services.
	const apiKey = headerValue('API Key', credential.apiKey).replace(/^bearer\s+/i, '');
	if (apiKey === '') {
		throw new UserError("API Key is empty. Copy it from the service's account page.");
	}
	const tenant = headerValue('Tenant', credential.tenant);
	return tenant === '' ? { api_key: apiKey } : { api_key: apiKey, tenant };
}

function headerValue(field: string, value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/[^\x20-\x7e]/.test(text)) {
		throw new UserError(
			`${field} contains a line break or a special character. Copy it again, without anything before or after it.`,
		);
	}
	return text;
}

const parseUrl = (text: string, base?: string): URL | undefined =>
	URL.canParse(text, base) ? new URL(text, base) : undefined;

/** Expects a normalized host: `URL` rewrites 127.1, 0x7f.1 and upper case. */
const isLoopback = (host: string): boolean =>
	host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

const baseUrlError = (problem: string) => new UserError(`Base URL ${problem}`);
