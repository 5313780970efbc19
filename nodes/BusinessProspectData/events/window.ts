import { EVENT_WINDOW_MONTHS } from '../catalog/events';

export const DAY_MS = 86_400_000;

/** Continues a refusal that names the moment. */
export const TOO_OLD = `is more than ${EVENT_WINDOW_MONTHS} months ago, and the service keeps events no longer.`;

/** The moment before which the service has no events, in milliseconds. */
export function windowStart(now: number): number {
	const start = new Date(now);
	const day = start.getUTCDate();
	start.setUTCMonth(start.getUTCMonth() - EVENT_WINDOW_MONTHS);
	// A month without that day runs over into the next: its last day is meant.
	if (start.getUTCDate() !== day) start.setUTCDate(0);
	return start.getTime();
}
