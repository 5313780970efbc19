import type { Client } from '../api/client';
import type { Failure, Outcome } from '../core/outcome';
import type { EventSource } from '../catalog/events';
import { executeBatches } from '../runtime/batches';
import { eventBatchFunctions } from '../events/eventBatches';
import type { EventsResult, EventsQuery } from '../events/query';
import type { IdResult } from './selection';
import { triggerParameters } from './parameters';

/** Failures that bear it are about one id. */
const FIELD = triggerParameters.ids.name;

const OUT_OF_TIME: Failure = {
	kind: 'stopped',
	message: 'The time of this poll ran out; it goes on at the next.',
};

/**
 * Asks for the events of ids, 40 a request: an outcome for each id, in their order. After the deadline no request
 * is sent any more: ids that were not asked yet fail with the kind `stopped`, others with the failure of their last try.
 */
export async function fetchEvents(
	client: Client,
	source: EventSource,
	ids: readonly string[],
	question: Omit<EventsQuery, 'id'>,
	deadline: number,
): Promise<ReadonlyArray<Outcome<EventsResult>>> {
	const answered = await executeBatches(
		client,
		ids.map((id): EventsQuery => ({ ...question, id })),
		// All queries are alike, which needn't be found out for each of thousands.
		{ ...eventBatchFunctions(source), group: () => '', field: FIELD },
		{ skipIf: () => (Date.now() > deadline ? OUT_OF_TIME : undefined) },
	);
	return answered.map(({ outcome }) => outcome);
}

/**
 * What the outcomes mean for the sweep. Left out is what says nothing of an id: it is still to be asked. An id that the
 * service refuses, while it answers for others, has no events: to ask again would bring the same.
 */
export function toIdResults(
	ids: readonly string[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
): IdResult[] {
	const answers = outcomes.some(({ failure }) => failure === undefined);
	return ids.flatMap((id, at): IdResult[] => {
		const { value, failure } = outcomes[at] ?? {};
		// With a failure beside it, a value may lack events: the id is asked again.
		if (failure === undefined) return value === undefined ? [] : [{ id, events: value.events }];
		if (failure.kind === 'stopped' || failure.kind === 'rateLimited') return [];
		const refused = answers && failure.kind === 'invalid' && failure.field === FIELD;
		return [refused ? { id, events: [] } : { id }];
	});
}
