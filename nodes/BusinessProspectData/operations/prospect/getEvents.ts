import { PROSPECT_EVENTS } from '../../catalog/events';
import { perBatch } from '../../runtime/operation';
import { simplify } from '../../runtime/options';
import { chosenTypes, eventTypes } from '../../events/types';
import { eventOptions, sharedEventsSpec } from '../events/getEvents';
import { readWindow, timestampFrom, timestampTo } from '../events/window';
import { prospectIds } from '../parameters';

/** The events of prospects, one row per event (contract: Prospect events). */
export const getEvents = perBatch({
	resource: 'prospect',
	value: 'getEvents',
	name: 'Get Events',
	action: 'Get prospect events',
	description:
		'List job changes and job start anniversaries of the last 3 months for known prospect IDs',
	parameters: [prospectIds, eventTypes(PROSPECT_EVENTS), timestampFrom, timestampTo, simplify],
	options: eventOptions('e.g. event_name, current_company_name'),
	inputs: (values, { requestContext }, run) => {
		const types = chosenTypes(PROSPECT_EVENTS, values.eventTypes, []);
		const window = readWindow(values, run, 'fail');
		return values.prospectIds.map((id) => ({ id, types, ...window, requestContext }));
	},
	...sharedEventsSpec(PROSPECT_EVENTS),
	parameterName: prospectIds.name,
});
