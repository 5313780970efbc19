import type { IDataObject } from 'n8n-workflow';
import { valueAsRecord } from './casts';
import { isBlank } from './text';

/** Value of a JSON object's member, as n8n types it. */
export type JsonValue = IDataObject[string];

/** True for JSON objects, and for instances of classes, such as dates; false for null and lists. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The objects in a list, without its other entries. An object that isn't in a list counts as a list of one, unless it is empty.
 * Any other value gives an empty list.
 */
export const asObjects = (value: unknown): IDataObject[] => {
	if (Array.isArray(value)) return value.filter(isObject);
	return isObject(value) && Object.keys(value).length > 0 ? [value] : [];
};

/** A value as a row. A row needs field names, so a value that isn't an object is put in `data`. */
export const toRecord = (value: unknown): IDataObject =>
	isObject(value) ? value : valueAsRecord('data', value);

/** A string that isn't blank, or a number as text; otherwise undefined. */
export const asText = (value: unknown): string | undefined => {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && !isBlank(value) ? value : undefined;
};

/** Reads a whole number of 0 or more, which may be text. Any other value gives undefined. */
export const asCount = (value: unknown): number | undefined => {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
};

/** True for null, undefined and blank text, and for lists and objects that have no values or only empty ones. */
export const isEmpty = (value: unknown): boolean => {
	if (value === null || value === undefined) return true;
	if (typeof value === 'string') return isBlank(value);
	// Other nodes may pass dates as objects. They aren't empty: their JSON is text.
	return typeof value === 'object' && !('toJSON' in value) && Object.values(value).every(isEmpty);
};

/** Where to find values in a record. */
interface ValuePath {
	/**
	 * `field`: the field's value or, if that is a list, each entry. `field.member`: that member of the object in the field, or of
	 * each object in its list.
	 */
	readonly path: string;
	/** With `field.member`: skips objects whose `type` isn't this one. */
	readonly type?: string;
}

/**
 * A field of a simplified row: the name of a field in the record, or a new name and the source of its value. Lists in the
 * record may be JSON text.
 *
 * - `first`: the first of these values that isn't empty, or null. Always null if all values of `onlyWith` are empty.
 * - `joined`: all texts and numbers, joined with `; `; null if there are none. Blank texts are skipped.
 * - `list`: a list whose objects keep only some members. `members` maps the new names to those in the objects. Entries that
 *   aren't objects stay as they are, and so does a value that isn't a list.
 */
export type RowField =
	| string
	| {
			readonly name: string;
			readonly first: readonly ValuePath[];
			readonly onlyWith?: readonly ValuePath[];
	  }
	| { readonly name: string; readonly joined: ValuePath }
	| {
			readonly name: string;
			readonly list: string;
			readonly members: Readonly<Record<string, string>>;
	  };

/** Maximum number of fields in a simplified row, from n8n's guidelines. */
const MAX_FIELDS = 10;

/**
 * Reduces a record to the first `MAX_FIELDS` of these fields. A missing field is null.
 *
 * @param onlyWithValue skips missing and empty fields, which then don't count
 */
export function simplifyRecord(
	record: IDataObject,
	fields: readonly RowField[],
	onlyWithValue = false,
): IDataObject {
	const row: IDataObject = {};
	let count = 0;
	for (const field of fields) {
		const value = typeof field === 'string' ? record[field] : valueOf(record, field);
		if (onlyWithValue && isEmpty(value)) continue;
		row[typeof field === 'string' ? field : field.name] = value ?? null;
		if (++count === MAX_FIELDS) break;
	}
	return row;
}

function valueOf(record: IDataObject, field: Exclude<RowField, string>): JsonValue {
	if ('first' in field) {
		const firstOf = (paths: readonly ValuePath[]) =>
			paths.flatMap((path) => valuesAt(record, path)).find(hasValue);
		if (field.onlyWith !== undefined && firstOf(field.onlyWith) === undefined) return null;
		return firstOf(field.first) ?? null;
	}
	if ('joined' in field) {
		const texts = valuesAt(record, field.joined).flatMap((value) => asText(value) ?? []);
		return texts.length === 0 ? null : texts.join('; ');
	}
	const list = parsedList(record[field.list]);
	if (!Array.isArray(list)) return list;
	const names = Object.entries(field.members);
	return list.map((entry: JsonValue) =>
		isObject(entry)
			? Object.fromEntries(names.map(([name, member]) => [name, entry[member] ?? null]))
			: entry,
	);
}

const hasValue = (value: JsonValue): boolean => !isEmpty(value);

function valuesAt(record: IDataObject, { path, type }: ValuePath): JsonValue[] {
	const [name = '', member] = path.split('.');
	const value = parsedList(record[name]);
	if (member === undefined) return Array.isArray(value) ? value : [value];
	return asObjects(value)
		.filter((entry) => type === undefined || entry.type === type)
		.map((entry) => entry[member]);
}

/** Parses a list that is given as JSON text; returns any other value unchanged. */
function parsedList(value: JsonValue): JsonValue {
	if (typeof value !== 'string' || !value.trim().startsWith('[')) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}
