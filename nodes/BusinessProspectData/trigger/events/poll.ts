import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { operationError } from '../../api/errors';
import { LIMITS } from '../../catalog/service';
import { asText } from '../../core/json';
import type { Failure, Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import { eventOutput, type EventsResult, retentionStart } from '../../events/query';
import { nodeKeyOf } from '../memory';
import type { EventTrigger } from '../parameters';
import { detectActivation, reportFailedPoll } from '../pollClient';
import { createRunner, type PollRun, toItems } from '../runner';
import {
	type EventsCheckpoint,
	type EventsWatch,
	isWatchingEvents,
	openEventsCheckpoint,
	remainingIds,
	withSweep,
} from './checkpoint';
import {
	checkStartFrom,
	createEventFetcher,
	type EventsSettings,
	readEventsSettings,
	toIdResults,
} from './fetch';
import { type IdResult, selectEvents, timeOf } from './selection';

/** What a poll fetches: the events of IDs since `from` (milliseconds). */
interface EventsJob {
	readonly ids: readonly string[];
	readonly from: number;
	/** The event types at the start of the poll. */
	readonly types: readonly string[];
	readonly sweepNumber: number;
	/** True if earlier polls of the sweep queried IDs and no query failed: the service accepts other IDs. */
	readonly othersAccepted: boolean;
}

/**
 * One poll of a node that watches events. `limit` is the maximum number of IDs. `fetch` returns no result for an ID that
 * couldn't be queried yet.
 */
export type EventsPollRun = PollRun<EventsWatch, EventsJob, readonly IdResult[]>;

export interface EventsPollResult {
	/** The events to output, oldest first. */
	readonly events: readonly IDataObject[];
	/** True if any query succeeded, or if the poll fetched nothing. */
	readonly succeeded: boolean;
}

/** Creates `runPoll`, which runs the polls of all nodes that watch events. Throws only what `fetch` throws. */
export const createEventsRunner = () =>
	createRunner<EventsWatch, EventsCheckpoint, EventsJob, readonly IdResult[], EventsPollResult>({
		open: openEventsCheckpoint,
		isWatching: isWatchingEvents,
		plan(checkpoint, watch, limit, now) {
			const planned = withSweep(checkpoint, watch, now);
			const ids = remainingIds(planned, watch).slice(0, limit);
			const { number: sweepNumber, from, done, partial } = planned.sweep;
			const othersAccepted = done !== '' && !partial;
			const job = { sweepNumber, ids, from, types: watch.types, othersAccepted };
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
		nothing: { events: [], succeeded: true },
	});

/** Removes events whose type was removed from the settings during the poll. */
function withoutTypes(result: IdResult, removed: readonly string[]): IdResult {
	if (result.events === undefined || removed.length === 0) return result;
	const events = result.events.filter((event) => !removed.includes(asText(event.event_name) ?? ''));
	return { ...result, events };
}

const runPoll = createEventsRunner();

/**
 * One poll of a trigger that watches IDs: the new events, oldest first, or null. Throws for invalid settings. At an activation,
 * a failure of the service doesn't throw, because n8n would then stop polling.
 */
export async function pollEvents(
	context: IPollFunctions,
	trigger: EventTrigger,
): Promise<INodeExecutionData[][] | null> {
	const settings = readEventsSettings(context, trigger);
	if (context.getMode() === 'manual') return await fetchTestEvents(context, settings);

	const state = context.getWorkflowStaticData('node');
	const activation = detectActivation(context);
	// Only an activation should fail because of Start From: for later polls it may have become too old. A missing checkpoint
	// alone doesn't prove an activation, because durable cursors drop its state. A `maybe` without one is an activation, or comes
	// right after it.
	if (state.checkpoint === undefined && activation !== 'no') checkStartFrom(settings, Date.now());
	const fetcher = await createEventFetcher(context, settings);

	let outcomes: ReadonlyArray<Outcome<EventsResult>> = [];
	const { events, succeeded } = await runPoll({
		nodeKey: nodeKeyOf(context),
		staticData: state,
		watch: settings.watch,
		limit: settings.requestsPerPoll * LIMITS.eventsBatch,
		now: Date.now,
		async fetch({ ids, from, othersAccepted }) {
			outcomes = await fetcher.fetch(ids, from);
			fetcher.stop();
			logFailures(context, ids, outcomes);
			return toIdResults(ids, outcomes, othersAccepted);
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

/** Converts events to items; `outcomes` are all that the poll received. */
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
		(event, context) => eventOutput(event, source.entity, context, simplify),
	);

/** The failures other than `stopped`, each with the index of its ID. */
const failuresIn = (outcomes: ReadonlyArray<Outcome<EventsResult>>) =>
	outcomes.flatMap(
		({ failure }, index): Array<{ failure: Failure; index: number }> =>
			failure === undefined || failure.kind === 'stopped' ? [] : [{ failure, index }],
	);

const MAX_LOGGED_IDS = 10;

/** Logs failures, because not all of them are thrown. */
function logFailures(
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
 * Fetch Test Event in the editor: the newest events of the first IDs that have any, oldest first. Changes no state.
 *
 * @throws NodeOperationError when there are no events: with the failure of a request or, if none failed, with the IDs and
 *   the period searched
 */
async function fetchTestEvents(
	context: IPollFunctions,
	settings: EventsSettings,
): Promise<INodeExecutionData[][]> {
	const { ids } = settings.watch;
	const now = Date.now();
	const from = retentionStart(now);
	const fetcher = await createEventFetcher(context, settings);
	const outcomes: Array<Outcome<EventsResult>> = [];
	const eventsIn = () => outcomes.flatMap(({ value }) => value?.events ?? []);
	const maxIds = Math.min(ids.length, MAX_TEST_REQUESTS * LIMITS.eventsBatch);
	for (let at = 0; at < maxIds && eventsIn().length < MAX_TEST_EVENTS; at += LIMITS.eventsBatch) {
		const batch = await fetcher.fetch(ids.slice(at, at + LIMITS.eventsBatch), from);
		outcomes.push(...batch);
		// If the service is down, further requests would only keep the user waiting.
		if (batch.every(({ failure }) => failure !== undefined)) break;
	}
	fetcher.stop();

	const events = eventsIn();
	if (events.length > 0) {
		const newest = [...events]
			.sort((a, b) => timeOf(a, now) - timeOf(b, now))
			.slice(-MAX_TEST_EVENTS);
		return [eventItems(newest, outcomes, settings)];
	}
	const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
	const all = pluralize(ids.length, 'ID');
	const searched =
		outcomes.length < ids.length ? `the first ${formatNumber(outcomes.length)} of ${all}` : all;
	throw operationError(
		context.getNode(),
		failure?.message ??
			`No events from ${new Date(from).toISOString().slice(0, 10)} until now for ${searched}. That's not an error: publish the workflow to watch all IDs for new events.`,
	);
}
