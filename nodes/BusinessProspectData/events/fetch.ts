import type { Client } from '../api/client';
import type { Failure, Outcome } from '../api/outcome';
import type { EventSource } from '../catalog/events';
import { LIMITS } from '../catalog/limits';
import { inBatches } from '../runtime/batches';
import { type EventsAnswer, type EventsAsk, queryEvents } from './query';
import type { Answer } from './selection';

/** The saved name of the parameter with the ids: failures that bear it are about one id. */
export const IDS = 'ids';

const OUT_OF_TIME: Failure = {
	kind: 'stopped',
	message: 'The time of this poll ran out; it goes on at the next.',
};
const NO_ANSWER_IN_TIME: Failure = {
	kind: 'noAnswer',
	message:
		'The service gave no answer within the time of this poll. It is asked again at the next.',
};

/** What to ask of all ids alike. */
export type Question = Omit<EventsAsk, 'id'>;

/**
 * Asks for the events of ids, 40 a request: an outcome for each id, in their order. After the deadline no request
 * is sent any more: ids that were not asked yet fail with the kind `stopped`.
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
		async send(request) {
			let sent = false;
			return await client.send({
				...request,
				refusal: () => {
					if (Date.now() > deadline) return sent ? NO_ANSWER_IN_TIME : OUT_OF_TIME;
					sent = true;
					return undefined;
				},
			});
		},
	};
	const answered = await inBatches(
		ids.map((id): EventsAsk => ({ ...question, id })),
		{
			limit: () => LIMITS.events,
			group: () => '',
			key: ({ id }) => id,
			list: () => source.entity.ids,
			field: IDS,
			send: async (asks) => await queryEvents(guarded, source, asks),
		},
		true,
	);
	return answered.map(({ outcome }) => outcome);
}

/**
 * What the outcomes mean for the sweep. Left out is what says nothing of an id: it is still to be asked. An id that the
 * service refuses, while it answers for others, has no events: to ask again would bring the same.
 */
export function answersOf(
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsAnswer>>,
): Answer[] {
	const answers = outcomes.some(({ failure }) => failure === undefined);
	return ids.flatMap((id, at): Answer[] => {
		const { value, failure } = outcomes[at] ?? {};
		if (value !== undefined) return [{ id, events: value.events }];
		if (failure?.kind === 'stopped' || failure?.kind === 'rateLimited') return [];
		const refused = answers && failure?.kind === 'invalid' && failure.field === IDS;
		return [refused ? { id, events: [] } : { id }];
	});
}
