import { type INodeProperties, tryToParseDateTime } from 'n8n-workflow';
import { isObject } from '../api/json';
import { parameter, type Parameter, type Property, refusal } from './parameters';

/** A moment in a time zone, as n8n's date library has it. */
export type Moment = ReturnType<typeof tryToParseDateTime>;

/** A date and time; its zone is only known when an item is read, so the value is still what was given. */
export const dateTime = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, unknown> =>
	parameter(property, (raw) => (typeof raw === 'string' && raw.trim() === '' ? undefined : raw));

/** Whether it is a time zone that the service takes: `UTC`, or an existing one of the form `<Area>/<City>`. */
export function isZone(zone: string): boolean {
	if (zone !== 'UTC' && !zone.includes('/')) return false;
	try {
		return tryToParseDateTime('2000-01-01T00:00', zone).isValid;
	} catch {
		return false;
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
	throw refusal(property, 'is not a date and time such as 2026-05-31T09:00:00.', raw);
}

function parsed(raw: unknown, zone: string): Moment | undefined {
	try {
		return tryToParseDateTime(raw, zone);
	} catch {
		return undefined;
	}
}
