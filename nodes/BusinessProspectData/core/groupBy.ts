/** The members of a list by a key, in their order. */
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
