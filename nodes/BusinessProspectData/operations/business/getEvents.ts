import { BUSINESS_EVENTS } from '../../catalog/service';
import { perBatch } from '../../run/operation';
import { dropRowsWithoutData, operationOptions, simplify } from '../../parameters/options';
import {
	chosenTypes,
	eventsLayout,
	eventTypesParameter,
	otherEventTypes,
} from '../../events/query';
import {
	eventsRequestOptions,
	onlyNewEvents,
	readWindow,
	sharedEventsSpec,
	timestampFrom,
	timestampTo,
	tooOldHint,
} from '../events';
import {
	businessIdentifyByParameters,
	businessIds,
	businessLookup,
	lookupSets,
} from '../../identify/identifyBy';

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
		otherEventTypes,
		timestampFrom,
		timestampTo,
		simplify,
	],
	options: operationOptions(
		'e.g. event_name, investment_amount',
		[dropRowsWithoutData, onlyNewEvents],
		[...eventsRequestOptions],
	),
	inputs: (values, { requestContext }, run) => {
		const types = chosenTypes(BUSINESS_EVENTS, values.eventTypes, values.otherEventTypes);
		const window = readWindow(values, run, { whenTooOld: 'send' });
		return values.businessIds.map((id) => ({ id, types, ...window, requestContext }));
	},
	...sharedEventsSpec(BUSINESS_EVENTS),
	layout: ({ simplify: isSimple, ...values }) =>
		eventsLayout(
			BUSINESS_EVENTS,
			chosenTypes(BUSINESS_EVENTS, values.eventTypes, values.otherEventTypes),
			isSimple,
			values.identifyBy === 'businessId' ? [] : lookupSets(isSimple),
		),
	lookup: businessLookup,
	parameterName: businessIds.name,
	hints: tooOldHint,
});
