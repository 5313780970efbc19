import type { IPollFunctions } from 'n8n-workflow';
import { operationError } from '../api/operationError';
import { budgetOf, DEFAULT_BUDGET_MS } from './pollClient';

/** Whether n8n runs this poll to activate the workflow; `maybe` if that can't be determined. */
type Activation = 'yes' | 'maybe' | 'no';

const polledContexts = new WeakSet<IPollFunctions>();

/**
 * Detects whether n8n runs this poll to activate the workflow: if the node throws in such a poll, n8n stops polling. Call it
 * once per poll, because it remembers the context.
 *
 * Normally, n8n uses one context for an activation and all polls after it. With a durable schedule (see `createMemory`), each
 * poll has a new context; its time budget is the default before n8n 2.38 and may differ from it since then. An activation
 * always has the default budget.
 *
 * - `no`: the context was polled before, or its budget isn't the default.
 * - `maybe`: the context's first poll, with the default budget and mode `update`: an activation, or a poll with a durable
 *   schedule.
 * - `yes`: as for `maybe`, but with any other mode.
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
