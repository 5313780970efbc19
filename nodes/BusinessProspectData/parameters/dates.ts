import { getGlobalState, type INodeProperties, tryToParseDateTime } from 'n8n-workflow';
import { isObject } from '../core/json';
import { trimInvisible } from '../core/text';
import { isNothing } from './cells';
import { isBlankCell, type Parameter, parameterError, type Property } from './parameter';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Luxon's `DateTime`. */
export type DateTime = ReturnType<typeof tryToParseDateTime>;

/** Undefined if the field is empty. The value stays raw, because `readDateTime` also needs a time zone. */
export const dateTimeParameter = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, unknown> => ({
	name: property.name,
	property,
	read: (raw) =>
		isBlankCell(raw) || (typeof raw === 'string' && isNothing(raw)) ? undefined : raw,
});

/** In imported workflows, the saved setting may be `DEFAULT` or empty. Both mean the instance's time zone. */
export function workflowTimezone(context: { getTimezone(): string }): string {
	const zone = context.getTimezone();
	return zone === 'DEFAULT' || zone === '' ? getGlobalState().defaultTimezone : zone;
}

/** `$now` in an expression may be slightly later for each item, and different times would need separate requests. */
export const floorToMinute = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/**
 * An end in the last second of a minute moves to the minute's last millisecond, because people write 23:59:59 for the end of a
 * day. If the rounded end isn't after `start`, the range is one minute long.
 */
export function roundRangeEnd(ms: number, start = -Infinity): number {
	const minute = floorToMinute(ms);
	const end = ms - minute < MINUTE_MS - SECOND_MS ? minute : minute + MINUTE_MS - 1;
	return end > start ? end : start + MINUTE_MS;
}

/** IANA's names for UTC that are not of the form `<Area>/<City>`. */
const UTC_NAMES = /^(utc|uct|gmt([+-]?0)?|greenwich|universal|zulu)$/i;

/** Undefined for a zone that the service may not know, such as the ambiguous `EST`. */
export function serviceTimezone(zone: string): string | undefined {
	if (UTC_NAMES.test(zone)) return 'UTC';
	if (!zone.includes('/')) return undefined;
	try {
		return tryToParseDateTime('2000-01-01T00:00', zone).isValid ? zone : undefined;
	} catch {
		return undefined;
	}
}

/** ISO and SQL forms only: n8n's parser reads some other forms, such as `2026-05-31 9:00`, in the machine's time zone. */
const DATE_TIME =
	/^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** Unix time in seconds, as of 2001 to 2286, or in milliseconds. */
function epochMs(text: string): number | undefined {
	if (/^\d{10}(\.\d+)?$/.test(text)) return Math.floor(Number(text) * SECOND_MS);
	return /^\d{13}$/.test(text) ? Number(text) : undefined;
}

/**
 * Text without a time zone is read in `zone`. A date without a time means the start of the day, or its end.
 *
 * @throws UserError unless the value is a valid date: a date object, Unix time, or text that matches `DATE_TIME`
 */
export function readDateTime(
	raw: unknown,
	property: INodeProperties,
	zone: string,
	dayMeans: 'start' | 'end' = 'start',
): DateTime {
	// An expression inside text writes a date of n8n in brackets.
	const text = trimInvisible(String(raw)).replace(/^\[DateTime: (.+)\]$/, '$1');
	const epoch = typeof raw === 'string' || typeof raw === 'number' ? epochMs(text) : undefined;
	const date = epoch === undefined ? raw : new Date(epoch);
	const isDate = date instanceof Date || (isObject(date) && date.isLuxonDateTime === true);
	const [, day] = DATE_TIME.exec(text) ?? [];
	const value = isDate ? date : typeof raw === 'string' && day !== undefined ? text : undefined;
	const parsed = value === undefined ? undefined : parse(value, zone);
	// n8n's parser turns 30 February into a day in March.
	if (parsed !== undefined && (isDate || parsed.toFormat('yyyy-MM-dd') === day)) {
		return !isDate && text === day && dayMeans === 'end' ? parsed.endOf('day') : parsed;
	}
	throw parameterError(property, 'is not a date and time such as 2026-05-31T09:00:00.', raw);
}

function parse(raw: unknown, zone: string): DateTime | undefined {
	try {
		return tryToParseDateTime(raw, zone);
	} catch {
		return undefined;
	}
}
