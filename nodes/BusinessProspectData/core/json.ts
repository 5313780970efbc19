import type { IDataObject } from 'n8n-workflow';

/** A member of a JSON object, as n8n types it. */
export type JsonValue = IDataObject[string];

/** True for a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON objects of a list, without anything else in it; one object in the list's place is a list of one. */
export const asObjects = (value: unknown): IDataObject[] =>
	(Array.isArray(value) ? value : [value]).filter(isObject);

/** The text of a filled-in string or a number, else undefined. */
export const asText = (value: unknown): string | undefined => {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

/** A whole number from 0 up, also when it is written as text; else undefined. */
export const asCount = (value: unknown): number | undefined => {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
};

/** True when there is nothing to read in a value: null, blank text, or lists and objects of nothing else. */
export const isEmpty = (value: unknown): boolean => {
	if (value === null || value === undefined) return true;
	if (typeof value === 'string') return value.trim() === '';
	return typeof value === 'object' && Object.values(value).every(isEmpty);
};
