/** Faults that change the body of an answer. */
import type { Endpoint } from '../contract/contract';
import type { LogEntry } from '../log';
import { hex } from '../world/hash';
import type { ChangeFault, RowChange } from './kinds';

type Row = Record<string, unknown>;

const ID_MEMBERS = ['prospect_id', 'business_id', 'event_id'];

const idOf = (row: Row): string | undefined => ID_MEMBERS.find((name) => name in row);

/** The row under an id that nobody asked for; of the same length, so that its form is right. */
function foreign(row: Row): Row {
	const member = idOf(row);
	if (!member) return row;
	const length = String(row[member] ?? '').length || 40;
	return { ...row, [member]: hex(length, 'a foreign row') };
}

/** A match row that repeats the input of somebody else. */
const otherInput = (row: Row): Row =>
	'input' in row
		? { ...row, input: { ...(row.input as Row), ...SOMEBODY_ELSE, business_id: null } }
		: row;

/** A row of an enrichment, a match or an event. People of a search have no errors. */
const withError = (row: Row): Row =>
	'data' in row || 'input' in row || 'event_name' in row
		? { ...only(row, ['prospect_id', 'business_id', 'input']), ...ROW_ERROR }
		: row;

const ROW_ERROR = { error: 'quota exceeded', error_type: 'QuotaError' };

const only = (row: Row, members: readonly string[]): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => members.includes(name)));

const SOMEBODY_ELSE = {
	full_name: null,
	company_name: null,
	email: 'somebody.else@elsewhere.example',
	phone_number: null,
	network: null,
};

const ROW_CHANGES: Readonly<Record<RowChange, (rows: Row[]) => unknown>> = {
	null: () => null,
	object: (rows) => rows[0] ?? null,
	none: () => [],
	shorter: (rows) => rows.slice(0, -1),
	longer: (rows) => [...rows, ...rows.slice(-1).map(foreign)],
	reordered: (rows) => [...rows].reverse(),
	foreign: (rows) => rows.map((row, place) => (place === 0 ? foreign(row) : row)),
	doubled: (rows) => rows.flatMap((row) => [row, row]),
	withoutIds: (rows) => rows.map((row) => without(row, ID_MEMBERS)),
	withoutData: (rows) => rows.map((row, place) => (place === 0 ? { ...row, data: null } : row)),
	withError: (rows) => rows.map((row, place) => (place === 0 ? withError(row) : row)),
	withoutInput: (rows) => rows.map((row) => without(row, ['input'])),
	otherInput: (rows) => rows.map((row, place) => (place === 0 ? otherInput(row) : row)),
};

const without = (row: Row, members: readonly string[]): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !members.includes(name)));

function changeRows(endpoint: Endpoint, answer: unknown, how: RowChange): unknown {
	if (endpoint.rows === '') return ROW_CHANGES[how](answer as Row[]);
	const whole = answer as Row;
	// A single record or a statistics answer has no rows: only its payload can be missing.
	const member = endpoint.rows ?? ('data' in whole ? 'data' : 'stats');
	const rows: unknown = whole[member];
	if (!Array.isArray(rows)) return how === 'null' ? { ...whole, [member]: null } : answer;
	return { ...whole, [member]: ROW_CHANGES[how](rows as Row[]) };
}

function numbersAsText(value: unknown): unknown {
	if (typeof value === 'number') return String(value);
	if (Array.isArray(value)) return value.map(numbersAsText);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, numbersAsText(member)]),
	);
}

/**
 * The answer as the fault leaves it.
 *
 * @param answerTo what the endpoint answers to another request
 */
export function changeAnswer(
	fault: ChangeFault,
	endpoint: Endpoint,
	answer: unknown,
	request: LogEntry,
	answerTo: (body: unknown) => unknown,
): unknown {
	switch (fault.kind) {
		case 'rows':
			return changeRows(endpoint, answer, fault.how);
		case 'otherPage': {
			if (endpoint.name !== 'search') return answer;
			const other = answerTo({ ...(request.body as Row), page: fault.page }) as Row;
			if (fault.keeps === undefined) return { ...(answer as Row), data: other.data };
			const own = (answer as Row).data as Row[];
			const replaced = Math.max(0, own.length - fault.keeps);
			const data = [...(other.data as Row[]).slice(0, replaced), ...own.slice(replaced)];
			return { ...(answer as Row), data };
		}
		case 'totalNull':
			return Array.isArray(answer) ? answer : { ...(answer as Row), total_results: null };
		case 'numbersAsText':
			return numbersAsText(answer);
		case 'change':
			return fault.with(answer, request);
	}
}
