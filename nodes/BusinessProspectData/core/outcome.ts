import type { IDataObject } from 'n8n-workflow';

export type FailureKind =
	/** This node rejected a value, a trigger's filters match too many people, or the code threw an unexpected exception. */
	| 'input'
	/** Requesting the records would have exceeded Max Records to Pay or Max Credits to Pay. */
	| 'overLimit'
	/** The service rejected values or records in the request. */
	| 'invalid'
	/** The service did not accept the API key, or the credential can't be used. */
	| 'unauthorized'
	/** The account has no access to the endpoint or record. */
	| 'forbidden'
	/** The account has no credits left, or has used up Max Credits per Month. */
	| 'outOfCredits'
	/** The service has no such endpoint or record, or found nothing for the request. */
	| 'notFound'
	| 'rateLimited'
	/** The service failed, or rejected the request for a reason that has no kind of its own. */
	| 'server'
	/** The HTTP status is a success, but the body reports a failure. */
	| 'reported'
	/** The response is not the expected data. */
	| 'unreadable'
	/** The service responded with a redirect, which isn't followed. */
	| 'redirect'
	/** The service has not received the request. */
	| 'unreachable'
	/** The request's outcome is unknown: the service may have processed it. */
	| 'noResponse'
	/** The execution was cancelled, another failure stopped the run, or a poll ran out of time. */
	| 'stopped';

/** An entry of a validation error (contract: Errors). */
export interface ValidationIssue {
	/** Member of the body at fault. For an issue outside the body: `header`, `query`, `path` or `cookie`. */
	readonly member?: string;
	/** Position in the member's list, from 0. */
	readonly index?: number;
	/** If the issue is about a part of a list entry, the message begins with the path inside the entry. */
	readonly message: string;
}

/** A value rather than an exception, so that one failed item doesn't stop the others. */
export interface Failure {
	readonly kind: FailureKind;
	/** What happened and what to do. Must not contain the API key. */
	readonly message: string;
	/** The part of the message that an AI agent can follow, too. By default, all of it. */
	readonly forAgent?: string | undefined;
	/** Name of the parameter at fault, as workflows save it. */
	readonly field?: string;
	readonly status?: number;
	readonly correlationId?: string;
	/** How long the service says to wait. */
	readonly retryAfterMs?: number;
	/** True if other rows would fail in the same way, because of the credential or the account. */
	readonly isAboutAllRows?: boolean;
	/** True if the request counts as a lost response: it may have been charged. */
	readonly isLostResponse?: boolean;
	readonly issues?: readonly ValidationIssue[];
	readonly details?: FailureDetails;
}

/** Further members of an error item's `error` object. The failure's own members take the excluded names. */
export type FailureDetails = IDataObject & {
	readonly [Taken in 'message' | 'field' | 'status' | 'correlation_id']?: never;
};

/** A result, a failure, or a failure with a partial result. */
export type Outcome<Value> =
	| { readonly value: Value; readonly failure?: undefined }
	| { readonly value: Value; readonly failure: Failure }
	| { readonly value?: undefined; readonly failure: Failure };

export const rootCause = <Failed extends { readonly failure: Failure }>(
	failed: readonly Failed[],
): Failed | undefined => failed.find(({ failure }) => failure.kind !== 'stopped') ?? failed[0];

/** Tells people what to do about a run. The editor shows only the one about the most rows. */
export interface Advice {
	readonly rows: number;
	readonly message: string;
	/** The part of the message that an AI agent can follow, too. By default, all of it. */
	readonly forAgent?: string;
}

/** Advice that comes before any about single rows. */
export const aboutRun = (message: string, forAgent = message): Advice => ({
	rows: Infinity,
	message,
	forAgent,
});
