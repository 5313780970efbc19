import { type INode, NodeOperationError } from 'n8n-workflow';

/**
 * An error with exactly this message. n8n's constructor replaces any message that contains a name such as `ETIMEDOUT`, even
 * inside a word. The replacement advises turning on Retry On Fail, which makes the user pay again.
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
