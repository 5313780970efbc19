/** The parts of a credits range, for any range in time zones with unusual offsets and clock changes. */
import fc from 'fast-check';
import type { CreditResolution } from '../../../nodes/BusinessProspectData/catalog/service';
import { readRange } from '../../../nodes/BusinessProspectData/operations/creditUsage/range';
import { bySize } from '../../size';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_LENGTH: Record<CreditResolution, number> = {
	hour: 7 * DAY,
	day: 60 * DAY,
	month: 730 * DAY,
};
const ZONES = `UTC Africa/Cairo Africa/Casablanca America/Havana America/New_York America/Santiago
	America/St_Johns Antarctica/Troll Asia/Kathmandu Asia/Kolkata Asia/Tehran Atlantic/Azores Australia/Lord_Howe
	Europe/Berlin Europe/Dublin Pacific/Apia Pacific/Chatham Pacific/Kiritimati`.split(/\s+/);

const floorToMinute = (ms: number) => ms - (((ms % MINUTE) + MINUTE) % MINUTE);

/** The end of a range, rounded down to the minute; in its last second, the end of the minute. */
const roundEnd = (ms: number) =>
	floorToMinute(ms) + (ms - floorToMinute(ms) >= 59_000 ? 59_999 : 0);

/** The same date two years on, at the same time of day in UTC; 28 February where there is no 29th. */
function twoYearsAfter(ms: number): number {
	const date = new Date(ms);
	const month = date.getUTCMonth();
	date.setUTCFullYear(date.getUTCFullYear() + 2);
	if (date.getUTCMonth() !== month) date.setUTCDate(0);
	return date.getTime();
}

const clocks = new Map(
	ZONES.map((timeZone) => [
		timeZone,
		new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
	]),
);

/** The name of the bucket that holds a moment. An hour that a clock change repeats is two buckets. */
function bucketOf(ms: number, zone: string, resolution: CreditResolution): string {
	const local = clocks.get(zone)?.format(ms) ?? '';
	const offset = Date.parse(`${local.replace(' ', 'T')}Z`) - floorToMinute(ms);
	const lengths = { hour: 13, day: 10, month: 7 };
	return local.slice(0, lengths[resolution]) + (resolution === 'hour' ? ` ${offset}` : '');
}

/** The parts of a range, none of which is too long. */
function partsOf(
	range: Parameters<typeof readRange>[0],
	zone: string,
	resolution: CreditResolution,
) {
	const parts = readRange(range, zone, resolution, true).map(({ from_date, to_date }) => ({
		from: Date.parse(from_date),
		to: Date.parse(to_date),
	}));
	for (const { from, to } of parts) {
		expect(to).toBeGreaterThan(from);
		expect(to - from).toBeLessThanOrEqual(MAX_LENGTH[resolution]);
		expect(to).toBeLessThanOrEqual(twoYearsAfter(from));
	}
	return parts;
}

test.each<CreditResolution>(['hour', 'day', 'month'])(
	'by %s, no part is too long in UTC, none overlaps, nothing is missing, no bucket is in two',
	(resolution) => {
		const longest = MAX_LENGTH[resolution];
		const starts = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2032, 0, 1) });
		// Half of them about as long as one part: an hour more or less is what a clock change makes.
		const lengths = fc.oneof(
			fc.integer({ min: 1, max: 9 * longest }),
			fc.integer({ min: -3, max: 3 }).map((hours) => longest + hours * HOUR),
		);
		fc.assert(
			fc.property(fc.constantFrom(...ZONES), starts, lengths, (zone, from, length) => {
				const to = from + length;

				const parts = partsOf({ fromDate: new Date(from), toDate: new Date(to) }, zone, resolution);

				const start = floorToMinute(from);
				expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([
					start,
					roundEnd(to) > start ? roundEnd(to) : start + MINUTE,
				]);
				parts.slice(1).forEach((part, at) => {
					const end = parts[at]?.to ?? 0;
					expect(part.from - end).toBe(1);
					expect(bucketOf(end, zone, resolution)).not.toBe(bucketOf(part.from, zone, resolution));
				});
				// Whole months are up to 31 days shorter than two years, and so on: no more parts than that takes.
				expect(parts.length).toBeLessThanOrEqual(
					Math.ceil((length + MINUTE) / (longest * 0.95)) + 1,
				);
			}),
			{ numRuns: bySize(60, 300) },
		);
	},
);
