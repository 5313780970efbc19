import type { IDataObject } from 'n8n-workflow';
import { getOrCreate } from '../core/collections';
import { isObject } from '../core/json';

/**
 * Picks the named paths of a row, keeping their nesting. A path goes through lists.
 *
 * @param json the row. A path without dots takes its value from here if the row has the field.
 * @param all every field that a path can name. All other paths take their values from here.
 */
export function pickFields(
	json: IDataObject,
	all: IDataObject,
	paths: readonly string[],
): IDataObject {
	const byKey = new Map<string, string[]>();
	for (const path of paths) {
		const [key = '', ...rest] = path.split('.');
		getOrCreate(byKey, key, (): string[] => []).push(rest.join('.'));
	}
	const picked = [...byKey].flatMap(([key, rest]) => {
		const whole = rest.includes('');
		const source = whole && Object.hasOwn(json, key) ? json : all;
		if (!Object.hasOwn(source, key)) return [];
		return [[key, whole ? source[key] : pickInside(source[key], rest)]];
	});
	return Object.fromEntries(picked);
}

function pickInside(value: unknown, paths: readonly string[]): unknown {
	if (Array.isArray(value)) return value.map((entry) => pickInside(entry, paths));
	return isObject(value) ? pickFields(value, value, paths) : value;
}

/** The part of an `ItemRow` that is needed here. `output.ts` imports this file, so its type can't be. */
interface RowWithFields {
	readonly row: {
		readonly json?: IDataObject;
		readonly all?: () => IDataObject;
		readonly failure?: object;
	};
	readonly options?: { readonly fields: readonly string[] };
	readonly unmatched?: boolean;
}

/**
 * Warns about paths in Fields that no row has. A row doesn't count if its data ends before the path does. A row without a
 * match only counts if it has the path.
 */
export function missingFieldsWarning(rows: readonly RowWithFields[]): string[] {
	const found = new Map<string, boolean>();
	for (const { row, options, unmatched } of rows) {
		if (row.failure !== undefined) continue;
		let all: IDataObject | undefined;
		for (const path of options?.fields ?? []) {
			if (found.get(path) === true) continue;
			all ??= row.all?.() ?? row.json;
			const exists = hasPath(all, path.split('.'));
			if (exists || (exists === false && !unmatched)) found.set(path, exists);
		}
	}
	const missing = [...found].flatMap(([path, exists]) => (exists ? [] : [`"${path}"`]));
	if (missing.length === 0) return [];
	return [
		`Fields: no row has ${missing.join(', ')}. Check the spelling. To see all names, run a single row with Fields empty and Simplify off.`,
	];
}

/**
 * True if the path leads to a field, false if a field on it is missing, undefined if the data ends before it: at an empty
 * object or list, or at a value without fields.
 */
function hasPath(value: unknown, [key, ...rest]: readonly string[]): boolean | undefined {
	if (key === undefined) return true;
	if (Array.isArray(value)) {
		const inside = value.map((entry) => hasPath(entry, [key, ...rest]));
		return inside.find((one) => one === true) ?? inside.find((one) => one !== undefined);
	}
	if (!isObject(value) || Object.keys(value).length === 0) return undefined;
	return Object.hasOwn(value, key) ? hasPath(value[key], rest) : false;
}
