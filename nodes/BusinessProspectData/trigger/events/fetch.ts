import type { IPollFunctions } from 'n8n-workflow';
import type { Failure, Outcome } from '../../core/outcome';
import { eventBatchConfig, type EventsResult } from '../../events/query';
import { executeBatches } from '../../runtime/batches';
import { createPollClient } from '../pollClient';
import type { IdResult } from './selection';
import { watchedIdsParameter } from '../parameters';
import type { EventsSettings } from './settings';

/** The field of failures that concern a single ID. */
const FIELD = watchedIdsParameter.name;

/**
 * Creates a fetcher of events that stays within the time budget of one poll.
 *
 * @throws UserError or NodeOperationError when the credential is unusable
 */
export async function createEventFetcher(
	context: IPollFunctions,
	{ source, watch, requestContext, requestOptions }: EventsSettings,
) {
	const { client, skipIf } = await createPollClient(context, requestOptions);
	const batches = {
		...eventBatchConfig(source),
		// The queries differ only in their ID, so comparing thousands of them is unnecessary.
		groupKey: () => '',
		parameterName: FIELD,
	};
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

/** True if the service rejected this ID, rather than the request. */
const isRejectedId = ({ kind, field, isAboutRecord = false }: Failure): boolean =>
	isAboutRecord || (kind === 'invalid' && field === FIELD);

/**
 * Converts outcomes to results for the sweep. Omits IDs whose query ran out of time or hit the rate limit: they are still to be
 * queried. An ID that the service rejects while it accepts others counts as having no events, because a retry wouldn't change
 * that.
 *
 * @param othersAccepted whether the sweep's earlier polls show that the service accepts other IDs
 */
export function toIdResults(
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
	othersAccepted: boolean,
): IdResult[] {
	const anyAccepted = othersAccepted || outcomes.some(({ failure }) => failure === undefined);
	return ids.flatMap((id, at): IdResult[] => {
		const { value, failure } = outcomes[at] ?? {};
		// A value with a failure may lack events, so it doesn't count as a result.
		if (failure === undefined) return value === undefined ? [] : [{ id, events: value.events }];
		if (failure.kind === 'stopped' || failure.kind === 'rateLimited') return [];
		return [anyAccepted && isRejectedId(failure) ? { id, events: value?.events ?? [] } : { id }];
	});
}
