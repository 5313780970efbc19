/** Groups the members of a list by key, in their order. */
export function groupBy<Key, Member>(
	members: readonly Member[],
	keyOf: (member: Member) => Key,
): Map<Key, Member[]> {
	const groups = new Map<Key, Member[]>();
	for (const member of members) {
		const key = keyOf(member);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [member]);
		else group.push(member);
	}
	return groups;
}

/** Splits a list into lists of at most `size` members. */
export function chunks<Member>(members: readonly Member[], size: number): Member[][] {
	const parts: Member[][] = [];
	for (let start = 0; start < members.length; start += size) {
		parts.push(members.slice(start, start + size));
	}
	return parts;
}
