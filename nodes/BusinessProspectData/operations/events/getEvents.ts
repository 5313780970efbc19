import type { EntityEvents } from '../../catalog/events';
import { LIMITS } from '../../catalog/service';
import { eventBatchConfig, type EventsQuery, type EventsResult } from '../../events/query';
import { eventRows } from '../../events/rows';
import type { BatchResult } from '../../runtime/batches';
import { batchSize, options, requestContext } from '../../runtime/options';
import { rowsWithFailure } from '../../runtime/output';
import { onlyNewEvents, removeKnownEvents } from './onlyNewEvents';

/** @param placeholder an example for Fields */
export const eventOptions = (placeholder: string) =>
	options(placeholder, [onlyNewEvents], [batchSize(LIMITS.eventsBatch), requestContext]);

type EventOptions = ReturnType<ReturnType<typeof eventOptions>['read']>;

/** The parts of Get Events that both resources share. */
export const sharedEventsSpec = (source: EntityEvents) => ({
	...eventBatchConfig(source),
	identifiers: [source.entity.idField, 'event_id'],
	rows: (
		results: ReadonlyArray<BatchResult<EventsQuery, EventsResult>>,
		{ simplify }: { readonly simplify: boolean },
	) =>
		results.flatMap(({ input: { id }, outcome }) =>
			rowsWithFailure(outcome, (result) => eventRows(source.entity, id, result, simplify)),
		),
	select: removeKnownEvents<EventOptions>,
	wording: { verb: 'Returned', one: 'event' },
});
