import { PROSPECT_EVENTS } from '../../catalog/service';
import { MATCHED } from '../../fields/columns';
import { perBatch } from '../../run/operation';
import { rowOptions, simplify } from '../../parameters/options';
import { eventLayouts } from '../../fields/events';
import { chosenTypes, eventTypesParameter } from '../../events/parameters';
import {
	eventQueries,
	eventsBatchSize,
	onlyNewEvents,
	sharedEventsSpec,
	timestampFrom,
	timestampTo,
} from '../events';
import {
	prospectIdentifyByParameters,
	prospectLookup,
	prospectIds,
} from '../../identify/identifyBy';

const layoutFor = eventLayouts(PROSPECT_EVENTS, MATCHED);

/** See contract: Prospect events. */
export const getEvents = perBatch({
	resource: 'prospect',
	value: 'getEvents',
	name: 'Get Events',
	action: 'Get prospect events',
	description: 'List job changes and anniversaries of the last 3 months, by ID or person details',
	parameters: [
		...prospectIdentifyByParameters,
		eventTypesParameter(PROSPECT_EVENTS),
		timestampFrom,
		simplify,
	],
	options: rowOptions('e.g. event_name, event_current_company_name', [
		onlyNewEvents,
		timestampTo,
		eventsBatchSize,
	]),
	inputs: (values, itemOptions, run) =>
		eventQueries(PROSPECT_EVENTS, values.prospectIds, values, itemOptions, run),
	...sharedEventsSpec(PROSPECT_EVENTS),
	layout: ({ simplify: isSimple, identifyBy, eventTypes }) =>
		layoutFor(
			chosenTypes(PROSPECT_EVENTS, eventTypes, []),
			isSimple,
			identifyBy === 'personDetails',
		),
	lookup: prospectLookup,
	parameterName: prospectIds.name,
});
