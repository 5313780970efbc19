import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../api/client';
import { EVENT_WINDOW_MONTHS, type EntityEvents } from '../catalog/events';
import { LIMITS } from '../catalog/service';
import { formatNumber } from '../core/text';
import { DAY_MS, HOUR_MS } from '../core/time';
import { chosenTypes, otherEventTypes } from '../events/types';
import { retentionStart, TOO_OLD } from '../events/window';
import { searchFilters } from '../filters/searchFilters';
import { dateTimeParameter, readDateTime, workflowTimezone } from '../runtime/dates';
import { readIds } from '../runtime/lists';
import {
	optionsWithRequests,
	requestContext as requestContextParameter,
	requestOptions,
	simplify,
} from '../runtime/options';
import {
	integerParameter,
	notice,
	optionsParameter,
	parameter,
	type Parameter,
	parameterError,
} from '../runtime/parameters';
import type { Watch } from './checkpoint';
import { MAX_PEOPLE } from './searchCheckpoint';
import { NEW_PROSPECT, PROSPECT_EVENT, SOURCES } from './sources';

const EVENTS = SOURCES.map(({ value }) => value);
const FOR_EVENTS = { show: { triggerOn: EVENTS } };
const FOR_SEARCH = { show: { triggerOn: [NEW_PROSPECT.value] } };

const pollNotice = notice(
	'pollNotice',
	`Each check sends 1 request per ${LIMITS.eventsBatch} IDs and may use credits. For 1,000 IDs that is 36,000 requests a day with Every Minute, and 600 with Every Hour.`,
	FOR_EVENTS,
);

const searchNotice = notice(
	'searchNotice',
	`Each check sends 1 request per ${LIMITS.pageSize} people who match and may use credits. For 5,000 people that is 72,000 requests a day with Every Minute, and 50 with Every Day, which is often enough.`,
	FOR_SEARCH,
);

const fromNowOnNotice = notice(
	'fromNowOnNotice',
	'Starts the workflow for people who begin to match after you publish, not for those who match now. Fetch Test Event shows up to 10 who match now.',
	FOR_SEARCH,
);

export const triggerOn = optionsParameter({
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'options',
	noDataExpression: true,
	default: 'prospectEvent',
	options: [...SOURCES.map(({ option }) => option), NEW_PROSPECT].sort((a, b) =>
		a.name < b.name ? -1 : 1,
	),
	description: 'What starts the workflow',
});

export const watchedIdsParameter = parameter(
	{
		displayName: 'IDs',
		name: 'ids',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		description: `Prospect IDs from Prospect: Match or Get Many, or business IDs from Prospect: Get Many, in the Business and Prospect Data node. Enter one per line, separate them with commas or spaces, or use an expression that returns a list. Each check takes one request per ${LIMITS.eventsBatch} IDs and may cost credits.`,
	},
	(raw) => raw,
);

const startFromParameter = dateTimeParameter({
	displayName: 'Start From',
	name: 'startFrom',
	type: 'dateTime',
	default: '',
	displayOptions: { show: { '/triggerOn': EVENTS } },
	description: `On first activation, also output events since this date, up to ${EVENT_WINDOW_MONTHS} months back. Leave empty to output only events that happen after activation.`,
});

const lookBackHoursParameter = integerParameter({
	displayName: 'Look Back (Hours)',
	name: 'lookBackHours',
	type: 'number',
	default: 72,
	displayOptions: { show: { '/triggerOn': EVENTS } },
	typeOptions: { minValue: 0, maxValue: 2_208 },
	description:
		'How many hours after it happens an event may show up in the service and still start the workflow. Higher values catch more late events but store more data.',
});
const maxProspectsParameter = integerParameter({
	displayName: 'Max Prospects',
	name: 'maxProspects',
	type: 'number',
	default: 5_000,
	typeOptions: { minValue: 1, maxValue: MAX_PEOPLE },
	displayOptions: { show: { '/triggerOn': [NEW_PROSPECT.value] } },
	description: `How many people may match when the trigger starts to watch the filters, at most ${formatNumber(MAX_PEOPLE)}. If more match, publishing fails. The search may grow beyond it later.`,
});
const requestsPerPollParameter = integerParameter({
	displayName: 'Requests per Poll',
	name: 'requestsPerPoll',
	type: 'number',
	default: 60,
	typeOptions: { minValue: 1, maxValue: 1_000 },
	description: `Maximum requests per check, not counting retries. A lower value leaves more of the rate limit to other workflows. One request covers ${LIMITS.eventsBatch} IDs, or ${LIMITS.pageSize} people of a search; the next check continues where this one stopped. The first check of a search takes as many as it needs.`,
});
export const options = optionsWithRequests(
	[startFromParameter, lookBackHoursParameter, maxProspectsParameter],
	[requestsPerPollParameter, ...requestOptions, requestContextParameter],
);

const withUnlistedTypes = SOURCES.filter(({ events }) => events.hasUnlistedTypes);

/** All parameters of the trigger, as the editor shows them; n8n puts Poll Times before them. */
export const triggerProperties = [
	pollNotice.property,
	searchNotice.property,
	triggerOn.property,
	fromNowOnNotice.property,
	...SOURCES.map(({ value, exampleId }) => ({
		...watchedIdsParameter.property,
		displayOptions: { show: { triggerOn: [value] } },
		placeholder: `e.g. ${exampleId}`,
	})),
	{ ...searchFilters.property, displayOptions: FOR_SEARCH },
	...SOURCES.map(({ types }) => types.property),
	{
		...otherEventTypes.property,
		displayOptions: { show: { triggerOn: withUnlistedTypes.map(({ value }) => value) } },
	},
	simplify.property,
	options.property,
];

/** The trigger's checked settings. */
export interface Settings {
	readonly source: EntityEvents;
	readonly watch: Watch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
	readonly requestOptions: RequestOptions;
	readonly requestContext?: IDataObject;
}

/** The function that reads parameters of the trigger. */
export const createValueReader =
	(context: IPollFunctions) =>
	<Value>({ name, property, read }: Parameter<string, Value>): Value =>
		read(context.getNodeParameter(name, property.default));

/**
 * Reads the trigger's settings.
 *
 * @throws UserError when an ID, an event type, the lookback window or a date is invalid
 */
export function readSettings(context: IPollFunctions): Settings {
	const valueOf = createValueReader(context);
	const chosen = valueOf(triggerOn);
	const { entityType, events, types } =
		SOURCES.find(({ value }) => value === chosen) ?? PROSPECT_EVENT;
	const { lookBackHours, startFrom, requestsPerPoll, requestContext, ...request } =
		valueOf(options);
	return {
		source: events,
		watch: {
			entityType,
			lookbackMs: lookBackHours * HOUR_MS,
			startFrom:
				startFrom === undefined
					? undefined
					: readDateTime(
							startFrom,
							startFromParameter.property,
							workflowTimezone(context),
						).toMillis(),
			ids: readWatchedIds(valueOf(watchedIdsParameter), events),
			types: chosenTypes(
				events,
				valueOf(types),
				events.hasUnlistedTypes ? valueOf(otherEventTypes) : [],
			),
		},
		simplify: valueOf(simplify),
		requestsPerPoll,
		requestOptions: request,
		requestContext,
	};
}

/** The IDs, each once. @throws UserError for an invalid one, or when there are none */
function readWatchedIds(raw: unknown, { idFormat }: EntityEvents): string[] {
	const { property } = watchedIdsParameter;
	const ids = readIds(raw, property, {
		...idFormat,
		advice: 'Match and Get Many output such IDs.',
	});
	if (ids.length === 0) throw parameterError(property, 'is empty. Enter at least one ID to watch.');
	return ids;
}

/**
 * Checks Start From before the first poll. Later polls ignore it: any fixed date eventually becomes too old.
 *
 * @throws UserError when the service has no events from then
 */
export function checkStartFrom({ watch: { startFrom } }: Settings, now: number): void {
	if (startFrom === undefined || startFrom >= retentionStart(now) - DAY_MS) return;
	throw parameterError(startFromParameter.property, TOO_OLD, new Date(startFrom).toISOString());
}
