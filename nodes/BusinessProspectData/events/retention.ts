import { EVENT_WINDOW_MONTHS } from '../catalog/events';

/** Ends an error message: `"2020-01-01" is more than …`. */
export const TOO_OLD = `is more than ${EVENT_WINDOW_MONTHS} months ago, and the service has no older events. Choose a later date.`;

/** The time before which the service has no events, in milliseconds. */
export function retentionStart(now: number): number {
	const start = new Date(now);
	const day = start.getUTCDate();
	start.setUTCMonth(start.getUTCMonth() - EVENT_WINDOW_MONTHS);
	// In a month without that day, the date overflows into the next month: use the last day instead.
	if (start.getUTCDate() !== day) start.setUTCDate(0);
	return start.getTime();
}
