import type { IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { EventSource } from '../catalog/events';
import { LIMITS } from '../catalog/limits';
import { type EventsAnswer, type EventsAsk, queryEvents } from '../events/query';
import type { Answered } from '../runtime/batches';
import type { ItemRow } from '../runtime/operation';
import { batchSize, options, requestContext } from '../runtime/options';
import { type Row, rowsOf } from '../runtime/output';
import { onlyNewEvents, withoutKnown } from './onlyNewEvents';

export const eventOptions = options(batchSize(LIMITS.events), onlyNewEvents, requestContext);

type EventOptions = ReturnType<typeof eventOptions.read>;

/** How the asks of Get Events become requests, and the answers rows, for either kind of entity. */
export const eventBatches = (source: EventSource) => ({
	group: ({ types, from, to, requestContext: context }: EventsAsk) =>
		JSON.stringify([types, from, to, context]),
	key: ({ id }: EventsAsk) => id,
	limit: () => LIMITS.events,
	list: () => source.entity.ids,
	send: async (client: Client, asks: readonly EventsAsk[]) =>
		await queryEvents(client, source, asks),
	rows: (
		answered: ReadonlyArray<Answered<EventsAsk, EventsAnswer>>,
		{ simplify }: { readonly simplify: boolean },
	) => answered.flatMap(({ outcome }) => rowsOf(outcome, (answer) => eventRows(answer, simplify))),
	select: async (context: IExecuteFunctions, rows: ReadonlyArray<ItemRow<EventOptions>>) =>
		await withoutKnown(context, rows),
	wording: { verb: 'Returned', one: 'event' },
});

const eventRows = ({ events, responseContext }: EventsAnswer, simple: boolean): Row[] =>
	events.map((event) => ({
		json: simple ? event : { ...event, response_context: responseContext },
	}));
