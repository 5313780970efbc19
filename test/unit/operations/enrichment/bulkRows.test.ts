/** Groups the rows of a bulk response by entity ID. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	groupBulkRows,
	rowsWithoutIdFailure,
} from '../../../../nodes/BusinessProspectData/operations/enrichment/request';

const [A = '', B = '', C = '', D = ''] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(40));

const group = (data: unknown, ids = [A, B, C], multipleRows = false) =>
	groupBulkRows(data, 'prospect_id', ids, multipleRows);

/** The data of the rows, by ID. */
const dataById = (...input: Parameters<typeof group>): Record<string, unknown> =>
	Object.fromEntries(
		[...group(...input).byId].map(([id, rows]) => [id, rows.map((one) => one.data)]),
	);

/** The data of the rows that belong to no ID. */
const withoutId = (...input: Parameters<typeof group>): unknown[] =>
	group(...input).withoutId.map(({ data }) => data);

const row = (id: unknown, data: unknown = { of: id }): IDataObject =>
	({ prospect_id: id, data }) as IDataObject;

test.each<[name: string, data: unknown, a: unknown[], b: unknown[], c: unknown[]]>([
	['a missing row', [row(A, 1), row(C, 3)], [1], [], [3]],
	['a foreign row', [row(D, 9), row(A, 1), row(B, 2)], [1], [2], []],
	['duplicates', [row(A, 1), row(A, 1), row(B, 2), row(A, 1)], [1], [2], []],
	['equal data under two IDs', [row(A, 1), row(B, 1)], [1], [1], []],
	['several rows', [row(A, 1), row(B, 2), row(A, 3), row(A, 4)], [1, 3, 4], [2], []],
	['an upper-case ID', [row(A.toUpperCase(), 1), row(B, 2)], [1], [2], []],
	['no data', [row(A, null), row(B, {})], [null], [{}], []],
	['an ID in the data', [{ data: { prospect_id: B, n: 2 } }], [], [{ prospect_id: B, n: 2 }], []],
	['another ID in the data', [row(A, { prospect_id: B })], [{ prospect_id: B }], [], []],
	['no `data` member', [{ prospect_id: B, n: 2 }], [], [{ prospect_id: B, n: 2 }], []],
	['some rows without an ID', [row(A, 1), { data: 2 }, row(C, 3)], [1], [], [3]],
	['values that are not rows', [row(A, 1), null, 'x', 7, row(C, 3)], [1], [], [3]],
	['no rows', [], [], [], []],
	['an object instead of the list', row(B, 2), [], [2], []],
])('groups rows by their IDs: %s', (_name, data, a, b, c) => {
	expect(dataById(data)).toStrictEqual({ [A]: a, [B]: b, [C]: c });
});

test.each<[name: string, data: unknown, a: unknown[], b: unknown[], c: unknown[]]>([
	['in the positions of the IDs', [{ data: 1 }, { data: 2 }, { data: 3 }], [1], [2], [3]],
	['with null IDs', [row(null, 1), row(null, 2), row('', 3)], [1], [2], [3]],
	['with equal data', [{ data: 1 }, { data: 1 }, { data: 1 }], [1], [1], [1]],
	['beside a null', [{ data: 1 }, null, { data: 3 }], [1], [], [3]],
	['of which one is missing: to none', [{ data: 1 }, { data: 2 }], [], [], []],
	['of which there is one too many: to none', [1, 2, 3, 4].map((data) => ({ data })), [], [], []],
])('assigns rows without IDs by position: %s', (_name, data, a, b, c) => {
	expect(dataById(data)).toStrictEqual({ [A]: a, [B]: b, [C]: c });
});

test.each<[data: unknown[], expected: unknown[]]>([
	[
		[{ data: 1 }, { data: 2 }],
		[1, 2],
	],
	[[row(A, 1), { data: 2 }, null, row(C, 3)], [2]],
	[[{ data: 1 }, { data: 2 }, { data: 3 }], []],
	[[row(A, 1), row(D, 9)], []],
	[[{}], []],
	[[{ data: null }, { data: {} }], []],
	[[{ data: [] }, { data: 2 }], [2]],
])('the withoutId rows of %j are %j', (data, expected) => {
	expect(withoutId(data)).toEqual(expected);
});

test('returns rows with data for other IDs as unexpected', () => {
	const foreign = row(D, 9);
	const rows = [row(A, 1), foreign, row('e'.repeat(40), null), { data: null }];

	expect(group(rows, [A, B])).toMatchObject({ unexpected: [foreign], withoutId: [] });
	expect(group([row(B, 1)], [A]).unexpected).toEqual([row(B, 1)]);
	expect(group([{ data: 1 }], [A, B]).unexpected).toEqual([]);
});

test('does not assign rows by position if an ID may have several', () => {
	const posts = [{ data: 'of A' }, { data: 'of A too' }, { data: 'of C' }];

	expect(dataById(posts, [A, B, C], true)).toEqual({ [A]: [], [B]: [], [C]: [] });
	expect(withoutId(posts, [A, B, C], true)).toEqual(['of A', 'of A too', 'of C']);
});

test('assigns all rows without an ID to the only ID', () => {
	const posts = [{ data: 1 }, { data: 2 }, { data: 1 }];

	expect(dataById(posts, [A], true)).toEqual({ [A]: [1, 2] });
	expect(withoutId(posts, [A], true)).toEqual([]);
	expect(dataById([row(A, 1), { data: 2 }], [A], true)).toEqual({ [A]: [1, 2] });
	expect(withoutId([row(A, 1), { data: 2 }], [A])).toEqual([2]);
	expect(dataById({ full_name: 'Ann' }, [A])).toStrictEqual({ [A]: [{ full_name: 'Ann' }] });
	expect(dataById([row(B, 1)], [A])).toEqual({ [A]: [] });
});

test('reports several rows without an ID', () => {
	expect(rowsWithoutIdFailure(2)).toMatchObject({
		kind: 'unreadable',
		message: expect.stringMatching(
			/^2 rows of the response have no ID, so it is unclear which of your rows they belong to\. The service may have/,
		),
	});
});

test.each([null, undefined, '', 'text', 7, true])('finds no rows in %j', (data) => {
	expect(dataById(data)).toStrictEqual({ [A]: [], [B]: [], [C]: [] });
	expect(withoutId(data)).toEqual([]);
});

test('groups rows in any order with any duplicates', () => {
	const ids = Array.from({ length: 50 }, (_, nth) => nth.toString(16).padStart(40, '0'));
	const rows = ids.map((id) => row(id));
	const shuffled = fc.shuffledSubarray([...rows, ...rows], { minLength: 0 });

	fc.assert(
		fc.property(shuffled, (data) => {
			const { byId } = group(data, ids);
			const present = new Set(data.map(({ prospect_id: id }) => id));
			for (const id of ids) expect(byId.get(id)).toEqual(present.has(id) ? [row(id)] : []);
		}),
		{ numRuns: 50 },
	);
});
