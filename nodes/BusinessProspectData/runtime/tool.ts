import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether the node runs as a tool of an AI agent: n8n's `isToolExecution` denies it under newer agents. */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool');

/**
 * Whether the first failure is thrown and ends the run. A tool is to be set to stop for that: n8n lets an agent go on
 * otherwise, and of what was thrown a newer agent gets the message alone, an older one nothing.
 */
export function stopsAtFailure(context: IExecuteFunctions): boolean {
	if (context.continueOnFail()) return false;
	return !isTool(context) || context.getNode().onError === 'stopWorkflow';
}
