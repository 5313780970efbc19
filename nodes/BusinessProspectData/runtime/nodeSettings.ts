import type { IExecuteFunctions } from 'n8n-workflow';

/** True if the node runs as a tool of an AI agent. With newer agents, n8n's `isToolExecution` returns false. */
export const isToolNode = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool');

/**
 * True if the first failure ends the run. A tool stops only if its On Error is set to stop: by default, n8n lets an agent
 * go on. Newer agents get only the message of a thrown error, older ones nothing.
 */
export function stopsOnFailure(context: IExecuteFunctions): boolean {
	if (context.continueOnFail()) return false;
	return !isToolNode(context) || context.getNode().onError === 'stopWorkflow';
}
