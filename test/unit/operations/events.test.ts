/** From and To of Get Events. */
import { readWindow } from '../../../nodes/BusinessProspectData/operations/events';

const NOW = '2026-05-31T12:00:00.500Z';

/** Reads the window for people and for businesses, and compares the two. */
function windowOf(timestampFrom?: unknown, timestampTo?: unknown) {
	const run = { now: Date.parse(NOW), timezone: 'UTC', isTool: false, stopOnFailure: false };
	return [false, true].map((isNews) => readWindow({ timestampFrom, timestampTo }, run, { isNews }));
}

test.each([
	['10:00:00.999', '10:05:58.999', '10:00', '10:05'],
	['00:00:00', '23:59:59', '00:00', '23:59:59.999'],
	['10:00:10', '10:00:40', '10:00', '10:01'],
	['10:00:59', '10:00:59.5', '10:00', '10:00:59.999'],
	['09:59:59', '10:00:00', '09:59', '10:00'],
])('rounds %s to %s to the minutes %s to %s', (from, to, expectedFrom, expectedTo) => {
	const iso = (time: string) => new Date(`2026-05-01T${time}Z`).toISOString();
	const expected = { from: iso(expectedFrom), to: iso(expectedTo) };

	expect(windowOf(`2026-05-01T${from}Z`, `2026-05-01T${to}Z`)).toEqual([expected, expected]);
});

test('the end of the year 9999 stays in it', () => {
	expect(windowOf(undefined, '9999-12-31T23:59:59Z')[0]).toEqual({
		to: '9999-12-31T23:59:59.999Z',
	});
});

test('a rounded window does not begin or end more than 3 months ago', () => {
	const from = '2026-02-28T12:00:00.500Z';

	expect(windowOf(from)[0]).toEqual({ from });
	expect(windowOf('2026-02-28T12:00:10Z', '2026-02-28T12:00:20Z')[0]).toEqual({
		from,
		to: '2026-02-28T12:01:00.500Z',
	});
});

test('a window may be a single day, but must not end before it begins', () => {
	const day = { from: '2026-05-01T00:00:00.000Z', to: '2026-05-01T23:59:59.999Z' };

	expect(windowOf('2026-05-01', '2026-05-01')).toEqual([day, day]);
	expect(() => windowOf('2026-05-02', '2026-05-01')).toThrow(
		'From: "2026-05-02" must be earlier than To.',
	);
});

test('news is not dated ahead, unlike anniversaries', () => {
	const tomorrow = '2026-06-01T12:00:00.000Z';

	expect(windowOf(tomorrow)).toEqual([{ from: tomorrow }, { from: tomorrow }]);
	expect(() => windowOf('2026-06-02')).toThrow(
		'From: "2026-06-02" is in the future. News appears once it has happened: enter an earlier date.',
	);
});
