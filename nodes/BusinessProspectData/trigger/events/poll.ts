import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { operationError } from '../../api/operationError';
import { LIMITS } from '../../catalog/service';
import type { Failure, Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import type { EventsResult } from '../../events/query';
import { eventOutput } from '../../events/rows';
import { detectActivation, reportFailedPoll } from '../activation';
import { nodeKeyOf } from '../memory';
import { createEventFetcher, toIdResults } from './fetch';
import { createEventsRunner } from './strategy';
import { checkStartFrom, type EventsSettings, readEventsSettings } from './settings';
import { retentionStart } from '../../events/retention';
import { timeOf } from './selection';
import { toItems } from '../items';
import type { EventEntry } from '../parameters';

const runPoll = createEventsRunner();

/**
 * One poll of a trigger that watches IDs: the new events, oldest first, or null. Throws for invalid settings. At an activation,
 * a failure of the service doesn't throw, because n8n would then stop polling.
 */
export async function pollEvents(
	context: IPollFunctions,
	entry: EventEntry,
): Promise<INodeExecutionData[][] | null> {
	const settings = readEventsSettings(context, entry);
	if (context.getMode() === 'manual') return await fetchTestEvents(context, settings);

	const state = context.getWorkflowStaticData('node');
	if (state.checkpoint === undefined) checkStartFrom(settings, Date.now());
	const fetcher = await createEventFetcher(context, settings);
	const activation = detectActivation(context);

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

/** Logs failures, because not all of them are thrown. */
function logFailures(
	context: IPollFunctions,
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
): void {
	const failures = failuresIn(outcomes);
	const [first] = failures;
	if (first === undefined) return;
	context.logger.warn(
		`${context.getNode().name}: ${formatNumber(failures.length)} of ${pluralize(ids.length, 'ID')} failed. First failed ID: ${ids[first.index]}. ${first.failure.message}`,
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
		outcomes.push(...(await fetcher.fetch(ids.slice(at, at + LIMITS.eventsBatch), from)));
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
