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

/** A column of a row: the name of a member of the record, or what is read from several. */
export type RowField = string | ComputedField;

export interface ComputedField {
	readonly name: string;
	/** The members that it is read from. */
	readonly from: readonly string[];
	readonly read: (record: IDataObject) => JsonValue;
}

export const nameOf = (field: RowField): string => (typeof field === 'string' ? field : field.name);

export const readField = (record: IDataObject, field: RowField): JsonValue =>
	(typeof field === 'string' ? record[field] : field.read(record)) ?? null;

/**
 * @param path `field` or `field.member`. If the field is a list, the path applies to each entry.
 * @param type with `field.member`: skips objects whose `type` isn't this one
 */
export function valuesAt(record: IDataObject, path: string, type?: string): JsonValue[] {
	const [name = '', member] = path.split('.');
	const value = parsedList(record[name]);
	if (member === undefined) return Array.isArray(value) ? value : [value];
	return asObjects(value)
		.filter((entry) => type === undefined || entry.type === type)
		.map((entry) => entry[member]);
}

/** The first value that isn't empty. */
export const firstOf = (values: readonly JsonValue[]): JsonValue =>
	values.find((value) => !isEmpty(value));

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
