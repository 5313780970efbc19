/** What polls for events and for people share. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { type Client, createClient, type RequestOptions } from '../api/client';
import { operationError } from '../api/errors';
import type { JsonValue } from '../core/json';
import { SECOND_MS } from '../parameters/dates';

/** n8n's default time budget for a poll. */
const DEFAULT_BUDGET_MS = 300_000;
/** Less than a minute, the shortest polling interval. */
const MAX_SEND_WINDOW_MS = 40_000;

function budgetOf(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : undefined;
	return typeof budget === 'number' && budget > 0 ? budget : DEFAULT_BUDGET_MS;
}

/**
 * Creates the client of one poll. The client stops sending early enough to stay within n8n's time budget, except in Fetch Test
 * Event, where no later poll can fetch the rest.
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
		// Even a request that is sent at the deadline ends within the budget.
		timeout: Math.min(requestOptions.timeout, (budget - sendWindowMs) / SECOND_MS),
		deadline: isTest ? undefined : performance.now() + sendWindowMs,
	});
}

/** Whether n8n runs a poll to activate the workflow. If an activation throws, n8n doesn't start polling. */
type Activation = 'yes' | 'maybe' | 'no';

const polledContexts = new WeakSet<IPollFunctions>();

/**
 * Call this only once per poll: with the same context, a second call returns `no`.
 *
 * By default, an activation and its scheduled polls share one context, so only the first poll can be the activation. With a
 * durable schedule (see `createMemory`), each poll has its own context. Its scheduled polls have the mode `update`, and so does
 * an activation after an edit, so that mode means `maybe`. A time budget other than the default means `no`, because only
 * scheduled polls can have one.
 */
export function detectActivation(context: IPollFunctions): Activation {
	const isFirstPoll = !polledContexts.has(context);
	polledContexts.add(context);
	if (!isFirstPoll || budgetOf(context) !== DEFAULT_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/**
 * Reports a failed poll without failing an activation. The caller must log the failure, because nothing is reported if
 * `activation` is `yes`.
 *
 * @throws NodeOperationError if `activation` is `no`
 */
export function reportFailedPoll(
	context: IPollFunctions,
	message: string,
	activation: Activation,
): void {
	const error = operationError(context.getNode(), message);
	if (activation === 'no') throw error;
	// Creates a failed execution, as n8n does when a poll throws, but doesn't fail an activation.
	if (activation === 'maybe') context.__emitError(error);
}

interface ReceivedRows {
	readonly rows: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

/** Converts `selected` rows to items. The rows must be the objects in `received`, not copies. */
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
