import type { ServiceRequest } from './httpRequest';
import type { Failure, Outcome, ValidationIssue } from '../core/outcome';

/** What an answer means, and whether sending the request again can help. */
export interface Resolution {
	readonly outcome: Outcome<unknown>;
	/** `wait`: rate limit, all requests wait; `back-off`: the service failed; `no`: another try gives the same. */
	readonly retry: 'no' | 'wait' | 'back-off';
	/** How long the service asks to wait, milliseconds. */
	readonly waitMs?: number;
	/** Which other requests would fail in the same way; by default none. */
	readonly blocks?: Blocks;
}

/**
 * `everything`: all requests. `path`: those to the same path. `unproven-path`: those too, while none to it has succeeded.
 */
export type Blocks = 'everything' | 'path' | 'unproven-path';

/** An answer on its way to a verdict. */
export interface ReceivedResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: unknown;
	readonly request: ServiceRequest;
	/** Whether a request to the same path has succeeded in this run. */
	readonly pathSucceeded: boolean;
	/** The service's own words, if it gave any; with what stands between them and ours. */
	readonly said: string | undefined;
	readonly saying: string;
	/** What a validation error lists; absent when the answer is none. */
	readonly problems: readonly ValidationIssue[] | undefined;
	/** The verdict of a failure for which another try gives the same. */
	readonly failed: (kind: Failure['kind'], message: string, more?: Partial<Failure>) => Resolution;
}
