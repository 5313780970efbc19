import { deepCopy, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import type { EventsResult } from './query';

/** One item per event; without Simplify with the context of the answer in which it came. */
export function eventItems(
	events: readonly IDataObject[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
	simplify: boolean,
): INodeExecutionData[] {
	if (simplify) return events.map((json) => ({ json }));
	const contexts = new Map(
		outcomes.flatMap(({ value }) =>
			(value?.events ?? []).map((event) => [event, value?.responseContext] as const),
		),
	);
	return events.map((event) => ({
		json: { ...event, response_context: deepCopy(contexts.get(event)) },
	}));
}
