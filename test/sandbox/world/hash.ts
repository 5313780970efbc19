// Under jest, each look at a global costs far more than the multiplication.
const { floor, imul, max, min } = Math;

/** A number from 0 to 2^32 - 1 that depends on the text alone (FNV-1a with a final mix). */
export function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		value = imul(value ^ text.charCodeAt(index), 0x01000193);
	}
	value = imul(value ^ (value >>> 16), 0x85ebca6b);
	value = imul(value ^ (value >>> 13), 0xc2b2ae35);
	return (value ^ (value >>> 16)) >>> 0;
}

/** A whole number from 0 to below `limit`. */
export const below = (limit: number, text: string): number => hash(text) % limit;

/** A whole number from `low` to `high`, both included. */
export const between = (low: number, high: number, text: string): number =>
	low + below(high - low + 1, text);

/** A fraction from 0 to below 1. */
export const fraction = (text: string): number => hash(text) / 2 ** 32;

/** One of the values. */
export function pick<T>(values: readonly T[], text: string): T {
	const value = values[below(values.length, text)];
	if (value === undefined) throw new Error('Nothing to pick from');
	return value;
}

/** `count` different values in the order of the list (all of them when there are fewer). */
export function pickSome<T>(values: readonly T[], count: number, text: string): T[] {
	const start = below(values.length || 1, text);
	const step = max(1, floor(values.length / max(1, count)));
	const chosen = new Set<T>();
	for (let index = 0; chosen.size < min(count, values.length); index++) {
		const value = values[(start + index * step + floor(index / values.length)) % values.length];
		if (value !== undefined) chosen.add(value);
	}
	return values.filter((value) => chosen.has(value));
}

/** Hexadecimal text of any length. */
export function hex(length: number, text: string): string {
	let result = '';
	for (let block = 0; result.length < length; block++) {
		result += hash(`${block}:${text}`).toString(16).padStart(8, '0');
	}
	return result.slice(0, length);
}

/** An object with these members. */
export const made = <T>(
	names: readonly string[],
	valueOf: (name: string) => T,
): Record<string, T> => Object.fromEntries(names.map((name) => [name, valueOf(name)]));
