import { BUSINESS_EVENTS, type EntityEvents, PROSPECT_EVENTS } from '../catalog/events';
import { eventTypes } from '../events/types';
import type { EventsWatch } from './events/checkpoint';

/** An entry of Trigger On: how the editor shows it, and the events that it stands for. */
function eventEntry(
	{ value, ...option }: { name: string; value: string; action: string; description: string },
	entityType: EventsWatch['entityType'],
	source: EntityEvents,
	idsTexts: { displayName: string; example: string; advice: string },
) {
	const { property, ...rest } = eventTypes(source);
	const displayOptions = { show: { triggerOn: [value] } };
	return {
		value,
		option: { ...option, value },
		entityType,
		source,
		idsTexts,
		typesParameter: { ...rest, property: { ...property, displayOptions } },
	};
}

export const PROSPECT_EVENT = eventEntry(
	{
		name: 'Prospect Event',
		value: 'prospectEvent',
		action: 'On prospect event',
		description: 'A person changes company or role, or has a job start anniversary',
	},
	'prospect',
	PROSPECT_EVENTS,
	{
		displayName: 'Prospect IDs',
		example: 'b1432f03cbac811c24d875c7f72be40a00000037',
		advice: 'Prospect: Match and Get Many output prospect IDs.',
	},
);
const BUSINESS_EVENT = eventEntry(
	{
		name: 'Business Event',
		value: 'businessEvent',
		action: 'On business event',
		description: 'A company raises money, invests, goes public, or has a new product or office',
	},
	'business',
	BUSINESS_EVENTS,
	{
		displayName: 'Business IDs',
		example: '650f2b193fc156b2cfdc5b6300000041',
		advice: 'Business: Find and Prospect: Get Many output business IDs.',
	},
);
/** The entries of Trigger On for events. */
export const EVENT_ENTRIES = [BUSINESS_EVENT, PROSPECT_EVENT];

/** The entry of Trigger On for a search. */
export const NEW_PROSPECT = {
	name: 'New Prospect Matching Filters',
	value: 'newProspect',
	action: 'On new prospect matching filters',
	description: 'A person matches the filters of a search for the first time',
} as const;
