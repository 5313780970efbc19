import {
	BUSINESS_EVENTS,
	EVENT_WINDOW_MONTHS,
	type EventSource,
	PROSPECT_EVENTS,
} from '../catalog/events';
import { LIMITS } from '../catalog/service';
import { dateTime } from '../runtime/dates';
import { readList } from '../runtime/lists';
import { requestContext, requestOptions, simplify } from '../runtime/options';
import { choice, collection, count, parameter } from '../runtime/parameters';
import { eventTypes, otherEventTypes } from '../events/types';

export const SOURCES = { prospect: PROSPECT_EVENTS, business: BUSINESS_EVENTS } as const;

const resource = choice({
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: 'prospect',
	options: [
		{ name: 'Business', value: 'business' },
		{ name: 'Prospect', value: 'prospect' },
	],
	description: 'Whose events to watch',
});

const ids = parameter(
	{
		displayName: 'IDs',
		name: 'ids',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. b1432f03cbac811c24d875c7f72be40a00000037',
		description: `What to watch: prospect IDs from Match or Get Many of the other node, or business IDs from the rows of Get Many. Enter one per line, separate them with commas or spaces, or use an expression that returns a list. Each check takes one request per ${LIMITS.events} IDs and may cost credits.`,
	},
	(raw, property) => readList(raw, property, /[,;\s]/).map((id) => id.toLowerCase()),
);

const startFrom = dateTime({
	displayName: 'Start From',
	name: 'startFrom',
	type: 'dateTime',
	default: '',
	description: `The first activation also outputs events since this moment, up to ${EVENT_WINDOW_MONTHS} months back. Leave empty to output only events that happen after it.`,
});

const options = collection('options', 'Options', 'Add option', [
	count({
		displayName: 'Look Back (Hours)',
		name: 'lookBackHours',
		type: 'number',
		default: 72,
		typeOptions: { minValue: 0, maxValue: 2_208 },
		description:
			'How late after it happened an event may appear at the service and still be found. A larger value finds later events, and remembers more.',
	}),
	count({
		displayName: 'Requests per Poll',
		name: 'requestsPerPoll',
		type: 'number',
		default: 60,
		typeOptions: { minValue: 1, maxValue: 1_000 },
		description: `Maximum requests per check, not counting retries; the rest of the rate limit is left to other workflows. One request covers ${LIMITS.events} IDs; the next check continues a longer list.`,
	}),
	startFrom,
	...requestOptions,
	requestContext,
]);

const typesFor = (source: EventSource, value: keyof typeof SOURCES) => {
	const { property, ...rest } = eventTypes(source);
	return { ...rest, property: { ...property, displayOptions: { show: { resource: [value] } } } };
};
const prospectTypes = typesFor(PROSPECT_EVENTS, 'prospect');
const businessTypes = typesFor(BUSINESS_EVENTS, 'business');

export const triggerParameters = { resource, ids, otherEventTypes, simplify, startFrom, options };
export const typesParameters = { prospect: prospectTypes, business: businessTypes };

/** All parameters of the trigger, as the editor shows them. */
export const triggerProperties = [
	resource.property,
	ids.property,
	prospectTypes.property,
	businessTypes.property,
	{ ...otherEventTypes.property, displayOptions: { show: { resource: ['business'] } } },
	simplify.property,
	options.property,
];
