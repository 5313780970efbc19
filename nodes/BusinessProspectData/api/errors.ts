import { type INode, type NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import { asText } from '../core/json';
import type { Failure, FailureKind, Outcome } from '../core/outcome';

type NodeError = NodeApiError | NodeOperationError;
type Cause = NonNullable<NodeError['failure']>['cause'];

/** Why an operation failed, in n8n's terms: newer versions decide by it when to try again. */
const CAUSES: Readonly<Partial<Record<FailureKind, Cause>>> = {
	input: 'configuration-invalid',
	overLimit: 'configuration-invalid',
	invalid: 'configuration-invalid',
	forbidden: 'configuration-invalid',
	notFound: 'configuration-invalid',
	redirect: 'configuration-invalid',
	unauthorized: 'credential-invalid',
	outOfCredits: 'quota-exhausted',
	rateLimited: 'rate-limited',
	server: 'temporarily-unavailable',
	reported: 'temporarily-unavailable',
	unreadable: 'temporarily-unavailable',
	unreachable: 'temporarily-unavailable',
	noResponse: 'temporarily-unavailable',
};

type Declared = Pick<Failure, 'kind' | 'message' | 'retryAfterMs'>;

/**
 * Declares the cause, and restores the message: the constructors of n8n's node errors replace one that contains an error code such
 * as `ETIMEDOUT`, even inside a word. The replacement for `ETIMEDOUT` advises turning on Retry On Fail, which can cost credits again.
 */
export function declared<Declaring extends NodeError>(
	error: Declaring,
	message: string,
	{ kind, retryAfterMs }: Omit<Declared, 'message'>,
): Declaring {
	error.message = message;
	const cause = CAUSES[kind];
	if (cause === 'rate-limited') error.failure = { cause, retryAfterMs };
	else if (cause !== undefined) error.failure = { cause };
	return error;
}

export const operationError = (
	node: INode,
	failure: Declared,
	description?: string,
): NodeOperationError =>
	declared(
		new NodeOperationError(node, failure.message, { description }),
		failure.message,
		failure,
	);

/** Wraps an error that nothing has turned into a failure. */
export const toNodeError = (node: INode, error: unknown): Error =>
	error instanceof NodeOperationError ? error : operationError(node, toFailure(error));

export function toOutcome<Value>(call: () => Value): Outcome<Value> {
	try {
		return { value: call() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

export async function toOutcomeAsync<Value>(call: () => Promise<Value>): Promise<Outcome<Value>> {
	try {
		return { value: await call() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** The engine's own message would be "Maximum call stack size exceeded". */
const TOO_DEEP = 'A value is nested too deeply to be read. Check the data of this row.';

/** A UserError may name the parameter at fault in `extra.field`, and its text for AI agents in `extra.forAgent`. */
export function toFailure(error: unknown): Failure {
	if (error instanceof Error && error.name === 'RangeError') {
		return { kind: 'unreadable', message: TOO_DEEP };
	}
	const message = error instanceof Error ? error.message : String(error);
	const { field, forAgent } = error instanceof UserError ? (error.extra ?? {}) : {};
	return { kind: 'input', message, field: asText(field), forAgent: asText(forAgent) };
}
