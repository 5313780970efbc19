import Table from 'cli-table3';

/** One row of the example "List building", as it is added to the CRM. */
export type ContactRow = {
	prospect_id: string | null;
	full_name: string | null;
	job_title: string | null;
	company_name: string | null;
	email: string | null;
	phone: string | null;
};

/** What is read of a person that the search found. */
export type FoundProspect = { prospect_id: string; first_name: string; last_name: string };

const COLUMNS = ['full_name', 'job_title', 'company_name', 'email', 'phone'] as const;

/**
 * Says what is wrong with the rows: their number, and for each whether it belongs to the person found at its place.
 *
 * @param rows what the workflow adds to the CRM
 * @param found the output of its search
 * @param expected how many rows there should be
 * @returns one sentence per fault, empty when all is right
 */
export function checkRows(rows: ContactRow[], found: FoundProspect[], expected: number): string[] {
	const faults: string[] = [];
	if (rows.length !== expected) {
		faults.push(`There are ${rows.length} rows instead of ${expected}.`);
	}
	const seen = new Set<string>();
	rows.forEach((row, index) => {
		const person = found[index];
		const id = row.prospect_id ?? '';
		if (!/^[a-f0-9]{40}$/.test(id)) faults.push(`Row ${index + 1} has no prospect ID.`);
		else if (seen.has(id)) faults.push(`Row ${index + 1} repeats the prospect ID ${id}.`);
		else if (
			id !== person?.prospect_id ||
			row.full_name !== `${person.first_name} ${person.last_name}`
		) {
			faults.push(`Row ${index + 1} does not belong to the prospect found at its place.`);
		}
		seen.add(id);
	});
	if (rows.length > 0 && !rows.some(({ email }) => email?.includes('@'))) {
		faults.push('No row has an email address.');
	}
	return faults;
}

/** Column widths that show as much as fits: the widest column gives way first. */
function fitWidths(lines: string[][], available: number): number[] {
	const widths = COLUMNS.map(
		(_, column) => 2 + Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
	);
	for (let excess = widths.reduce((sum, width) => sum + width, -available); excess > 0; excess--) {
		const widest = Math.max(...widths);
		widths[widths.indexOf(widest)] = widest - 1;
	}
	return widths;
}

/**
 * Draws the rows as a table without colours.
 *
 * @param width characters that a line may have; longer values are cut and end in an ellipsis
 */
export function renderTable(rows: ContactRow[], width = 100): string {
	const head = ['Name', 'Title', 'Company', 'Email', 'Phone'];
	const lines = rows.map((row) => COLUMNS.map((column) => row[column] ?? ''));
	const table = new Table({
		head,
		colWidths: fitWidths([head, ...lines], width - head.length - 1),
		style: { head: [], border: [], compact: true },
	});
	table.push(...lines);
	return table.toString();
}
