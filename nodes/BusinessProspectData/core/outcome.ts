import type { IDataObject } from 'n8n-workflow';

/** What kind of trouble a failure is; decides whether a batch is split and whether further requests are still sent. */
export type FailureKind =
	| 'input'
	| 'invalid'
	| 'unauthorized'
	| 'forbidden'
	| 'notFound'
	| 'rateLimited'
	| 'server'
	| 'reported'
	| 'unreadable'
	| 'redirect'
	| 'unreachable'
	| 'noAnswer'
	| 'stopped';

/** One entry of a validation error (contract: Errors). */
export interface ValidationIssue {
	/** The member of the request that it is about, and the place in it where that is a list. */
	readonly member?: string;
	readonly index?: number;
	/** What is wrong, and where inside the entry of the list. */
	readonly message: string;
}

/**
 * Why there is no result, or not the whole of it. A value rather than an exception, so that the failure of one item
 * or request cannot end the others.
 */
export interface Failure {
	readonly kind: FailureKind;
	/** What went wrong and what to do, complete by itself: an AI agent sees nothing else. Never holds the API key. */
	readonly message: string;
	/** Saved name of the parameter at fault. */
	readonly field?: string;
	/** HTTP status. */
	readonly status?: number;
	readonly correlationId?: string;
	readonly issues?: readonly ValidationIssue[];
	readonly details?: FailureDetails;
}

/** What else the error item holds, under names that are not taken by the other members of a failure. */
export type FailureDetails = IDataObject & {
	readonly [Taken in 'message' | 'field' | 'status' | 'correlation_id']?: never;
};

/** A result, a failure, or both: what was received before the failure. */
export type Outcome<Value> =
	| { readonly value: Value; readonly failure?: undefined }
	| { readonly value: Value; readonly failure: Failure }
	| { readonly value?: undefined; readonly failure: Failure };

/** Of what failed, the first that does not merely say that something else failed before. */
export const rootCause = <Failed extends { readonly failure: Failure }>(
	failed: readonly Failed[],
): Failed | undefined => failed.find(({ failure }) => failure.kind !== 'stopped') ?? failed[0];
