import type { IDataObject } from 'n8n-workflow';
import { isBlank } from './text';

/** Value of a JSON object's member, as n8n types it. */
export type JsonValue = IDataObject[string];

/** True for a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON objects in a list; a single object counts as a list of one. */
export const asObjects = (value: unknown): IDataObject[] =>
	(Array.isArray(value) ? value : [value]).filter(isObject);

/** A string that isn't blank, or a number as text; otherwise undefined. */
export const asText = (value: unknown): string | undefined => {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && !isBlank(value) ? value : undefined;
};

/** A whole number of 0 or more, possibly written as text; otherwise undefined. */
export const asCount = (value: unknown): number | undefined => {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
};

/** True for null, undefined and blank text, and for lists and objects that contain nothing else. */
export const isEmpty = (value: unknown): boolean => {
	if (value === null || value === undefined) return true;
	if (typeof value === 'string') return isBlank(value);
	// Other nodes may pass dates as objects. They aren't empty: their JSON is text.
	return typeof value === 'object' && !('toJSON' in value) && Object.values(value).every(isEmpty);
};
