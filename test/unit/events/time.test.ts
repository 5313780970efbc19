/** When an event happened: without an offset its time is UTC, whatever the time zone of n8n's machine is. */
import { timeOf } from '../../../nodes/BusinessProspectData/events/selection';
import { runIn } from './zone.cjs';

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

/** The times of the events as a process in that zone reads them. */
function timesIn(zone: string): unknown {
	const program = `
		const { timeOf } = require('./nodes/BusinessProspectData/events/selection.ts');
		const texts = ${JSON.stringify(TIMES.map(([text]) => text ?? null))};
		const times = texts.map((event_time) => new Date(timeOf({ event_time }, ${NOW})).toISOString());
		console.log(JSON.stringify([new Date(${NOW}).getTimezoneOffset(), ...times]));
	`;
	return runIn(zone, program);
}

test.each(TIMES)('%p is %s', (event_time, iso) => {
	expect(new Date(timeOf({ event_time } as never, NOW)).toISOString()).toBe(iso);
});

test.each([
	['Asia/Tokyo', -540],
	['America/New_York', 240],
])('in %s as well', (zone, offset) => {
	expect(timesIn(zone)).toEqual([offset, ...TIMES.map(([, iso]) => iso)]);
});
