import type { INodeProperties } from 'n8n-workflow';
import {
	MAX_CREDIT_RANGES,
	MAX_ENDPOINT_MODE_RANGE,
	type CreditResolution,
} from '../../catalog/service';
import {
	type DateTime,
	dateTimeParameter,
	floorToMinute,
	readDateTime,
	roundRangeEnd,
	serviceTimezone,
} from '../../parameters/dates';
import { parameterError, stringParameter } from '../../parameters/parameter';

export const fromDate = dateTimeParameter({
	displayName: 'From',
	name: 'fromDate',
	type: 'dateTime',
	default: "={{ $now.startOf('month') }}",
	required: true,
	description: 'Start of the range. If it has no time zone, Time Zone is used.',
});

export const toDate = dateTimeParameter({
	displayName: 'To',
	name: 'toDate',
	type: 'dateTime',
	default: '={{ $now }}',
	required: true,
	description:
		'End of the range. A date without a time means the end of that day. If it has no time zone, Time Zone is used.',
});

export const timezone = stringParameter({
	displayName: 'Time Zone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Berlin',
	description:
		"Time zone that decides when a day starts. Leave empty for the workflow's time zone.",
});

/** A range that would take more requests probably has a mistyped year. */
const MAX_REQUESTS = 200;

/** Times are ISO 8601 in UTC. */
export interface Part {
	readonly from_date: string;
	readonly to_date: string;
}

/** Uses the workflow's time zone if `name` is empty. @throws UserError if the service may not know the time zone */
export function readTimezone(name: string, workflowTimezone: string): string {
	const timezoneName = name || workflowTimezone;
	const zone = serviceTimezone(timezoneName);
	if (zone !== undefined) return zone;
	throw parameterError(
		timezone.property,
		name === ''
			? "is the workflow's time zone, but the service accepts only names such as Europe/Berlin or UTC. Fill in Time Zone."
			: 'is not a time zone such as Europe/Berlin or UTC. Use a name of that form.',
		timezoneName,
	);
}

/**
 * Reads a range, and splits one that is too long for one request (contract: Limits, aggregation range).
 *
 * @param mayBeSplit if false, a range that is too long for one request is an error
 * @throws UserError if a date is empty or invalid, From isn't before To, or the range is too long
 */
export function readRange(
	{ fromDate: fromRaw, toDate: toRaw }: { fromDate: unknown; toDate: unknown },
	zone: string,
	resolution: CreditResolution,
	mayBeSplit: boolean,
): Part[] {
	const exactFrom = readRequired(fromRaw, fromDate.property, zone, 'start');
	const exactTo = readRequired(toRaw, toDate.property, zone, 'end');
	if (exactFrom >= exactTo)
		throw parameterError(fromDate.property, 'must be earlier than To.', String(fromRaw));
	const from = withMillis(exactFrom, floorToMinute(exactFrom.toMillis()));
	const to = withMillis(exactTo, roundRangeEnd(exactTo.toMillis(), from.toMillis()));
	if (!mayBeSplit && to > from.toUTC().plus(MAX_ENDPOINT_MODE_RANGE.duration)) {
		throw parameterError(
			toDate.property,
			`is more than ${MAX_ENDPOINT_MODE_RANGE.label} after From, the maximum for Group By Endpoint (counted in UTC). Choose a shorter range.`,
			String(toRaw),
		);
	}
	if (to > from.plus({ hours: MAX_CREDIT_RANGES[resolution].hours * MAX_REQUESTS })) {
		throw parameterError(
			fromDate.property,
			`is too far from To: the range would take more than ${MAX_REQUESTS} requests. Check the years, or set Group By to a longer period.`,
			String(fromRaw),
		);
	}
	return mayBeSplit ? splitAtPeriods(from.setZone(zone), to, resolution) : [toPart(from, to)];
}

const withMillis = (time: DateTime, ms: number): DateTime => time.plus(ms - time.toMillis());

function readRequired(
	raw: unknown,
	property: INodeProperties,
	zone: string,
	dayMeans: 'start' | 'end',
): DateTime {
	if (raw === undefined) throw parameterError(property, 'is empty. Enter a date and time.');
	return readDateTime(raw, property, zone, dayMeans);
}

/** A part ends a millisecond before the next one starts, in case the service includes the end. */
function splitAtPeriods(from: DateTime, to: DateTime, resolution: CreditResolution): Part[] {
	const { hours } = MAX_CREDIT_RANGES[resolution];
	const parts: Part[] = [];
	let start = from;
	while (to > start.plus({ hours })) {
		const next = periodStart(start.plus({ hours }), resolution);
		parts.push(toPart(start, next.minus(1)));
		start = next;
	}
	return [...parts, toPart(start, to)];
}

/** If midnight occurs twice (Havana, Azores), the day or month starts at the first one. */
function periodStart(moment: DateTime, resolution: CreditResolution): DateTime {
	const start = moment.startOf(resolution);
	const before = start.minus(1);
	return before.hasSame(start, resolution) ? before.startOf(resolution) : start;
}

const toPart = (from: DateTime, to: DateTime): Part => ({ from_date: iso(from), to_date: iso(to) });

const iso = (moment: DateTime): string => new Date(moment.toMillis()).toISOString();
