import { EVENT_WINDOW_MONTHS } from '../catalog/events';

export const DAY_MS = 86_400_000;

/** Completes an error message that begins with the moment. */
export const TOO_OLD = `is more than ${EVENT_WINDOW_MONTHS} months ago, and the service has no older events. Choose a later date.`;

/** The moment before which the service has no events, in milliseconds. */
export function windowStart(now: number): number {
	const start = new Date(now);
	const day = start.getUTCDate();
	start.setUTCMonth(start.getUTCMonth() - EVENT_WINDOW_MONTHS);
	// In a month without that day, the date overflows into the next month: use the last day instead.
	if (start.getUTCDate() !== day) start.setUTCDate(0);
	return start.getTime();
}
