import type { IPollFunctions } from 'n8n-workflow';
import { createClient } from '../api/client';
import type { Failure, Outcome } from '../core/outcome';
import { SECOND_MS } from '../core/time';
import { eventBatchConfig, type EventsResult } from '../events/query';
import { executeBatches } from '../runtime/batches';
import type { IdResult } from './selection';
import { watchedIdsParameter, type Settings } from './settings';

/** n8n's budget for polls outside its durable schedule, in milliseconds. n8n does not enforce it. */
export const DEFAULT_BUDGET_MS = 300_000;
/** Upper bound on the time in which a poll sends requests: polls may be a minute apart. */
const MAX_SEND_WINDOW_MS = 40_000;

/** The field of failures that concern a single ID. */
const FIELD = watchedIdsParameter.name;

const OUT_OF_TIME: Failure = {
	kind: 'stopped',
	message: 'This check ran out of time. The next check continues with the remaining IDs.',
};

/** The time that n8n allows this poll, in milliseconds. */
export function budgetOf(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : undefined;
	return typeof budget === 'number' && budget > 0 ? budget : DEFAULT_BUDGET_MS;
}

/**
 * Creates a fetcher of events within the time budget of one poll.
 *
 * @throws UserError or NodeOperationError when the credential is unusable
 */
export async function createEventFetcher(
	context: IPollFunctions,
	{ source, watch, requestContext, requestOptions }: Settings,
) {
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
	const batches = {
		...eventBatchConfig(source),
		// The queries differ only in their ID, so comparing thousands of them is unnecessary.
		groupKey: () => '',
		field: FIELD,
	};
	const skipIf = () => (Date.now() > deadline ? OUT_OF_TIME : undefined);
	return {
		/**
		 * Fetches the events of IDs since `from` (milliseconds), 40 IDs per request; outcomes are in the order of the IDs. Once
		 * the time has run out, the remaining IDs fail with the kind `stopped`, or with the failure of their last attempt.
		 */
		async fetch(ids: readonly string[], from: number): Promise<Array<Outcome<EventsResult>>> {
			// One millisecond earlier: the service returns only events after `timestamp_from`.
			const query = { types: watch.types, from: new Date(from - 1).toISOString(), requestContext };
			const queries = ids.map((id) => ({ ...query, id }));
			const results = await executeBatches(client, queries, batches, { skipIf });
			return results.map(({ outcome }) => outcome);
		},
		/** Ends all waits. */
		stop: client.stop,
	};
}

/**
 * What the outcomes mean for the sweep. IDs that ran out of time or hit the rate limit are omitted: they are still to be
 * queried. An ID that the service rejects, while it accepts others, has no events: a retry would not change that.
 */
export function toIdResults(
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
): IdResult[] {
	const anySucceeded = outcomes.some(({ failure }) => failure === undefined);
	return ids.flatMap((id, at): IdResult[] => {
		const { value, failure } = outcomes[at] ?? {};
		// A value beside a failure may lack events, so the ID is retried.
		if (failure === undefined) return value === undefined ? [] : [{ id, events: value.events }];
		if (failure.kind === 'stopped' || failure.kind === 'rateLimited') return [];
		const isRejected = anySucceeded && failure.kind === 'invalid' && failure.field === FIELD;
		return [isRejected ? { id, events: [] } : { id }];
	});
}
