import { type INode, NodeOperationError, UserError } from 'n8n-workflow';
import { asText } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';

/**
 * The error with exactly this message. n8n's constructors replace a message that contains an error code such as `ETIMEDOUT`,
 * even inside a word. The replacement for `ETIMEDOUT` advises turning on Retry On Fail, which would cost credits again.
 */
export function withMessage<NodeError extends Error>(error: NodeError, message: string): NodeError {
	error.message = message;
	return error;
}

/** An error of the node with exactly this message. */
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

/** Converts what was thrown, by this node or by n8n, into a failure. A UserError may name the parameter at fault. */
export function toFailure(error: unknown): Failure {
	const message = error instanceof Error ? error.message : String(error);
	const field = error instanceof UserError ? asText(error.extra?.field) : undefined;
	return { kind: 'input', message, field };
}
