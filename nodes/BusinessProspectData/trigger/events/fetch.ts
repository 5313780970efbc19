import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { operationError } from '../../api/errors';
import { type EventsSource, LIMITS } from '../../catalog/service';
import type { Failure, Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import {
	eventBatchConfig,
	type EventsQuery,
	type EventsResult,
	retentionStart,
	timeOf,
} from '../../events/query';
import { executeBatches } from '../../run/batches';
import { newEntry } from '../../run/inputs';
import { watchedIds } from '../parameters';
import type { ReceivedRow } from '../runner';
import {
	CLOCK_SLACK_MS,
	type EventsJob,
	type EventsWatch,
	type FetchedEvents,
	type IdResult,
} from './state';

export interface EventQuerySettings {
	readonly source: EventsSource;
	readonly watch: Pick<EventsWatch, 'ids' | 'types'>;
	readonly requestContext?: IDataObject;
}

interface IdOutcome {
	readonly id: string;
	readonly outcome: Outcome<EventsResult>;
}

/** Fetches the events of a poll. */
export async function fetchEvents(
	context: IPollFunctions,
	client: Client,
	settings: EventQuerySettings,
	{ ids, from, earlierIdsAccepted }: EventsJob,
): Promise<FetchedEvents> {
	const outcomes = await queryIds(client, settings, ids, from);
	const failed = failedIn(outcomes);
	logFailures(context, failed, ids.length);
	return { results: toIdResults(outcomes, earlierIdsAccepted), failure: failed[0]?.failure };
}

/** `executeBatches` sets it as the `field` of a failure if the service rejects a single ID. */
const FIELD = watchedIds.name;

/** Fetches the events of IDs since `from` (milliseconds). */
async function queryIds(
	client: Client,
	{ source, watch, requestContext }: EventQuerySettings,
	ids: readonly string[],
	from: number,
): Promise<IdOutcome[]> {
	// The service returns only events after `timestamp_from`, and may reject a time before its oldest events. The slack allows
	// for a service clock ahead of this machine's.
	const after = Math.max(from - 1, retentionStart(Date.now()) + CLOCK_SLACK_MS);
	const query = { types: watch.types, from: new Date(after).toISOString(), requestContext };
	const entries = ids.map((id) => newEntry<EventsQuery, EventsResult>({ ...query, id }));
	await executeBatches(client, entries, {
		...eventBatchConfig(source),
		// The queries differ only in their ID, so one group is enough. Computing thousands of keys would be slow.
		groupKey: () => '',
		parameterName: FIELD,
	});
	return entries.map(({ input: { id }, outcome }) => ({ id, outcome }));
}

/**
 * Converts outcomes to results for the sweep. Leaves out IDs that the sweep must still query. If the service accepts other IDs, a
 * rejected ID doesn't count as failed, because a retry would probably be rejected too.
 *
 * @param earlierIdsAccepted true if earlier polls of the sweep show that the service accepts other IDs
 */
export function toIdResults(
	outcomes: readonly IdOutcome[],
	earlierIdsAccepted: boolean,
): IdResult[] {
	const anyAccepted =
		earlierIdsAccepted || outcomes.some(({ outcome }) => outcome.failure === undefined);
	return outcomes.flatMap(({ id, outcome: { value, failure } }): IdResult[] => {
		// `queryEvents` returns a value with a failure if the batch succeeded, but the separate query for the ID failed. The value
		// may lack events, so it counts only if the ID was rejected.
		if (failure === undefined) return [{ id, ...value }];
		if (failure.kind === 'stopped' || failure.kind === 'rateLimited') return [];
		return [anyAccepted && isAboutId(failure) ? { id, events: [], ...value } : { id }];
	});
}

const isAboutId = ({ kind, field, isAboutRecord = false }: Failure): boolean =>
	isAboutRecord || (kind === 'invalid' && field === FIELD);

interface FailedId {
	readonly id: string;
	readonly failure: Failure;
}

const failedIn = (outcomes: readonly IdOutcome[]): FailedId[] =>
	outcomes.flatMap(({ id, outcome: { failure } }) =>
		failure === undefined || failure.kind === 'stopped' ? [] : [{ id, failure }],
	);

const MAX_LOGGED_IDS = 10;

function logFailures(context: IPollFunctions, failed: readonly FailedId[], idCount: number): void {
	const [first] = failed;
	if (first === undefined) return;
	const listed = failed.slice(0, MAX_LOGGED_IDS).map(({ id }) => id);
	const more = failed.length > listed.length ? ', ...' : '';
	context.logger.warn(
		`${context.getNode().name}: ${formatNumber(failed.length)} of ${pluralize(idCount, 'ID')} failed: ${listed.join(', ')}${more}. ${first.failure.message}`,
	);
}

const MAX_TEST_EVENTS = 10;
const MAX_TEST_REQUESTS = 5;

/**
 * Fetches up to 10 events for Fetch Test Event in the editor: the newest of those received, oldest first.
 *
 * @throws NodeOperationError if there are no events
 */
export async function fetchTestEvents(
	context: IPollFunctions,
	client: Client,
	settings: EventQuerySettings,
): Promise<ReceivedRow[]> {
	const { ids } = settings.watch;
	const now = Date.now();
	const from = retentionStart(now);
	const outcomes: IdOutcome[] = [];
	const received: ReceivedRow[] = [];
	const maxIds = Math.min(ids.length, MAX_TEST_REQUESTS * LIMITS.eventsBatch);
	for (let at = 0; at < maxIds && received.length < MAX_TEST_EVENTS; at += LIMITS.eventsBatch) {
		const batch = await queryIds(client, settings, ids.slice(at, at + LIMITS.eventsBatch), from);
		outcomes.push(...batch);
		for (const { outcome } of batch) {
			const { events = [], responseContext } = outcome.value ?? {};
			for (const row of events) received.push({ row, responseContext });
		}
		// If a whole batch fails, further requests would probably only keep the user waiting.
		if (batch.every(({ outcome }) => outcome.failure !== undefined)) break;
	}

	received.sort((a, b) => timeOf(a.row, now) - timeOf(b.row, now));
	if (received.length > 0) return received.slice(-MAX_TEST_EVENTS);
	const failure = outcomes.find(({ outcome }) => outcome.failure !== undefined)?.outcome.failure;
	const all = pluralize(ids.length, 'ID');
	const searched =
		outcomes.length < ids.length ? `the first ${formatNumber(outcomes.length)} of ${all}` : all;
	throw operationError(
		context.getNode(),
		failure?.message ??
			`There are no events since ${new Date(from).toISOString().slice(0, 10)} for ${searched}. If that is unexpected, check the IDs. Publish the workflow to watch for new events.`,
	);
}
