import { getGlobalState, type INodeProperties, tryToParseDateTime } from 'n8n-workflow';
import { isObject } from '../core/json';
import { parameter, type Parameter, type Property, parameterError } from './parameters';

/** A moment in a time zone, as n8n's date library has it. */
export type Moment = ReturnType<typeof tryToParseDateTime>;

/** A date and time; its zone is only known when an item is read, so the value is still what was given. */
export const dateTime = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, unknown> =>
	parameter(property, (raw) => (typeof raw === 'string' && raw.trim() === '' ? undefined : raw));

/**
 * The workflow's time zone. The editor means the instance's by `DEFAULT`; n8n resolves it only where the setting is missing,
 * as in a workflow that the editor has saved, and not in one that was imported.
 */
export function workflowTimezone(context: { getTimezone(): string }): string {
	const zone = context.getTimezone();
	return zone === 'DEFAULT' || zone === '' ? getGlobalState().defaultTimezone : zone;
}

/** IANA's names for UTC that are not of the form `<Area>/<City>`. */
const UTC_NAMES = /^(utc|uct|gmt([+-]?0)?|greenwich|universal|zulu)$/i;

/**
 * The name by which the service knows a time zone: `UTC`, or an existing one of the form `<Area>/<City>`. Undefined for
 * any other: an abbreviation such as `EST` or `IST` means more than one zone.
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
 * The moment that a date stands for; without a zone of its own it is one of `zone` (an IANA name).
 *
 * @throws UserError when it is no date, or one that does not exist
 */
export function readMoment(raw: unknown, property: INodeProperties, zone: string): Moment {
	const isDate = raw instanceof Date || (isObject(raw) && raw.isLuxonDateTime === true);
	const text = String(raw).trim();
	const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
	const given = isDate ? raw : typeof raw === 'string' && day !== undefined ? text : undefined;
	const moment = given === undefined ? undefined : parsed(given, zone);
	// n8n's reader is lenient: 30 February would become 2 March.
	if (moment !== undefined && (isDate || moment.toFormat('yyyy-MM-dd') === day)) return moment;
	throw parameterError(property, 'is not a date and time such as 2026-05-31T09:00:00.', raw);
}

function parsed(raw: unknown, zone: string): Moment | undefined {
	try {
		return tryToParseDateTime(raw, zone);
	} catch {
		return undefined;
	}
}
