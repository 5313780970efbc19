import { type IDataObject, type IPollFunctions, UserError } from 'n8n-workflow';
import type { ClientSettings } from '../api/client';
import { EVENT_WINDOW_MONTHS, type EventSource } from '../catalog/events';
import { readMoment } from '../runtime/dates';
import type { Parameter } from '../runtime/parameters';
import { HOUR_MS, type Watch } from './checkpoint';
import { checkedIds, SOURCES, triggerParameters, typesParameters } from './triggerParameters';
import { chosenTypes } from './types';
import { DAY_MS, windowStart } from './window';

/** The trigger's settings, checked. */
export interface Settings {
	readonly source: EventSource;
	readonly watch: Watch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
	readonly client: ClientSettings;
	readonly requestContext?: IDataObject;
}

/**
 * Reads the settings of a trigger.
 *
 * @throws UserError when an id, an event type or the window is wrong
 */
export function readSettings(context: IPollFunctions, now: number): Settings {
	const valueOf = <Value>({ name, property, read }: Parameter<string, Value>): Value =>
		read(context.getNodeParameter(name, property.default));
	const { resource, ids, otherEventTypes, simplify, options } = triggerParameters;

	const watched = valueOf(resource) === 'business' ? 'business' : 'prospect';
	const source = SOURCES[watched];
	const { lookBackHours, startFrom, requestsPerPoll, requestContext, ...client } = valueOf(options);
	const lookBack = lookBackHours * HOUR_MS;
	if (now - lookBack < windowStart(now) - DAY_MS) {
		throw new UserError(
			`Look Back (Hours): ${lookBackHours} hours are more than the ${EVENT_WINDOW_MONTHS} months for which the service keeps events.`,
		);
	}
	const from =
		startFrom === undefined
			? undefined
			: readMoment(startFrom, options.property, context.getTimezone()).toMillis();
	if (from !== undefined && from < windowStart(now) - DAY_MS) {
		throw new UserError(
			`Start From: "${String(startFrom)}" is more than ${EVENT_WINDOW_MONTHS} months ago, and the service keeps events no longer.`,
		);
	}
	return {
		source,
		watch: {
			source: watched,
			ids: checkedIds(valueOf(ids), source),
			types: chosenTypes(
				valueOf(typesParameters[watched]),
				source.open ? valueOf(otherEventTypes) : [],
			),
			lookBack,
			...(from !== undefined && { startFrom: from }),
		},
		simplify: valueOf(simplify),
		requestsPerPoll,
		client,
		...(requestContext !== undefined && { requestContext }),
	};
}
