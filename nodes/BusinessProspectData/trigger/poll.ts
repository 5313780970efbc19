import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { pluralize, formatNumber } from '../core/text';
import type { Failure, Outcome } from '../core/outcome';
import { LIMITS } from '../catalog/service';
import { budgetOf, createEventFetcher, DEFAULT_BUDGET_MS } from './eventFetcher';
import { toIdResults } from './fetch';
import { eventItems } from '../events/rows';
import type { EventsResult } from '../events/query';
import { manualTest } from './manualTest';
import { checkStartFrom, readSettings } from './settings';
import { createPollRunner } from './pollRun';

const takeTurn = createPollRunner();
const activated = new WeakSet<IPollFunctions>();

/**
 * One poll of the trigger: the events that are new, oldest first, or null. Wrong settings are thrown always; a failing
 * service never at an activation, since n8n would give up on the trigger.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	if (context.getMode() === 'manual') return await manualTest(context, settings);

	const { id, name } = context.getNode();
	const state = context.getWorkflowStaticData('node');
	if (state.checkpoint === undefined) checkStartFrom(settings, Date.now());
	const asker = await createEventFetcher(context, settings);
	const activates = isActivation(context);

	let outcomes: ReadonlyArray<Outcome<EventsResult>> = [];
	const { events, answered } = await takeTurn({
		key: `${context.getWorkflow().id}/${id}/${name}`,
		state,
		watch: settings.watch,
		most: settings.requestsPerPoll * LIMITS.events,
		now: Date.now,
		async ask(ids, from) {
			outcomes = await asker.fetch(ids, from);
			asker.stop();
			warn(context, ids, outcomes);
			return toIdResults(ids, outcomes);
		},
	});
	const why = troubleIn(outcomes)[0]?.failure;
	if (!answered && why !== undefined) {
		const error = new NodeOperationError(
			context.getNode(),
			`${why.message} No event is lost: the next checks ask for the same time again.`,
		);
		if (activates === 'no') throw error;
		// A failed execution, as n8n makes one of a throw, without harm to an activation.
		if (activates === 'maybe') context.__emitError(error);
	}
	return events.length === 0 ? null : [eventItems(events, outcomes, settings.simplify)];
}

/**
 * Whether the poll belongs to an activation, in which n8n gives up on a trigger that throws. n8n makes a context for each
 * activation and keeps it for the polls that follow. Its durable schedule makes one for each poll, with `update` as
 * activation mode, as after a save. Since n8n 2.38 that one has a budget of its own, which by chance may be the usual one.
 */
function isActivation(context: IPollFunctions): 'yes' | 'maybe' | 'no' {
	const first = !activated.has(context);
	activated.add(context);
	if (!first || budgetOf(context) !== DEFAULT_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/** The failures, with their place, that are more than a lack of time. */
const troubleIn = (outcomes: ReadonlyArray<Outcome<EventsResult>>) =>
	outcomes.flatMap(
		({ failure }, at): Array<{ failure: Failure; at: number }> =>
			failure === undefined || failure.kind === 'stopped' ? [] : [{ failure, at }],
	);

/** Leaves word in n8n's log, the only place for a failure that is not thrown. */
function warn(
	context: IPollFunctions,
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
): void {
	const trouble = troubleIn(outcomes);
	const [first] = trouble;
	if (first === undefined) return;
	context.logger.warn(
		`${context.getNode().name}: ${formatNumber(trouble.length)} of ${pluralize(ids.length, 'ID')} could not be asked, the first of them ${ids[first.at]}: ${first.failure.message}`,
	);
}
