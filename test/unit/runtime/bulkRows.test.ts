/** How the rows of a bulk response are grouped by entity ID. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	groupBulkRows,
	unassignedRowsFailure,
} from '../../../nodes/BusinessProspectData/runtime/bulkRows';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const C = 'c'.repeat(40);

/** The data by id: what an operation outputs for it. */
function read(data: unknown, ids = [A, B, C], multipleRows = false): Record<string, unknown> {
	const { byId } = groupBulkRows(data, 'prospect_id', ids, multipleRows);
	return Object.fromEntries([...byId].map(([id, rows]) => [id, rows.map((row) => row.data)]));
}

/** The data that belongs to no ID for certain. */
const unassigned = (data: unknown, ids = [A, B, C], multipleRows = false): unknown[] =>
	groupBulkRows(data, 'prospect_id', ids, multipleRows).unassigned.map((row) => row.data);

const row = (id: unknown, data: unknown = { of: id }): IDataObject =>
	({ prospect_id: id, data }) as IDataObject;

describe('rows that bear an id', () => {
	test.each<[name: string, data: unknown, a: unknown[], b: unknown[], c: unknown[]]>([
		['in order', [row(A, 1), row(B, 2), row(C, 3)], [1], [2], [3]],
		['in another order', [row(C, 3), row(A, 1), row(B, 2)], [1], [2], [3]],
		['with one missing', [row(A, 1), row(C, 3)], [1], [], [3]],
		['with a foreign one', [row('d'.repeat(40), 9), row(A, 1), row(B, 2)], [1], [2], []],
		['with exact repetitions', [row(A, 1), row(A, 1), row(B, 2), row(A, 1)], [1], [2], []],
		['several of one', [row(A, 1), row(B, 2), row(A, 3), row(A, 4)], [1, 3, 4], [2], []],
		['with upper-case ids', [row(A.toUpperCase(), 1), row(B, 2)], [1], [2], []],
		['without data', [row(A, null), row(B, {})], [null], [{}], []],
		[
			'with an id in the data only',
			[{ data: { prospect_id: B, n: 2 } }],
			[],
			[{ prospect_id: B, n: 2 }],
			[],
		],
		['with another id in the data', [row(A, { prospect_id: B })], [{ prospect_id: B }], [], []],
		['some without an id', [row(A, 1), { data: 2 }, row(C, 3)], [1], [], [3]],
		['some null', [row(A, 1), null, 'x', 7, row(C, 3)], [1], [], [3]],
		['no rows', [], [], [], []],
	])('%s', (_name, data, a, b, c) => {
		expect(read(data)).toStrictEqual({ [A]: a, [B]: b, [C]: c });
	});

	test('equal data of different people are no repetitions', () => {
		expect(read([row(A, 1), row(B, 1)])).toStrictEqual({ [A]: [1], [B]: [1], [C]: [] });
	});

	test('without the row around the data', () => {
		const bare = { prospect_id: B, full_name: 'Ann Example' };

		expect(read([bare])).toStrictEqual({ [A]: [], [B]: [bare], [C]: [] });
	});

	test('one object in place of the list', () => {
		expect(read(row(B, 2))).toStrictEqual({ [A]: [], [B]: [2], [C]: [] });
		expect(read({ full_name: 'Ann Example' }, [A])).toStrictEqual({
			[A]: [{ full_name: 'Ann Example' }],
		});
	});
});

describe('rows without an id', () => {
	test.each<[name: string, data: unknown, a: unknown[], b: unknown[], c: unknown[]]>([
		['count by place', [{ data: 1 }, { data: 2 }, { data: 3 }], [1], [2], [3]],
		['count by place with a null id', [row(null, 1), row(null, 2), row('', 3)], [1], [2], [3]],
		['may be alike', [{ data: 1 }, { data: 1 }, { data: 1 }], [1], [1], [1]],
		['keep their place beside a null', [{ data: 1 }, null, { data: 3 }], [1], [], [3]],
		["are nobody's when one is missing", [{ data: 1 }, { data: 2 }], [], [], []],
		["are nobody's when there is one too many", [1, 2, 3, 4].map((data) => ({ data })), [], [], []],
	])('%s', (_name, data, a, b, c) => {
		expect(read(data)).toStrictEqual({ [A]: a, [B]: b, [C]: c });
	});
});

describe('whose they are', () => {
	test('is unknown of rows without an id that have no place', () => {
		expect(unassigned([{ data: 1 }, { data: 2 }])).toEqual([1, 2]);
		expect(unassigned([row(A, 1), { data: 2 }, null, row(C, 3)])).toEqual([2]);
		expect(unassigned([{ data: 1 }, { data: 2 }, { data: 3 }])).toEqual([]);
		expect(unassigned([row(A, 1), row('d'.repeat(40), 9)])).toEqual([]);
	});

	test('is of no account where there is nothing in them', () => {
		expect(unassigned({})).toEqual([]);
		expect(unassigned([{ data: null }, { data: {} }])).toEqual([]);
		expect(unassigned([{ data: [] }, { data: 2 }])).toEqual([2]);
	});

	test('is known of rows for another id, which are kept apart', () => {
		const other = row('d'.repeat(40), 9);
		const { unexpected: foreign, unassigned: none } = groupBulkRows(
			[row(A, 1), other, row('e'.repeat(40), null), { data: null }],
			'prospect_id',
			[A, B],
			false,
		);

		expect(foreign).toEqual([other]);
		expect(none).toEqual([]);
		expect(groupBulkRows([row(B, 1)], 'prospect_id', [A], false).unexpected).toEqual([row(B, 1)]);
		expect(groupBulkRows([{ data: 1 }], 'prospect_id', [A, B], false).unexpected).toEqual([]);
	});

	test('is not told by the place where an id may have several rows', () => {
		const posts = [{ data: 'of A' }, { data: 'of A too' }, { data: 'of C' }];

		expect(read(posts, [A, B, C], true)).toEqual({ [A]: [], [B]: [], [C]: [] });
		expect(unassigned(posts, [A, B, C], true)).toEqual(['of A', 'of A too', 'of C']);
	});

	test('is certain where one alone was asked for', () => {
		const posts = [{ data: 1 }, { data: 2 }, { data: 1 }];

		expect(read(posts, [A], true)).toEqual({ [A]: [1, 2] });
		expect(unassigned(posts, [A], true)).toEqual([]);
		expect(read([row(B, 1)], [A])).toEqual({ [A]: [] });
	});
});

test.each([
	[
		1,
		"1 row of the response has no ID, so it can't be assigned. The service may have processed the request and charged for it. To",
	],
	[
		2,
		"2 rows of the response have no ID, so they can't be assigned. The service may have processed the request and charged for it. To",
	],
])('%s without an ID: the failure of an ID without a row', (count, words) => {
	const { kind, message } = unassignedRowsFailure(count);

	expect(kind).toBe('unreadable');
	expect(message.startsWith(words)).toBe(true);
});

test.each([null, undefined, '', 'text', 7, true])('%j in place of rows gives nothing', (data) => {
	expect(read(data)).toStrictEqual({ [A]: [], [B]: [], [C]: [] });
	expect(unassigned(data)).toEqual([]);
});

test('the rows of businesses go by their own id member', () => {
	const id = '1'.repeat(32);
	const rows = [{ business_id: id, data: { visits: 3 } }];
	const { byId } = groupBulkRows(rows, 'business_id', [id], false);

	expect(byId.get(id)).toEqual([{ business_id: id, data: { visits: 3 } }]);
});

test('in any order, with any repetitions, every id has its own data once', () => {
	const ids = Array.from({ length: 50 }, (_, nth) => nth.toString(16).padStart(40, '0'));
	const rows = ids.map((id) => row(id, { of: id }));
	const shuffled = fc.shuffledSubarray([...rows, ...rows], { minLength: 0 });

	fc.assert(
		fc.property(shuffled, (data) => {
			const { byId: found } = groupBulkRows(data, 'prospect_id', ids, false);
			const present = new Set(data.map(({ prospect_id: id }) => id));
			for (const id of ids) {
				expect(found.get(id)).toEqual(present.has(id) ? [row(id, { of: id })] : []);
			}
		}),
		{ numRuns: 50 },
	);
});
