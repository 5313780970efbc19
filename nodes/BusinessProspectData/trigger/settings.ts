import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../api/client';
import type { EventSource } from '../catalog/events';
import { chosenTypes } from '../events/types';
import { DAY_MS, TOO_OLD, windowStart } from '../events/window';
import { readMoment, workflowTimezone } from '../runtime/dates';
import { type Parameter, parameterError } from '../runtime/parameters';
import { HOUR_MS, type Watch } from './checkpoint';
import { SOURCES, triggerParameters, typesParameters } from './parameters';

/** The trigger's checked settings. */
export interface Settings {
	readonly source: EventSource;
	readonly watch: Watch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
	readonly client: RequestOptions;
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
	const { resource, ids, otherEventTypes, simplify, options } = triggerParameters;

	const watched = valueOf(resource) === 'business' ? 'business' : 'prospect';
	const source = SOURCES[watched];
	const { lookBackHours, startFrom, requestsPerPoll, requestContext, ...client } = valueOf(options);
	const { property: startFromProperty } = triggerParameters.startFrom;
	return {
		source,
		watch: {
			source: watched,
			lookbackMs: lookBackHours * HOUR_MS,
			startFrom:
				startFrom === undefined
					? undefined
					: readMoment(startFrom, startFromProperty, workflowTimezone(context)).toMillis(),
			ids: checkIds(valueOf(ids), source),
			types: chosenTypes(
				source,
				valueOf(typesParameters[watched]),
				source.open ? valueOf(otherEventTypes) : [],
			),
		},
		simplify: valueOf(simplify),
		requestsPerPoll,
		client,
		requestContext,
	};
}

/** The IDs, each once. @throws UserError with the position of the first invalid one, or when there are none */
function checkIds(ids: readonly string[], { idRule }: EventSource): string[] {
	const { property } = triggerParameters.ids;
	if (ids.length === 0) throw parameterError(property, 'enter at least one ID to watch.');
	const invalid = ids.findIndex((id) => !idRule.pattern.test(id));
	if (invalid < 0) return [...new Set(ids)];
	throw parameterError(
		property,
		`entry ${invalid + 1} of ${ids.length}, "${ids[invalid]?.slice(0, 60)}", is not ${idRule.description}.`,
	);
}

/**
 * Applies only while there is no saved state: later polls ignore Start From, which would become too old by itself.
 *
 * @throws UserError when the service has no events from then
 */
export function checkStartFrom({ watch: { startFrom } }: Settings, now: number): void {
	if (startFrom === undefined || startFrom >= windowStart(now) - DAY_MS) return;
	throw parameterError(
		triggerParameters.startFrom.property,
		TOO_OLD,
		new Date(startFrom).toISOString(),
	);
}
