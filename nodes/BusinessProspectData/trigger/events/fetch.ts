import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import type { EventsSource } from '../../catalog/service';
import type { Failure, Outcome } from '../../core/outcome';
import {
	chosenTypes,
	eventBatchConfig,
	type EventsResult,
	otherEventTypes,
	retentionStart,
	TOO_OLD,
} from '../../events/query';
import { executeBatches } from '../../runtime/batches';
import { DAY_MS, HOUR_MS, readDateTime, workflowTimezone } from '../../runtime/dates';
import { readIds } from '../../runtime/lists';
import { simplify } from '../../runtime/options';
import { parameterError } from '../../runtime/parameters';
import {
	createParameterReader,
	type EventTrigger,
	startFromParameter,
	triggerOptions,
	watchedIdsParameter,
} from '../parameters';
import { createPollClient } from '../pollClient';
import { CLOCK_SLACK_MS, type EventsWatch } from './checkpoint';
import type { IdResult } from './selection';

/** The checked settings of a trigger that watches IDs for events. */
export interface EventsSettings {
	readonly source: EventsSource;
	readonly watch: EventsWatch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
	readonly requestOptions: RequestOptions;
	readonly requestContext?: IDataObject;
}

/**
 * Reads the settings of a trigger that watches IDs for events.
 *
 * @throws UserError when a setting is invalid, or when there are no IDs or no event types
 */
export function readEventsSettings(
	context: IPollFunctions,
	{ entityType, source, typesParameter, idsTexts }: EventTrigger,
): EventsSettings {
	const valueOf = createParameterReader(context);
	const { lookBackHours, startFrom, requestsPerPoll, requestContext, ...requestOptions } =
		valueOf(triggerOptions);
	return {
		source,
		watch: {
			entityType,
			lookbackMs: lookBackHours * HOUR_MS,
			startFrom:
				startFrom === undefined
					? undefined
					: readDateTime(
							startFrom,
							startFromParameter.property,
							workflowTimezone(context),
						).toMillis(),
			ids: readWatchedIds(valueOf(watchedIdsParameter), source, idsTexts),
			types: chosenTypes(
				source,
				valueOf(typesParameter),
				source.hasUnlistedTypes ? valueOf(otherEventTypes) : [],
			),
		},
		simplify: valueOf(simplify),
		requestsPerPoll,
		requestOptions,
		requestContext,
	};
}

/** The IDs, without duplicates. @throws UserError if an ID is invalid or there are none */
function readWatchedIds(
	raw: unknown,
	{ idFormat }: EventsSource,
	{ displayName, advice }: { readonly displayName: string; readonly advice: string },
): string[] {
	const property = { ...watchedIdsParameter.property, displayName };
	const ids = readIds(raw, property, { ...idFormat, advice });
	if (ids.length === 0) throw parameterError(property, 'is empty. Enter at least one ID to watch.');
	return ids;
}

/**
 * Checks Start From before the first poll. Later polls ignore it: any fixed date eventually becomes too old.
 *
 * @throws UserError if the service has no events that old
 */
export function checkStartFrom({ watch: { startFrom } }: EventsSettings, now: number): void {
	if (startFrom === undefined || startFrom >= retentionStart(now) - DAY_MS) return;
	throw parameterError(startFromParameter.property, TOO_OLD, new Date(startFrom).toISOString());
}

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
	const client = await createPollClient(context, requestOptions);
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
			// One millisecond earlier, because the service returns only events after `timestamp_from`. But never earlier than the
			// service's oldest events: it may reject such a time. The slack allows for a service clock ahead of this machine's.
			const after = Math.max(from - 1, retentionStart(Date.now()) + CLOCK_SLACK_MS);
			const query = { types: watch.types, from: new Date(after).toISOString(), requestContext };
			const queries = ids.map((id) => ({ ...query, id }));
			const results = await executeBatches(client, queries, batches);
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
		// A value with a failure may lack events, so it counts only for a rejected ID, for which no query gets more.
		if (failure === undefined) return value === undefined ? [] : [{ id, events: value.events }];
		if (failure.kind === 'stopped' || failure.kind === 'rateLimited') return [];
		return [anyAccepted && isRejectedId(failure) ? { id, events: value?.events ?? [] } : { id }];
	});
}
