/** Groups are in the order of their first elements. */
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

export function chunks<Element>(elements: readonly Element[], size: number): Element[][] {
	const parts: Element[][] = [];
	for (let start = 0; start < elements.length; start += size) {
		parts.push(elements.slice(start, start + size));
	}
	return parts;
}

export const largestOf = (numbers: ReadonlyArray<number | undefined>): number | undefined => {
	const defined = numbers.filter((number) => number !== undefined);
	return defined.length === 0 ? undefined : Math.max(...defined);
};

/** A table that is built when it is first needed, because n8n loads the package at every start. */
export function lazy<Value extends object>(create: () => Value): () => Value {
	let created: Value | undefined;
	return () => (created ??= create());
}
