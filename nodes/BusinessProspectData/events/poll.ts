import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { counted, withCommas } from '../api/numbers';
import type { Failure, Outcome } from '../api/outcome';
import { LIMITS } from '../catalog/limits';
import { budgetOf, createAsker, FREE_BUDGET_MS } from './asker';
import { answersOf } from './fetch';
import { itemsOf } from './items';
import type { EventsAnswer } from './query';
import { sample } from './sample';
import { checkStartFrom, readSettings } from './settings';
import { createTurns } from './turn';

const takeTurn = createTurns();
const activated = new WeakSet<IPollFunctions>();

/**
 * One poll of the trigger: the events that are new, oldest first, or null. Wrong settings are thrown always; a failing
 * service never at an activation, since n8n would give up on the trigger.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	if (context.getMode() === 'manual') return await sample(context, settings);

	const { id, name } = context.getNode();
	const state = context.getWorkflowStaticData('node');
	if (state.checkpoint === undefined) checkStartFrom(settings, Date.now());
	const asker = await createAsker(context, settings);
	const activates = isActivation(context);

	let outcomes: ReadonlyArray<Outcome<EventsAnswer>> = [];
	const { events, answered } = await takeTurn({
		key: `${context.getWorkflow().id}/${id}/${name}`,
		state,
		watch: settings.watch,
		most: settings.requestsPerPoll * LIMITS.events,
		now: Date.now,
		async ask(ids, from) {
			outcomes = await asker.ask(ids, from);
			asker.stop();
			warn(context, ids, outcomes);
			return answersOf(ids, outcomes);
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
	return events.length === 0 ? null : [itemsOf(events, outcomes, settings.simplify)];
}

/**
 * Whether the poll belongs to an activation, in which n8n gives up on a trigger that throws. n8n makes a context for each
 * activation and keeps it for the polls that follow. Its durable schedule makes one for each poll, with `update` as
 * activation mode, as after a save. Since n8n 2.38 that one has a budget of its own, which by chance may be the usual one.
 */
function isActivation(context: IPollFunctions): 'yes' | 'maybe' | 'no' {
	const first = !activated.has(context);
	activated.add(context);
	if (!first || budgetOf(context) !== FREE_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/** The failures, with their place, that are more than a lack of time. */
const troubleIn = (outcomes: ReadonlyArray<Outcome<EventsAnswer>>) =>
	outcomes.flatMap(
		({ failure }, at): Array<{ failure: Failure; at: number }> =>
			failure === undefined || failure.kind === 'stopped' ? [] : [{ failure, at }],
	);

/** Leaves word in n8n's log, the only place for a failure that is not thrown. */
function warn(
	context: IPollFunctions,
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsAnswer>>,
): void {
	const trouble = troubleIn(outcomes);
	const [first] = trouble;
	if (first === undefined) return;
	context.logger.warn(
		`${context.getNode().name}: ${withCommas(trouble.length)} of ${counted(ids.length, 'ID')} could not be asked, the first of them ${ids[first.at]}: ${first.failure.message}`,
	);
}
