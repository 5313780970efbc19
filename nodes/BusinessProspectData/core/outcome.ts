import type { IDataObject } from 'n8n-workflow';

export type FailureKind =
	/** This node rejected a value, a trigger's search matches too many people, or an error was thrown. */
	| 'input'
	/** The records were not requested, because the run would have exceeded Max Records to Pay. */
	| 'overLimit'
	/** The service rejected a value, or named records that it denies or lacks. The other records can be requested without them. */
	| 'invalid'
	/** The service did not accept the API key, or the credential can't be used. */
	| 'unauthorized'
	/** The account has no credits left, or no access to the endpoint or record. */
	| 'forbidden'
	/** The service has no such endpoint or record, or found nothing for the request. */
	| 'notFound'
	| 'rateLimited'
	/** The service failed (most 5xx), or rejected the request for a reason that has no kind of its own (most 4xx). */
	| 'server'
	/** The HTTP status is a success, but the body reports a failure of the request or of one record. */
	| 'reported'
	/** The response is not the expected data. */
	| 'unreadable'
	/** The service responded with a redirect, which isn't followed. */
	| 'redirect'
	/** The service has not received the request. */
	| 'unreachable'
	/** The response was lost: the service may have processed the request. */
	| 'noResponse'
	/** The execution was stopped, or a poll ran out of time, before the request was sent or its response arrived. */
	| 'stopped';

/** One entry of a validation error (contract: Errors). */
export interface ValidationIssue {
	/** Member of the body at fault. For an issue outside the body: `header`, `query`, `path` or `cookie`. */
	readonly member?: string;
	/** Position, from 0, in the member, if that is a list. Without a member: position in the request's `recordLabels`. */
	readonly index?: number;
	/** What is wrong. For a part of a list entry, it begins with the path inside the entry. */
	readonly message: string;
}

/**
 * Why a result is missing or incomplete. A value rather than an exception, so that one failed item or request doesn't
 * end the others.
 */
export interface Failure {
	readonly kind: FailureKind;
	/** What happened and what to do. Complete by itself: an AI agent sees nothing else. Never contains the API key. */
	readonly message: string;
	/** Name of the parameter at fault, as workflows save it. */
	readonly field?: string;
	/** HTTP status of the response, if there was one. */
	readonly status?: number;
	readonly correlationId?: string;
	/** True if the failure is about the request's only record, not about the request itself. */
	readonly isAboutRecord?: boolean;
	readonly issues?: readonly ValidationIssue[];
	readonly details?: FailureDetails;
}

/** Further members of the error item. The excluded names are those that the item uses for the failure's own members. */
export type FailureDetails = IDataObject & {
	readonly [Taken in 'message' | 'field' | 'status' | 'correlation_id']?: never;
};

/** A result, a failure, or a failure with what was received before it. */
export type Outcome<Value> =
	| { readonly value: Value; readonly failure?: undefined }
	| { readonly value: Value; readonly failure: Failure }
	| { readonly value?: undefined; readonly failure: Failure };

/** The first root cause; a `stopped` entry only when there is no other. Undefined for an empty list. */
export const rootCause = <Failed extends { readonly failure: Failure }>(
	failed: readonly Failed[],
): Failed | undefined => failed.find(({ failure }) => failure.kind !== 'stopped') ?? failed[0];
