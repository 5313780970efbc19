import type { IDataObject } from 'n8n-workflow';
import { getOrCreate } from '../core/collections';
import { isObject } from '../core/json';

/**
 * Picks the named paths of a row, keeping their nesting. A path goes through lists.
 *
 * @param json the row. A path without dots takes its value from here if the row has the field.
 * @param allFields every field that a path can name. All other paths take their values from here.
 */
export function pickFields(
	json: IDataObject,
	allFields: IDataObject,
	paths: readonly string[],
): IDataObject {
	const byKey = new Map<string, string[]>();
	for (const path of paths) {
		const [key = '', ...rest] = path.split('.');
		getOrCreate(byKey, key, (): string[] => []).push(rest.join('.'));
	}
	const picked = [...byKey].flatMap(([key, rest]) => {
		const whole = rest.includes('');
		const source = whole && Object.hasOwn(json, key) ? json : allFields;
		if (!Object.hasOwn(source, key)) return [];
		return [[key, whole ? source[key] : pickInside(source[key], rest)]];
	});
	return Object.fromEntries(picked);
}

function pickInside(value: unknown, paths: readonly string[]): unknown {
	if (Array.isArray(value)) return value.map((entry) => pickInside(entry, paths));
	return isObject(value) ? pickFields(value, value, paths) : value;
}
