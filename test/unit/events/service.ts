/** The service of the histories: what can be seen of its events, when. */
import type { IDataObject } from 'n8n-workflow';
import { windowStart } from '../../../nodes/BusinessProspectData/events/window';
import type { SimEvent } from './history';

/** The time that the service gives an event at a moment. */
export const timeAt = ({ time, moves }: SimEvent, moment: number): number =>
	moves !== undefined && moment >= moves.at ? moves.to : time;

/** The events of an id after a moment, as the service gives them now; some of them twice. */
export function visible(
	events: readonly SimEvent[],
	id: string,
	types: readonly string[],
	from: number,
	now: number,
): IDataObject[] {
	const after = Math.max(from - 1, windowStart(now) - 1);
	return events.flatMap((event, number) => {
		const time = timeAt(event, now);
		if (event.entity !== id || event.surfaces > now || !types.includes(event.name)) return [];
		if (time <= after) return [];
		const record = {
			event_id: String(number),
			event_name: event.name,
			event_time: new Date(time).toISOString(),
		};
		return number % 3 === 0 ? [record, { ...record }] : [record];
	});
}
