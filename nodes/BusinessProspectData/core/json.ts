import type { IDataObject } from 'n8n-workflow';
import { valueAsRecord } from './casts';
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

/** The strings and numbers in JSON text. */
const LITERALS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/** The numbers in JSON text that JavaScript would write with other digits, in another notation (`1e400`), or as null. */
export const inexactNumbers = (json: string): string[] =>
	(json.match(LITERALS) ?? []).filter(isInexact);

/** Parses JSON text. Numbers that JavaScript can't represent exactly become text. */
export const parseExactly = (json: string): unknown =>
	JSON.parse(json.replace(LITERALS, (text) => (isInexact(text) ? JSON.stringify(text) : text)));

const isInexact = (literal: string): boolean =>
	!literal.startsWith('"') && normalizeNumber(literal) !== normalizeNumber(String(Number(literal)));

/** `1.50e3` and `1500` both become `15e2`. */
function normalizeNumber(text: string): string {
	const pattern = /^(-?)0*(\d*?)(0*)(?:\.(\d*?)0*)?(?:e([+-]?\d+))?$/i;
	const [, sign, whole = '', zeros = '', fraction = '', exponent = '0'] = pattern.exec(text) ?? [];
	if (sign === undefined) return text;
	const digits = fraction === '' ? whole : `${whole}${zeros}${fraction}`.replace(/^0+/, '');
	const shift = fraction === '' ? zeros.length : -fraction.length;
	return digits === '' ? '0' : `${sign}${digits}e${Number(exponent) + shift}`;
}

/** True if JSON text has more levels of lists and objects than `max`. Deeply nested values overflow the call stack. */
export function isDeeperThan(json: string, max: number): boolean {
	let depth = 0;
	for (const [token] of json.matchAll(/"(?:[^"\\]+|\\.)*"|[[\]{}]/g)) {
		if (token === '[' || token === '{') depth++;
		else if (token === ']' || token === '}') depth--;
		if (depth > max) return true;
	}
	return false;
}

interface ValuePath {
	/** `field` or `field.member`. If the field is a list, the path applies to each entry. */
	readonly path: string;
	/** With `field.member`: skips objects whose `type` isn't this one. */
	readonly type?: string;
}

/**
 * A field of a simplified row. A string is the name of a field in the record.
 *
 * - `first`: the first value that isn't empty.
 * - `onlyWith`: the field is null if all of these values are empty.
 * - `joined`: the texts and numbers, joined with `; `.
 * - `list`: the record's field that contains a list, which may be JSON text.
 * - `members`: for each new name, the name in the list's objects.
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

export const nameOf = (field: RowField): string => (typeof field === 'string' ? field : field.name);

/** A field without a value is null. */
export function simplifyRecord(record: IDataObject, fields: readonly RowField[]): IDataObject {
	const row: IDataObject = {};
	for (const field of fields) {
		const value = typeof field === 'string' ? record[field] : valueOf(record, field);
		row[nameOf(field)] = value ?? null;
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

/** The service sends some lists as JSON text. */
function parsedList(value: JsonValue): JsonValue {
	if (typeof value !== 'string' || !value.trim().startsWith('[')) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}
