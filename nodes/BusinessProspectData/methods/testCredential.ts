import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type INodeCredentialTestResult,
	UserError,
} from 'n8n-workflow';
import { readMaxCredits } from '../api/accountLimit';
import { authHeaders, parseBaseUrl } from '../api/credential';
import { toOutcomeAsync } from '../api/errors';
import { type HttpResponse, type ServiceRequest, toConnectionFailure } from '../api/httpRequest';
import { interpretResponse } from '../api/interpretResponse';
import { createRedact } from '../api/responseBody';
import { PATHS } from '../catalog/service';
import { asObjects, isEmpty, isObject } from '../core/json';

const REQUEST: ServiceRequest = { method: 'GET', path: PATHS.autocomplete, safeToRetry: true };

const TIMEOUT_MS = 60_000;

const OTHER_DATA = 'This address responds, but not like the data API. Check Base URL.';

/** A function, because n8n's declarative credential tests show only a code for a host that can't be reached. */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { failure } = await toOutcomeAsync(async () => {
		const headers = authHeaders(data);
		readMaxCredits(data.maxCreditsPerMonth);
		const response = await send(this.helpers, parseBaseUrl(data.baseUrl), headers);
		const redact = createRedact(headers.api_key);
		const { outcome } = interpretResponse(response, REQUEST, TIMEOUT_MS, redact, false);
		if (outcome.failure !== undefined) throw new UserError(outcome.failure.message);
		if (isEmpty(asObjects(outcome.value)[0]?.value)) throw new UserError(OTHER_DATA);
	});
	return failure === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message: failure.message };
}

/** Like `httpRequest`, but a credential test has only n8n's older helper. */
async function send(
	{ request }: ICredentialTestFunctions['helpers'],
	baseUrl: string,
	headers: object,
): Promise<HttpResponse> {
	try {
		const response: unknown = await request({
			method: REQUEST.method,
			uri: baseUrl + REQUEST.path,
			qs: { field: 'country', query: 'united' },
			headers,
			json: true,
			// The API key must not be sent to another address.
			followRedirect: false,
			followAllRedirects: false,
			timeout: TIMEOUT_MS,
			// Returns responses with an error status instead of throwing.
			simple: false,
			resolveWithFullResponse: true,
		});
		const { statusCode, body } = isObject(response) ? response : {};
		return { status: Number(statusCode), headers: {}, body };
	} catch (error) {
		return toConnectionFailure(error);
	}
}
