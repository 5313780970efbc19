/** How far back the service has events. */
import { retentionStart } from '../../../nodes/BusinessProspectData/events/query';

test.each([
	['the same day three months before', '2026-05-20T12:30:00Z', '2026-02-20T12:30:00Z'],
	['across the turn of the year', '2026-01-15T00:00:00Z', '2025-10-15T00:00:00Z'],
	['the last day of a shorter month', '2026-05-31T08:00:00Z', '2026-02-28T08:00:00Z'],
	['in a leap year', '2028-05-31T08:00:00Z', '2028-02-29T08:00:00Z'],
	['while it is the 31st further east', '2026-05-30T12:00:00Z', '2026-02-28T12:00:00Z'],
	['while it is still the 31st further west', '2026-06-01T02:00:00Z', '2026-03-01T02:00:00Z'],
])('%s', (_what, now, start) => {
	expect(retentionStart(Date.parse(now))).toBe(Date.parse(start));
});
