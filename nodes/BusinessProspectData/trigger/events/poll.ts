import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Client, RequestOptions } from '../../api/client';
import { operationError } from '../../api/errors';
import { EVENT_WINDOW_DAYS, type EventsSource, LIMITS } from '../../catalog/service';
import type { Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import {
	eventBatchConfig,
	type EventsQuery,
	type EventsResult,
	retentionStart,
	strangersNote,
	timeOf,
	TOO_OLD,
} from '../../events/query';
import { eventRecords, eventLayouts } from '../../fields/events';
import { chosenTypes, otherEventTypes } from '../../events/parameters';
import { rowJson } from '../../fields/row';
import { DAY_MS, readDateTime, workflowTimezone } from '../../parameters/dates';
import { readIds } from '../../parameters/lists';
import { simplify } from '../../parameters/options';
import { parameterError } from '../../parameters/parameter';
import { executeBatches } from '../../run/batches';
import { newEntry } from '../../run/inputs';
import {
	createParameterReader,
	type EventTrigger,
	startFromParameter,
	triggerOptions,
	watchedIds,
} from '../parameters';
import { poll, type Problem } from '../poll';
import { createRunner, type ReceivedRow } from '../runner';
import {
	type EventsJob,
	eventsState,
	type EventsWatch,
	type FetchedEvents,
	type IdResult,
	type SelectedEvents,
} from './state';

const runPoll = createRunner(eventsState);

/** Polls IDs for events (see `poll`). Returns the new ones, oldest first. */
export async function pollEvents(
	context: IPollFunctions,
	trigger: EventTrigger,
): Promise<INodeExecutionData[][] | null> {
	const settings = readEventsSettings(context, trigger);
	const { source, watch, requestsPerPoll, requestOptions, simplify } = settings;
	const { types } = watch;
	const layout = eventLayouts(source)(types, simplify, false);
	return await poll(context, {
		requestOptions,
		checkStart: () => checkStartFrom(settings, Date.now()),
		fetchTest: (client) => fetchTestEvents(context, client, settings),
		async run(node) {
			const polled = await runPoll({
				...node,
				watch,
				limit: requestsPerPoll * LIMITS.eventsBatch,
				fetch: (client, job) => fetchEvents(client, settings, job),
			});
			if (polled === undefined) return undefined;
			const note = strangersNote(polled.fetched.results);
			if (note !== undefined) context.logger.warn(`${context.getNode().name}: ${note}`);
			return { rows: polled.result.rows, problem: problemIn(polled) };
		},
		output: (event, responseContext) =>
			rowJson({ records: eventRecords(source, event, responseContext) }, layout),
	});
}

interface EventsSettings {
	readonly source: EventsSource;
	readonly watch: EventsWatch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
	readonly requestOptions: RequestOptions;
}

/** @throws UserError if a setting is invalid, or if there are no IDs or no event types */
function readEventsSettings(
	context: IPollFunctions,
	{ entityType, source, typesParameter, idsWording, lookBack }: EventTrigger,
): EventsSettings {
	const valueOf = createParameterReader(context);
	const {
		[lookBack.name]: lookBackDays,
		startFrom,
		requestsPerPoll,
		...requestOptions
	} = valueOf(triggerOptions);
	return {
		source,
		watch: {
			entityType,
			lookBackDays,
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
	};
}

function readWatchedIds(
	raw: unknown,
	{ entity: { idFormat } }: EventsSource,
	{ displayName, advice }: { readonly displayName: string; readonly advice: string },
): string[] {
	const property = { ...watchedIds.property, displayName };
	const ids = readIds(raw, property, { ...idFormat, advice });
	if (ids.length === 0) throw parameterError(property, 'is empty. Enter at least one ID to watch.');
	return ids;
}

/**
 * Only an activation should fail because of Start From: a date that was valid may become too old.
 *
 * @throws UserError if Start From is more than a day before the service's oldest events
 */
function checkStartFrom({ watch: { startFrom } }: EventsSettings, now: number): void {
	// A date that is slightly too old is accepted, such as "3 months ago" calculated a moment ago.
	if (startFrom === undefined || startFrom >= retentionStart(now) - DAY_MS) return;
	throw parameterError(startFromParameter.property, TOO_OLD, new Date(startFrom).toISOString());
}

interface IdOutcome {
	readonly id: string;
	readonly outcome: Outcome<EventsResult>;
}

const MAX_NAMED_IDS = 10;

const FIRST_CHECK_FAILED =
	'The first check is not complete yet, and events that appear meanwhile count as known. The next checks continue it.';
const CHECK_FAILED = 'No event is lost: the next checks cover the same period again.';

function problemIn({
	result: { failed, failingIds, inFirstCheck },
	fetched: { results, failure },
}: {
	readonly result: SelectedEvents;
	readonly fetched: FetchedEvents;
}): Problem | undefined {
	if (failure === undefined) return undefined;
	if (failed) {
		return {
			...failure,
			message: `${failure.message} ${inFirstCheck ? FIRST_CHECK_FAILED : CHECK_FAILED}`,
		};
	}
	const isReported = failingIds.length > 0;
	const ids = isReported ? failingIds : results.flatMap((own) => (own.hasFailed ? [own.id] : []));
	const named = [...ids.slice(0, MAX_NAMED_IDS), ...(ids.length > MAX_NAMED_IDS ? ['...'] : [])];
	const what = `${pluralize(ids.length, 'ID')} failed${isReported ? ' in three checks in a row' : ''}`;
	return {
		...failure,
		message: `${what}: ${named.join(', ')}. ${failure.message} No other IDs are affected. Remove IDs that the service doesn't know.`,
		severity: isReported ? 'execution' : 'log',
	};
}

/** Fetches the events of a poll. */
async function fetchEvents(
	client: Client,
	settings: EventsSettings,
	{ ids, from }: EventsJob,
): Promise<FetchedEvents> {
	const outcomes = await queryIds(client, settings, ids, from);
	const failures = outcomes.flatMap(({ outcome: { failure } }) => failure ?? []);
	return {
		failure: failures.find(({ kind }) => kind !== 'stopped'),
		results: outcomes.flatMap(({ id, outcome: { value, failure } }): IdResult[] => {
			if (failure === undefined) return [{ id, ...value }];
			const isPending = failure.kind === 'stopped' || failure.kind === 'rateLimited';
			return isPending ? [] : [{ id, hasFailed: true }];
		}),
	};
}

/** Fetches the events of IDs since `from` (milliseconds). */
async function queryIds(
	client: Client,
	{ source, watch }: EventsSettings,
	ids: readonly string[],
	from: number,
): Promise<IdOutcome[]> {
	// The service may reject a time before its oldest events.
	const earliest = Date.now() - EVENT_WINDOW_DAYS * DAY_MS;
	const query = { types: watch.types, from: new Date(Math.max(from - 1, earliest)).toISOString() };
	const entries = ids.map((id) => newEntry<EventsQuery, EventsResult>({ ...query, id }));
	await executeBatches(client, entries, {
		...eventBatchConfig(source),
		// The queries differ only in their ID, so one group is enough. Computing thousands of keys would be slow.
		groupKey: () => '',
		parameterName: watchedIds.name,
	});
	return entries.map(({ input: { id }, outcome }) => ({ id, outcome }));
}

const MAX_TEST_EVENTS = 10;
const MAX_TEST_REQUESTS = 5;

/**
 * Fetches up to 10 events for Fetch Test Event in the editor: the newest of those received, oldest first.
 *
 * @throws NodeOperationError if there are no events
 */
async function fetchTestEvents(
	context: IPollFunctions,
	client: Client,
	settings: EventsSettings,
): Promise<ReceivedRow[]> {
	const { ids } = settings.watch;
	const now = Date.now();
	const tested = ids.slice(0, MAX_TEST_REQUESTS * LIMITS.eventsBatch);
	const outcomes = await queryIds(client, settings, tested, -Infinity);
	const received = outcomes.flatMap(({ outcome: { value } }) =>
		(value?.events ?? []).map((row) => ({ row, responseContext: value?.responseContext })),
	);
	received.sort((a, b) => timeOf(a.row, now) - timeOf(b.row, now));
	if (received.length > 0) return received.slice(-MAX_TEST_EVENTS);
	const failure = outcomes.find(({ outcome }) => outcome.failure !== undefined)?.outcome.failure;
	const all = pluralize(ids.length, 'ID');
	const searched =
		tested.length < ids.length ? `the first ${formatNumber(tested.length)} of ${all}` : all;
	throw operationError(
		context.getNode(),
		failure ?? {
			kind: 'notFound',
			message: `There are no events in the last ${EVENT_WINDOW_DAYS} days for ${searched}. If that is unexpected, check the IDs. Publish the workflow to watch for new events.`,
		},
	);
}
