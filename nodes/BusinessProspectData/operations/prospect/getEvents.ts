import { PROSPECT_EVENTS } from '../../catalog/events';
import { perBatch } from '../../runtime/operation';
import { dropItemsWithoutData, options, simplify } from '../../runtime/options';
import { unidentifiedEvent } from '../../events/rows';
import { chosenTypes, eventTypes } from '../../events/types';
import { requestSettings, sharedEventsSpec } from '../events/getEvents';
import { onlyNewEvents } from '../events/onlyNewEvents';
import { spendingOptions } from '../../runtime/spending';
import { readWindow, timestampFrom, timestampTo } from '../events/window';
import { prospectIds } from '../parameters';
import { forDetails, identifyProspect, prospectParameters } from './identifyBy';

/** Events cost no credits, but the match may. */
const [maxRecordsToPay, estimateOnly] = spendingOptions;
const optionsForDetails = [
	forDetails(dropItemsWithoutData, '/identifyBy'),
	forDetails(maxRecordsToPay, '/identifyBy'),
	forDetails(estimateOnly, '/identifyBy'),
] as const;

/** The events of prospects, one row per event (contract: Prospect events). */
export const getEvents = perBatch({
	resource: 'prospect',
	value: 'getEvents',
	name: 'Get Events',
	action: 'Get prospect events',
	description:
		'List job changes and job start anniversaries of the last 3 months: by prospect ID, or by email, phone number, profile URL, or name and company',
	parameters: [
		...prospectParameters,
		eventTypes(PROSPECT_EVENTS),
		timestampFrom,
		timestampTo,
		simplify,
	],
	options: options(
		'e.g. event_name, current_company_name',
		[onlyNewEvents, ...optionsForDetails],
		requestSettings,
	),
	inputs: (values, { requestContext }, run) => {
		const types = chosenTypes(PROSPECT_EVENTS, values.eventTypes, []);
		const window = readWindow(values, run, 'fail');
		return values.prospectIds.map((id) => ({ id, types, ...window, requestContext }));
	},
	...sharedEventsSpec(PROSPECT_EVENTS),
	identify: { ...identifyProspect, unmatchedRow: () => unidentifiedEvent(PROSPECT_EVENTS.entity) },
	parameterName: prospectIds.name,
});
