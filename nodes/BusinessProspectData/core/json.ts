import type { IDataObject } from 'n8n-workflow';
import { jsonOf, valueAsRecord } from './casts';
import { isBlank } from './text';

export type JsonValue = IDataObject[string];

/** Also true for `Date` objects. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Skips entries of a list that aren't objects. A single object counts as a list of one, unless it is empty. */
export const asObjects = (value: unknown): IDataObject[] => {
	if (Array.isArray(value)) return value.filter(isObject);
	return isObject(value) && Object.keys(value).length > 0 ? [value] : [];
};

/** A row needs field names, so a value that isn't an object is put in `data`. */
export const toRecord = (value: unknown): IDataObject =>
	isObject(value) ? value : valueAsRecord('data', value);

/** A string that isn't blank, or a number as text; otherwise undefined. */
export const asText = (value: unknown): string | undefined => {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && !isBlank(value) ? value : undefined;
};

/** Like `asText`, but empty instead of undefined. */
export const textOf = (value: unknown): string => asText(value) ?? '';

/** Reads a whole number of 0 or more, which may be text. Any other value gives undefined. */
export const asCount = (value: unknown): number | undefined => {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
};

export const isEmpty = (value: unknown): boolean => {
	if (value === null || value === undefined) return true;
	if (typeof value === 'string') return isBlank(value);
	// Other nodes may output `Date` objects. `Object.values` finds nothing in them, but they aren't empty.
	return typeof value === 'object' && !('toJSON' in value) && Object.values(value).every(isEmpty);
};

interface ValuePath {
	/** `field` or `field.member`. If the field is a list, the path applies to each entry. */
	readonly path: string;
	/** With `field.member`: skips objects whose `type` isn't this one. */
	readonly type?: string;
}

/**
 * A column of a row. A string is the name of a field in the record.
 *
 * - `first`: the first value that isn't empty.
 * - `onlyWith`: the field is null if all of these values are empty.
 * - `joined`: the texts and numbers, joined with `; `.
 */
export type RowField =
	| string
	| {
			readonly name: string;
			readonly first: readonly ValuePath[];
			readonly onlyWith?: readonly ValuePath[];
	  }
	| { readonly name: string; readonly joined: ValuePath };

export const nameOf = (field: RowField): string => (typeof field === 'string' ? field : field.name);

export function readField(record: IDataObject, field: RowField): JsonValue {
	if (typeof field === 'string') return record[field] ?? null;
	if ('joined' in field) {
		const texts = valuesAt(record, field.joined).flatMap((value) => asText(value) ?? []);
		return texts.length === 0 ? null : texts.join('; ');
	}
	const firstOf = (paths: readonly ValuePath[]) =>
		paths.flatMap((path) => valuesAt(record, path)).find(hasValue);
	if (field.onlyWith !== undefined && firstOf(field.onlyWith) === undefined) return null;
	return firstOf(field.first) ?? null;
}

const hasValue = (value: JsonValue): boolean => !isEmpty(value);

export function valuesAt(record: IDataObject, { path, type }: ValuePath): JsonValue[] {
	const [name = '', member] = path.split('.');
	const value = parsedList(record[name]);
	if (member === undefined) return Array.isArray(value) ? value : [value];
	return asObjects(value)
		.filter((entry) => type === undefined || entry.type === type)
		.map((entry) => entry[member]);
}

/** The service sends some lists as JSON text. */
const parsedList = (value: JsonValue): JsonValue =>
	typeof value === 'string' && value.trim().startsWith('[')
		? jsonOf(parsedJson(value) ?? value)
		: value;

/** Undefined for text that is no JSON. */
export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
