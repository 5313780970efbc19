import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { LIMITS } from '../catalog/service';
import type { Failure, Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';
import type { EventsResult } from '../events/query';
import { eventItems } from '../events/rows';
import { budgetOf, createEventFetcher, DEFAULT_BUDGET_MS, toIdResults } from './fetch';
import { manualTest } from './manualTest';
import { createPollRunner } from './pollRun';
import { checkStartFrom, readSettings } from './settings';

const runPoll = createPollRunner();
const polledContexts = new WeakSet<IPollFunctions>();

/**
 * One poll of the trigger: the new events, oldest first, or null. Invalid settings always throw. A failing service never
 * throws at an activation, since n8n would then stop polling.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	if (context.getMode() === 'manual') return await manualTest(context, settings);

	const { id, name } = context.getNode();
	const state = context.getWorkflowStaticData('node');
	if (state.checkpoint === undefined) checkStartFrom(settings, Date.now());
	const fetcher = await createEventFetcher(context, settings);
	const activation = detectActivation(context);

	let outcomes: ReadonlyArray<Outcome<EventsResult>> = [];
	const { events, succeeded } = await runPoll({
		nodeKey: `${context.getWorkflow().id}/${id}/${name}`,
		state,
		watch: settings.watch,
		maxIds: settings.requestsPerPoll * LIMITS.events,
		now: Date.now,
		async fetch(ids, from) {
			outcomes = await fetcher.fetch(ids, from);
			fetcher.stop();
			logFailures(context, ids, outcomes);
			return toIdResults(ids, outcomes);
		},
	});
	const failure = failuresIn(outcomes)[0]?.failure;
	if (!succeeded && failure !== undefined) {
		const error = new NodeOperationError(
			context.getNode(),
			`${failure.message} No event is lost: the next checks cover the same period again.`,
		);
		if (activation === 'no') throw error;
		// Creates a failed execution, as n8n does when a poll throws, without affecting the activation.
		if (activation === 'maybe') context.__emitError(error);
	}
	return events.length === 0 ? null : [eventItems(events, outcomes, settings)];
}

/**
 * Detects the poll of an activation: n8n stops polling if the node throws there.
 *
 * - `no`: the context was polled before, or has a time budget of its own. n8n reuses one context for an activation and the
 *   polls after it.
 * - `maybe`: the first poll with mode `update`. It is an activation, or a poll of n8n's durable schedule, which makes a new
 *   context for each poll; since n8n 2.38 with its own budget, which may equal the default.
 * - `yes`: the first poll with any other mode.
 */
function detectActivation(context: IPollFunctions): 'yes' | 'maybe' | 'no' {
	const isFirstPoll = !polledContexts.has(context);
	polledContexts.add(context);
	if (!isFirstPoll || budgetOf(context) !== DEFAULT_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/** The failures other than `stopped`, with the index of their ID. */
const failuresIn = (outcomes: ReadonlyArray<Outcome<EventsResult>>) =>
	outcomes.flatMap(
		({ failure }, index): Array<{ failure: Failure; index: number }> =>
			failure === undefined || failure.kind === 'stopped' ? [] : [{ failure, index }],
	);

/** Writes to n8n's log, the only place for a failure that is not thrown. */
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
