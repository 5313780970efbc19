import { type INode, NodeOperationError, UserError } from 'n8n-workflow';
import { asText } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';

/**
 * The constructors of n8n's node errors replace a message that contains an error code such as `ETIMEDOUT`, even inside a word.
 * The replacement for `ETIMEDOUT` advises turning on Retry On Fail, which can cost credits again.
 */
export function withMessage<NodeError extends Error>(error: NodeError, message: string): NodeError {
	error.message = message;
	return error;
}

export const operationError = (
	node: INode,
	message: string,
	description?: string,
): NodeOperationError =>
	withMessage(new NodeOperationError(node, message, { description }), message);

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

/** A UserError may name the parameter at fault in `extra.field`. */
export function toFailure(error: unknown): Failure {
	if (error instanceof Error && error.name === 'RangeError') {
		return { kind: 'unreadable', message: TOO_DEEP };
	}
	const message = error instanceof Error ? error.message : String(error);
	const field = error instanceof UserError ? asText(error.extra?.field) : undefined;
	return { kind: 'input', message, field };
}
