import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import { operationError } from '../../api/errors';
import { type EventsSource, LIMITS } from '../../catalog/service';
import type { Failure, Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import { eventBatchConfig, type EventsResult, retentionStart } from '../../events/query';
import { executeBatches } from '../../runtime/batches';
import { watchedIds } from '../parameters';
import { createPollClient } from '../pollContext';
import { CLOCK_SLACK_MS, type EventsWatch } from './checkpoint';
import { type IdResult, timeOf } from './selection';

/** Which events to query, and how. */
export interface EventQuerySettings {
	readonly source: EventsSource;
	readonly watch: Pick<EventsWatch, 'ids' | 'types'>;
	readonly requestOptions: RequestOptions;
	readonly requestContext?: IDataObject;
}

/** The `field` of failures that are about a single ID. */
const FIELD = watchedIds.name;

/**
 * Creates a fetcher of events that stays within the time budget of one poll (see `createPollClient`).
 *
 * @throws UserError or NodeOperationError when the credential is unusable
 */
export async function createEventFetcher(
	context: IPollFunctions,
	{ source, watch, requestContext, requestOptions }: EventQuerySettings,
) {
	const client = await createPollClient(context, requestOptions);
	const batchConfig = {
		...eventBatchConfig(source),
		// The queries differ only in their ID, so they are one group, and computing thousands of keys is unnecessary.
		groupKey: () => '',
		parameterName: FIELD,
	};
	return {
		/**
		 * Fetches the events of IDs since `from` (milliseconds), up to 40 IDs per request; outcomes are in the order of the IDs.
		 * Once the time has run out, or the rate limit would outlast it, the remaining IDs fail with the kind `stopped`, or with
		 * the failure of their last attempt.
		 */
		async fetch(ids: readonly string[], from: number): Promise<Array<Outcome<EventsResult>>> {
			// One millisecond earlier, because the service returns only events after `timestamp_from`. But never earlier than the
			// service's oldest events: it may reject such a time. The slack allows for a service clock ahead of this machine's.
			const after = Math.max(from - 1, retentionStart(Date.now()) + CLOCK_SLACK_MS);
			const query = { types: watch.types, from: new Date(after).toISOString(), requestContext };
			const queries = ids.map((id) => ({ ...query, id }));
			const results = await executeBatches(client, queries, batchConfig);
			return results.map(({ outcome }) => outcome);
		},
		/** Stops sending requests and ends all waits. Call it when no further request follows. */
		stop: client.stop,
	};
}

/** True if the failure is about one ID. If the service accepts no other ID, the request may still be at fault. */
const isAboutId = ({ kind, field, isAboutRecord = false }: Failure): boolean =>
	isAboutRecord || (kind === 'invalid' && field === FIELD);

/**
 * Converts outcomes to results for the sweep. Omits IDs whose query ran out of time or hit the rate limit: they are still to be
 * queried. Other IDs whose query failed have no `events`. Exception: an ID that the service rejects while it accepts others has
 * the events received so far, usually none, because a retry wouldn't return more.
 *
 * @param earlierIdsAccepted true if earlier polls of the sweep show that the service accepts other IDs
 */
export function toIdResults(
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
	earlierIdsAccepted: boolean,
): IdResult[] {
	const anyAccepted = earlierIdsAccepted || outcomes.some(({ failure }) => failure === undefined);
	return ids.flatMap((id, at): IdResult[] => {
		const { value, failure } = outcomes[at] ?? {};
		// A value with a failure may lack events, so it counts only if the ID was rejected.
		if (failure === undefined) return value === undefined ? [] : [{ id, events: value.events }];
		if (failure.kind === 'stopped' || failure.kind === 'rateLimited') return [];
		return [anyAccepted && isAboutId(failure) ? { id, events: value?.events ?? [] } : { id }];
	});
}

/** The failures other than `stopped`, each with the index of its ID. */
export const failuresIn = (outcomes: ReadonlyArray<Outcome<EventsResult>>) =>
	outcomes.flatMap(
		({ failure }, index): Array<{ failure: Failure; index: number }> =>
			failure === undefined || failure.kind === 'stopped' ? [] : [{ failure, index }],
	);

const MAX_LOGGED_IDS = 10;

/** Logs failures, because not all of them are thrown. */
export function logFailures(
	context: IPollFunctions,
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
): void {
	const failures = failuresIn(outcomes);
	const [first] = failures;
	if (first === undefined) return;
	const listed = failures.slice(0, MAX_LOGGED_IDS).map(({ index }) => ids[index]);
	const more = failures.length > listed.length ? ', ...' : '';
	context.logger.warn(
		`${context.getNode().name}: ${formatNumber(failures.length)} of ${pluralize(ids.length, 'ID')} failed: ${listed.join(', ')}${more}. ${first.failure.message}`,
	);
}

/** Limits of Fetch Test Event. */
const MAX_TEST_EVENTS = 10;
const MAX_TEST_REQUESTS = 5;

/**
 * Fetches up to 10 events for Fetch Test Event in the editor. Queries at most 200 IDs, 40 at a time, until 10 events have been
 * received or all of the 40 fail. Returns the newest of the events received, oldest first.
 *
 * @returns also the outcomes of all queries
 * @throws NodeOperationError when there are no events: with the failure of a query or, if none failed, with the number of IDs
 *   and the period searched. UserError or NodeOperationError when the credential is unusable.
 */
export async function fetchTestEvents(
	context: IPollFunctions,
	settings: EventQuerySettings,
): Promise<{ readonly events: IDataObject[]; readonly outcomes: Array<Outcome<EventsResult>> }> {
	const { ids } = settings.watch;
	const now = Date.now();
	const from = retentionStart(now);
	const fetcher = await createEventFetcher(context, settings);
	const outcomes: Array<Outcome<EventsResult>> = [];
	const receivedEvents = () => outcomes.flatMap(({ value }) => value?.events ?? []);
	const maxIds = Math.min(ids.length, MAX_TEST_REQUESTS * LIMITS.eventsBatch);
	for (let at = 0; at < maxIds; at += LIMITS.eventsBatch) {
		if (receivedEvents().length >= MAX_TEST_EVENTS) break;
		const batch = await fetcher.fetch(ids.slice(at, at + LIMITS.eventsBatch), from);
		outcomes.push(...batch);
		// If the service is down, further requests would only keep the user waiting.
		if (batch.every(({ failure }) => failure !== undefined)) break;
	}
	fetcher.stop();

	const events = receivedEvents()
		.sort((a, b) => timeOf(a, now) - timeOf(b, now))
		.slice(-MAX_TEST_EVENTS);
	if (events.length > 0) return { events, outcomes };
	const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
	const all = pluralize(ids.length, 'ID');
	const searched =
		outcomes.length < ids.length ? `the first ${formatNumber(outcomes.length)} of ${all}` : all;
	throw operationError(
		context.getNode(),
		failure?.message ??
			`There are no events since ${new Date(from).toISOString().slice(0, 10)} for ${searched}. If that is unexpected, check the IDs. Publish the workflow to watch for new events.`,
	);
}
