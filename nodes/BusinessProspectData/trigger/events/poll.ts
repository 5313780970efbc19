import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import { type EventsSource, LIMITS } from '../../catalog/service';
import {
	chosenTypes,
	eventRecords,
	eventLayouts,
	otherEventTypes,
	retentionStart,
	TOO_OLD,
} from '../../events/query';
import { DAY_MS, HOUR_MS, readDateTime, workflowTimezone } from '../../parameters/dates';
import { readIds } from '../../parameters/lists';
import { simplify } from '../../parameters/options';
import { rowJson } from '../../fields/row';
import { parameterError } from '../../parameters/parameter';
import {
	createParameterReader,
	type EventTrigger,
	startFromParameter,
	triggerOptions,
	watchedIds,
} from '../parameters';
import { poll } from '../poll';
import { createRunner } from '../runner';
import { type EventQuerySettings, fetchEvents, fetchTestEvents } from './fetch';
import { eventsState, type EventsWatch } from './state';

const runPoll = createRunner(eventsState);

/** Polls IDs for events (see `poll`). Returns the new ones, oldest first. */
export async function pollEvents(
	context: IPollFunctions,
	trigger: EventTrigger,
): Promise<INodeExecutionData[][] | null> {
	const settings = readEventsSettings(context, trigger);
	const { source, watch, requestsPerPoll, requestOptions, simplify } = settings;
	const { types } = watch;
	const layout = eventLayouts(source)(types, simplify, false);
	return await poll(context, {
		requestOptions,
		checkStart: () => checkStartFrom(settings, Date.now()),
		fetchTest: async (client) => await fetchTestEvents(context, client, settings),
		async run(client, node) {
			const polled = await runPoll({
				...node,
				watch,
				limit: requestsPerPoll * LIMITS.eventsBatch,
				fetch: async (job) => await fetchEvents(context, client, settings, job),
			});
			if (polled === undefined) return undefined;
			const { rows, succeeded } = polled.result;
			const { failure } = polled.fetched;
			if (succeeded || failure === undefined) return { rows };
			const message = `${failure.message} No event is lost: the next checks cover the same period again.`;
			return { rows, problem: { message } };
		},
		output: (event, responseContext) =>
			rowJson({ records: eventRecords(source, event, responseContext) }, layout),
	});
}

interface EventsSettings extends EventQuerySettings {
	readonly watch: EventsWatch;
	readonly simplify: boolean;
	readonly requestsPerPoll: number;
	readonly requestOptions: RequestOptions;
}

/** @throws UserError if a setting is invalid, or if there are no IDs or no event types */
export function readEventsSettings(
	context: IPollFunctions,
	{ entityType, source, typesParameter, idsWording }: EventTrigger,
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
			ids: readWatchedIds(valueOf(watchedIds), source, idsWording),
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

function readWatchedIds(
	raw: unknown,
	{ idFormat }: EventsSource,
	{ displayName, advice }: { readonly displayName: string; readonly advice: string },
): string[] {
	const property = { ...watchedIds.property, displayName };
	const ids = readIds(raw, property, { ...idFormat, advice });
	if (ids.length === 0) throw parameterError(property, 'is empty. Enter at least one ID to watch.');
	return ids;
}

/**
 * Only an activation should fail because of Start From: a date that was valid may become too old.
 *
 * @throws UserError if Start From is more than a day before the service's oldest events
 */
export function checkStartFrom({ watch: { startFrom } }: EventsSettings, now: number): void {
	// A date that is slightly too old is accepted, such as "3 months ago" calculated a moment ago.
	if (startFrom === undefined || startFrom >= retentionStart(now) - DAY_MS) return;
	throw parameterError(startFromParameter.property, TOO_OLD, new Date(startFrom).toISOString());
}
