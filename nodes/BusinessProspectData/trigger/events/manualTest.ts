import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import type { Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import type { EventsResult } from '../../events/query';
import { eventItems } from '../../events/rows';
import { retentionStart } from '../../events/window';
import { createEventFetcher } from './fetch';
import { timeOf } from './selection';
import type { EventsSettings } from './settings';

const MAX_EVENTS = 10;
const MAX_REQUESTS = 5;

/**
 * Fetch Test Event in the editor: the newest events of the first IDs that have any, oldest first. Changes no state.
 *
 * @throws NodeOperationError when there are no events: with the failure of a request or, if none failed, with the IDs and
 *   the period searched
 */
export async function manualTest(
	context: IPollFunctions,
	settings: EventsSettings,
): Promise<INodeExecutionData[][]> {
	const { ids } = settings.watch;
	const now = Date.now();
	const from = retentionStart(now);
	const fetcher = await createEventFetcher(context, settings);
	const outcomes: Array<Outcome<EventsResult>> = [];
	const eventsIn = () => outcomes.flatMap(({ value }) => value?.events ?? []);
	const maxIds = Math.min(ids.length, MAX_REQUESTS * LIMITS.eventsBatch);
	for (let at = 0; at < maxIds && eventsIn().length < MAX_EVENTS; at += LIMITS.eventsBatch) {
		outcomes.push(...(await fetcher.fetch(ids.slice(at, at + LIMITS.eventsBatch), from)));
	}
	fetcher.stop();

	const events = eventsIn();
	if (events.length > 0) {
		const newest = [...events].sort((a, b) => timeOf(a, now) - timeOf(b, now)).slice(-MAX_EVENTS);
		return [eventItems(newest, outcomes, settings)];
	}
	const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
	const all = pluralize(ids.length, 'ID');
	const searched =
		outcomes.length < ids.length ? `the first ${formatNumber(outcomes.length)} of ${all}` : all;
	throw new NodeOperationError(
		context.getNode(),
		failure?.message ??
			`No events from ${new Date(from).toISOString().slice(0, 10)} until now for ${searched}. That's not an error: publish the workflow to watch all IDs for new events.`,
	);
}
