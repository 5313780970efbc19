import { getGlobalState, type INodeProperties, tryToParseDateTime } from 'n8n-workflow';
import { isObject } from '../core/json';
import { isBlank, trimInvisible } from '../core/text';
import { parameter, type Parameter, parameterError, type Property } from './parameters';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A date and time in a zone, as n8n's date library (Luxon) represents it. */
export type DateTime = ReturnType<typeof tryToParseDateTime>;

/** A date and time; undefined if the field is empty. The value stays raw, because `readDateTime` also needs a time zone. */
export const dateTimeParameter = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, unknown> =>
	parameter(property, (raw) => (typeof raw === 'string' && isBlank(raw) ? undefined : raw));

/**
 * The workflow's time zone, an IANA name. n8n returns the workflow's setting as saved: in imported workflows, it may be
 * `DEFAULT` (the editor's value) or empty. Both mean the instance's time zone.
 */
export function workflowTimezone(context: { getTimezone(): string }): string {
	const zone = context.getTimezone();
	return zone === 'DEFAULT' || zone === '' ? getGlobalState().defaultTimezone : zone;
}

/**
 * Rounds a time down to the minute: `$now` in an expression is slightly later for every item, and each time would need its own
 * requests.
 */
export const floorToMinute = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/**
 * Rounds the end of a time range down to the minute. An end in the last second of a minute becomes the end of that minute,
 * because 23:59:59 stands for the end of a day.
 *
 * @param start the rounded start, if the range has one. If the rounded end isn't later, the range is a minute long.
 */
export function roundRangeEnd(ms: number, start = -Infinity): number {
	const minute = floorToMinute(ms);
	const end = ms - minute < MINUTE_MS - SECOND_MS ? minute : minute + MINUTE_MS - 1;
	return end > start ? end : start + MINUTE_MS;
}

/** IANA's names for UTC that are not of the form `<Area>/<City>`. */
const UTC_NAMES = /^(utc|uct|gmt([+-]?0)?|greenwich|universal|zulu)$/i;

/**
 * The service's name for a time zone: `UTC`, or an existing zone of the form `<Area>/<City>`. Undefined for any other, because
 * abbreviations such as `EST` and `IST` are ambiguous.
 */
export function serviceTimezone(zone: string): string | undefined {
	if (UTC_NAMES.test(zone)) return 'UTC';
	if (!zone.includes('/')) return undefined;
	try {
		return tryToParseDateTime('2000-01-01T00:00', zone).isValid ? zone : undefined;
	} catch {
		return undefined;
	}
}

/**
 * A date, or a date and time, in ISO or SQL form. Other texts are rejected, because n8n's parser reads some of them, such as
 * `2026-05-31 9:00`, in the machine's time zone.
 */
const DATE_TIME =
	/^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/**
 * Reads a date and time, or a date alone (midnight), from text, a JavaScript date or a Luxon date. Text without a zone is in
 * `zone` (an IANA name).
 *
 * @throws UserError if the value is neither, or the day doesn't exist
 */
export function readDateTime(raw: unknown, property: INodeProperties, zone: string): DateTime {
	const isDate = raw instanceof Date || (isObject(raw) && raw.isLuxonDateTime === true);
	const text = trimInvisible(String(raw));
	const [, day] = DATE_TIME.exec(text) ?? [];
	const value = isDate ? raw : typeof raw === 'string' && day !== undefined ? text : undefined;
	const parsed = value === undefined ? undefined : parse(value, zone);
	// n8n's parser is lenient: it turns 30 February into 2 March.
	if (parsed !== undefined && (isDate || parsed.toFormat('yyyy-MM-dd') === day)) return parsed;
	throw parameterError(property, 'is not a date and time such as 2026-05-31T09:00:00.', raw);
}

function parse(raw: unknown, zone: string): DateTime | undefined {
	try {
		return tryToParseDateTime(raw, zone);
	} catch {
		return undefined;
	}
}
