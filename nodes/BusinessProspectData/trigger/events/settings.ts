import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import type { EventsSource } from '../../catalog/events';
import { DAY_MS, HOUR_MS } from '../../core/time';
import { chosenTypes, otherEventTypes } from '../../events/types';
import { retentionStart, TOO_OLD } from '../../events/retention';
import { readDateTime, workflowTimezone } from '../../runtime/dates';
import { readIds } from '../../runtime/lists';
import { simplify } from '../../runtime/options';
import { parameterError } from '../../runtime/parameters';
import {
	createParameterReader,
	type EventEntry,
	startFromParameter,
	triggerOptions,
	watchedIdsParameter,
} from '../parameters';
import type { EventsWatch } from './checkpoint';

/** The checked settings of a trigger that watches IDs for events. */
export interface EventsSettings {
	readonly source: EventsSource;
	readonly watch: EventsWatch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
	readonly requestOptions: RequestOptions;
	readonly requestContext?: IDataObject;
}

/**
 * Reads the settings of a trigger that watches IDs for events.
 *
 * @throws UserError when an ID, an event type, the lookback window or a date is invalid
 */
export function readEventsSettings(
	context: IPollFunctions,
	{ entityType, source, typesParameter, idsTexts }: EventEntry,
): EventsSettings {
	const valueOf = createParameterReader(context);
	const { lookBackHours, startFrom, requestsPerPoll, requestContext, ...requestOptions } =
		valueOf(triggerOptions);
	return {
		source,
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
			ids: readWatchedIds(valueOf(watchedIdsParameter), source, idsTexts),
			types: chosenTypes(
				source,
				valueOf(typesParameter),
				source.hasUnlistedTypes ? valueOf(otherEventTypes) : [],
			),
		},
		simplify: valueOf(simplify),
		requestsPerPoll,
		requestOptions,
		requestContext,
	};
}

/** The IDs, without duplicates. @throws UserError if an ID is invalid or there are none */
function readWatchedIds(
	raw: unknown,
	{ idFormat }: EventsSource,
	{ displayName, advice }: { readonly displayName: string; readonly advice: string },
): string[] {
	const property = { ...watchedIdsParameter.property, displayName };
	const ids = readIds(raw, property, { ...idFormat, advice });
	if (ids.length === 0) throw parameterError(property, 'is empty. Enter at least one ID to watch.');
	return ids;
}

/**
 * Checks Start From before the first poll. Later polls ignore it: any fixed date eventually becomes too old.
 *
 * @throws UserError if the service has no events that old
 */
export function checkStartFrom({ watch: { startFrom } }: EventsSettings, now: number): void {
	if (startFrom === undefined || startFrom >= retentionStart(now) - DAY_MS) return;
	throw parameterError(startFromParameter.property, TOO_OLD, new Date(startFrom).toISOString());
}
