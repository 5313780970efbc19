import type { IPollFunctions } from 'n8n-workflow';
import { type Client, createClient, type RequestOptions, type SkipIf } from '../api/client';
import type { Failure } from '../core/outcome';
import { SECOND_MS } from '../core/time';

/** n8n's time budget for polls without a durable schedule (see `createMemory`), in milliseconds. n8n doesn't enforce it. */
export const DEFAULT_BUDGET_MS = 300_000;
/** Upper bound on the time in which a poll sends requests: polls may be a minute apart. */
const MAX_SEND_WINDOW_MS = 40_000;

const OUT_OF_TIME: Failure = {
	kind: 'stopped',
	message: 'This check ran out of time. The next check continues where it stopped.',
};

/** The time that n8n allows this poll, in milliseconds. */
export function budgetOf(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : undefined;
	return typeof budget === 'number' && budget > 0 ? budget : DEFAULT_BUDGET_MS;
}

/**
 * A client for one poll. `skipIf` returns a failure of the kind `stopped` once the poll has no time left for requests; in a
 * test, never.
 */
interface PollClient {
	readonly client: Client;
	readonly skipIf: SkipIf;
}

/**
 * Creates a client whose requests stay within the time budget of one poll.
 *
 * @throws UserError or NodeOperationError when the credential is unusable
 */
export async function createPollClient(
	context: IPollFunctions,
	requestOptions: RequestOptions,
): Promise<PollClient> {
	const budget = budgetOf(context);
	const sendWindowMs = Math.min(Math.floor(budget / 2), MAX_SEND_WINDOW_MS);
	const deadline = Date.now() + sendWindowMs;
	const client = await createClient(context, {
		...requestOptions,
		maxWait: Math.min(requestOptions.maxWait, sendWindowMs / SECOND_MS),
		omitOptionAdvice: true,
		// The last request sent still ends within the budget.
		timeout: Math.min(requestOptions.timeout, (budget - sendWindowMs) / SECOND_MS),
	});
	// A user waits for a test in the editor, and no later poll continues it.
	const isTest = context.getMode() === 'manual';
	return { client, skipIf: () => (!isTest && Date.now() > deadline ? OUT_OF_TIME : undefined) };
}
