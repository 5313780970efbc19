import { type INode, NodeOperationError } from 'n8n-workflow';

/**
 * The error with exactly this message. n8n's constructors replace a message that contains a name such as `ETIMEDOUT`, even
 * inside a word, and then advise turning on Retry On Fail, which pays again.
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
