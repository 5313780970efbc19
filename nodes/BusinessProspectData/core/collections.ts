/** Groups elements by key. Keeps the order of elements within a group; groups are in the order of their first elements. */
export function groupBy<Key, Element>(
	elements: readonly Element[],
	keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
	const groups = new Map<Key, Element[]>();
	for (const element of elements) {
		getOrCreate(groups, keyOf(element), (): Element[] => []).push(element);
	}
	return groups;
}

/** Returns the key's value. If that is missing or undefined, creates one and adds it to the map. */
export function getOrCreate<Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	create: () => Value,
): Value {
	const existing = map.get(key);
	if (existing !== undefined) return existing;
	const created = create();
	map.set(key, created);
	return created;
}

/** Splits a list, in order, into lists of at most `size` elements. An empty list gives none. */
export function chunks<Element>(elements: readonly Element[], size: number): Element[][] {
	const parts: Element[][] = [];
	for (let start = 0; start < elements.length; start += size) {
		parts.push(elements.slice(start, start + size));
	}
	return parts;
}

/** The largest defined number; undefined if there is none. */
export const largestOf = (numbers: ReadonlyArray<number | undefined>): number | undefined => {
	const defined = numbers.filter((number) => number !== undefined);
	return defined.length === 0 ? undefined : Math.max(...defined);
};
