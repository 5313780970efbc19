import { timeOf } from '../contract/rules';
import { eventRecord, type EventKind } from '../world/events';
import { envelope, handler, type Handler } from './handler';

interface EventsBody {
	event_types: string[];
	prospect_ids?: string[];
	business_ids?: string[];
	timestamp_from?: string;
	timestamp_to?: string;
}

/** Events of the entities in the order of their ids, the newest first for each. */
const events = (kind: EventKind): Handler =>
	handler<EventsBody>((body, context) => {
		const found = context.world.surfacedEvents({
			kind,
			ids: body.prospect_ids ?? body.business_ids ?? [],
			types: body.event_types,
			after: body.timestamp_from === undefined ? undefined : timeOf(body.timestamp_from),
			upTo: body.timestamp_to === undefined ? undefined : timeOf(body.timestamp_to),
		});
		return envelope(context, found.length > 0, found.length, {
			output_events: found.map(eventRecord),
		});
	});

export const eventHandlers = {
	prospectEvents: events('prospect'),
	businessEvents: events('business'),
	deleteEnrollment: handler<{ enrollment_id: string }>(({ enrollment_id }, context) => {
		const status = context.world.deleteEnrollment(enrollment_id) ? 'success' : 'miss';
		return { response_context: context.responseContext(status), status };
	}),
};
