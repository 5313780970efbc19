/** Enrich: whose the rows of a bulk response are. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { groupBulkRows } from '../../../nodes/BusinessProspectData/operations/enrichment/request';

const [A = '', B = '', C = '', D = ''] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(40));

const row = (id: unknown, data: unknown = { of: id }): IDataObject =>
	({ prospect_id: id, data }) as IDataObject;
const bare = (...all: unknown[]) => all.map((data) => ({ data }));
const dataOf = (rows: readonly IDataObject[] = []) => rows.map(({ data }) => data);

test.each<[name: string, data: unknown, byId: unknown[][], withoutId: unknown[]]>([
	['a foreign row', [row(D, 9), row(A, 1), row(B, 2)], [[1], [2], []], []],
	['duplicates', [row(A, 1), row(B, 1), row(A, 1)], [[1], [1], []], []],
	['several rows', [row(A, 1), row(B, 2), row(A, 3)], [[1, 3], [2], []], []],
	['an upper-case ID', [row(A.toUpperCase(), 1)], [[1], [], []], []],
	['no data', [row(A, null), row(B, {})], [[null], [{}], []], []],
	['an ID in the data', [{ data: { prospect_id: B } }], [[], [{ prospect_id: B }], []], []],
	['no `data` member', [{ prospect_id: B, n: 2 }], [[], [{ prospect_id: B, n: 2 }], []], []],
	['some without an ID', [row(A, 1), { data: 2 }, row(C, 3)], [[1], [], [3]], [2]],
	['an object instead of the list', row(B, 2), [[], [2], []], []],
	['as many rows as IDs, without IDs: by position', bare(1, 1, 3), [[1], [1], [3]], []],
	['fewer without IDs: to none', bare(1, 2), [[], [], []], [1, 2]],
	['more without IDs: to none', bare(1, 2, 3, {}, 5), [[], [], []], [1, 2, 3, 5]],
])('the rows of three people: %s', (_name, data, byId, withoutId) => {
	const rows = groupBulkRows(data, 'prospect_id', [A, B, C], false);

	expect([A, B, C].map((id) => dataOf(rows.byId.get(id)))).toEqual(byId);
	expect(dataOf(rows.withoutId)).toEqual(withoutId);
	expect(dataOf(rows.unexpected)).toEqual(JSON.stringify(data).includes(D) ? [9] : []);
});

test('posts are never assigned by position; those without an ID are those of the only ID', () => {
	const several = groupBulkRows(bare(1, 2, 3), 'prospect_id', [A, B, C], true);
	const posts = groupBulkRows([row(A, 1), ...bare(2, 1)], 'prospect_id', [A], true);
	const profiles = groupBulkRows([row(A, 1), ...bare(2)], 'prospect_id', [A], false);

	expect(dataOf(several.withoutId)).toEqual([1, 2, 3]);
	expect(dataOf(posts.byId.get(A))).toEqual([1, 2]);
	expect(dataOf(profiles.withoutId)).toEqual([2]);
});

test('groups rows in any order with any duplicates', () => {
	const ids = Array.from({ length: 50 }, (_, nth) => nth.toString(16).padStart(40, '0'));
	const rows = ids.map((id) => row(id));

	fc.assert(
		fc.property(fc.shuffledSubarray([...rows, ...rows]), (data) => {
			const { byId } = groupBulkRows(data, 'prospect_id', ids, false);
			const present = new Set(data.map(({ prospect_id: id }) => id));
			for (const id of ids) expect(byId.get(id)).toEqual(present.has(id) ? [row(id)] : []);
		}),
		{ numRuns: 50 },
	);
});
