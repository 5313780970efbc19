import type { Client, SkipIf } from '../api/client';
import type { EventSource } from '../catalog/events';
import { LIMITS } from '../catalog/service';
import { type EventsQuery, queryEvents } from './query';

/** How questions for events become requests, for either kind of entity. */
export const eventBatchFunctions = (source: EventSource) => ({
	group: ({ types, from, to, requestContext }: EventsQuery) =>
		JSON.stringify([types, from, to, requestContext]),
	key: ({ id }: EventsQuery) => id,
	maxBatchSize: () => LIMITS.events,
	listMember: () => source.entity.ids,
	send: async (client: Client, asks: readonly EventsQuery[], skipIf: SkipIf) =>
		await queryEvents(client, source, asks, skipIf),
});
