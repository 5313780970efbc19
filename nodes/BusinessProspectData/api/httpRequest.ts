import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { isObject, asText } from '../core/json';
import type { Failure } from '../core/outcome';

export const CREDENTIAL_TYPE = 'businessProspectDataApi';

/** The n8n contexts from which the service can be talked to. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** One request to the service. */
export interface ServiceRequest {
	readonly method: 'GET' | 'POST' | 'DELETE';
	/** Below the base URL, with the version segment: `/v1/prospects/match`. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | boolean>>;
	readonly body?: object;
	/** What each of the records that it asks for goes by, such as its ID; absent where it asks for none. */
	readonly recordIds?: readonly string[];
	/** It is taken to cost nothing and does no harm twice: it is sent again when it is unknown whether the service did it. */
	readonly idempotent: boolean;
	/** Whether an answer without a body means that there is nothing; elsewhere it is a failure. */
	readonly mayBeEmpty?: boolean;
	/** Asked each time before it is sent: a failure that takes the place of sending it. */
	readonly blockedBy?: () => Failure | undefined;
}

/** What came back: an HTTP answer, or the error code of a connection that brought none. */
export type HttpResponse =
	| {
			readonly status: number;
			readonly headers: Readonly<Record<string, unknown>>;
			readonly body: unknown;
	  }
	| { readonly status?: undefined; readonly code: string };

/**
 * Sends one request through n8n's helper, which adds the credential. Never throws.
 * Redirects are not followed: the helper would take the API key along to another origin.
 *
 * @param timeoutMs how long the service may be silent: an answer that keeps coming is paid for, and taken. In polls and
 * lists, which have an end, the time for the whole answer
 */
export async function httpRequest(
	context: ServiceContext,
	baseUrl: string,
	request: ServiceRequest,
	timeoutMs: number,
): Promise<HttpResponse> {
	const options: IHttpRequestOptions = {
		method: request.method,
		url: baseUrl + request.path,
		qs: request.query,
		body: request.body,
		json: true,
		timeout: timeoutMs,
		// In executions n8n puts their own signal in its place.
		abortSignal: AbortSignal.timeout(timeoutMs),
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	try {
		const reply: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			options,
		);
		if (!isObject(reply)) return { code: 'NO_RESPONSE' };
		return {
			status: Number(reply.statusCode),
			headers: isObject(reply.headers) ? reply.headers : {},
			body: reply.body,
		};
	} catch (error) {
		return { code: errorCode(error) };
	}
}

/**
 * The first error code along the chain of causes; nothing else of the error is kept, since it holds the API key. Where
 * n8n loses the cause, the code is in `httpCode`, which is the HTTP status elsewhere.
 */
function errorCode(error: unknown): string {
	for (let at = error; at instanceof Error; at = at.cause) {
		const codes = ['code' in at && at.code, 'httpCode' in at && at.httpCode];
		const code = codes.map(asText).find((one) => one !== undefined && /\D/.test(one));
		if (code !== undefined) return code;
	}
	return 'NO_RESPONSE';
}
