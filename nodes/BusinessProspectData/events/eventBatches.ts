import type { Client } from '../api/client';
import type { EventSource } from '../catalog/events';
import { LIMITS } from '../catalog/limits';
import { type EventsAsk, queryEvents } from './query';

/** How questions for events become requests, for either kind of entity. */
export const eventBatches = (source: EventSource) => ({
	group: ({ types, from, to, requestContext }: EventsAsk) =>
		JSON.stringify([types, from, to, requestContext]),
	key: ({ id }: EventsAsk) => id,
	limit: () => LIMITS.events,
	list: () => source.entity.ids,
	send: async (client: Client, asks: readonly EventsAsk[]) =>
		await queryEvents(client, source, asks),
});
