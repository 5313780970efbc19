import { PROSPECT_EVENTS_CHARGE } from '../../catalog/prices';
import { PROSPECT_EVENTS } from '../../catalog/service';
import { perBatch } from '../../run/operation';
import { includeInputFields, operationOptions, simplify } from '../../parameters/options';
import { skipRows } from '../../parameters/skipRows';
import { chosenTypes, emptyEventRow, eventTypesParameter } from '../../events/query';
import {
	eventsRequestOptions,
	onlyNewEvents,
	readWindow,
	sharedEventsSpec,
	timestampFrom,
	timestampTo,
} from '../events';
import { prospectIdentifyByParameters, prospectLookup, prospectIds } from '../identifyBy';

/** See contract: Prospect events. */
export const getEvents = perBatch({
	resource: 'prospect',
	value: 'getEvents',
	name: 'Get Events',
	action: 'Get prospect events',
	description:
		'List job changes and anniversaries of the last 3 months, by prospect ID or person details',
	parameters: [
		...prospectIdentifyByParameters,
		eventTypesParameter(PROSPECT_EVENTS),
		timestampFrom,
		timestampTo,
		simplify,
	],
	options: operationOptions(
		'e.g. event_name, current_company_name',
		[includeInputFields, onlyNewEvents, skipRows],
		eventsRequestOptions,
	),
	inputs: (values, { requestContext }, run) => {
		const types = chosenTypes(PROSPECT_EVENTS, values.eventTypes, []);
		const window = readWindow(values, run, { whenTooOld: 'fail' });
		return values.prospectIds.map((id) => ({ id, types, ...window, requestContext }));
	},
	...sharedEventsSpec(PROSPECT_EVENTS, PROSPECT_EVENTS_CHARGE),
	lookup: {
		...prospectLookup,
		unmatchedRow: () => ({ json: emptyEventRow(PROSPECT_EVENTS.entity) }),
	},
	parameterName: prospectIds.name,
});
