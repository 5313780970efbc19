import type { Failure, FailureKind } from '../core/outcome';

/** Before a retry, `throttled` makes all requests wait, `transient` only the failed one. */
export type Retry = 'throttled' | 'transient' | 'none';

/**
 * Which other requests are expected to fail the same way, and aren't sent. `pathUntilSuccess` has no effect on a path to which a
 * request has succeeded. `pathIfRepeated` needs several lost responses without a success in between, and affects only requests
 * that aren't safe to retry.
 */
export type Blocks = 'everything' | 'path' | 'pathUntilSuccess' | 'pathIfRepeated';

export interface ResponseRule {
	readonly kind: FailureKind;
	/** `none` by default. */
	readonly retry?: Retry;
	readonly blocks?: Blocks;
	/** Fewer than usual, if more hardly help. */
	readonly maxTries?: number;
	/** `{method}`, `{path}`, `{lack}` and `{seconds}` stand for the request's method, path, expectation and timeout. */
	readonly problem: string;
	readonly advice: string;
}

export const MAYBE_CHARGED = 'The service may have processed the request and charged for it.';

export const NOT_RETRIED =
	'The service may have processed the request and charged for it, so it was not sent again. Check your credit usage before you run these rows again.';

export const CANCELLED: Failure = {
	kind: 'stopped',
	message: `The execution was stopped before the response arrived. ${MAYBE_CHARGED}`,
};

export const NOT_SENT: Failure = {
	kind: 'stopped',
	message: 'This request was not sent because the execution was stopped.',
};

const TRY_LATER = 'Try again later.';

export const RULES = {
	redirect: {
		kind: 'redirect',
		blocks: 'pathUntilSuccess',
		problem: 'The address in Base URL redirects to another one',
		advice:
			"The redirect was not followed, so that the API key isn't sent to another address. Enter the service's own address as Base URL in the credential.",
	},
	wrongKey: {
		kind: 'unauthorized',
		blocks: 'everything',
		problem: 'The service did not accept the API key',
		advice: 'Check API Key, and Tenant if you use one, in the credential.',
	},
	noCredits: {
		kind: 'outOfCredits',
		blocks: 'path',
		problem: 'The account has no credits left for this request, or may not make it now',
		advice: "Check the account's credits and status on the service's account page, then try again.",
	},
	/** The account has access to a path to which a request has succeeded, so a 403 doesn't block that path. */
	notAllowed: {
		kind: 'forbidden',
		blocks: 'pathUntilSuccess',
		problem: 'The account is not allowed to make this request',
		advice: 'Check what your plan includes, and Tenant in the credential.',
	},
	firewall: {
		kind: 'forbidden',
		blocks: 'pathUntilSuccess',
		problem: 'A web page instead of the service answered, probably of a firewall or proxy',
		advice:
			'Ask who runs the network or the service to let n8n through. Also check Base URL in the credential.',
	},
	recordDenied: {
		kind: 'forbidden',
		problem: 'The service denies access to this record',
		advice:
			"Remove this value, or ask the service's support for the reason. If every value fails like this, check what your plan includes, and Tenant in the credential.",
	},
	noEndpoint: {
		kind: 'notFound',
		blocks: 'pathUntilSuccess',
		problem: 'The service does not know the address {path}',
		advice:
			"Check Base URL in the credential: it is the service's address without /v1. If other operations work, this one isn't available to your account.",
	},
	noRecord: {
		kind: 'notFound',
		problem: 'The service has no such record',
		advice: 'Check the value. If every value fails like this, check Base URL in the credential.',
	},
	/** The path is known to exist, because another request to it has succeeded. */
	nothingFound: {
		kind: 'notFound',
		problem: 'The service found nothing for this request',
		advice:
			'Other requests of this kind succeeded, so Base URL is correct. Check the values, or run them again later.',
	},
	customNothingFound: {
		kind: 'notFound',
		problem: 'The service found nothing at {path}',
		advice: 'Check Method, Path and Query Parameters, and Base URL in the credential.',
	},
	tooLarge: {
		kind: 'server',
		problem: 'The request was too large for the service',
		advice:
			'Send fewer IDs or filter values, or lower Batch Size under Options if the operation has it.',
	},
	invalid: {
		kind: 'invalid',
		problem: 'The service rejected the request',
		advice: 'Correct this and try again.',
	},
	/** The only headers that users can change are those of the credential. */
	invalidHeader: {
		kind: 'invalid',
		problem: 'The service rejected the request',
		advice: 'Check API Key, and Tenant if you use one, in the credential.',
	},
	clientError: {
		kind: 'server',
		problem: 'The service rejected the request',
		advice: "Check the node's parameters, and Base URL in the credential.",
	},
	/** The client may add advice about Max Wait. */
	throttled: {
		kind: 'rateLimited',
		retry: 'throttled',
		problem: 'The account has reached its rate limit',
		advice: '',
	},
	failed: { kind: 'server', problem: 'The service failed', advice: TRY_LATER },
	temporarilyFailed: {
		kind: 'server',
		retry: 'transient',
		problem: 'The service failed',
		advice: TRY_LATER,
	},
	/** Reported by the service, or by a proxy in front of it. */
	reportedTimeout: {
		kind: 'noResponse',
		retry: 'transient',
		problem: 'The service did not respond in time',
		advice: TRY_LATER,
	},
	timeout: {
		kind: 'noResponse',
		retry: 'transient',
		problem: 'The service did not respond within {seconds} seconds',
		advice: TRY_LATER,
	},
	/** Not retried: the service may never finish. */
	unfinished: {
		kind: 'noResponse',
		problem: 'The response was still incomplete after 20 minutes',
		advice: TRY_LATER,
	},
	connectionLost: {
		kind: 'noResponse',
		retry: 'transient',
		problem: 'The connection was lost before the response was complete',
		advice: TRY_LATER,
	},
	unreachable: {
		kind: 'unreachable',
		retry: 'transient',
		problem: 'The service could not be reached',
		advice: 'Check Base URL in the credential, and whether the service is up.',
	},
	proxyLogin: {
		kind: 'unreachable',
		problem: 'The proxy between n8n and the service did not accept n8n',
		advice: "Ask your n8n admin to check the proxy's address and login.",
	},
	/** The host's name can't be looked up, either now or because it is wrong. */
	unresolvedHost: {
		kind: 'unreachable',
		retry: 'transient',
		maxTries: 2,
		problem: 'The address in Base URL could not be looked up',
		advice: 'Check Base URL in the credential, and whether this n8n can reach the internet.',
	},
	unknownHost: {
		kind: 'unreachable',
		problem: 'No server was found at the address in Base URL',
		advice: 'Check Base URL in the credential.',
	},
	insecure: {
		kind: 'unreachable',
		problem: 'A secure connection to the service could not be established',
		advice:
			"Check the spelling of Base URL in the credential. On a company network, ask your admin to make n8n trust the network's certificate.",
	},
	notSent: {
		kind: 'unreachable',
		problem: 'n8n did not send the request',
		advice:
			'Check the credential, and whether n8n may send requests to its Base URL. Then run these rows again.',
	},
	webPage: {
		kind: 'unreadable',
		problem: 'The service responded with a web page instead of data',
		advice: 'Check Base URL in the credential; if it is correct, try again later.',
	},
	invalidJson: {
		kind: 'unreadable',
		problem: 'The response is incomplete or not valid JSON',
		advice: "Try again later. If it persists, report it to the service's support.",
	},
	customNotJson: {
		kind: 'unreadable',
		problem: 'The response is a file or text, not JSON',
		advice:
			"Use n8n's HTTP Request node for it, with a Header Auth credential whose name is api_key.",
	},
	/** It may come from a gateway, for example during maintenance. */
	unexpected: {
		kind: 'unreadable',
		problem: '{lack}',
		advice: 'Try again later. If it persists, check Base URL in the credential.',
	},
	emptyBody: {
		kind: 'unreadable',
		problem: 'The service sent an empty response',
		advice: TRY_LATER,
	},
	reportedFailure: {
		kind: 'reported',
		problem: 'The service reports that the request failed',
		advice: "Try again later. If it persists, send the correlation_id to the service's support.",
	},
} satisfies Record<string, ResponseRule>;

/**
 * The keys are HTTP statuses and error codes of failed connections. Some proxies send 520 to 524, 598 or 599 if they get no
 * proper response from the service.
 */
export const RULES_BY_CODE: Readonly<Record<string, ResponseRule>> = {
	'3xx': RULES.redirect,
	401: RULES.wrongKey,
	402: RULES.noCredits,
	403: RULES.notAllowed,
	404: RULES.noEndpoint,
	407: RULES.proxyLogin,
	408: RULES.reportedTimeout,
	413: RULES.tooLarge,
	422: RULES.invalid,
	429: RULES.throttled,
	'4xx': RULES.clientError,
	500: RULES.temporarilyFailed,
	502: RULES.temporarilyFailed,
	503: RULES.temporarilyFailed,
	504: RULES.reportedTimeout,
	520: RULES.connectionLost,
	521: RULES.unreachable,
	522: RULES.reportedTimeout,
	523: RULES.unreachable,
	524: RULES.reportedTimeout,
	598: RULES.reportedTimeout,
	599: RULES.reportedTimeout,
	'5xx': RULES.failed,
	NOT_SENT: RULES.notSent,
	NO_RESPONSE: RULES.connectionLost,
	UNFINISHED: RULES.unfinished,
	ECONNREFUSED: RULES.unreachable,
	EAI_AGAIN: RULES.unresolvedHost,
	EHOSTUNREACH: RULES.unreachable,
	ENETUNREACH: RULES.unreachable,
	ENOTFOUND: RULES.unknownHost,
	ECONNABORTED: RULES.timeout,
	ETIMEDOUT: RULES.timeout,
	// From the signal of the total timeout. For a cancelled execution, the client returns `CANCELLED` instead.
	ERR_CANCELED: RULES.timeout,
};
