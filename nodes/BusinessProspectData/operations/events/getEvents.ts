import { deepCopy, type IExecuteFunctions } from 'n8n-workflow';
import type { EventSource } from '../../catalog/events';
import { LIMITS } from '../../catalog/service';
import { eventBatchFunctions } from '../../events/eventBatches';
import { eventKey, type EventsResult, type EventsQuery } from '../../events/query';
import type { BatchResult } from '../../runtime/batches';
import type { ItemRow } from '../../runtime/output';
import { batchSize, options, requestContext } from '../../runtime/options';
import { type Row, rowsOf } from '../../runtime/output';
import { onlyNewEvents, removeKnownEvents } from './onlyNewEvents';

export const eventOptions = options(batchSize(LIMITS.events), onlyNewEvents, requestContext);

type EventOptions = ReturnType<typeof eventOptions.read>;

/** How the asks of Get Events become requests, and the answers rows, for either kind of entity. */
export const getEventsFor = (source: EventSource) => ({
	...eventBatchFunctions(source),
	identifiers: [source.entity.id, 'event_id'],
	rows: (
		answered: ReadonlyArray<BatchResult<EventsQuery, EventsResult>>,
		{ simplify }: { readonly simplify: boolean },
	) =>
		answered.flatMap(({ input: ask, outcome }) =>
			rowsOf(outcome, (answer) => eventRows(ask.id, answer, simplify)),
		),
	select: async (context: IExecuteFunctions, rows: ReadonlyArray<ItemRow<EventOptions>>) =>
		await removeKnownEvents(context, rows),
	wording: { verb: 'Returned', one: 'event' },
});

const eventRows = (id: string, { events, responseContext }: EventsResult, simple: boolean): Row[] =>
	events.map((event) => ({
		key: eventKey(id, event),
		json: simple ? event : { ...event, response_context: deepCopy(responseContext) },
	}));
