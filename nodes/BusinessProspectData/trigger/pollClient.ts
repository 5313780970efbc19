import type { IPollFunctions } from 'n8n-workflow';
import { type Client, createClient, type RequestOptions } from '../api/client';
import { operationError } from '../api/errors';
import { SECOND_MS } from '../runtime/dates';

/** n8n's time budget for polls without a durable schedule (see `createMemory`), in milliseconds. n8n doesn't enforce it. */
const DEFAULT_BUDGET_MS = 300_000;
/** Upper bound on the time in which a poll sends requests: polls may be a minute apart. */
const MAX_SEND_WINDOW_MS = 40_000;

/** The time that n8n allows this poll, in milliseconds. */
function budgetOf(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : undefined;
	return typeof budget === 'number' && budget > 0 ? budget : DEFAULT_BUDGET_MS;
}

/**
 * Creates a client whose requests stay within the time budget of one poll. In a test, it has no deadline: a user waits for
 * the result, and no later poll fetches the rest.
 *
 * @throws UserError or NodeOperationError when the credential is unusable
 */
export async function createPollClient(
	context: IPollFunctions,
	requestOptions: RequestOptions,
): Promise<Client> {
	const budget = budgetOf(context);
	const sendWindowMs = Math.min(Math.floor(budget / 2), MAX_SEND_WINDOW_MS);
	const isTest = context.getMode() === 'manual';
	return await createClient(context, {
		...requestOptions,
		maxWait: Math.min(requestOptions.maxWait, sendWindowMs / SECOND_MS),
		omitOptionAdvice: true,
		// The last request sent still ends within the budget.
		timeout: Math.min(requestOptions.timeout, (budget - sendWindowMs) / SECOND_MS),
		deadline: isTest ? undefined : performance.now() + sendWindowMs,
	});
}

/** Whether n8n runs this poll to activate the workflow; `maybe` if that can't be determined. */
type Activation = 'yes' | 'maybe' | 'no';

const polledContexts = new WeakSet<IPollFunctions>();

/**
 * Detects whether n8n runs this poll to activate the workflow: if the node throws in such a poll, n8n stops polling. Call it
 * once per poll, because it remembers the context.
 *
 * Normally, n8n uses one context for an activation and all polls after it. With a durable schedule (see `createMemory`), each
 * poll has a new context, always with activation mode `update`; its time budget is the default before n8n 2.38 and may differ
 * from it since then. An activation always has the default budget.
 *
 * - `no`: the context was polled before, or its budget isn't the default.
 * - `maybe`: the context's first poll, with the default budget and activation mode `update`: an activation, or a poll with a
 *   durable schedule.
 * - `yes`: as for `maybe`, but with any other activation mode.
 */
export function detectActivation(context: IPollFunctions): Activation {
	const isFirstPoll = !polledContexts.has(context);
	polledContexts.add(context);
	if (!isFirstPoll || budgetOf(context) !== DEFAULT_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/**
 * Reports a failed poll without failing an activation. If the poll isn't an activation, throws. If it may be one, creates a
 * failed execution. If it certainly is one, does nothing: callers have logged the failure.
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
