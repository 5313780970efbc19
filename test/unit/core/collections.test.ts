import { chunks, getOrCreate, groupBy } from '../../../nodes/BusinessProspectData/core/collections';

test('groups keep the order of their members', () => {
	const groups = groupBy(['b1', 'a1', 'b2'], (member) => member[0] ?? '');

	expect([...groups]).toEqual([
		['b', ['b1', 'b2']],
		['a', ['a1']],
	]);
});

test.each([
	[[], 2, []],
	[
		[1, 2, 3, 4],
		2,
		[
			[1, 2],
			[3, 4],
		],
	],
	[[1, 2, 3], 2, [[1, 2], [3]]],
	[[1, 2], Infinity, [[1, 2]]],
])('chunks of %j by %d', (members, size, expected) => {
	expect(chunks(members, size)).toEqual(expected);
});

test('a value is created once for each key', () => {
	const map = new Map<string, string[]>();

	getOrCreate(map, 'a', () => []).push('first');
	getOrCreate(map, 'a', () => []).push('second');

	expect([...map]).toEqual([['a', ['first', 'second']]]);
});
