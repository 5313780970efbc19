import type { Client } from '../api/client';
import type { Failure, Outcome } from '../api/outcome';
import type { EventSource } from '../catalog/events';
import { LIMITS } from '../catalog/limits';
import { inBatches } from '../runtime/batches';
import { type EventsAnswer, type EventsAsk, queryEvents } from './query';

const OUT_OF_TIME: Failure = {
	kind: 'stopped',
	message: 'The time of this poll ran out; it goes on at the next.',
};

/** What to ask of all ids alike. */
export type Question = Omit<EventsAsk, 'id'>;

/**
 * Asks for the events of ids, 40 a request: an outcome for each id, in their order. After the deadline no request
 * starts any more; the ids left fail with the kind `stopped`.
 */
export async function fetchEvents(
	client: Client,
	source: EventSource,
	ids: readonly string[],
	question: Question,
	deadline: number,
): Promise<ReadonlyArray<Outcome<EventsAnswer>>> {
	const guarded: Client = {
		...client,
		send: async (request) =>
			await client.send({
				...request,
				refusal: () => (Date.now() > deadline ? OUT_OF_TIME : undefined),
			}),
	};
	const { outcomes } = await inBatches(
		ids.map((id): EventsAsk => ({ ...question, id })),
		{
			limit: () => LIMITS.events,
			group: () => '',
			key: ({ id }) => id,
			list: () => source.entity.ids,
			send: async (asks) => await queryEvents(guarded, source, asks),
		},
		true,
	);
	return outcomes;
}
