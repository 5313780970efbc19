import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import { operationError } from '../../api/errors';
import { type EventsSource, LIMITS } from '../../catalog/service';
import type { Failure, Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import {
	eventBatchConfig,
	type EventsQuery,
	type EventsResult,
	retentionStart,
} from '../../events/query';
import { executeBatches } from '../../run/batches';
import { newEntry } from '../../run/inputs';
import { watchedIds } from '../parameters';
import { createPollClient } from '../pollContext';
import { CLOCK_SLACK_MS, type EventsWatch } from './checkpoint';
import { type IdResult, timeOf } from './selection';

export interface EventQuerySettings {
	readonly source: EventsSource;
	readonly watch: Pick<EventsWatch, 'ids' | 'types'>;
	readonly requestOptions: RequestOptions;
	readonly requestContext?: IDataObject;
}

/** `executeBatches` sets it as the `field` of a failure if the service rejects a single ID. */
const FIELD = watchedIds.name;

/** @throws UserError or NodeOperationError when the credential is unusable */
export async function createEventFetcher(
	context: IPollFunctions,
	{ source, watch, requestContext, requestOptions }: EventQuerySettings,
) {
	const client = await createPollClient(context, requestOptions);
	const batchConfig = {
		...eventBatchConfig(source),
		// The queries differ only in their ID, so one group is enough. Computing thousands of keys would be slow.
		groupKey: () => '',
		parameterName: FIELD,
	};
	return {
		/** Fetches the events of IDs since `from` (milliseconds). Outcomes are in the order of the IDs. */
		async fetch(ids: readonly string[], from: number): Promise<Array<Outcome<EventsResult>>> {
			// The service returns only events after `timestamp_from`, and may reject a time before its oldest events. The slack allows
			// for a service clock ahead of this machine's.
			const after = Math.max(from - 1, retentionStart(Date.now()) + CLOCK_SLACK_MS);
			const query = { types: watch.types, from: new Date(after).toISOString(), requestContext };
			const entries = ids.map((id) => newEntry<EventsQuery, EventsResult>({ ...query, id }));
			await executeBatches(client, entries, batchConfig);
			return entries.map(({ outcome }) => outcome);
		},
		/** Call it after the last `fetch`. */
		stop: client.stop,
	};
}

const isAboutId = ({ kind, field, isAboutRecord = false }: Failure): boolean =>
	isAboutRecord || (kind === 'invalid' && field === FIELD);

/**
 * Converts outcomes to results for the sweep. Leaves out IDs that the sweep must still query. If the service accepts other IDs, a
 * rejected ID doesn't count as failed, because a retry would probably be rejected too.
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
		// `queryEvents` returns a value with a failure if the batch succeeded, but the separate query for the ID failed. The value
		// may lack events, so it counts only if the ID was rejected.
		if (failure === undefined) return value === undefined ? [] : [{ id, events: value.events }];
		if (failure.kind === 'stopped' || failure.kind === 'rateLimited') return [];
		return [anyAccepted && isAboutId(failure) ? { id, events: value?.events ?? [] } : { id }];
	});
}

export const failuresIn = (outcomes: ReadonlyArray<Outcome<EventsResult>>) =>
	outcomes.flatMap(
		({ failure }, index): Array<{ failure: Failure; index: number }> =>
			failure === undefined || failure.kind === 'stopped' ? [] : [{ failure, index }],
	);

const MAX_LOGGED_IDS = 10;

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

const MAX_TEST_EVENTS = 10;
const MAX_TEST_REQUESTS = 5;

/**
 * Fetches up to 10 events for Fetch Test Event in the editor: the newest of those received, oldest first.
 *
 * @throws NodeOperationError if there are no events. UserError or NodeOperationError if the credential is unusable.
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
		// If a whole batch fails, further requests would probably only keep the user waiting.
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
