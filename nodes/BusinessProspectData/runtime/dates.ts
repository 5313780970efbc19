import { type INodeProperties, tryToParseDateTime } from 'n8n-workflow';
import { parameter, type Parameter, type Property, refusal } from './parameters';

/** A moment in a time zone, as n8n's date library has it. */
export type Moment = ReturnType<typeof tryToParseDateTime>;

/** A date and time; its zone is only known when an item is read, so the value is still what was given. */
export const dateTime = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, unknown> =>
	parameter(property, (raw) =>
		raw === null || (typeof raw === 'string' && raw.trim() === '') ? undefined : raw,
	);

/** Whether there is a time zone of that IANA name. */
export function isZone(zone: string): boolean {
	try {
		return tryToParseDateTime('2000-01-01T00:00', zone).isValid;
	} catch {
		return false;
	}
}

/**
 * The moment that a date stands for; without a zone of its own it is one of `zone` (an IANA name).
 *
 * @throws UserError when it is no date
 */
export function readMoment(raw: unknown, property: INodeProperties, zone: string): Moment {
	try {
		return tryToParseDateTime(raw, zone);
	} catch {
		throw refusal(property, 'is not a date and time such as 2026-05-31T09:00:00.', raw);
	}
}
