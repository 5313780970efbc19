import {
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';
import { asText, isObject } from '../core/json';

export const CREDENTIAL_TYPE = 'businessProspectDataApi';

/** The n8n contexts that can send requests to the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The signal that n8n aborts when the execution is cancelled; undefined for a context without one. */
export const cancelSignalOf = (context: ServiceContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

export type HttpMethod = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';

export interface ServiceRequest {
	readonly method: HttpMethod;
	/** Relative to the base URL, with the version segment: `/v1/prospects/match`. In a Custom API Call, any path. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | boolean | readonly string[]>>;
	readonly body?: object;
	/** How the service's messages may name each requested record, in order: by ID, email address or another detail. */
	readonly recordLabels?: readonly string[];
	/**
	 * True if the request may be repeated when its outcome is unknown: a repetition changes nothing more and is assumed to be free.
	 * False for Match and Enrich, which may cost credits twice. For a Custom API Call, the user decides; GET is always safe.
	 */
	readonly safeToRetry: boolean;
	/** Treats an empty response as 'no data' instead of a failure. */
	readonly mayBeEmpty?: boolean;
	/**
	 * True if the user chose the endpoint, whose response may be any JSON or text, or empty. Of the request's failures, only a
	 * wrong API key, the rate limit and several lost responses in a row affect other requests.
	 */
	readonly custom?: boolean;
}

/** Why there is no response. */
interface ConnectionFailure {
	/** An error code such as `ECONNRESET`, or one of our own: `NOT_SENT` or `NO_RESPONSE`. */
	readonly code: string;
	/** With `NOT_SENT`: n8n's own explanation. Not redacted. */
	readonly reasons?: readonly string[];
}

/** An HTTP response, or why there is none. */
export type HttpResponse =
	| {
			readonly status: number;
			readonly headers: Readonly<Record<string, unknown>>;
			readonly body: unknown;
	  }
	| ({ readonly status?: undefined } & ConnectionFailure);

/**
 * Sends one request through n8n's helper, which adds the authentication headers. Never throws. Doesn't follow redirects: the
 * helper would send the API key to another origin.
 *
 * @param timeoutMs how long the connection may be idle. In polls and list searches, also how long the whole request may take.
 * Executions have no such limit: it could cut off a response that was paid for.
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
		// Sends a list as `a=1&a=2`.
		arrayFormat: 'repeat',
		...bodyOptions(request.body),
		json: true,
		// The idle timeout.
		timeout: timeoutMs,
		// The total timeout. It has no effect in executions, where n8n replaces this signal with the execution's own.
		abortSignal: AbortSignal.timeout(timeoutMs),
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	try {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			options,
		);
		if (!isObject(response)) return { code: 'NO_RESPONSE' };
		return {
			status: Number(response.statusCode),
			headers: isObject(response.headers) ? response.headers : {},
			body: response.body,
		};
	} catch (error) {
		return toConnectionFailure(error);
	}
}

/** n8n's helper drops an empty object or list, but not its text, such as `{}`. */
const bodyOptions = (body: object | undefined): Partial<IHttpRequestOptions> =>
	body !== undefined && Object.keys(body).length === 0
		? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
		: { body };

/**
 * Returns the first error code in the chain of causes, or `NO_RESPONSE` if there is none. Drops the rest of the error, which
 * contains the API key.
 *
 * `NOT_SENT` stands for n8n's own errors, such as a blocked address in a private network or a credential that couldn't be
 * loaded. Only their message and description are kept, as `reasons`. Once a request is sent, n8n throws errors of its own only
 * for redirects, which aren't followed.
 */
export function toConnectionFailure(error: unknown): ConnectionFailure {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if (cause instanceof UserError || cause instanceof NodeOperationError) {
			const reasons = [cause.message, cause.description].map(asText);
			return { code: 'NOT_SENT', reasons: reasons.filter((text) => text !== undefined) };
		}
		// If n8n dropped the cause, `httpCode` has its error code. Otherwise, `httpCode` is an HTTP status, so numbers are skipped.
		const candidates = ['code' in cause && cause.code, 'httpCode' in cause && cause.httpCode];
		const code = candidates.map(asText).find((text) => text !== undefined && /\D/.test(text));
		if (code !== undefined) return { code };
	}
	return { code: 'NO_RESPONSE' };
}

/** True for an error code that means that no secure connection could be established. */
export const isTlsError = (code: string): boolean => /CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code);
