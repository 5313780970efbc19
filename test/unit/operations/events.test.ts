/** From and To of Get Events. */
import { readWindow } from '../../../nodes/BusinessProspectData/operations/events';

const NOW = '2026-05-31T12:00:00.000Z';
const runContext = (now = NOW) => ({
	now: Date.parse(now),
	timezone: 'UTC',
	isTool: false,
	stopOnFailure: false,
});

const prospects = (from?: unknown, to?: unknown) =>
	readWindow({ timestampFrom: from, timestampTo: to }, runContext(), { whenTooOld: 'fail' });
const businesses = (from?: unknown, to?: unknown) =>
	readWindow({ timestampFrom: from, timestampTo: to }, runContext(), { whenTooOld: 'send' });

test.each<[string, string, string, string, string]>([
	['down to the minute', '10:00:00.999', '10:05:58.999', '10:00', '10:05'],
	['the end of a day to its last millisecond', '00:00:00', '23:59:59', '00:00', '23:59:59.999'],
	['two windows in a row, without a gap', '10:00:40', '10:05:40', '10:00', '10:05'],
	['times in the same minute to that minute', '10:00:10', '10:00:40', '10:00', '10:01'],
	[
		'times in the same last second to their minute',
		'10:00:59',
		'10:00:59.5',
		'10:00',
		'10:00:59.999',
	],
	['a start in a last second down too', '09:59:59', '10:00:00', '09:59', '10:00'],
	['a last second to the end of the minute', '09:59:10', '10:00:59', '09:59', '10:00:59.999'],
])('rounds %s', (_case, from, to, expectedFrom, expectedTo) => {
	const iso = (time: string) => new Date(`2026-05-01T${time}Z`).toISOString();
	const expected = { from: iso(expectedFrom), to: iso(expectedTo) };
	expect(prospects(`2026-05-01T${from}Z`, `2026-05-01T${to}Z`)).toEqual(expected);
	expect(businesses(`2026-05-01T${from}Z`, `2026-05-01T${to}Z`)).toEqual(expected);
});

test('the end of the year 9999 stays in it', () => {
	expect(prospects(undefined, '9999-12-31T23:59:59Z')).toEqual({ to: '9999-12-31T23:59:59.999Z' });
});

test('a rounded window does not begin or end more than 3 months ago', () => {
	const now = '2026-05-31T12:00:00.500Z';
	const window = { timestampFrom: '2026-02-28T12:00:00.500Z', timestampTo: undefined };
	expect(readWindow(window, runContext(now), { whenTooOld: 'fail' })).toEqual({
		from: '2026-02-28T12:00:00.500Z',
	});
	const early = { timestampFrom: '2026-02-28T12:00:10Z', timestampTo: '2026-02-28T12:00:20Z' };
	expect(readWindow(early, runContext(now), { whenTooOld: 'fail' })).toEqual({
		from: '2026-02-28T12:00:00.500Z',
		to: '2026-02-28T12:01:00.500Z',
	});
	const onlyTo = { ...early, timestampFrom: undefined };
	expect(readWindow(onlyTo, runContext(now), { whenTooOld: 'fail' })).toEqual({
		to: '2026-02-28T12:01:00.500Z',
	});
});

test.each<[string, unknown, unknown, string]>([
	['reversed', '2026-05-02', '2026-05-01', 'From: "2026-05-02" must be earlier than To.'],
	['empty', '2026-05-01', '2026-05-01', 'From: "2026-05-01" must be earlier than To.'],
])('a window that is %s fails, for both kinds of entity', (_case, from, to, message) => {
	expect(() => prospects(from, to)).toThrow(message);
	expect(() => businesses(from, to)).toThrow(message);
});
