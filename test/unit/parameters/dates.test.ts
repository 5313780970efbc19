/** Reads dates from the date field, from text and from expressions. */
import { tryToParseDateTime } from 'n8n-workflow';
import {
	dateTimeParameter,
	readDateTime,
	serviceTimezone,
} from '../../../nodes/BusinessProspectData/parameters/dates';

const property = {
	displayName: 'From',
	name: 'from' as const,
	type: 'dateTime' as const,
	default: '',
};

const utc = (raw: unknown, zone = 'Europe/Berlin') =>
	new Date(readDateTime(raw, property, zone).toMillis()).toISOString();

/** Without a zone, in that of the workflow. */
test.each<[raw: unknown, expected: string]>([
	['2026-05-31', '2026-05-30T22:00:00.000Z'],
	['2028-02-29', '2028-02-28T23:00:00.000Z'],
	['2026-05-31T09:00:00', '2026-05-31T07:00:00.000Z'],
	[' 2026-05-31 09:00\n', '2026-05-31T07:00:00.000Z'],
	['\u200b2026-05-31 09:00:00+05:30', '2026-05-31T03:30:00.000Z'],
	['2026-05-31T23:30:00-05:00', '2026-06-01T04:30:00.000Z'],
	[tryToParseDateTime('2026-05-31T09:00', 'America/New_York'), '2026-05-31T13:00:00.000Z'],
	['[DateTime: 2026-05-31T09:00:00.000+02:00]', '2026-05-31T07:00:00.000Z'],
	[new Date('2026-05-31T09:00:00Z'), '2026-05-31T09:00:00.000Z'],
	// Seconds and milliseconds since 1970.
	[' 1780218000 ', '2026-05-31T09:00:00.000Z'],
	[1_780_218_000.5, '2026-05-31T09:00:00.500Z'],
	['1780218000000', '2026-05-31T09:00:00.000Z'],
])('reads %s', (raw, expected) => {
	expect(utc(raw)).toBe(expected);
});

test.each<[raw: unknown]>([
	...[
		'2026-02-30',
		'2026-13-01',
		'31.05.2026',
		'05/31/2026',
		'2026-05',
		'yesterday',
		'20260531',
	].map((raw): [string] => [raw]),
	// As spreadsheets store dates.
	[46_173],
	[{ toString: () => '2026-05-31' }],
	// n8n's parser would read these in the machine's time zone.
	['2026-05-31 9:00'],
	['2026-05-31 09:00 PM'],
	[new Date(Number.NaN)],
	['2026-05-31T25:00:00'],
])('rejects %s', (raw) => {
	expect(() => utc(raw)).toThrow(
		/^From: ".+" is not a date and time such as 2026-05-31T09:00:00\.$/s,
	);
});

test('a blank cell is no date; anything else is kept until the time zone is known', () => {
	const { read } = dateTimeParameter(property);

	for (const blank of [undefined, null, ' \n', '\u200b', 'n/a'])
		expect(read(blank)).toBeUndefined();
	for (const raw of ['2026-05-31', ' x', 7]) expect(read(raw)).toBe(raw);
});

test.each([
	...['utc', 'GMT', 'gmt+0', 'Greenwich', 'Zulu'].map((zone) => [zone, 'UTC']),
	...['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT'].map((zone) => [zone, zone]),
	...['Berlin', 'Europe/Nowhere', 'CET', 'GMT+2', 'DEFAULT', '', '+02:00'].map((zone) => [
		zone,
		undefined,
	]),
])('maps the time zone %j to %s', (zone, expected) => {
	expect(serviceTimezone(String(zone))).toBe(expected);
});

test('the tests run outside UTC, which would hide the use of local time', () => {
	const offsets = ['2026-01-15', '2026-07-15'].map((day) => new Date(day).getTimezoneOffset());
	expect(offsets).not.toEqual([0, 0]);
});
