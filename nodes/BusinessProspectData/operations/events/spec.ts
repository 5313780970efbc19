import { type EventsSource, EVENT_ID } from '../../catalog/events';
import { LIMITS } from '../../catalog/service';
import { eventBatchConfig, type EventsQuery, type EventsResult } from '../../events/query';
import { eventRows } from '../../events/rows';
import type { InputResult } from '../../runtime/batches';
import { batchSize, requestContext } from '../../runtime/options';
import { rowsWithFailure } from '../../runtime/output';
import { onlyNew } from '../onlyNew';

export const { option: onlyNewEvents, select: removeKnownEvents } = onlyNew({
	name: 'onlyNewEvents',
	displayName: 'Only New Events',
	records: 'events',
	advice: 'Choose a later From, or split the IDs over several nodes.',
});

export const eventsRequestOptions = [batchSize(LIMITS.eventsBatch), requestContext] as const;

/** The parts of Get Events that both resources share. */
export const sharedEventsSpec = (source: EventsSource) => ({
	...eventBatchConfig(source),
	identifiers: [source.entity.idField, EVENT_ID],
	rows: (
		results: ReadonlyArray<InputResult<EventsQuery, EventsResult>>,
		{ simplify }: { readonly simplify: boolean },
	) =>
		results.flatMap(({ input: { id }, outcome }) =>
			rowsWithFailure(outcome, (result) => eventRows(source.entity, id, result, simplify)),
		),
	price: () => ({ unpriced: 'Get Events' }),
	select: removeKnownEvents,
	wording: { verb: 'Returned', one: 'event' },
});
