/**
 * When an event happened: without an offset its time is UTC, whatever the time zone of n8n's machine is. Jest runs in a
 * zone that is not UTC.
 */
import { timeOf } from '../../../nodes/BusinessProspectData/trigger/selection';

const NOW = Date.UTC(2026, 4, 20, 12);
const TIMES: Array<[text: unknown, iso: string]> = [
	['2026-05-01T09:30:00Z', '2026-05-01T09:30:00.000Z'],
	['2026-05-01T09:30:00.125+00:00', '2026-05-01T09:30:00.125Z'],
	['2026-05-01T09:30:00-05:00', '2026-05-01T14:30:00.000Z'],
	['2026-05-01T09:30:00+0530', '2026-05-01T04:00:00.000Z'],
	['2026-05-01T09:30:00', '2026-05-01T09:30:00.000Z'],
	['2026-05-01T09:30:00.125', '2026-05-01T09:30:00.125Z'],
	['2026-05-01T09:30:00.125000', '2026-05-01T09:30:00.125Z'],
	['2026-05-01T09:30', '2026-05-01T09:30:00.000Z'],
	['2026-05-01 09:30:00', '2026-05-01T09:30:00.000Z'],
	['2026-05-01', '2026-05-01T00:00:00.000Z'],
	['soon', new Date(NOW).toISOString()],
	[undefined, new Date(NOW).toISOString()],
	['', new Date(NOW).toISOString()],
];

test.each(TIMES)('%p is %s', (event_time, iso) => {
	expect(new Date(timeOf({ event_time } as never, NOW)).toISOString()).toBe(iso);
});
