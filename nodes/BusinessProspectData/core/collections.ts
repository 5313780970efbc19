/** Groups the elements of a list by key, in their order. */
export function groupBy<Key, Element>(
	elements: readonly Element[],
	keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
	const groups = new Map<Key, Element[]>();
	for (const element of elements) {
		const key = keyOf(element);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [element]);
		else group.push(element);
	}
	return groups;
}

/** Splits a list into lists of at most `size` elements. */
export function chunks<Element>(elements: readonly Element[], size: number): Element[][] {
	const parts: Element[][] = [];
	for (let start = 0; start < elements.length; start += size) {
		parts.push(elements.slice(start, start + size));
	}
	return parts;
}
