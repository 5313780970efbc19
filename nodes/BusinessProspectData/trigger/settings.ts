import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../api/client';
import {
	BUSINESS_EVENTS,
	EVENT_WINDOW_MONTHS,
	type EntityEvents,
	PROSPECT_EVENTS,
} from '../catalog/events';
import { LIMITS } from '../catalog/service';
import { DAY_MS, HOUR_MS } from '../core/time';
import { chosenTypes, eventTypes, otherEventTypes } from '../events/types';
import { retentionStart, TOO_OLD } from '../events/window';
import { dateTimeParameter, readDateTime, workflowTimezone } from '../runtime/dates';
import { stringListParameter } from '../runtime/lists';
import {
	requestContext as requestContextParameter,
	requestOptions,
	simplify,
} from '../runtime/options';
import {
	collectionParameter,
	integerParameter,
	optionsParameter,
	type Parameter,
	parameterError,
} from '../runtime/parameters';
import type { Watch } from './checkpoint';

const SOURCES = { prospect: PROSPECT_EVENTS, business: BUSINESS_EVENTS } as const;

const resource = optionsParameter({
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

export const watchedIdsParameter = stringListParameter(
	{
		displayName: 'IDs',
		name: 'ids',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. b1432f03cbac811c24d875c7f72be40a00000037',
		description: `Prospect IDs from Prospect: Match or Get Many, or business IDs from Prospect: Get Many, in the Business and Prospect Data node. Enter one per line, separate them with commas or spaces, or use an expression that returns a list. Each check takes one request per ${LIMITS.events} IDs and may cost credits.`,
	},
	/[,;\s]/,
);

const startFromParameter = dateTimeParameter({
	displayName: 'Start From',
	name: 'startFrom',
	type: 'dateTime',
	default: '',
	description: `On first activation, also output events since this date, up to ${EVENT_WINDOW_MONTHS} months back. Leave empty to output only events that happen after activation.`,
});

const options = collectionParameter('options', 'Options', 'Add option', [
	integerParameter({
		displayName: 'Look Back (Hours)',
		name: 'lookBackHours',
		type: 'number',
		default: 72,
		typeOptions: { minValue: 0, maxValue: 2_208 },
		description:
			'How many hours after it happens an event may show up in the service and still start the workflow. Higher values catch more late events but store more data.',
	}),
	integerParameter({
		displayName: 'Requests per Poll',
		name: 'requestsPerPoll',
		type: 'number',
		default: 60,
		typeOptions: { minValue: 1, maxValue: 1_000 },
		description: `Maximum requests per check, not counting retries. A lower value leaves more of the rate limit to other workflows. One request covers ${LIMITS.events} IDs; the next check continues a longer list.`,
	}),
	startFromParameter,
	...requestOptions,
	requestContextParameter,
]);

/** The event types of a resource, which the editor shows for that resource only. */
const eventTypesFor = (source: EntityEvents, value: keyof typeof SOURCES) => {
	const { property, ...rest } = eventTypes(source);
	return { ...rest, property: { ...property, displayOptions: { show: { resource: [value] } } } };
};
const typesByResource = {
	prospect: eventTypesFor(PROSPECT_EVENTS, 'prospect'),
	business: eventTypesFor(BUSINESS_EVENTS, 'business'),
};

/** All parameters of the trigger, as the editor shows them. */
export const triggerProperties = [
	resource.property,
	watchedIdsParameter.property,
	typesByResource.prospect.property,
	typesByResource.business.property,
	{ ...otherEventTypes.property, displayOptions: { show: { resource: ['business'] } } },
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

/**
 * Reads the trigger's settings.
 *
 * @throws UserError when an ID, an event type, the lookback window or a date is invalid
 */
export function readSettings(context: IPollFunctions): Settings {
	const valueOf = <Value>({ name, property, read }: Parameter<string, Value>): Value =>
		read(context.getNodeParameter(name, property.default));

	const watched = valueOf(resource) === 'business' ? 'business' : 'prospect';
	const source = SOURCES[watched];
	const { lookBackHours, startFrom, requestsPerPoll, requestContext, ...request } =
		valueOf(options);
	return {
		source,
		watch: {
			entityType: watched,
			lookbackMs: lookBackHours * HOUR_MS,
			startFrom:
				startFrom === undefined
					? undefined
					: readDateTime(
							startFrom,
							startFromParameter.property,
							workflowTimezone(context),
						).toMillis(),
			ids: checkIds(valueOf(watchedIdsParameter), source),
			types: chosenTypes(
				source,
				valueOf(typesByResource[watched]),
				source.hasUnlistedTypes ? valueOf(otherEventTypes) : [],
			),
		},
		simplify: valueOf(simplify),
		requestsPerPoll,
		requestOptions: request,
		requestContext,
	};
}

/** The IDs, each once. @throws UserError with the position of the first invalid one, or when there are none */
function checkIds(entries: readonly string[], { idFormat }: EntityEvents): string[] {
	const ids = entries.map((id) => id.toLowerCase());
	if (ids.length === 0) {
		throw parameterError(watchedIdsParameter.property, 'enter at least one ID to watch.');
	}
	const invalid = ids.findIndex((id) => !idFormat.pattern.test(id));
	if (invalid < 0) return [...new Set(ids)];
	throw parameterError(
		watchedIdsParameter.property,
		`entry ${invalid + 1} of ${ids.length}, "${ids[invalid]?.slice(0, 60)}", is not ${idFormat.description}.`,
	);
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
