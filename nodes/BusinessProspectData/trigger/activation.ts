import { type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { budgetOf, DEFAULT_BUDGET_MS } from './pollClient';

/** Whether a poll is the one of an activation. */
export type Activation = 'yes' | 'maybe' | 'no';

const polledContexts = new WeakSet<IPollFunctions>();

/**
 * Detects the poll of an activation: n8n stops polling if the node throws there.
 *
 * - `no`: the context was polled before, or has a time budget of its own. n8n reuses one context for an activation and the
 *   polls after it.
 * - `maybe`: the first poll with mode `update`. It is an activation, or a poll of n8n's durable schedule, which makes a new
 *   context for each poll; since n8n 2.38 with its own budget, which may equal the default.
 * - `yes`: the first poll with any other mode.
 */
export function detectActivation(context: IPollFunctions): Activation {
	const isFirstPoll = !polledContexts.has(context);
	polledContexts.add(context);
	if (!isFirstPoll || budgetOf(context) !== DEFAULT_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/**
 * Makes a failed poll visible without stopping an activation: throws if the poll is none, creates a failed execution if it
 * may be one, and does nothing if it is one, since n8n's log has the failure.
 *
 * @throws NodeOperationError unless it may be an activation
 */
export function reportFailedPoll(
	context: IPollFunctions,
	message: string,
	activation: Activation,
): void {
	const error = new NodeOperationError(context.getNode(), message);
	if (activation === 'no') throw error;
	// Creates a failed execution, as n8n does when a poll throws, without affecting the activation.
	if (activation === 'maybe') context.__emitError(error);
}

/** Identifies a node in the memory of this process. */
export function nodeKeyOf(context: IPollFunctions): string {
	const { id, name } = context.getNode();
	return `${context.getWorkflow().id}/${id}/${name}`;
}
