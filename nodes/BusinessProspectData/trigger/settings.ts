import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../api/client';
import type { EventSource } from '../catalog/events';
import { readMoment, workflowTimezone } from '../runtime/dates';
import { type Parameter, parameterError } from '../runtime/parameters';
import { HOUR_MS, type Watch } from './checkpoint';
import { SOURCES, triggerParameters, typesParameters } from './parameters';
import { chosenTypes } from '../events/types';
import { DAY_MS, TOO_OLD, windowStart } from '../events/window';

/** The trigger's settings, checked. */
export interface Settings {
	readonly source: EventSource;
	readonly watch: Watch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
	readonly client: RequestOptions;
	readonly requestContext?: IDataObject;
}

const { options } = triggerParameters;

/**
 * Reads the settings of a trigger.
 *
 * @throws UserError when an id, an event type, the look-back or a date is wrong
 */
export function readSettings(context: IPollFunctions): Settings {
	const valueOf = <Value>({ name, property, read }: Parameter<string, Value>): Value =>
		read(context.getNodeParameter(name, property.default));
	const { resource, ids, otherEventTypes, simplify } = triggerParameters;

	const watched = valueOf(resource) === 'business' ? 'business' : 'prospect';
	const source = SOURCES[watched];
	const { lookBackHours, startFrom, requestsPerPoll, requestContext, ...client } = valueOf(options);
	const from =
		startFrom === undefined
			? undefined
			: readMoment(
					startFrom,
					triggerParameters.startFrom.property,
					workflowTimezone(context),
				).toMillis();
	return {
		source,
		watch: {
			source: watched,
			ids: checkedIds(valueOf(ids), source),
			types: chosenTypes(
				source,
				valueOf(typesParameters[watched]),
				source.open ? valueOf(otherEventTypes) : [],
			),
			lookbackMs: lookBackHours * HOUR_MS,
			startFrom: from,
		},
		simplify: valueOf(simplify),
		requestsPerPoll,
		client,
		requestContext,
	};
}

/** Refuses ids that are none, with their place in the list, and a list without any. */
function checkedIds(given: readonly string[], { idRule }: EventSource): string[] {
	const wrong = given.findIndex((id) => !idRule.pattern.test(id));
	const { property } = triggerParameters.ids;
	if (given.length === 0)
		throw parameterError(property, 'there is none. Give at least one ID to watch.');
	if (wrong < 0) return [...new Set(given)];
	throw parameterError(
		property,
		`number ${wrong + 1} of ${given.length}, "${given[wrong]?.slice(0, 60)}", is not ${idRule.description}.`,
	);
}

/**
 * Looked at only while there is no state: later Start From does not count, and would grow too old by itself.
 *
 * @throws UserError when it is before what the service keeps
 */
export function checkStartFrom({ watch: { startFrom } }: Settings, now: number): void {
	if (startFrom === undefined || startFrom >= windowStart(now) - DAY_MS) return;
	throw parameterError(
		triggerParameters.startFrom.property,
		TOO_OLD,
		new Date(startFrom).toISOString(),
	);
}
