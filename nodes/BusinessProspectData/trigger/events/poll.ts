import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { type EventsSource, LIMITS } from '../../catalog/service';
import { asText } from '../../core/json';
import type { Outcome } from '../../core/outcome';
import {
	chosenTypes,
	eventOutput,
	type EventsResult,
	otherEventTypes,
	retentionStart,
	TOO_OLD,
} from '../../events/query';
import { DAY_MS, HOUR_MS, readDateTime, workflowTimezone } from '../../parameters/dates';
import { readIds } from '../../parameters/lists';
import { simplify } from '../../parameters/options';
import { parameterError } from '../../parameters/parameter';
import { nodeKeyOf } from '../memory';
import {
	createParameterReader,
	type EventTrigger,
	startFromParameter,
	triggerOptions,
	watchedIds,
} from '../parameters';
import { detectActivation, reportFailedPoll, toItems } from '../pollContext';
import { createRunner, type PollRun } from '../runner';
import {
	type EventsCheckpoint,
	type EventsWatch,
	isWatchingEvents,
	openEventsCheckpoint,
	remainingIds,
	withSweep,
} from './checkpoint';
import {
	createEventFetcher,
	type EventQuerySettings,
	failuresIn,
	fetchTestEvents,
	logFailures,
	toIdResults,
} from './fetch';
import { type IdResult, selectEvents } from './selection';

interface EventsSettings extends EventQuerySettings {
	readonly watch: EventsWatch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
}

/** @throws UserError if a setting is invalid, or if there are no IDs or no event types */
export function readEventsSettings(
	context: IPollFunctions,
	{ entityType, source, typesParameter, idsWording }: EventTrigger,
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
			ids: readWatchedIds(valueOf(watchedIds), source, idsWording),
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

function readWatchedIds(
	raw: unknown,
	{ idFormat }: EventsSource,
	{ displayName, advice }: { readonly displayName: string; readonly advice: string },
): string[] {
	const property = { ...watchedIds.property, displayName };
	const ids = readIds(raw, property, { ...idFormat, advice });
	if (ids.length === 0) throw parameterError(property, 'is empty. Enter at least one ID to watch.');
	return ids;
}

/** @throws UserError if Start From is more than a day before the service's oldest events */
export function checkStartFrom({ watch: { startFrom } }: EventsSettings, now: number): void {
	// A date that is slightly too old is accepted, such as "3 months ago" calculated a moment ago.
	if (startFrom === undefined || startFrom >= retentionStart(now) - DAY_MS) return;
	throw parameterError(startFromParameter.property, TOO_OLD, new Date(startFrom).toISOString());
}

interface EventsJob {
	readonly ids: readonly string[];
	/** In milliseconds. */
	readonly from: number;
	/** The event types at the start of the poll. */
	readonly types: readonly string[];
	readonly sweepNumber: number;
	/** True if earlier polls of the sweep show that the service accepts other IDs (see `toIdResults`). */
	readonly earlierIdsAccepted: boolean;
}

/** `limit` is the maximum number of IDs. `fetch` returns no result for an ID that the sweep must still query. */
export type EventsPollRun = PollRun<EventsWatch, EventsJob, readonly IdResult[]>;

export interface EventsPollResult {
	/** Oldest first. */
	readonly events: readonly IDataObject[];
	readonly succeeded: boolean;
}

export const createEventsRunner = () =>
	createRunner<EventsWatch, EventsCheckpoint, EventsJob, readonly IdResult[], EventsPollResult>({
		open: openEventsCheckpoint,
		isWatching: isWatchingEvents,
		plan(checkpoint, watch, limit, now) {
			const planned = withSweep(checkpoint, watch, now);
			const ids = remainingIds(planned, watch).slice(0, limit);
			const { number: sweepNumber, from, done, partial } = planned.sweep;
			// Without an accepted ID, `toIdResults` reports every rejected ID as failed, which makes the sweep partial. So a sweep with
			// IDs in `done` that isn't partial has an accepted one.
			const earlierIdsAccepted = done !== '' && !partial;
			const job = { sweepNumber, ids, from, types: watch.types, earlierIdsAccepted };
			return { checkpoint: planned, job };
		},
		select(checkpoint, watch, { sweepNumber, types }, received, now) {
			const removedTypes = types.filter((type) => !watch.types.includes(type));
			const results = received.map((result) => withoutTypes(result, removedTypes));
			const { events, checkpoint: next } = selectEvents(
				checkpoint,
				watch,
				sweepNumber,
				results,
				now,
			);
			const succeeded = results.some((result) => result.events !== undefined);
			return { checkpoint: next, result: { events, succeeded }, hasOutput: events.length > 0 };
		},
		skippedResult: { events: [], succeeded: true },
	});

function withoutTypes(result: IdResult, removed: readonly string[]): IdResult {
	if (result.events === undefined || removed.length === 0) return result;
	const events = result.events.filter((event) => !removed.includes(asText(event.event_name) ?? ''));
	return { ...result, events };
}

const runPoll = createEventsRunner();

/**
 * Polls IDs for events. Returns the new events, oldest first, or null if there are none. For Fetch Test Event, returns the
 * events of `fetchTestEvents` instead.
 *
 * @throws UserError or NodeOperationError. Failures of the service aren't thrown at an activation (see `reportFailedPoll`).
 */
export async function pollEvents(
	context: IPollFunctions,
	trigger: EventTrigger,
): Promise<INodeExecutionData[][] | null> {
	const settings = readEventsSettings(context, trigger);
	if (context.getMode() === 'manual') {
		const test = await fetchTestEvents(context, settings);
		return [eventItems(test.events, test.outcomes, settings)];
	}

	const staticData = context.getWorkflowStaticData('node');
	const activation = detectActivation(context);
	// Only an activation should fail because of Start From: a date that was valid may become too old. A missing checkpoint does not
	// prove an activation: with durable cursors, n8n drops the checkpoint of an activation without output.
	if (staticData.checkpoint === undefined && activation !== 'no') {
		checkStartFrom(settings, Date.now());
	}
	const fetcher = await createEventFetcher(context, settings);

	let outcomes: ReadonlyArray<Outcome<EventsResult>> = [];
	const { events, succeeded } = await runPoll({
		nodeKey: nodeKeyOf(context),
		staticData,
		watch: settings.watch,
		limit: settings.requestsPerPoll * LIMITS.eventsBatch,
		now: Date.now,
		async fetch({ ids, from, earlierIdsAccepted }) {
			outcomes = await fetcher.fetch(ids, from);
			fetcher.stop();
			logFailures(context, ids, outcomes);
			return toIdResults(ids, outcomes, earlierIdsAccepted);
		},
	});
	const failure = failuresIn(outcomes)[0]?.failure;
	if (!succeeded && failure !== undefined) {
		reportFailedPoll(
			context,
			`${failure.message} No event is lost: the next checks cover the same period again.`,
			activation,
		);
	}
	return events.length === 0 ? null : [eventItems(events, outcomes, settings)];
}

const eventItems = (
	events: readonly IDataObject[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
	{ source, simplify }: EventsSettings,
): INodeExecutionData[] =>
	toItems(
		events,
		outcomes.flatMap(({ value }) =>
			value === undefined ? [] : [{ rows: value.events, responseContext: value.responseContext }],
		),
		(event, responseContext) => eventOutput(event, source.entity, responseContext, simplify),
	);
