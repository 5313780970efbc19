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

describe("the demo's check of its rows", () => {
	it('has nothing to say about the right rows', () => {
		expect(checkRows(rows, found, 3)).toEqual([]);
	});

	it.each<[string, ContactRow[], string]>([
		['a row is missing', rows.slice(0, 2), 'There are 2 rows instead of 3.'],
		['there are none', [], 'There are 0 rows instead of 3.'],
		['an ID is missing', change(1, { prospect_id: null }), 'Row 2 has no prospect ID.'],
		[
			'an ID is twice there',
			change(2, { prospect_id: id(1) }),
			`Row 3 repeats the prospect ID ${id(1)}.`,
		],
		[
			'a name is that of another person',
			change(0, { full_name: 'Person 2' }),
			'Row 1 does not belong to the prospect found at its place.',
		],
		[
			'no one has an email address',
			rows.map((row) => ({ ...row, email: null })),
			'No row has an email address.',
		],
	])('says when %s', (_, wrong, fault) => {
		expect(checkRows(wrong, found, 3)).toEqual([fault]);
	});

	it('sees rows in another order than they were found', () => {
		expect(checkRows([...rows].reverse(), found, 3)).toHaveLength(2);
	});
});

describe("the demo's table", () => {
	it.each([undefined, 80, 100])('keeps its lines within %s columns', (width) => {
		const lengths = renderTable(rows, width)
			.split('\n')
			.map((line) => line.length);
		expect(new Set(lengths)).toEqual(new Set([width ?? 100]));
	});

	it('shows long values whole where there is room, and nothing for null', () => {
		const table = renderTable(rows, 200);
		expect(table).toContain('a.person.with.a.long.name@example-corporation.com');
		expect(table).not.toContain('null');
	});
});
