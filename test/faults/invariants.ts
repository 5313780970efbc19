/** What must be true of a run with a fault, whatever the node makes of the response. */
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import { errorOf, type NodeRun } from '../harness/engine';
import type { LogEntry } from '../sandbox/log';
import { mobilePhone } from '../sandbox/world/prospect-data';
import type { World } from '../sandbox/world/world';
import type { Fault, Harm } from './faults';
import { type InputRow, type Scenario } from './scenarios';

export interface Cell {
	readonly run: NodeRun;
	/** The requests that the sandbox received. */
	readonly entries: readonly LogEntry[];
	readonly rows: readonly InputRow[];
	readonly world: World;
}

export interface FaultyCell extends Cell {
	readonly scenario: Scenario;
	readonly fault: Fault;
	readonly mode: OnError;
	/** The rows that the fault is about. */
	readonly targets: readonly number[];
	/** The same without the fault. */
	readonly usual: Cell;
	readonly apiKey: string;
}

/** Fails if a row has the data of another ID than its own. */
export function expectOwnData({ run, world }: Cell): void {
	for (const { json } of run.main) {
		const { mark, otherMark, prospect_id, business_id } = json;
		const person = world.person(world.prospectIndex(String(prospect_id)) ?? 0);
		const company = world.company(world.businessIndex(String(business_id)) ?? 0);
		const own: IDataObject = {
			full_name: person.fullName,
			profile_full_name: person.fullName,
			contacts_mobile_phone: mobilePhone(person),
			found_name: company.name,
			funding_and_acquisition_company_name: company.name,
		};
		const given = Object.keys(own).filter((name) => !isBlank(json[name]));
		expect(given.map((name) => [name, json[name]])).toEqual(given.map((name) => [name, own[name]]));
		const ids = [mark, otherMark].filter((text) => /^[0-9a-f]+$/.test(String(text)));
		if (ids.length > 0) expect([...ids, null]).toContain(prospect_id ?? business_id ?? null);
	}
}

/** Fails unless the run shows neither more nor less than it should. */
export function expectInvariants(cell: FaultyCell): void {
	const { run, entries, usual, mode, apiKey } = cell;
	expect(JSON.stringify([run, run.failureText, run.failure?.stack])).not.toContain(apiKey);
	expect(paidTwice(cell)).toEqual([]);
	expect(triedTooOften(entries)).toEqual([]);
	// A bad record is found with few requests.
	expect(entries.length - usual.entries.length).toBeLessThan(15);
	if (mode === 'stopWorkflow' && run.failure !== undefined) expectStopped(cell);
	else expectOutput(cell);
}

/** The run fails with a plain message that names a row that may have failed. Nothing is output. */
function expectStopped(cell: FaultyCell): void {
	const { run, rows, scenario, fault } = cell;
	expect(harmOf(fault, scenario)).not.toBe('nothing');
	const harmed = unansweredRows(cell);
	expectPlain(run.failureText);
	expect([run.status, run.main, run.error]).toEqual(['error', [], []]);
	const [, row] = /^Row (\d+) of \d+: /.exec(run.failureText) ?? [];
	const named = row === undefined ? [...rows.keys()] : [Number(row) - 1];
	expect(named.filter((one) => harmed.has(one))).not.toEqual([]);
}

/** Nothing is thrown. Each row comes out as usual, or with an error, or with less data where that may be. */
function expectOutput(cell: FaultyCell): void {
	const harmed = harmedRows(cell);
	const { run, rows, usual, scenario, fault, mode } = cell;
	expect([run.status, run.failure, run.task?.error]).toEqual(['success', undefined, undefined]);
	const outcomes = outcomesOf(run, rows.length);
	const isError = (item: INodeExecutionData) => errorOf(item).message !== undefined;
	expect(run[mode === 'continueErrorOutput' ? 'main' : 'error'].filter(isError)).toEqual([]);
	const usualOutcomes = outcomesOf(usual.run, rows.length);
	const everyRow = [
		...usualOutcomes.flatMap(({ data }) => data),
		...rows.map((row, at) => normalized({ ...row, row: at })),
	];
	const failed: number[] = [];
	const changed = [...outcomes.keys()].filter((row) => {
		const { data = [], errors = [] } = outcomes[row] ?? {};
		const expected = usualOutcomes[row]?.data ?? [];
		if (errors.length > 0) failed.push(row);
		errors.forEach(({ message }) => expectPlain(message));
		expect(errors.length).toBeLessThanOrEqual(1);
		if (scenario.oneRowEach) expect([row, data.length + errors.length]).toEqual([row, 1]);
		expect(new Set(data.map((one) => JSON.stringify(one))).size).toBe(data.length);
		// Columns depend on the parameters alone.
		for (const one of data) {
			if (scenario.to !== 'stats')
				expect(Object.keys(one)).toEqual(Object.keys(expected[0] ?? one));
		}
		const foreign = data.find((one) => !everyRow.some((other) => saysNoMore(one, other)));
		expect([row, foreign]).toEqual([row, undefined]);
		return errors.length > 0 || !isSame(data, expected);
	});
	expect(changed.filter((row) => !harmed.has(row))).toEqual([]);
	if (fault.mayLackData?.(scenario) !== true) {
		expect(changed).toEqual(failed);
		expect(failed.length > 0).toBe(harmed.size > 0);
	}
	if (harmOf(fault, scenario) === 'one' && scenario.isBulk === true && scenario.oneRowEach) {
		expect(new Set(changed.map((row) => rows[row]?.mark)).size).toBeLessThanOrEqual(1);
	}
}

interface Outcome {
	readonly data: IDataObject[];
	readonly errors: IDataObject[];
}

/** The items of each input row, to which n8n must link them. */
function outcomesOf(run: NodeRun, count: number): Outcome[] {
	const outcomes = Array.from({ length: count }, (): Outcome => ({ data: [], errors: [] }));
	for (const [items, linked] of [
		[run.main, run.linked],
		[run.error, run.linkedErrors],
	] as const) {
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(linked.map((item) => ({ item })));
		items.forEach((item, at) => {
			const outcome = outcomes[Number(linked[at])];
			const error = errorOf(item);
			if (error.message === undefined) outcome?.data.push(normalized(item.json) as IDataObject);
			else outcome?.errors.push(error);
		});
	}
	return outcomes;
}

const VARYING = ['response_context', 'message', 'status'];

/** Without what differs in each response. Numbers are text, and lists are in one order. */
function normalized(value: unknown): unknown {
	if (typeof value === 'number') return String(value);
	if (Array.isArray(value)) return sorted(value.map(normalized));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !VARYING.includes(name))
			.map(([name, one]) => [name, normalized(one)]),
	);
}

const sorted = (values: readonly unknown[]) =>
	[...values].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
const isSame = (rows: readonly IDataObject[], others: readonly IDataObject[]) =>
	JSON.stringify(sorted(rows)) === JSON.stringify(sorted(others));

const isBlank = (value: unknown) =>
	[undefined, null, '', false, '0', 'unknown'].includes(value as string);

/** Whether a value has nothing that the usual one doesn't have. */
function saysNoMore(value: unknown, usual: unknown): boolean {
	if (isBlank(value) || value === usual) return true;
	if (typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value)) {
		return value.every((one) => [usual].flat().some((other) => saysNoMore(one, other)));
	}
	const others = new Map(Object.entries(usual ?? {}));
	return Object.entries(value).every(([name, one]) => saysNoMore(one, others.get(name)));
}

/** A message for people who never saw the code. */
function expectPlain(message: unknown): void {
	expect(message).toMatch(/^["“A-Z0-9].{20,}(\.|"|Correlation ID: \S+)$/s);
	expect(message).not.toMatch(/undefined|\[object|NaN|\bnull\b|Error:|Exception|^\s+at /m);
}

const textOf = ({ body, query }: LogEntry) => JSON.stringify([body, query]);

/** Whether a request is for a row. */
export const isFor = (entry: LogEntry, { mark, otherMark = mark }: InputRow): boolean =>
	[mark, otherMark].some((text) => textOf(entry).includes(JSON.stringify(text)));

const pageOf = ({ body }: LogEntry) => (body as { page?: number } | undefined)?.page;

/** Whether the scenario's faults are about such requests. */
export const isAffected = (entry: LogEntry, { to, page }: Scenario): boolean =>
	entry.endpoint === to && (page === undefined || pageOf(entry) === page);

const harmOf = ({ harms }: Fault, scenario: Scenario): Harm =>
	typeof harms === 'function' ? harms(scenario) : harms;

/** The rows that may be other than usual. */
function harmedRows(cell: FaultyCell): ReadonlySet<number> {
	const { scenario, fault, rows, targets } = cell;
	switch (harmOf(fault, scenario)) {
		case 'nothing':
			return new Set();
		case 'targets': {
			const marks = targets.map((target) => rows[target]?.mark);
			return new Set([...rows.keys()].filter((at) => marks.includes(rows[at]?.mark)));
		}
		default:
			return unansweredRows(cell);
	}
}

const unansweredRows = (cell: FaultyCell): ReadonlySet<number> =>
	new Set(
		[...cell.rows].flatMap((row, at) => {
			const answered = answersTo(cell, row);
			return answersTo(cell.usual, row).every((one) => answered.includes(one)) ? [] : [at];
		}),
	);

/** The requests for a row that were answered as usual. */
const answersTo = ({ entries }: Cell, row: InputRow): string[] =>
	entries
		.filter((entry) => entry.status === 200 && entry.faults.length === 0 && isFor(entry, row))
		.map((entry) => `${entry.endpoint} ${pageOf(entry)}`);

/** Whether the service may have charged for a request: it says neither that it refused it nor that it failed before. */
const mayBeCharged = ({ status }: LogEntry) =>
	status === null || status < 300 || [408, 504, 520].includes(status);

/** What was asked for again although the first request may have been charged. */
function paidTwice({ entries, scenario }: FaultyCell): string[] {
	const charged = new Set<string>();
	return entries.flatMap((entry) => {
		const isPaid =
			/(match|enrich)$/.test(entry.path) || (entry.endpoint === 'stats' && scenario.paid);
		if (!isPaid) return [];
		const records = (entry.ids.length > 0 ? entry.ids : [textOf(entry)]).map(
			(record) => `${entry.endpoint}: ${record}`,
		);
		const again = records.filter((record) => charged.has(record));
		if (mayBeCharged(entry)) records.forEach((record) => charged.add(record));
		return again;
	});
}

/** The requests that were sent more than five times. */
function triedTooOften(entries: readonly LogEntry[]): string[] {
	const tries = new Map<string, number>();
	for (const entry of entries) {
		const request = `${entry.endpoint} ${textOf(entry)}`;
		tries.set(request, (tries.get(request) ?? 0) + 1);
	}
	return [...tries].flatMap(([request, count]) => (count > 5 ? [request] : []));
}
