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

/** Returns the value of a key in a map. Creates and adds it if it is missing. */
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

/** The largest of the numbers that are defined, if any. */
export const largestOf = (numbers: ReadonlyArray<number | undefined>): number | undefined => {
	const defined = numbers.filter((number) => number !== undefined);
	return defined.length === 0 ? undefined : Math.max(...defined);
};
