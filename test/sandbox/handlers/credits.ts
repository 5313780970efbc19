import { ENDPOINTS } from '../contract/contract';
import { timeOf } from '../contract/rules';
import { below } from '../world/hash';
import { handler, Refused } from './handler';

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
/** The account exists since then. */
const FIRST_USE = Date.UTC(2020, 0, 1);

/** Credits spent in the quarter of an hour that starts at `tick`; none before the first use or in the future. */
const spentAt = (tick: number, now: number): number =>
	tick >= FIRST_USE && tick <= now ? below(4, `credits:${tick}`) : 0;

/** How many characters of a local date and time tell the bucket. */
const BUCKET: Record<Resolution, number> = { hour: 13, day: 10, month: 7 };

/** One point per bucket that the range touches; buckets start at whole hours, days, months of the time zone. */
function timely(from: number, to: number, now: number, resolution: Resolution, timeZone: string) {
	const format = new Intl.DateTimeFormat('en-CA', {
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
		timeZone,
		timeZoneName: 'longOffset',
	});
	const bucketOf = (tick: number) => {
		// "2026-03-01, 09:15 GMT+01:00"
		const [date = '', time = '', zone = ''] = format.format(tick).split(/, |\sGMT/);
		const point: Point = { timestamp: `${date}T${time}:00${zone}`, hour: time, date, credits: 0 };
		// An hour that a clock change repeats is two buckets.
		const key =
			`${date} ${time}`.slice(0, BUCKET[resolution]) + (resolution === 'hour' ? zone : '');
		return { key, point };
	};
	let start = Math.floor(from / TICK) * TICK;
	const first = bucketOf(start).key;
	while (bucketOf(start - TICK).key === first) start -= TICK;
	const points = new Map<string, Point>();
	for (let tick = start; tick < to; tick += TICK) {
		const bucket = bucketOf(tick);
		const point = points.get(bucket.key) ?? bucket.point;
		points.set(bucket.key, point);
		if (tick >= from) point.credits += spentAt(tick, now);
	}
	return [...points.values()];
}

/** The contract does not show these points: credits by path, in shares that depend on nothing but the table. */
function byEndpoint(total: number) {
	const paths = ENDPOINTS.filter(({ name }) => name.endsWith('Bulk')).map(({ path }) => path);
	return paths.map((endpoint, place) => ({
		endpoint,
		credits: Math.floor((total + place) / paths.length),
	}));
}

export const creditHandlers = {
	credits: handler<CreditsBody>((body, { now, responseContext }) => {
		const { from_date, to_date, mode, resolution, timezone = 'UTC' } = body;
		const [from, to] = [timeOf(from_date), timeOf(to_date)];
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
		const isTimely = mode === 'timely';
		const points = isTimely
			? timely(from, to, now.getTime(), resolution ?? 'day', timezone)
			: timely(
					Math.max(from, FIRST_USE),
					Math.min(to, now.getTime()),
					now.getTime(),
					'month',
					'UTC',
				);
		const total = points.reduce((sum, { credits }) => sum + credits, 0);
		return {
			response_context: responseContext('success'),
			from_date,
			to_date,
			mode,
			...(isTimely && { resolution }),
			timezone,
			total_credits: total,
			aggregations: isTimely ? points : byEndpoint(total),
		};
	}),
};
