import type { IDataObject } from 'n8n-workflow';
import { EVENT_FIELDS, EVENT_ID } from '../catalog/events';
import type { EntityFields } from '../catalog/service';
import { isEmpty, isObject, type JsonValue } from '../core/json';
import { simplifyRecord } from '../core/simplify';
import { recordOutput, type Row } from '../runtime/output';
import { eventKey, type EventsResult } from './query';

/**
 * A simplified event: its own fields, then the members of `data`, then its ID, which is long and means nothing to people. Own
 * fields win over members of the same name, which Fields can select as `data.<name>`.
 */
function simplifiedEvent(event: IDataObject, { idField }: EntityFields): IDataObject {
	const own = simplifyRecord(event, [...EVENT_FIELDS, idField]);
	const id = simplifyRecord(event, [EVENT_ID]);
	const { data } = event;
	if (isObject(data)) {
		const members = Object.entries(data).filter(([name]) => name !== EVENT_ID);
		const ownValues = Object.entries(own).filter(([, value]) => !isEmpty(value));
		// `own` comes first for the order of the fields, and its values come again so that they win.
		return { ...own, ...Object.fromEntries([...members, ...ownValues]), ...id };
	}
	return isEmpty(data) ? { ...own, ...id } : { ...own, data, ...id };
}

/** The row of an entity that the service doesn't know: the fields that every event has, all null. */
export const emptyEventRow = ({ idField }: EntityFields): IDataObject =>
	simplifyRecord({}, [...EVENT_FIELDS, idField, EVENT_ID]);

/** The output of an event: simplified or, with the `response_context`, as the service sent it. */
export const eventOutput = (
	event: IDataObject,
	entity: EntityFields,
	responseContext: JsonValue,
	simplify: boolean,
) => recordOutput(simplifiedEvent(event, entity), () => event, responseContext, simplify);

/** Rows of Get Events: one per event of an entity. */
export const eventRows = (
	entity: EntityFields,
	id: string,
	{ events, responseContext }: EventsResult,
	simplify: boolean,
): Row[] =>
	events.map((event) => ({
		identity: eventKey(id, event),
		...eventOutput(event, entity, responseContext, simplify),
	}));
