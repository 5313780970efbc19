/** What polls for events and for people share: creating clients, detecting activations, reporting failures, making items. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { type Client, createClient, type RequestOptions } from '../api/client';
import { operationError } from '../api/errors';
import type { JsonValue } from '../core/json';
import { SECOND_MS } from '../runtime/dates';

/** n8n's time budget for a poll unless the context has another one, in milliseconds. n8n doesn't enforce it. */
const DEFAULT_BUDGET_MS = 300_000;
/** Upper bound on the time in which a poll sends requests: polls may be a minute apart. */
const MAX_SEND_WINDOW_MS = 40_000;

/** The time that n8n allows this poll, in milliseconds. */
function budgetOf(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : undefined;
	return typeof budget === 'number' && budget > 0 ? budget : DEFAULT_BUDGET_MS;
}

/**
 * Creates a client whose requests stay within the time budget of one poll. In Fetch Test Event, it has no deadline: a user
 * waits for the result, and no later poll fetches the rest.
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
		// Even a request that is sent at the deadline then ends within the budget.
		timeout: Math.min(requestOptions.timeout, (budget - sendWindowMs) / SECOND_MS),
		deadline: isTest ? undefined : performance.now() + sendWindowMs,
	});
}

/**
 * Whether a poll is an activation: n8n runs it when it activates the workflow, and stops polling if the node throws. `maybe` if
 * that can't be determined.
 */
type Activation = 'yes' | 'maybe' | 'no';

const polledContexts = new WeakSet<IPollFunctions>();

/**
 * Detects whether a poll is an activation. Call it once per poll, because it remembers the context.
 *
 * By default, an activation and all polls after it share one context. With a durable schedule (see `createMemory`), each poll
 * has its own. Two more signs then help: a scheduled poll always has the activation mode `update`, and an activation always has
 * the default time budget, from which the budget of a scheduled poll may differ since n8n 2.38.
 *
 * - `no`: the context was polled before, or its budget isn't the default.
 * - `yes`: the first poll of a context, with the default budget, and with an activation mode other than `update`.
 * - `maybe`: the same, but with mode `update`: an activation, or a poll of a durable schedule.
 */
export function detectActivation(context: IPollFunctions): Activation {
	const isFirstPoll = !polledContexts.has(context);
	polledContexts.add(context);
	if (!isFirstPoll || budgetOf(context) !== DEFAULT_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/**
 * Reports a failed poll without failing an activation. If the poll isn't an activation, throws. If it may be one, creates a
 * failed execution. If it certainly is one, does nothing: the caller has logged the failure.
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

/** The rows of one response, and its `response_context`. */
interface ReceivedRows {
	readonly rows: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

/**
 * Converts selected rows, which must be the same objects as in `received`, to items. `outputOf` gets each row with the
 * `response_context` that came with it.
 */
export function toItems(
	selected: readonly IDataObject[],
	received: readonly ReceivedRows[],
	outputOf: (row: IDataObject, responseContext: JsonValue) => { readonly json: IDataObject },
): INodeExecutionData[] {
	const contextByRow = new Map(
		received.flatMap(({ rows, responseContext }) =>
			rows.map((row) => [row, responseContext] as const),
		),
	);
	return selected.map((row) => ({ json: outputOf(row, contextByRow.get(row)).json }));
}
