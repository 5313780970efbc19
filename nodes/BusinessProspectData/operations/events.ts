import type { INodeProperties } from 'n8n-workflow';
import {
	EVENT_WINDOW_DAYS,
	EVENT_WINDOW_MONTHS,
	type EventsSource,
	LIMITS,
	PROSPECT_EVENTS,
} from '../catalog/service';
import {
	eventBatchConfig,
	eventKey,
	type EventsQuery,
	type EventsResult,
	retentionStart,
	strangersNote,
	TOO_OLD,
} from '../events/query';
import { eventRecords } from '../fields/events';
import { chosenTypes } from '../events/parameters';
import type { InputResult } from '../run/inputs';
import {
	dateTimeParameter,
	DAY_MS,
	floorToMinute,
	readDateTime,
	roundRangeEnd,
} from '../parameters/dates';
import { batchSize } from '../parameters/options';
import { rowsWithFailure } from '../run/output';
import { parameterError } from '../parameters/parameter';
import type { RunContext } from '../run/spec';
import { onlyNew } from './onlyNew';
import { type Advice, aboutRun } from '../core/outcome';

export const timestampFrom = dateTimeParameter({
	displayName: 'From',
	name: 'timestampFrom',
	type: 'dateTime',
	default: '',
	description: `Only events after this time, at most ${EVENT_WINDOW_MONTHS} months back. Empty for all.`,
});

export const timestampTo = dateTimeParameter({
	displayName: 'To',
	name: 'timestampTo',
	type: 'dateTime',
	default: '',
	description: 'Only events until this time. Empty for all.',
});

/** Bounds are ISO 8601 in UTC. A missing bound leaves that side open. */
interface Window {
	readonly from?: string;
	readonly to?: string;
}

/**
 * @param isNews true for business events: the contract says only that their window "should" start within the last 3 months
 *   (contract: Business events), and none is dated ahead
 * @throws UserError if From or To isn't a date and time, From isn't before To, or the window is too old, or too late for news
 */
export function readWindow(
	values: { readonly timestampFrom: unknown; readonly timestampTo: unknown },
	{ now, timezone }: RunContext,
	{ isNews }: { readonly isNews: boolean },
): Window {
	const read = (raw: unknown, property: INodeProperties, dayMeans: 'start' | 'end') =>
		raw === undefined ? undefined : readDateTime(raw, property, timezone, dayMeans).toMillis();
	const from = read(values.timestampFrom, timestampFrom.property, 'start');
	const to = read(values.timestampTo, timestampTo.property, 'end');
	if (from !== undefined && from >= (to ?? Infinity)) {
		throw parameterError(
			timestampFrom.property,
			'must be earlier than To.',
			String(values.timestampFrom),
		);
	}
	const earliest = isNews ? -Infinity : retentionStart(now);
	if (isNews && from !== undefined && from > now + DAY_MS) {
		const rule = 'is in the future. News appears once it has happened: enter an earlier date.';
		throw parameterError(timestampFrom.property, rule, String(values.timestampFrom));
	}
	// Allows one more day, for a From such as "3 months ago" that was calculated before the run.
	if (from !== undefined && from < earliest - DAY_MS) {
		throw parameterError(timestampFrom.property, TOO_OLD, String(values.timestampFrom));
	}
	if (to !== undefined && to < earliest) {
		throw parameterError(timestampTo.property, TOO_OLD, String(values.timestampTo));
	}
	const start = from === undefined ? undefined : Math.max(floorToMinute(from), earliest);
	const end = to === undefined ? undefined : roundRangeEnd(to, start ?? earliest);
	const iso = (ms: number) => new Date(ms).toISOString();
	return {
		...(start !== undefined && { from: iso(start) }),
		...(end !== undefined && { to: iso(end) }),
	};
}

/** About events of entities that weren't asked for, and windows that are too old, or too recent for Only New Events. */
function eventsAdvice(
	results: ReadonlyArray<InputResult<EventsQuery, EventsResult>>,
	{ now }: RunContext,
	items: ReadonlyArray<{ readonly options: { readonly onlyNewEvents: boolean } }>,
): Advice[] {
	const iso = (ms: number) => new Date(ms).toISOString();
	const earliest = iso(retentionStart(now) - DAY_MS);
	const windowStart = iso(now - EVENT_WINDOW_DAYS * DAY_MS);
	const isTooOld = results.some(({ input: { from, to } }) =>
		[from, to].some((bound) => bound !== undefined && bound < earliest),
	);
	const isCut = results.some(({ input: { from } }) => from !== undefined && from > windowStart);
	const strangers = strangersNote(results.map(({ outcome: { value } }) => value));
	return [
		strangers,
		isTooOld
			? `From or To is more than ${EVENT_WINDOW_MONTHS} months ago, further back than the service supports. Expect no events from before ${earliest.slice(0, 10)}.`
			: undefined,
		isCut && !isTooOld && items.some(({ options }) => options.onlyNewEvents)
			? 'Only New Events with a From misses events that appear late: a job change may be dated weeks before. Leave From empty.'
			: undefined,
	].flatMap((message) => (message === undefined ? [] : [aboutRun(message)]));
}

const { option, removeKnown } = onlyNew({
	name: 'onlyNewEvents',
	displayName: 'Only New Events',
	pluralNoun: 'events',
	tooManyAdvice: 'Split the IDs over several nodes, or choose fewer Event Types.',
});

export const onlyNewEvents = option;

/** The queries of an item. `otherEventTypes` is absent if the service has no other types. */
export function eventQueries(
	source: EventsSource,
	ids: readonly string[],
	values: { readonly eventTypes: readonly string[]; readonly timestampFrom: unknown },
	options: { readonly timestampTo: unknown; readonly otherEventTypes?: readonly string[] },
	run: RunContext,
): EventsQuery[] {
	const types = chosenTypes(source, values.eventTypes, options.otherEventTypes ?? []);
	const bounds = { timestampFrom: values.timestampFrom, timestampTo: options.timestampTo };
	const window = readWindow(bounds, run, { isNews: source !== PROSPECT_EVENTS });
	return ids.map((id) => ({ id, types, ...window }));
}

export const eventsBatchSize = batchSize(LIMITS.eventsBatch);

/** The members of `BatchSpec` that both Get Events operations share. */
export const sharedEventsSpec = (source: EventsSource) => ({
	...eventBatchConfig(source),
	rows: (results: ReadonlyArray<InputResult<EventsQuery, EventsResult>>) => {
		const rows = results.flatMap(({ input: { id }, outcome }) =>
			rowsWithFailure(outcome, ({ events, responseContext }) =>
				events.map((event) => ({
					dedupeKey: eventKey(id, event),
					records: eventRecords(source, event, responseContext, id),
				})),
			),
		);
		return rows.length > 0 ? rows : [{ state: 'empty' as const, records: {} }];
	},
	// Unlike searches, counted as records to pay for, to be on the safe side: events are requested by ID, as in Enrich.
	priceOf: () => ({ name: 'Events' }),
	removeKnown,
	outputsOnlyFound: true,
	advice: eventsAdvice,
	wording: { verb: 'Returned', one: 'event', empty: 'without events' },
});
