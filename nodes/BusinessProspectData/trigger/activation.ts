import type { IPollFunctions } from 'n8n-workflow';
import { operationError } from '../api/operationError';
import { budgetOf, DEFAULT_BUDGET_MS } from './pollClient';

/** Whether a poll is that of an activation. */
type Activation = 'yes' | 'maybe' | 'no';

const polledContexts = new WeakSet<IPollFunctions>();

/**
 * Detects the poll of an activation: n8n stops polling if the node throws there. Call it once per poll: it remembers the
 * context.
 *
 * - `no`: the context was polled before, or its time budget isn't the default. By default, n8n reuses one context for an
 *   activation and the polls after it. Only polls with a durable schedule (see `createMemory`) have another budget, and an
 *   activation never has one.
 * - `maybe`: the first poll with mode `update`. It is an activation or, with a durable schedule, any poll: each has a new
 *   context there. Their budget is the default before n8n 2.38, and may still equal it since.
 * - `yes`: the first poll with any other mode.
 */
export function detectActivation(context: IPollFunctions): Activation {
	const isFirstPoll = !polledContexts.has(context);
	polledContexts.add(context);
	if (!isFirstPoll || budgetOf(context) !== DEFAULT_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/**
 * Reports a failed poll without failing an activation. If the poll isn't an activation, throws. If it may be one, creates a
 * failed execution. If it certainly is one, does nothing, because n8n's log has the failure.
 *
 * @throws NodeOperationError if the poll isn't an activation
 */
export function reportFailedPoll(
	context: IPollFunctions,
	message: string,
	activation: Activation,
): void {
	const error = operationError(context.getNode(), message);
	if (activation === 'no') throw error;
	// Creates a failed execution, as n8n does when a poll throws, without affecting the activation.
	if (activation === 'maybe') context.__emitError(error);
}
