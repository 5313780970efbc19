import { BUSINESS_EVENTS_CHARGE } from '../../catalog/prices';
import { BUSINESS_EVENTS } from '../../catalog/service';
import { perBatch } from '../../run/operation';
import { includeInputFields, operationOptions, simplify } from '../../parameters/options';
import { skipRows } from '../../parameters/skipRows';
import {
	chosenTypes,
	emptyEventRow,
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
	nameSearchOptions,
} from '../identifyBy';
import { candidatesRow } from './companyChoice';

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
		[includeInputFields, onlyNewEvents, skipRows],
		[...nameSearchOptions, ...eventsRequestOptions],
	),
	inputs: (values, { requestContext }, run) => {
		const types = chosenTypes(BUSINESS_EVENTS, values.eventTypes, values.otherEventTypes);
		const window = readWindow(values, run, { whenTooOld: 'send' });
		return values.businessIds.map((id) => ({ id, types, ...window, requestContext }));
	},
	...sharedEventsSpec(BUSINESS_EVENTS, BUSINESS_EVENTS_CHARGE),
	lookup: {
		...businessLookup,
		unmatchedRow: (values, { candidates }) =>
			candidatesRow(emptyEventRow(BUSINESS_EVENTS.entity), candidates, values.simplify),
	},
	parameterName: businessIds.name,
	hints: tooOldHint,
});
