import { ENDPOINTS } from '../contract/contract';
import { timeOf } from '../contract/rules';
import { below } from '../world/hash';
import { handler, Refused, type Handlers } from './handler';

interface CreditsBody {
	from_date: string;
	to_date: string;
	mode: 'timely' | 'endpoints';
	resolution?: 'hour' | 'day' | 'month';
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
const KEY_LENGTH = { hour: 13, day: 10, month: 7 } as const;

/** Credits spent in the quarter of an hour that starts at `tick`; none before the first use or in the future. */
const spentAt = (tick: number, now: number): number =>
	tick >= FIRST_USE && tick <= now ? below(4, `credits:${tick}`) : 0;

/** Local time `YYYY-MM-DD HH:MM` and offset `+HH:MM` of a moment in a time zone. */
function localClock(timeZone: string): (time: number) => { local: string; offset: string } {
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		dateStyle: 'short',
		timeStyle: 'short',
	});
	return (time) => {
		const local = format.format(time);
		const minutes = Math.round((Date.parse(`${local.replace(' ', 'T')}Z`) - time) / 60_000);
		const size = Math.abs(minutes);
		const two = (value: number) => String(value).padStart(2, '0');
		return {
			local,
			offset: `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`,
		};
	};
}

/** One point per bucket that the range touches; buckets start at whole hours, days, months of the time zone. */
function timely(
	from: number,
	to: number,
	now: number,
	resolution: keyof typeof KEY_LENGTH,
	timeZone: string,
): Point[] {
	const clock = localClock(timeZone);
	// An hour that a clock change repeats is two buckets.
	const keyOf = ({ local, offset }: { local: string; offset: string }) =>
		local.slice(0, KEY_LENGTH[resolution]) + (resolution === 'hour' ? offset : '');
	let start = Math.floor(from / TICK) * TICK;
	const firstKey = keyOf(clock(start));
	while (keyOf(clock(start - TICK)) === firstKey) start -= TICK;
	const points: Point[] = [];
	let key = '';
	for (let tick = start; tick < to; tick += TICK) {
		const moment = clock(tick);
		if (keyOf(moment) !== key) {
			key = keyOf(moment);
			const [date = '', hour = ''] = moment.local.split(' ');
			points.push({ timestamp: `${date}T${hour}:00${moment.offset}`, hour, date, credits: 0 });
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
