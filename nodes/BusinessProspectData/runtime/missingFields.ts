import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../core/json';
import type { ItemRow, OutputOptions } from './output';

/**
 * Warns about paths in Fields that no row has. A row doesn't count if its data ends before the path does. A row without a
 * match only counts if it has the path.
 *
 * @param optionalFields fields that some rows lack. Paths into them are never missing.
 */
export function missingFieldsWarning(
	rows: ReadonlyArray<ItemRow<Pick<OutputOptions, 'fields'>>>,
	optionalFields: readonly string[],
): string[] {
	const found = new Map<string, boolean>();
	for (const { row, options, unmatched } of rows) {
		if (row.failure !== undefined) continue;
		let allFields: IDataObject | undefined;
		for (const path of options?.fields ?? []) {
			const keys = path.split('.');
			if (found.get(path) === true || optionalFields.includes(keys[0] ?? '')) continue;
			allFields ??= row.allFields?.() ?? row.json;
			const exists = hasPath(allFields, keys);
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
