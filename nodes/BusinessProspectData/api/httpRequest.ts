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

export interface Expectation {
	readonly isIn: (body: unknown) => boolean;
	/** Without a full stop. */
	readonly problem: string;
}

export interface ServiceRequest {
	readonly method: HttpMethod;
	/** The part after the base URL, such as `/v1/prospects/match`. */
	readonly path: string;
	/** In order. A name may occur several times. */
	readonly query?: ReadonlyArray<readonly [name: string, value: string]>;
	readonly body?: object;
	/** The number of people, companies or other records that the request is about. */
	readonly records?: number;
	/**
	 * True if the request may be sent again when it is unknown whether the service has processed it. False for Match and Enrich,
	 * which may cost credits twice. The other requests count as free, because nothing in the contract suggests a price, and a second
	 * Delete changes nothing more. For a Custom API Call, the user decides, but GET is always safe.
	 */
	readonly safeToRetry: boolean;
	/** Credits that it may cost. By default, 1 for each record. With 0, Max Credits per Month doesn't hold it back. */
	readonly credits?: number;
	/** What a response must have, unless it is a miss, and how to say that it doesn't. */
	readonly expects?: Expectation;
	/** Treats an empty response as 'no data' instead of a failure. */
	readonly mayBeEmpty?: boolean;
	/** True for a Custom API Call, whose response may be any JSON, or empty. */
	readonly custom?: boolean;
}

interface ConnectionFailure {
	/** An error code such as `ECONNRESET`, or one of our own: `NOT_SENT`, `NO_RESPONSE` or `UNFINISHED`. */
	readonly code: string;
	/** With `NOT_SENT`: n8n's own explanation. Not redacted. */
	readonly reasons?: readonly string[];
}

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
 * @param timeoutMs how long the connection may be idle. In polls and list searches, also how long the whole request may take. In
 * executions, a request may take ten times as long, so that a response that was paid for isn't cut off while it arrives.
 */
export async function httpRequest(
	context: ServiceContext,
	baseUrl: string,
	request: ServiceRequest,
	timeoutMs: number,
): Promise<HttpResponse> {
	const options: IHttpRequestOptions = {
		method: request.method,
		// Not in `qs`, which drops parameters with names such as `constructor`.
		url: baseUrl + request.path + queryString(request.query),
		...bodyOptions(request),
		json: true,
		timeout: timeoutMs,
		// The total timeout. It has no effect in executions, where n8n replaces this signal with the execution's own.
		abortSignal: AbortSignal.timeout(timeoutMs),
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	try {
		const response: unknown = await finishedWithin(
			timeoutMs * MAX_TIMEOUTS,
			context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, options),
		);
		if (response === UNFINISHED) return { code: UNFINISHED };
		if (!isObject(response)) return { code: 'NO_RESPONSE' };
		const headers = isObject(response.headers) ? response.headers : {};
		const { body } = response;
		return {
			status: Number(response.statusCode),
			headers,
			body,
		};
	} catch (error) {
		return toConnectionFailure(error);
	}
}

/** The longest a request may take in executions, in timeouts. */
const MAX_TIMEOUTS = 10;

const UNFINISHED = 'UNFINISHED';

/** Stops waiting after the time. In executions, nothing can end the request itself. */
async function finishedWithin(ms: number, request: Promise<unknown>): Promise<unknown> {
	const limit = AbortSignal.timeout(ms);
	let onAbort = () => {};
	const unfinished = new Promise<typeof UNFINISHED>((resolve) => {
		onAbort = () => resolve(UNFINISHED);
	});
	limit.addEventListener('abort', onAbort);
	try {
		return await Promise.race([request, unfinished]);
	} finally {
		// Until the time is over, the listener would hold the response in memory.
		limit.removeEventListener('abort', onAbort);
	}
}

/** Spaces as `%20`, because some servers read `+` as a plus sign. */
function queryString(query: ServiceRequest['query'] = []): string {
	const parameters = new URLSearchParams();
	for (const [name, value] of query) parameters.append(name, value);
	return query.length === 0 ? '' : `?${parameters.toString().replaceAll('+', '%20')}`;
}

/** n8n's helper drops an empty object or list, and members with names such as `__proto__`, but not those of JSON text. */
const bodyOptions = ({ body, custom }: ServiceRequest): Partial<IHttpRequestOptions> =>
	body !== undefined && (custom || Object.keys(body).length === 0)
		? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
		: { body };

/**
 * Only the code of a network error is kept: the rest may contain the API key. A UserError or NodeOperationError means that n8n
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
		if (code !== undefined) return CRYPTO_ERROR.test(code) ? NOT_DECRYPTED : { code };
	}
	return { code: 'NO_RESPONSE' };
}

/** n8n could not decrypt the credential. */
const CRYPTO_ERROR = /^ERR_(OSSL|CRYPTO)_/;

const NOT_DECRYPTED: ConnectionFailure = {
	code: 'NOT_SENT',
	reasons: ['n8n could not decrypt the credential.'],
};

export const isTlsError = (code: string): boolean => /CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code);
