import type { INodeProperties } from 'n8n-workflow';
import { MAX_CREDIT_RANGES, type Resolution } from '../../catalog/service';
import { type Moment, readMoment, serviceTimezone } from '../../runtime/dates';
import { parameterError } from '../../runtime/parameters';
import { fromDate, timezone, toDate } from './parameters';

/** A range that takes more requests is a slip in the year: it would ask for hours. */
const MAX_REQUESTS = 200;

/** A part of a range, as a request takes it: ISO 8601 in UTC. `to_date` is the last moment that belongs to it. */
interface Part {
	readonly from_date: string;
	readonly to_date: string;
}

/**
 * The time zone of an item, by the service's name for it.
 *
 * @throws UserError when the service has none for it
 */
export function readTimezone(own: string, workflows: string): string {
	const given = own || workflows;
	const zone = serviceTimezone(given);
	if (zone !== undefined) return zone;
	throw parameterError(
		timezone.property,
		own === ''
			? "is the workflow's time zone, but the service takes only names such as Europe/Berlin or UTC. Fill in Time Zone."
			: 'is not a time zone such as Europe/Berlin or UTC. Use a name of that form.',
		given,
	);
}

/**
 * The range of an item, in parts that the service takes (contract: Limits, aggregation range).
 *
 * @param zone as `readTimezone` gives it
 * @param cuts whether a longer range may be cut: parts can be joined by time, not by endpoint
 * @throws UserError when a date is wrong, or the range is too long
 */
export function splitRange(
	{ fromDate: fromRaw, toDate: toRaw }: { fromDate: unknown; toDate: unknown },
	zone: string,
	resolution: Resolution,
	cuts: boolean,
): Part[] {
	const from = required(fromRaw, fromDate.property, zone);
	const to = required(toRaw, toDate.property, zone);
	if (from >= to) throw parameterError(fromDate.property, 'is not before To.', String(fromRaw));
	const { words, longest, hours } = MAX_CREDIT_RANGES[resolution];
	if (!cuts && to > from.toUTC().plus(longest)) {
		throw parameterError(
			toDate.property,
			`is too far from From: By Endpoint, with the resolution "${resolution}", the service takes ${words} at most, counted in UTC.`,
			String(toRaw),
		);
	}
	if (to > from.plus({ hours: hours * MAX_REQUESTS })) {
		throw parameterError(
			fromDate.property,
			`is too far from To: the range would take more than ${MAX_REQUESTS} requests. Check the years, or choose a longer Resolution.`,
			String(fromRaw),
		);
	}
	return cuts ? cut(from.setZone(zone), to, resolution) : [part(from, to)];
}

function required(raw: unknown, property: INodeProperties, zone: string): Moment {
	if (raw === undefined) throw parameterError(property, 'is empty. Give a date and time.');
	return readMoment(raw, property, zone);
}

/**
 * Cuts a range at bucket starts of the zone in which `from` is. A part ends a millisecond before the next begins: however
 * the service counts ends, no bucket is in two parts.
 */
function cut(from: Moment, to: Moment, resolution: Resolution): Part[] {
	const { hours } = MAX_CREDIT_RANGES[resolution];
	const parts: Part[] = [];
	let start = from;
	while (to > start.plus({ hours })) {
		const next = bucketStart(start.plus({ hours }), resolution);
		parts.push(part(start, next.minus(1)));
		start = next;
	}
	return [...parts, part(start, to)];
}

/** Start of the hour, day or month. A day whose midnight comes twice (Havana, Azores) starts at the first one. */
function bucketStart(moment: Moment, resolution: Resolution): Moment {
	const start = moment.startOf(resolution);
	const before = start.minus(1);
	return before.hasSame(start, resolution) ? before.startOf(resolution) : start;
}

const part = (from: Moment, to: Moment): Part => ({ from_date: iso(from), to_date: iso(to) });

const iso = (moment: Moment): string => new Date(moment.toMillis()).toISOString();
