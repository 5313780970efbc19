import { checkRows, renderTable, type ContactRow, type FoundProspect } from '../demo/table';

const id = (n: number) => n.toString(16).padStart(40, '0');
const found: FoundProspect[] = [1, 2, 3].map((n) => ({
	prospect_id: id(n),
	first_name: 'Person',
	last_name: String(n),
}));
const rows: ContactRow[] = found.map(({ prospect_id, last_name }) => ({
	prospect_id,
	full_name: `Person ${last_name}`,
	job_title: 'Vice President of Marketing and Communications',
	company_name: 'Example Corporation of the Northern Regions',
	email: 'a.person.with.a.long.name@example-corporation.com',
	phone: null,
}));
const change = (index: number, with_: Partial<ContactRow>) =>
	rows.map((row, i) => (i === index ? { ...row, ...with_ } : row));

test.each<[string, ContactRow[], faults: string[]]>([
	['the right rows', rows, []],
	['a missing row', rows.slice(0, 2), ['There are 2 rows instead of 3.']],
	['a missing ID', change(1, { prospect_id: null }), ['Row 2 has no prospect ID.']],
	[
		'an ID that is there twice',
		change(2, { prospect_id: id(1) }),
		[`Row 3 repeats the prospect ID ${id(1)}.`],
	],
	[
		'the name of another person',
		change(0, { full_name: 'Person 2' }),
		['Row 1 does not belong to the prospect found at its place.'],
	],
	[
		'no email address',
		rows.map((row) => ({ ...row, email: null })),
		['No row has an email address.'],
	],
])("the demo's check of its rows: %s", (_, checked, faults) => {
	expect(checkRows(checked, found, 3)).toEqual(faults);
	expect(checkRows([...rows].reverse(), found, 3)).toHaveLength(2);
});

test("the demo's table keeps its lines within the width, and shows nothing for null", () => {
	for (const width of [undefined, 80, 200]) {
		const lines = renderTable(rows, width).split('\n');
		expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width ?? 100);
	}
	const wide = renderTable(rows, 200);
	expect(wide).toContain('a.person.with.a.long.name@example-corporation.com');
	expect(wide).not.toContain('null');
});
