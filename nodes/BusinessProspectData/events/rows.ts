import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { EVENT_FIELDS, EVENT_ID, type EventsSource } from '../catalog/events';
import type { EntityFields } from '../catalog/service';
import { isEmpty, isObject } from '../core/json';
import type { Outcome } from '../core/outcome';
import { simplifyRecord } from '../core/simplify';
import { recordOutput, type Row } from '../runtime/output';
import { eventKey, type EventsResult } from './query';

/**
 * A simplified event: its own fields, then the members of `data`, then its ID, which is long and tells people nothing. Own
 * fields win over members of the same name; Fields can name those as `data.<name>`.
 */
function simplifiedEvent(event: IDataObject, { idField }: EntityFields): IDataObject {
	const own = simplifyRecord(event, [...EVENT_FIELDS, idField]);
	const id = simplifyRecord(event, [EVENT_ID]);
	const { data } = event;
	if (isObject(data)) {
		const members = Object.entries(data).filter(([name]) => name !== EVENT_ID);
		// `own` comes first for the order of the fields, and again so that its values win.
		return { ...own, ...Object.fromEntries(members), ...own, ...id };
	}
	return isEmpty(data) ? { ...own, ...id } : { ...own, data, ...id };
}

/** The row of an entity that the service doesn't know: the fields that every event has, all null. */
export const emptyEventRow = ({ idField }: EntityFields): IDataObject =>
	simplifyRecord({}, [...EVENT_FIELDS, idField, EVENT_ID]);

/** Rows of Get Events: one per event of an entity. */
export const eventRows = (
	entity: EntityFields,
	id: string,
	{ events, responseContext }: EventsResult,
	simplify: boolean,
): Row[] =>
	events.map((event) => ({
		identity: eventKey(id, event),
		...recordOutput(simplifiedEvent(event, entity), () => event, responseContext, simplify),
	}));

/** Items of the trigger: one per selected event. `outcomes` are those of the poll. */
export function eventItems(
	selected: readonly IDataObject[],
	outcomes: ReadonlyArray<Outcome<EventsResult>>,
	{ source, simplify }: { readonly source: EventsSource; readonly simplify: boolean },
): INodeExecutionData[] {
	if (simplify) return selected.map((event) => ({ json: simplifiedEvent(event, source.entity) }));
	const contexts = new Map(
		outcomes.flatMap(({ value }) =>
			(value?.events ?? []).map((event) => [event, value?.responseContext] as const),
		),
	);
	return selected.map((event) => {
		const { json } = recordOutput({}, () => event, contexts.get(event), false);
		return { json };
	});
}
