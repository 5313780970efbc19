import { isEmpty } from '../core/json';
import { isNothing } from './cells';
import { DAY_MS, dateTimeParameter, readDateTime } from './dates';
import {
	collectionParameter,
	integerParameter,
	isFalseOrNaN,
	parameter,
	parameterError,
	type ValuesOf,
} from './parameter';

/** True if the row's value is more than an empty cell, a word for nothing, or a box that isn't checked. */
function hasValue(raw: unknown): boolean {
	if (Array.isArray(raw)) return raw.some(hasValue);
	if (isEmpty(raw) || isFalseOrNaN(raw)) return false;
	if (typeof raw !== 'string') return raw !== 0;
	return !(isNothing(raw) || raw.trim().toLowerCase() === 'false');
}

export const filledField = parameter(
	{
		displayName: 'Filled Field',
		name: 'filledField',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.email }}',
		description:
			'Rows that have a value in this field are skipped. Drag the field here. Leave empty to skip none by it.',
	},
	hasValue,
);

const lastChecked = dateTimeParameter({
	displayName: 'Last Checked',
	name: 'lastChecked',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.checked_at }}',
	description:
		'When the row was last checked. A row checked less than Max Age ago is skipped. Leave empty to skip none by it.',
});

const maxAge = integerParameter({
	displayName: 'Max Age (Days)',
	name: 'maxAge',
	type: 'number',
	default: 30,
	typeOptions: { minValue: 1 },
	description: 'How many days after Last Checked a row is checked again',
});

/** An option of operations that cost credits: rows that need no check cost nothing, in this run or in next week's. */
export const skipRows = collectionParameter('skipRows', 'Skip Rows', 'Add rule', [
	filledField,
	lastChecked,
	maxAge,
]);

export type SkipRows = ValuesOf<readonly [typeof filledField, typeof lastChecked, typeof maxAge]>;

/** @throws UserError if Last Checked isn't a date of the past: the row might be paid for again, or never be checked */
export function isSkipped(
	{ filledField: isFilled, lastChecked: checkedAt, maxAge: days }: SkipRows,
	{ now, timezone }: { readonly now: number; readonly timezone: string },
): boolean {
	if (isFilled) return true;
	if (checkedAt === undefined || (typeof checkedAt === 'string' && isNothing(checkedAt))) {
		return false;
	}
	const checked = readDateTime(checkedAt, lastChecked.property, timezone).setZone(timezone);
	// Clocks and time zones may be up to a day apart.
	if (checked.toMillis() > now + DAY_MS) {
		throw parameterError(
			lastChecked.property,
			'is in the future. Correct it, or empty it to have the row checked.',
			checkedAt,
		);
	}
	// A run checks its rows some time after it starts, perhaps after midnight; the run of the next week is due all the same.
	const byDay = checked.startOf('day').plus({ days });
	const byHour = checked.plus({ days }).minus({ hours: 1 });
	return now < Math.min(byDay.toMillis(), byHour.toMillis());
}
