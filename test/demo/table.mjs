// The rows of the example "List building": what is wrong with them, and a table of them.
import Table from 'cli-table3';

const COLUMNS = ['first_name', 'last_name', 'job_title', 'company_name', 'email', 'phone'];

/**
 * Says what is wrong with the rows that the workflow adds to the CRM, a sentence each: their number, and for each whether it
 * belongs to the person that the search found at its place.
 */
export function checkRows(rows, found, expected) {
	const faults = [];
	if (rows.length !== expected) {
		faults.push(`There are ${rows.length} rows instead of ${expected}.`);
	}
	const seen = new Set();
	rows.forEach((row, index) => {
		const person = found[index];
		const id = row.prospect_id ?? '';
		if (!/^[a-f0-9]{40}$/.test(id)) faults.push(`Row ${index + 1} has no prospect ID.`);
		else if (seen.has(id)) faults.push(`Row ${index + 1} repeats the prospect ID ${id}.`);
		else if (
			id !== person?.prospect_id ||
			row.first_name !== person.first_name ||
			row.last_name !== person.last_name
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
function fitWidths(lines, available) {
	const widths = COLUMNS.map(
		(_, column) => 2 + Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
	);
	for (let excess = widths.reduce((sum, width) => sum + width, -available); excess > 0; excess--) {
		const widest = Math.max(...widths);
		widths[widths.indexOf(widest)] = widest - 1;
	}
	return widths;
}

/** Draws the rows as a table without colours. Lines have up to `width` characters: longer values end in an ellipsis. */
export function renderTable(rows, width = 100) {
	const head = ['First name', 'Last name', 'Title', 'Company', 'Email', 'Phone'];
	const lines = rows.map((row) => COLUMNS.map((column) => row[column] ?? ''));
	const table = new Table({
		head,
		colWidths: fitWidths([head, ...lines], width - head.length - 1),
		style: { head: [], border: [], compact: true },
	});
	table.push(...lines);
	return table.toString();
}
