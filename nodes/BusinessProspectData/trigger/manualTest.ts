import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { pluralize, formatNumber } from '../core/text';
import type { Outcome } from '../core/outcome';
import { LIMITS } from '../catalog/service';
import { createEventFetcher } from './eventFetcher';
import { eventItems } from '../events/rows';
import type { EventsResult } from '../events/query';
import { timeOf } from './selection';
import type { Settings } from './settings';
import { windowStart } from '../events/window';

/** A test shows this many events, and asks this often at most. */
const SHOWN = 10;
const MAX_REQUESTS = 5;

/**
 * The test of the editor: the newest events of the first ids that have some, oldest first. Reads and changes no state.
 *
 * @throws NodeOperationError that says what was looked at when there is none
 */
export async function manualTest(
	context: IPollFunctions,
	settings: Settings,
): Promise<INodeExecutionData[][]> {
	const { ids } = settings.watch;
	const now = Date.now();
	const from = windowStart(now);
	const { fetch: ask, stop } = await createEventFetcher(context, settings);
	const outcomes: Array<Outcome<EventsResult>> = [];
	const eventsIn = () => outcomes.flatMap(({ value }) => value?.events ?? []);
	const most = Math.min(ids.length, MAX_REQUESTS * LIMITS.events);
	for (let at = 0; at < most && eventsIn().length < SHOWN; at += LIMITS.events) {
		outcomes.push(...(await ask(ids.slice(at, at + LIMITS.events), from)));
	}
	stop();

	const events = eventsIn();
	if (events.length > 0) {
		const newest = [...events].sort((a, b) => timeOf(a, now) - timeOf(b, now)).slice(-SHOWN);
		return [eventItems(newest, outcomes, settings.simplify)];
	}
	const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
	const some = ids.length > outcomes.length;
	const which = some
		? `the first ${formatNumber(outcomes.length)} of ${pluralize(ids.length, 'ID')}`
		: pluralize(ids.length, 'ID');
	throw new NodeOperationError(
		context.getNode(),
		failure?.message ??
			`There was no event from ${new Date(from).toISOString().slice(0, 10)} until now for ${which}. Once the workflow is active, the trigger goes on watching${some ? ' all of them' : ''}.`,
	);
}
