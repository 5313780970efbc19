/** Faults that change the body of an answer. */
import type { Endpoint } from '../contract/contract';
import type { LogEntry } from '../log';
import { hex } from '../world/hash';
import type { ChangeFault, RowChange } from './kinds';

type Row = Record<string, unknown>;

const ID_MEMBERS = ['prospect_id', 'business_id', 'event_id'];

const without = (row: Row, members: readonly string[]): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !members.includes(name)));

/** The row under an id that nobody asked for; of the same length, so that its form is right. */
function foreign(row: Row): Row {
	const member = ID_MEMBERS.find((name) => name in row);
	if (!member) return row;
	const length = String(row[member] ?? '').length || 40;
	return { ...row, [member]: hex(length, 'a foreign row') };
}

/** A match row that repeats the input of somebody else. */
function otherInput(row: Row): Row {
	if (!('input' in row)) return row;
	const nobody = Object.fromEntries(Object.keys(row.input as Row).map((name) => [name, null]));
	return { ...row, input: { ...nobody, email: 'somebody.else@elsewhere.example' } };
}

/** A row of an enrichment, a match or an event. People of a search have no errors. */
function withError({ prospect_id, business_id, input, ...data }: Row): Row {
	const about = { prospect_id, business_id, ...(input !== undefined && { input }) };
	return 'data' in data || input !== undefined
		? { ...about, error: 'quota exceeded', error_type: 'QuotaError' }
		: { ...about, ...data };
}

const first = (change: (row: Row) => Row) => (rows: Row[]) =>
	rows.map((row, place) => (place === 0 ? change(row) : row));

const ROW_CHANGES: Readonly<Record<RowChange, (rows: Row[]) => unknown>> = {
	null: () => null,
	object: (rows) => rows[0] ?? null,
	none: () => [],
	shorter: (rows) => rows.slice(0, -1),
	longer: (rows) => [...rows, ...rows.slice(-1).map(foreign)],
	reordered: (rows) => [...rows].reverse(),
	foreign: first(foreign),
	doubled: (rows) => rows.flatMap((row) => [row, row]),
	withoutIds: (rows) => rows.map((row) => without(row, ID_MEMBERS)),
	withoutData: first((row) => ({ ...row, data: null })),
	withError: first(withError),
	withoutInput: (rows) => rows.map((row) => without(row, ['input'])),
	otherInput: first(otherInput),
};

function changeRows(endpoint: Endpoint, answer: unknown, how: RowChange): unknown {
	if (endpoint.rows === '') return ROW_CHANGES[how](answer as Row[]);
	const whole = answer as Row;
	// A single record or a statistics answer has no rows: only its payload can be missing.
	const member = endpoint.rows ?? ('data' in whole ? 'data' : 'stats');
	const rows: unknown = whole[member];
	if (!Array.isArray(rows)) return how === 'null' ? { ...whole, [member]: null } : answer;
	return { ...whole, [member]: ROW_CHANGES[how](rows as Row[]) };
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
			const { data } = answerTo({ ...(request.body as Row), page: fault.page }) as Row;
			return { ...(answer as Row), data };
		}
		case 'totalNull':
			return Array.isArray(answer) ? answer : { ...(answer as Row), total_results: null };
		case 'change':
			return fault.with(answer, request);
	}
}
