import { type INode, NodeOperationError, UserError } from 'n8n-workflow';
import { asText } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';

/**
 * Sets an error's message and returns the error. n8n's constructors replace a message that contains an error code such as
 * `ETIMEDOUT`, even inside a word. The replacement for `ETIMEDOUT` advises turning on Retry On Fail, which would cost credits
 * again.
 */
export function withMessage<NodeError extends Error>(error: NodeError, message: string): NodeError {
	error.message = message;
	return error;
}

/** Creates an error of the node with exactly this message (see `withMessage`). */
export const operationError = (
	node: INode,
	message: string,
	description?: string,
): NodeOperationError =>
	withMessage(new NodeOperationError(node, message, { description }), message);

/** Calls a function and turns what it throws into a failure. */
export function toOutcome<Value>(call: () => Value): Outcome<Value> {
	try {
		return { value: call() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** Like `toOutcome`, for async functions. */
export async function toOutcomeAsync<Value>(call: () => Promise<Value>): Promise<Outcome<Value>> {
	try {
		return { value: await call() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** Converts what this node or n8n has thrown into a failure of kind `input`. A UserError may name the parameter at fault. */
export function toFailure(error: unknown): Failure {
	const message = error instanceof Error ? error.message : String(error);
	const field = error instanceof UserError ? asText(error.extra?.field) : undefined;
	return { kind: 'input', message, field };
}
