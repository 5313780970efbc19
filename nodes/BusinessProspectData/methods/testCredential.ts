import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type INodeCredentialTestResult,
	UserError,
} from 'n8n-workflow';
import { authHeaders, parseBaseUrl } from '../api/credential';
import { isTlsError, toConnectionFailure } from '../api/httpRequest';
import { contextStatus, createRedact, parseErrorMessage, type Redact } from '../api/responseBody';
import { PATHS } from '../catalog/service';
import { isObject } from '../core/json';
import { readPrices } from '../parameters/prices';

const INSECURE = 'INSECURE';
const WEB_PAGE = 'WEB_PAGE';
const OTHER_DATA = 'OTHER_DATA';

/** The `codes` are HTTP statuses, error codes of failed connections, and the three codes above. */
export const MESSAGES: ReadonlyArray<{ codes: ReadonlyArray<number | string>; message: string }> = [
	{
		codes: [301, 302, 303, 307, 308],
		message:
			"The Base URL redirects to another address, and the API key isn't sent there. Enter the service's final address.",
	},
	{
		codes: [400, 422],
		message:
			'The service did not understand the test request. Check Base URL, and Tenant if you filled it in.',
	},
	{
		codes: [401],
		message: 'The service does not accept this API Key. Copy it again from your account page.',
	},
	{
		codes: [402, 403],
		message:
			'The service denies access with this API Key. Check on your account page that it is active and has credits. Check Tenant if you filled it in.',
	},
	{
		codes: [404, 405],
		message:
			'The service was not found at this Base URL. Enter only its address, such as https://api.example.com, without the path of a page or an endpoint.',
	},
	{
		codes: [429],
		message:
			'The service is receiving too many requests with this API Key. Wait a minute, then test again.',
	},
	{
		codes: [408, 500, 502, 503, 504, 520, 521, 522, 523, 524],
		message:
			'The service cannot respond at the moment. Test again later; if it persists, contact its support.',
	},
	{
		codes: ['ENOTFOUND'],
		message:
			"The host in Base URL was not found. Check the spelling of Base URL, and whether n8n's machine can reach the internet.",
	},
	{
		codes: ['ECONNREFUSED'],
		message:
			'The host in Base URL refuses the connection. Check the host and the port, and whether the service is running.',
	},
	{
		codes: [INSECURE],
		message:
			"A secure connection could not be established. Check the spelling of Base URL. On a company network, ask your admin to make n8n trust the network's certificate.",
	},
	{
		codes: [WEB_PAGE],
		message:
			"A web page responded instead of the service. Enter the address of the service's API, not of its website.",
	},
	{
		codes: [OTHER_DATA],
		message: 'This address responds, but not like the data API. Check Base URL.',
	},
];

const UNEXPECTED_STATUS =
	'The service responded in an unexpected way. Check the spelling of Base URL.';
const UNREACHABLE =
	"The service could not be reached. Check the spelling of Base URL, and whether n8n's machine can reach the internet.";

const TIMEOUT_MS = 60_000;

/**
 * This is a function because n8n's declarative credential tests show only a code, such as `ENOTFOUND`, for a host that can't be
 * reached. Redirects aren't followed, because the API key must not be sent to another address.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	try {
		const headers = authHeaders(data);
		readPrices(data.prices);
		const redact = createRedact(headers.api_key);
		const response: unknown = await helpers.request({
			method: 'GET',
			uri: parseBaseUrl(data.baseUrl) + PATHS.autocomplete,
			qs: { field: 'country', query: 'united' },
			headers,
			json: true,
			followRedirect: false,
			followAllRedirects: false,
			timeout: TIMEOUT_MS,
			// Returns responses with an error status instead of throwing.
			simple: false,
			resolveWithFullResponse: true,
		});
		const { statusCode, body } = isObject(response) ? response : {};
		const message = problemOf(Number(statusCode), body, redact);
		return message === undefined
			? { status: 'OK', message: 'Connection successful!' }
			: { status: 'Error', message };
	} catch (error) {
		if (error instanceof UserError) return { status: 'Error', message: error.message };
		// Only the code is used: the rest of the error may contain the API key.
		const { code } = toConnectionFailure(error);
		return {
			status: 'Error',
			message: messageFor(isTlsError(code) ? INSECURE : code, UNREACHABLE),
		};
	}
}

function problemOf(status: number, body: unknown, redact: Redact): string | undefined {
	if (status < 200 || status > 299) {
		return `${messageFor(status, UNEXPECTED_STATUS)} (HTTP ${status})`;
	}
	const [first]: unknown[] = Array.isArray(body) ? body : [body];
	if (isObject(first) && first.value !== undefined) return undefined;
	if (contextStatus(body) === 'failure') {
		const reason = parseErrorMessage(body, redact);
		return `The service rejected the test request${reason === undefined ? '.' : `: ${reason}`} Check API Key, and on your account page whether it is active.`;
	}
	const isWebPage = typeof first === 'string' && first.trim().startsWith('<');
	return messageFor(isWebPage ? WEB_PAGE : OTHER_DATA, UNEXPECTED_STATUS);
}

const messageFor = (code: number | string, otherwise: string): string =>
	MESSAGES.find(({ codes }) => codes.includes(code))?.message ?? otherwise;
