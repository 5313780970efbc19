import { type INode, NodeOperationError } from 'n8n-workflow';

/**
 * An error with exactly this message. n8n's constructor replaces a message that contains a name such as `ETIMEDOUT`, even
 * inside a word, and then advises to turn on Retry On Fail, which pays again.
 */
export function operationError(
	node: INode,
	message: string,
	description?: string,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description });
	error.message = message;
	return error;
}
