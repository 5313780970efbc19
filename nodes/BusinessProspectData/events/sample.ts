import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { counted, withCommas } from '../api/numbers';
import type { Outcome } from '../api/outcome';
import { LIMITS } from '../catalog/limits';
import { createAsker } from './asker';
import { itemsOf } from './items';
import type { EventsAnswer } from './query';
import { timeOf } from './selection';
import type { Settings } from './settings';
import { windowStart } from './window';

/** A test shows this many events, and asks this often at most. */
const SHOWN = 10;
const MOST_REQUESTS = 5;

/**
 * The test of the editor: the newest events of the first ids that have some, oldest first. Reads and changes no state.
 *
 * @throws NodeOperationError that says what was looked at when there is none
 */
export async function sample(
	context: IPollFunctions,
	settings: Settings,
): Promise<INodeExecutionData[][]> {
	const { ids } = settings.watch;
	const now = Date.now();
	const from = windowStart(now);
	const { ask, stop } = await createAsker(context, settings);
	const outcomes: Array<Outcome<EventsAnswer>> = [];
	const eventsIn = () => outcomes.flatMap(({ value }) => value?.events ?? []);
	const most = Math.min(ids.length, MOST_REQUESTS * LIMITS.events);
	for (let at = 0; at < most && eventsIn().length < SHOWN; at += LIMITS.events) {
		outcomes.push(...(await ask(ids.slice(at, at + LIMITS.events), from)));
	}
	stop();

	const events = eventsIn();
	if (events.length > 0) {
		const newest = [...events].sort((a, b) => timeOf(a, now) - timeOf(b, now)).slice(-SHOWN);
		return [itemsOf(newest, outcomes, settings.simplify)];
	}
	const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
	const some = ids.length > outcomes.length;
	const which = some
		? `the first ${withCommas(outcomes.length)} of ${counted(ids.length, 'ID')}`
		: counted(ids.length, 'ID');
	throw new NodeOperationError(
		context.getNode(),
		failure?.message ??
			`There was no event from ${new Date(from).toISOString().slice(0, 10)} until now for ${which}. Once the workflow is active, the trigger goes on watching${some ? ' all of them' : ''}.`,
	);
}
