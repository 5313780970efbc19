import { asObjects, asText, type ComputedField, firstOf, valuesAt } from '../core/json';

/** Texts and numbers, joined with semicolons. */
export const joined = (name: string, path: string): ComputedField => ({
	name,
	from: [path],
	read: (record) => {
		const texts = valuesAt(record, path).flatMap((value) => asText(value) ?? []);
		return texts.length === 0 ? null : texts.join('; ');
	},
});

export const first = (name: string, ...paths: readonly string[]): ComputedField => ({
	name,
	from: paths,
	read: (record) => firstOf(paths.flatMap((path) => valuesAt(record, path))),
});

/** The first value among the list's entries with this `type`. */
export const ofType = (name: string, path: string, type: string): ComputedField => ({
	name,
	from: [path],
	read: (record) => firstOf(valuesAt(record, path, type)),
});

/** A number that the service sends as text. Other text stays. */
export const number = (name: string): ComputedField => ({
	name,
	from: [name],
	read: ({ [name]: value }) =>
		/^-?\d+(\.\d+)?$/.test(asText(value)?.trim() ?? '') ? Number(value) : value,
});

/** A number within text: the first group of the pattern. */
export const numberIn = (name: string, member: string, pattern: RegExp): ComputedField => ({
	name,
	from: [member],
	read: (record) => {
		const [, digits] = pattern.exec(asText(record[member]) ?? '') ?? [];
		return digits === undefined ? null : Number(digits);
	},
});

/** A member of that entry of the list which has the highest number. */
export const ofHighest = (
	name: string,
	list: string,
	by: string,
	member: string,
): ComputedField => ({
	name,
	from: [list],
	read: (record) => {
		const entries = asObjects(valuesAt(record, list));
		const [highest] = entries.sort((a, b) => Number(b[by] ?? 0) - Number(a[by] ?? 0));
		return highest?.[member];
	},
});
