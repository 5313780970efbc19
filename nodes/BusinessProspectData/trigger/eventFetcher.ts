import type { IPollFunctions } from 'n8n-workflow';
import { createClient } from '../api/client';
import type { Outcome } from '../core/outcome';
import { fetchEvents } from './fetch';
import type { EventsResult } from '../events/query';
import type { Settings } from './settings';

/** What n8n gives a poll that is not one of its durable schedule, in milliseconds; it does not hold a poll to it. */
export const DEFAULT_BUDGET_MS = 300_000;
/** Polls are at least a minute apart; a poll starts no request that late. */
const MAX_START_MS = 40_000;

/** How long this poll may take in all, milliseconds. */
export function budgetOf(context: IPollFunctions): number {
	const told: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : undefined;
	return typeof told === 'number' && told > 0 ? told : DEFAULT_BUDGET_MS;
}

/** Asks the service within the time of a poll. */
export interface EventFetcher {
	/** An outcome for each id, in their order. `from` in milliseconds. */
	fetch(ids: readonly string[], from: number): Promise<ReadonlyArray<Outcome<EventsResult>>>;
	/** Ends all waiting. */
	stop(): void;
}

/** @throws UserError or NodeOperationError when the credential cannot be used */
export async function createEventFetcher(
	context: IPollFunctions,
	settings: Settings,
): Promise<EventFetcher> {
	const { source, watch, requestContext, client: wanted } = settings;
	const budget = budgetOf(context);
	const starting = Math.min(Math.floor(budget / 2), MAX_START_MS);
	const deadline = Date.now() + starting;
	// A request that starts last still ends within the budget.
	const client = await createClient(context, {
		...wanted,
		maxWait: Math.min(wanted.maxWait, starting / 1000),
		withoutOptions: true,
		timeout: Math.min(wanted.timeout, (budget - starting) / 1000),
	});
	return {
		async fetch(ids, from) {
			// A millisecond earlier, since the service takes only what comes after.
			const after = new Date(from - 1).toISOString();
			const question = { types: watch.types, from: after, requestContext };
			return await fetchEvents(client, source, ids, question, deadline);
		},
		stop: client.stop,
	};
}
