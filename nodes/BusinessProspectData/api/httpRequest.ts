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

export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export const cancelSignalOf = (context: ServiceContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

export type HttpMethod = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';

export interface ServiceRequest {
	readonly method: HttpMethod;
	/** The part after the base URL, such as `/v1/prospects/match`. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | boolean | readonly string[]>>;
	readonly body?: object;
	/** For each record, in order, what the service's messages may call it: its ID, email address or another detail. */
	readonly recordLabels?: readonly string[];
	/**
	 * True if the request may be sent again when it is unknown whether the service has processed it. False for Match and Enrich,
	 * which may cost credits twice. The other requests count as free, because nothing in the contract suggests a price, and a second
	 * Delete changes nothing more. For a Custom API Call, the user decides, but GET is always safe.
	 */
	readonly safeToRetry: boolean;
	/** Treats an empty response as 'no data' instead of a failure. */
	readonly mayBeEmpty?: boolean;
	/** True for a Custom API Call, whose response may be any JSON or text, or empty. */
	readonly custom?: boolean;
}

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
 * n8n's helper adds the authentication headers. Redirects aren't followed, because the helper would send the API key to the new
 * address, too.
 *
 * @param timeoutMs how long the connection may be idle. In polls and list searches, also how long the whole request may take.
 * Executions have no such limit, because it could cut off a response that was paid for.
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

/** n8n's helper drops an empty object or list, but not its JSON text. */
const bodyOptions = (body: object | undefined): Partial<IHttpRequestOptions> =>
	body !== undefined && Object.keys(body).length === 0
		? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
		: { body };

/**
 * Of a network error, only the code is kept: the rest may contain the API key. A UserError or NodeOperationError means that n8n
 * didn't send the request, for example because the address is blocked.
 */
export function toConnectionFailure(error: unknown): ConnectionFailure {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if (cause instanceof UserError || cause instanceof NodeOperationError) {
			const reasons = [cause.message, cause.description].map(asText);
			return { code: 'NOT_SENT', reasons: reasons.filter((text) => text !== undefined) };
		}
		// `httpCode` is an HTTP status, or the error code of a cause that n8n dropped. The pattern skips statuses.
		const candidates = ['code' in cause && cause.code, 'httpCode' in cause && cause.httpCode];
		const code = candidates.map(asText).find((text) => text !== undefined && /\D/.test(text));
		if (code !== undefined) return { code };
	}
	return { code: 'NO_RESPONSE' };
}

export const isTlsError = (code: string): boolean => /CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code);
