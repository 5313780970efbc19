/** Groups the elements of a list by key. Keeps their order. */
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

/** Returns the value of a key in a map. If the map has none, creates and adds one. */
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

/** Splits a list into lists of at most `size` elements. */
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
