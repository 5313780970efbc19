/** Reads dates from the date field, from text and from expressions. */
import fc from 'fast-check';
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

test.each<[string, unknown, string]>([
	["in the workflow's time zone", '2026-05-31', '2026-05-30T22:00:00.000Z'],
	['in winter', '2026-01-31', '2026-01-30T23:00:00.000Z'],
	['as the date field saves it', '2026-05-31T09:00:00', '2026-05-31T07:00:00.000Z'],
	['with a space instead of T', '2026-05-31 09:00:00', '2026-05-31T07:00:00.000Z'],
	['without seconds', '2026-05-31T09:00', '2026-05-31T07:00:00.000Z'],
	['with a space instead of T and without seconds', '2026-05-31 09:00', '2026-05-31T07:00:00.000Z'],
	[
		'with a space instead of T and an offset',
		'2026-05-31 09:00:00+05:30',
		'2026-05-31T03:30:00.000Z',
	],
	['with an invisible character before it', '\u200b2026-05-31', '2026-05-30T22:00:00.000Z'],
	['with white space around it', ' 2026-05-31T09:00:00\n', '2026-05-31T07:00:00.000Z'],
	['with an offset, on another local day', '2026-05-31T23:30:00-05:00', '2026-06-01T04:30:00.000Z'],
	['on a leap day', '2028-02-29', '2028-02-28T23:00:00.000Z'],
	[
		'as Luxon',
		tryToParseDateTime('2026-05-31T09:00', 'America/New_York'),
		'2026-05-31T13:00:00.000Z',
	],
	['in seconds since 1970', 1_780_218_000, '2026-05-31T09:00:00.000Z'],
	['in seconds, as text', ' 1780218000 ', '2026-05-31T09:00:00.000Z'],
	['in seconds with a fraction', 1_780_218_000.5, '2026-05-31T09:00:00.500Z'],
	['in milliseconds', 1_780_218_000_000, '2026-05-31T09:00:00.000Z'],
	['in milliseconds, as text', '1780218000000', '2026-05-31T09:00:00.000Z'],
	['of Luxon inside text', '[DateTime: 2026-05-31T09:00:00.000+02:00]', '2026-05-31T07:00:00.000Z'],
	['as a JavaScript date', new Date('2026-05-31T09:00:00Z'), '2026-05-31T09:00:00.000Z'],
])('reads a date %s', (_name, raw, expected) => {
	expect(utc(raw)).toBe(expected);
});

test.each<[string, unknown]>([
	['that does not exist', '2026-02-30'],
	['of a month that does not exist', '2026-13-01'],
	['with the day first', '31.05.2026'],
	['with the month first', '05/31/2026'],
	['without a day', '2026-05'],
	['in words', 'yesterday'],
	['as a number of days, as spreadsheets store dates', 46_173],
	['as digits', '20260531'],
	['as a boolean', true],
	['as an object', { from: '2026-05-31' }],
	['in a list', ['2026-05-31']],
	['within text', 'on 2026-05-31'],
	['as an object with toString', { toString: () => '2026-05-31' }],
	// n8n's parser would read these in the machine's time zone.
	['with one digit for the hour', '2026-05-31 9:00'],
	['on a twelve-hour clock', '2026-05-31 09:00 PM'],
	['with an hour only', '2026-05-31 09'],
	['as an invalid JavaScript date', new Date(Number.NaN)],
	['with an hour that does not exist', '2026-05-31T25:00:00'],
])('rejects a date %s', (_name, raw) => {
	expect(() => utc(raw)).toThrow(
		/^From: ".+" is not a date and time such as 2026-05-31T09:00:00\.$/s,
	);
});

test.each([undefined, null, '', ' \n', '\u200b'])('reads %j as no date', (raw) => {
	expect(dateTimeParameter(property).read(raw)).toBeUndefined();
});

test.each(['2026-05-31', ' 2026-05-31', 'x', 7])('keeps %j unchanged', (raw) => {
	expect(dateTimeParameter(property).read(raw)).toBe(raw);
});

test('reads any date in any time zone', () => {
	const moments = fc.date({
		min: new Date('2000-01-01T00:00:00Z'),
		max: new Date('2099-12-31T00:00:00Z'),
		noInvalidDate: true,
	});
	const zones = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Auckland');
	fc.assert(
		fc.property(moments, zones, (moment, zone) => {
			expect(utc(moment.toISOString(), zone)).toBe(moment.toISOString());
			const there = tryToParseDateTime(moment.toISOString()).setZone(zone);
			expect(utc(there.toISO(), zone)).toBe(moment.toISOString());
		}),
	);
});

test.each([
	['UTC', 'UTC'],
	['utc', 'UTC'],
	['GMT', 'UTC'],
	['GMT0', 'UTC'],
	['gmt+0', 'UTC'],
	['Greenwich', 'UTC'],
	['Zulu', 'UTC'],
	['Europe/Berlin', 'Europe/Berlin'],
	['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
	['Etc/GMT', 'Etc/GMT'],
	['Berlin', undefined],
	['Europe/Nowhere', undefined],
	['CET', undefined],
	['EST', undefined],
	['GMT+2', undefined],
	['DEFAULT', undefined],
	['', undefined],
	['+02:00', undefined],
])('maps the time zone %j to %s', (zone, expected) => {
	expect(serviceTimezone(zone)).toBe(expected);
});

test('the tests run outside UTC, which would hide the use of local time', () => {
	const offsets = ['2026-01-15', '2026-07-15'].map((day) => new Date(day).getTimezoneOffset());
	expect(offsets).not.toEqual([0, 0]);
});
