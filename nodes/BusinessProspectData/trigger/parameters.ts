import type { IPollFunctions } from 'n8n-workflow';
import {
	BUSINESS_EVENTS,
	EVENT_WINDOW_DAYS,
	type EventsSource,
	LIMITS,
	PROSPECT_EVENTS,
} from '../catalog/service';
import { formatNumber } from '../core/text';
import { eventTypesParameter, otherEventTypes } from '../events/parameters';
import { searchFilters } from '../filters/kinds';
import { DAY_MS, dateTimeParameter, HOUR_MS } from '../parameters/dates';
import { optionsCollection, requestOptions, simplify } from '../parameters/options';
import {
	byDisplayName,
	integerParameter,
	optionsParameter,
	parameter,
	type Parameter,
} from '../parameters/parameter';
import { MAX_PEOPLE } from './search/state';
import type { EventsWatch } from './events/state';

function eventTrigger<const LookBackName extends string>(
	{ value, ...option }: { name: string; value: string; action: string; description: string },
	entityType: EventsWatch['entityType'],
	source: EventsSource,
	idsWording: { displayName: string; example: string; advice: string },
	lookBack: { readonly name: LookBackName; readonly default: number; readonly description: string },
) {
	const { property, ...rest } = eventTypesParameter(source);
	const displayOptions = { show: { triggerOn: [value] } };
	return {
		value,
		option: { ...option, value },
		entityType,
		source,
		idsWording,
		lookBack: integerParameter({
			...lookBack,
			displayName: 'Look Back (Days)',
			type: 'number',
			displayOptions: { show: { '/triggerOn': [value] } },
			typeOptions: { minValue: 1, maxValue: EVENT_WINDOW_DAYS },
		}),
		typesParameter: { ...rest, property: { ...property, displayOptions } },
	};
}

const PROSPECT_EVENT = eventTrigger(
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
	{
		name: 'lookBackDays',
		default: EVENT_WINDOW_DAYS,
		description:
			'How old an event may be when it first appears: job changes are dated by month and appear weeks later',
	},
);
const BUSINESS_EVENT = eventTrigger(
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
	{
		name: 'businessLookBackDays',
		default: 30,
		description: `How old an event may be when it first appears, at most ${EVENT_WINDOW_DAYS} days. News appears within days.`,
	},
);
export const EVENT_TRIGGERS = [BUSINESS_EVENT, PROSPECT_EVENT];
/** An option of Trigger On that watches events. */
export type EventTrigger = (typeof EVENT_TRIGGERS)[number];

const NEW_PROSPECT = {
	name: 'New Prospect Matching Filters',
	value: 'newProspect',
	action: 'On new prospect matching filters',
	description: 'A person begins to match filters; people who match when you publish start nothing',
} as const;

const EVENT_TRIGGER_VALUES = EVENT_TRIGGERS.map(({ value }) => value);
const FOR_SEARCH = { show: { triggerOn: [NEW_PROSPECT.value] } };

const CHECKS = [
	{ name: 'Week', value: 'week' },
	{ name: 'Day', value: 'day' },
	{ name: '6 Hours', value: 'sixHours' },
	{ name: 'Hour', value: 'hour' },
	{ name: 'Poll', value: 'poll', description: 'Every time that Poll Times says' },
] as const;

export const checkEvery = optionsParameter({
	displayName: 'Check Every',
	name: 'checkEvery',
	type: 'options',
	noDataExpression: true,
	default: 'day',
	options: [...CHECKS],
	description:
		'How often to send requests, which may use credits. Leave Poll Times at Every Minute: n8n then only looks whether a check is due.',
});
export const CHECK_INTERVALS_MS = {
	week: 7 * DAY_MS,
	day: DAY_MS,
	sixHours: 6 * HOUR_MS,
	hour: HOUR_MS,
	poll: 0,
};

const TRIGGER_ON_OPTIONS = byDisplayName([
	...EVENT_TRIGGERS.map(({ option }) => option),
	NEW_PROSPECT,
]);

export const triggerOn = optionsParameter({
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'options',
	noDataExpression: true,
	default: 'prospectEvent',
	options: TRIGGER_ON_OPTIONS,
	description: 'What starts the workflow',
});

const optionNames = Object.fromEntries(TRIGGER_ON_OPTIONS.map(({ value, name }) => [value, name]));

/** Shows the option's name instead of its saved value. */
export const triggerSubtitle = `={{ (${JSON.stringify(optionNames)})[$parameter["triggerOn"]] }}`;

export const watchedIds = parameter(
	{
		displayName: 'IDs',
		name: 'ids',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		description: 'Enter one per line, or separate them with commas or spaces',
	},
	// `readEventsSettings` checks the IDs, because their format depends on Trigger On.
	(raw) => raw,
);

export const startFromParameter = dateTimeParameter({
	displayName: 'Start From',
	name: 'startFrom',
	type: 'dateTime',
	default: '',
	displayOptions: { show: { '/triggerOn': EVENT_TRIGGER_VALUES } },
	description: `When you first publish, also output events since this date, up to ${EVENT_WINDOW_DAYS} days back. Leave empty for new events only.`,
});

const maxProspects = integerParameter({
	displayName: 'Max Prospects',
	name: 'maxProspects',
	type: 'number',
	default: 5_000,
	typeOptions: { minValue: 1, maxValue: MAX_PEOPLE },
	displayOptions: { show: { '/triggerOn': [NEW_PROSPECT.value] } },
	description: `How many people may match when you publish, at most ${formatNumber(MAX_PEOPLE)}. If more match, publishing fails.`,
});
const requestsPerPoll = integerParameter({
	displayName: 'Requests per Poll',
	name: 'requestsPerPoll',
	type: 'number',
	default: 60,
	typeOptions: { minValue: 1, maxValue: 1_000 },
	description: `Maximum requests per poll, each for ${LIMITS.eventsBatch} IDs or ${LIMITS.pageSize} people of a search. The next poll continues the check.`,
});
export const triggerOptions = optionsCollection([
	startFromParameter,
	PROSPECT_EVENT.lookBack,
	BUSINESS_EVENT.lookBack,
	maxProspects,
	requestsPerPoll,
	...requestOptions,
]);

const withUnlistedTypes = EVENT_TRIGGERS.filter(({ source }) => source.hasUnlistedTypes);

/** The editor shows these properties in this order, below Poll Times, which n8n adds. */
export const triggerProperties = [
	checkEvery.property,
	triggerOn.property,
	...EVENT_TRIGGERS.map(({ value, idsWording: { displayName, example, advice } }) => ({
		...watchedIds.property,
		displayName,
		displayOptions: { show: { triggerOn: [value] } },
		placeholder: `e.g. ${example}`,
		description: `${advice} ${watchedIds.property.description}.`,
	})),
	{ ...searchFilters.property, displayOptions: FOR_SEARCH },
	...EVENT_TRIGGERS.map(({ typesParameter }) => typesParameter.property),
	{
		...otherEventTypes.property,
		displayOptions: { show: { triggerOn: withUnlistedTypes.map(({ value }) => value) } },
	},
	simplify.property,
	triggerOptions.property,
];

/** @returns a reader, which throws a UserError for an invalid value */
export const createParameterReader =
	(context: IPollFunctions) =>
	<Value>({ name, property, read }: Parameter<string, Value>): Value =>
		read(context.getNodeParameter(name, property.default));
