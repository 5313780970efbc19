import { BUSINESS_EVENTS } from '../../catalog/service';
import { FOUND } from '../../fields/columns';
import { perBatch } from '../../run/operation';
import { rowOptions, simplify } from '../../parameters/options';
import { eventLayouts } from '../../fields/events';
import { chosenTypes, eventTypesParameter, otherEventTypes } from '../../events/parameters';
import {
	eventQueries,
	eventsBatchSize,
	onlyNewEvents,
	sharedEventsSpec,
	timestampFrom,
	timestampTo,
} from '../events';
import {
	businessIdentifyByParameters,
	businessIds,
	businessLookup,
	candidatesSet,
} from '../../identify/identifyBy';

const layoutFor = eventLayouts(BUSINESS_EVENTS, FOUND, candidatesSet);

/** See contract: Business events. */
export const getEvents = perBatch({
	resource: 'business',
	value: 'getEvents',
	name: 'Get Events',
	action: 'Get business events',
	description:
		'List funding, product, office and other events of the last 3 months, by business ID, company name or person',
	parameters: [
		...businessIdentifyByParameters,
		eventTypesParameter(BUSINESS_EVENTS),
		timestampFrom,
		simplify,
	],
	options: rowOptions('e.g. event_name, event_investment_amount', [
		otherEventTypes,
		onlyNewEvents,
		timestampTo,
		eventsBatchSize,
	]),
	inputs: (values, itemOptions, run) =>
		eventQueries(BUSINESS_EVENTS, values.businessIds, values, itemOptions, run),
	...sharedEventsSpec(BUSINESS_EVENTS),
	layout: ({ simplify: isSimple, identifyBy, eventTypes }, { otherEventTypes: others }) =>
		layoutFor(
			chosenTypes(BUSINESS_EVENTS, eventTypes, others),
			isSimple,
			identifyBy !== 'businessId',
		),
	lookup: businessLookup,
	parameterName: businessIds.name,
});
