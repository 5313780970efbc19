/** Which paths in Fields a warning names. */
import type { IDataObject } from 'n8n-workflow';
import { missingFieldsWarning } from '../../../nodes/BusinessProspectData/run/report';

/** The paths of Fields that a warning names. */
const missingFields = (rows: IDataObject[], fields: string[]) =>
	missingFieldsWarning(rows.map((json) => ({ row: { json }, itemIndex: 0, options: { fields } })))
		.join('')
		.match(/"[^"]+"/g)
		?.map((name) => name.slice(1, -1)) ?? [];

test.each<[string, IDataObject[], string[]]>([
	['there', [{ a: { b: 1 } }], []],
	['not there', [{ a: { c: 1 } }, { a: { d: 1 } }], ['a.b']],
	['in one row only', [{ a: { c: 1 } }, { a: { b: null } }, { x: 1 }], []],
	['in a later row after one without data', [{ a: null }, { a: {} }, { a: [] }, { a: 5 }], []],
	['through lists', [{ a: [{ c: 1 }, { b: 1 }] }], []],
	['in no entry of a list', [{ a: [null, { c: 1 }] }], ['a.b']],
	['in rows without fields', [{}], []],
])('a path %s', (_what, rows, expected) => {
	expect(missingFields(rows, ['a.b'])).toEqual(expected);
});

test('a row without data shows only which paths it has', () => {
	const row = { json: { a: { c: null } }, empty: true };
	const rows = [{ row, itemIndex: 0, options: { fields: ['a.b', 'a.c'] } }];
	const withData = [{ row: { json: { a: { d: 1 } } }, itemIndex: 1, options: { fields: ['a.c'] } }];

	expect(missingFieldsWarning(rows)).toEqual([]);
	expect(missingFieldsWarning([...rows, ...withData])).toEqual([]);
});

test('paths that every object has are missing', () => {
	const fields = ['constructor', 'a.toString', '__proto__'];
	expect(missingFields([{ a: { c: 1 } }], fields)).toEqual(fields);
});

test('the warning names all paths that are missing; failed rows, and rows without Fields, have no say', () => {
	const failure = { kind: 'server', message: 'No.' } as const;
	const rows = [
		{ row: { failure }, itemIndex: 0, options: { fields: ['x'] } },
		{ row: { json: { a: 1 } }, itemIndex: 1 },
		{ row: { json: { a: 1 } }, itemIndex: 2, options: { fields: ['b', 'a', 'c.d'] } },
	];

	expect(missingFieldsWarning(rows)).toEqual([
		'Fields: no row has "b", "c.d". Check the spelling. To see all names, run a single row with Fields empty and Simplify off.',
	]);
	expect(missingFieldsWarning(rows.slice(0, 2))).toEqual([]);
	const whole = {
		row: { json: { a: 1 }, ignoresFields: true },
		itemIndex: 0,
		options: { fields: ['x'] },
	};
	expect(missingFieldsWarning([whole])).toEqual([]);
});
