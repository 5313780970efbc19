/** What the lookup of an item's details adds to its rows. */
import { withLookup } from '../../../nodes/BusinessProspectData/run/lookup';
import type { Row } from '../../../nodes/BusinessProspectData/run/output';

/** The fields of a row, in their order. */
const membersOf = (row: Row) => (row.failure === undefined ? Object.entries(row.json) : []);

const FIELDS = { idField: 'prospect_id', matchedField: 'matched' };

test('a row says whether the details matched, beside its ID', () => {
	const row = withLookup({ json: { a: 1, prospect_id: 'old', b: 2 } }, FIELDS, 'abc');

	expect(membersOf(row)).toEqual([
		['a', 1],
		['matched', true],
		['prospect_id', 'abc'],
		['b', 2],
	]);
});

test('a row without an ID ends with both', () => {
	expect(membersOf(withLookup({ json: { a: 1, matched: 'old' } }, FIELDS, null))).toEqual([
		['a', 1],
		['matched', false],
		['prospect_id', null],
	]);
});

test('a row has the fields of rows without a match, too', () => {
	const fields = { ...FIELDS, unmatchedFields: ['names', 'ids'] };
	const json = { names: 'A; B', a: 1, prospect_id: null };

	expect(membersOf(withLookup({ json }, fields, null))).toEqual([
		['a', 1],
		['matched', false],
		['names', 'A; B'],
		['ids', null],
		['prospect_id', null],
	]);
});

test('all fields of a row include both', () => {
	const row = withLookup({ json: { a: 1 }, allFields: () => ({ a: 1, b: 2 }) }, FIELDS, 'abc');

	expect(row.failure === undefined && row.allFields?.()).toEqual({
		prospect_id: 'abc',
		matched: true,
		a: 1,
		b: 2,
	});
	expect(withLookup({ json: { a: 1 } }, FIELDS, 'abc')).not.toHaveProperty('allFields');
});

test('a failed row keeps the ID, and names no field of the node', () => {
	const failure = { kind: 'invalid', message: 'No.', field: 'prospectIds' } as const;

	expect(withLookup({ failure, received: { a: 1 } }, FIELDS, 'abc')).toEqual({
		failure: { kind: 'invalid', message: 'No.', field: undefined },
		received: { prospect_id: 'abc', matched: true, a: 1 },
	});
	expect(withLookup({ failure }, FIELDS, 'abc')).toMatchObject({
		received: { prospect_id: 'abc', matched: true },
	});
});
