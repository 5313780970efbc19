import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import type { Failure, Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import type { EventsResult } from '../../events/query';
import { eventItems } from '../../events/rows';
import { detectActivation, nodeKeyOf, reportFailedPoll } from '../activation';
import { createEventFetcher, toIdResults } from './fetch';
import { manualTest } from './manualTest';
import { createEventsRunner } from './run';
import { checkStartFrom, readEventsSettings } from './settings';

const runPoll = createEventsRunner();

/**
 * One poll of a trigger that watches IDs: the new events, oldest first, or null. Throws for invalid settings. A failing
 * service never throws at an activation, because n8n would then stop polling.
 */
export async function pollEvents(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readEventsSettings(context);
	if (context.getMode() === 'manual') return await manualTest(context, settings);

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

/** The failures other than `stopped`, with the index of their ID. */
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
