// The result in words: a table, the table of docs/performance.md, and what does not hold.
import Table from 'cli-table3';
import { format } from 'prettier';
import { BY_FETCH, BY_HELPER } from './measure.mjs';

/** The lines of the full form that docs/performance.md shows: what, and the beginning of against what. */
const SHOWN = [
	['Enrich 1,000 rows, 3 data sets: requests', 'unique IDs ÷ 50 × 3'],
	['Enrich 1,000 rows, 3 data sets: times faster', 'one request for each row, in sequence'],
	['Enrich 1,000 rows, 3 data sets', BY_FETCH],
	['Enrich 10,000 rows, 3 data sets: requests', 'unique IDs ÷ 50 × 3'],
	['Enrich 10,000 rows, 3 data sets', BY_FETCH],
	['Get Many 60,000 rows: requests', 'rows ÷ 100'],
	['Get Many 60,000 rows', BY_FETCH],
	['Get Many 60,000 rows', BY_HELPER],
	['Get Many 60,000 rows: memory', BY_FETCH],
	['Own CPU of Enrich, 100,000 rows', 'JSON round trip'],
	['Own CPU of Match, 100,000 rows', 'JSON round trip'],
	['Enrich by details, 100,000 rows: longest block of n8n', ''],
	['Growth of Enrich: CPU per row at 100,000', 'CPU per row at 1,000'],
	['Growth of Match: CPU per row at 100,000', 'CPU per row at 1,000'],
	['1,000 requests at 200 a minute, limit in headers', 'the shortest that the limit allows'],
	['Loading both nodes and the credential', 'loading an empty node'],
	['Package as npm installs it', ''],
];

const digits = (value) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
const number = (value) =>
	value.toLocaleString('en-US', { maximumFractionDigits: digits(value), useGrouping: true });

const withUnit = (value, unit) =>
	value === undefined ? '' : `${number(value)}${unit === '' ? '' : ` ${unit}`}`;

/** A result as its kind is read. */
function resultOf({ kind, unit }, value) {
	if (kind === 'ratio') return `${number(value)} ×`;
	if (kind === 'difference') return `${value < 0 ? '' : '+'}${withUnit(value, unit)}`;
	return withUnit(value, unit);
}

function limitOf(row) {
	if (row.exactly !== undefined) return `= ${number(row.exactly)}`;
	return row.least === undefined ? `≤ ${resultOf(row, row.most)}` : `≥ ${resultOf(row, row.least)}`;
}

/** A row with the limit that counts: its own, in the short form that of its gate, without which nothing is said of it. */
const judged = (row, short) => (short ? row.gate && { ...row, most: undefined, ...row.gate } : row);

const holds = ({ result, most = Infinity, least = -Infinity, exactly = result }) =>
	result <= most && result >= least && result === exactly;

/** All rows with their figures, limits and spreads; in the short form only rows with a gate have a verdict. */
export function table(rows, short) {
	const drawn = new Table({
		head: ['What', 'Against', 'Measured', 'Baseline', 'Result', 'Spread', 'Limit', ''],
		colWidths: [42, 34, 14, 14, 12, 17, 12, 6],
		wordWrap: true,
		style: { head: [], border: [], compact: true },
	});
	for (const row of rows) {
		const counts = judged(row, short);
		const spread = row.spread?.map((value) => resultOf(row, value)).join(' … ') ?? '';
		drawn.push([
			row.what,
			row.against,
			withUnit(row.measured, row.unit),
			withUnit(row.baseline, row.unit),
			resultOf(row, row.result),
			spread,
			...(counts ? [limitOf(counts), holds(counts) ? 'ok' : 'OVER'] : ['', '']),
		]);
	}
	return drawn.toString();
}

/** The table of docs/performance.md, as Prettier sets it. */
export async function markdown(rows) {
	const lines = SHOWN.map(([what, against]) => {
		const row = rows.find((one) => one.what === what && one.against.startsWith(against));
		if (row === undefined) throw new Error(`Only the full form has "${what}", ${against}.`);
		return [what, row.against, resultOf(row, row.result), limitOf(row)];
	});
	const cells = [['what', 'against', 'measured', 'limit'], ['---', '---', '---', '---'], ...lines];
	const source = cells.map((line) => `| ${line.join(' | ')} |`).join('\n');
	return (await format(source, { parser: 'markdown' })).trim();
}

/**
 * What is looked at: every row, in the short form only those with a gate. Each has a sentence when it is over.
 *
 * @returns {Array<string | undefined>}
 */
export const verdicts = (rows, short) =>
	rows
		.map((row) => judged(row, short))
		.filter((row) => row !== undefined)
		.map((row) =>
			holds(row)
				? undefined
				: `${row.what}: ${resultOf(row, row.result)} instead of ${limitOf(row)}`,
		);
