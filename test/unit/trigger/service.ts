/** The service of the histories: which events it returns when. */
import type { IDataObject } from 'n8n-workflow';
import { retentionStart } from '../../../nodes/BusinessProspectData/events/query';
import type { SimEvent } from './history';

/** The time of an event as the service returns it at a moment. */
export const timeAt = ({ time, moves }: SimEvent, moment: number): number =>
	moves !== undefined && moment >= moves.at ? moves.to : time;

/** The ID of an event. Events of two entities may have the same one. */
function eventId(events: readonly SimEvent[], number: number): string {
	const { entity } = events[number] ?? {};
	return `event ${events.slice(0, number).filter((event) => event.entity === entity).length}`;
}

/** The events of IDs after a moment, as the service returns them now; some of them twice. `number` identifies the event. */
export function visible(
	events: readonly SimEvent[],
	ids: readonly string[],
	types: readonly string[],
	after: number,
	now: number,
): IDataObject[] {
	const earliest = Math.max(after, retentionStart(now) - 1);
	return events.flatMap((event, number) => {
		const time = timeAt(event, now);
		if (!ids.includes(event.entity) || event.surfaces > now || !types.includes(event.name))
			return [];
		if (time <= earliest) return [];
		const record = {
			number,
			event_id: eventId(events, number),
			event_name: event.name,
			event_time: new Date(time).toISOString(),
			...((ids.length === 1 || !event.unassigned) && { prospect_id: event.entity }),
		};
		return number % 3 === 0 ? [record, { ...record }] : [record];
	});
}
