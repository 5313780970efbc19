import { ENDPOINTS } from '../contract/contract';
import { timeOf } from '../contract/rules';
import { below } from '../world/hash';
import { handler, Refused, type Handlers } from './handler';

type Resolution = 'hour' | 'day' | 'month';

interface CreditsBody {
	from_date: string;
	to_date: string;
	mode: 'timely' | 'endpoints';
	resolution?: Resolution;
	timezone?: string;
}

interface Point {
	timestamp: string;
	hour: string;
	date: string;
	credits: number;
}

/** Credits are spent in quarters of an hour, so that buckets in every time zone add up. */
const TICK = 15 * 60_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The account exists since then. */
const FIRST_USE = Date.UTC(2020, 0, 1);

/** Credits spent in the quarter of an hour that starts at `tick`; none before the first use or in the future. */
const spentAt = (tick: number, now: number): number =>
	tick >= FIRST_USE && tick <= now ? below(4, `credits:${tick}`) : 0;

/** Minutes that local time is ahead of UTC, by time zone. Looking them up takes longest about a request. */
const offsets = new Map<string, (time: number) => number>();

function offsetsOf(timeZone: string): (time: number) => number {
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		dateStyle: 'short',
		timeStyle: 'short',
	});
	const known = new Map<number, number>();
	function lookUp(time: number): number {
		const before = known.get(time);
		if (before !== undefined) return before;
		const local = Date.parse(`${format.format(time).replace(' ', 'T')}Z`);
		const minutes = Math.round((local - time) / MINUTE);
		known.set(time, minutes);
		return minutes;
	}
	return (time) => {
		const start = Math.floor(time / DAY) * DAY;
		const minutes = lookUp(start);
		// They change within a day on the days of a clock change only.
		return minutes === lookUp(start + DAY) ? minutes : lookUp(time);
	};
}

/** A number that is the same for all moments of a bucket. An hour that a clock change repeats is two buckets. */
const BUCKETS: Record<Resolution, (local: number, offset: number) => number> = {
	hour: (local, offset) => Math.floor(local / HOUR) * DAY + offset,
	day: (local) => Math.floor(local / DAY),
	month: (local) => new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth(),
};

function pointAt(tick: number, offset: number): Point {
	const local = new Date(tick + offset * MINUTE).toISOString();
	const date = local.slice(0, 10);
	const hour = local.slice(11, 16);
	const size = Math.abs(offset);
	const two = (value: number) => String(value).padStart(2, '0');
	const ahead = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
	return { timestamp: `${date}T${hour}:00${ahead}`, hour, date, credits: 0 };
}

/** One point per bucket that the range touches; buckets start at whole hours, days, months of the time zone. */
function timely(
	from: number,
	to: number,
	now: number,
	resolution: Resolution,
	timeZone: string,
): Point[] {
	const offsetAt = offsets.get(timeZone) ?? offsetsOf(timeZone);
	offsets.set(timeZone, offsetAt);
	const bucketOf = (tick: number) => {
		const offset = offsetAt(tick);
		return BUCKETS[resolution](tick + offset * MINUTE, offset);
	};
	let start = Math.floor(from / TICK) * TICK;
	const first = bucketOf(start);
	while (bucketOf(start - TICK) === first) start -= TICK;
	const points: Point[] = [];
	let bucket: number | undefined;
	for (let tick = start; tick < to; tick += TICK) {
		if (bucketOf(tick) !== bucket) {
			bucket = bucketOf(tick);
			points.push(pointAt(tick, offsetAt(tick)));
		}
		const point = points.at(-1);
		if (point && tick >= from) point.credits += spentAt(tick, now);
	}
	return points;
}

/** The contract does not show these points: credits by path, in shares that depend on nothing but the table. */
function byEndpoint(total: number) {
	const paths = ENDPOINTS.filter(({ name }) => name.endsWith('Bulk')).map(({ path }) => path);
	return paths.map((endpoint, place) => ({
		endpoint,
		credits: Math.floor((total + place) / paths.length),
	}));
}

export const creditHandlers: Handlers<'credits'> = {
	credits: handler<CreditsBody>((body, { now, responseContext }) => {
		const { from_date, to_date, mode, resolution, timezone = 'UTC' } = body;
		const from = timeOf(from_date);
		const to = timeOf(to_date);
		if (from >= to) {
			throw new Refused(400, {
				response_context: responseContext('failure'),
				error: {
					code: 'INVALID_DATE_RANGE',
					message: 'from_date must be before to_date',
					details: { from_date, to_date },
				},
			});
		}
		const range = { from_date, to_date, mode };
		if (mode === 'timely') {
			const points = timely(from, to, now.getTime(), resolution ?? 'day', timezone);
			return {
				response_context: responseContext('success'),
				...range,
				resolution,
				timezone,
				total_credits: points.reduce((sum, point) => sum + point.credits, 0),
				aggregations: points,
			};
		}
		let total = 0;
		const start = Math.max(FIRST_USE, Math.ceil(from / TICK) * TICK);
		for (let tick = start; tick < Math.min(to, now.getTime() + 1); tick += TICK) {
			total += spentAt(tick, now.getTime());
		}
		return {
			response_context: responseContext('success'),
			...range,
			timezone,
			total_credits: total,
			aggregations: byEndpoint(total),
		};
	}),
};
