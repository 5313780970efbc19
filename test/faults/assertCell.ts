/** Compares the result of a cell with what the fault should cause. */
import type { IDataObject, OnError } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { ENDPOINTS } from '../sandbox/contract/contract';
import type { LogEntry } from '../sandbox/log';
import {
	type ExpectedError,
	type ExpectedItem,
	expectItem,
	type PartResults,
} from './expectedItems';
import type { ExpectedOutcome, Fault } from './expectedOutcomes';
import { type Bisection, expectBothSteps, type Expectation, type Plan } from './expectedRequests';
import { CHARGE_MESSAGES, type ExpectedMessage, type Message, MESSAGES } from './messages';
import type { PartResult } from './responseModels';
import type { Attempt, CellRun } from './runCell';
import { type Scenario, type SentRequest, TIMEOUT } from './scenarios';

export interface Cell {
	readonly scenario: Scenario;
	readonly plan: Plan;
	readonly fault: Fault;
	readonly mode: OnError;
	/** The values that the fault is about. */
	readonly faulty: readonly number[];
	readonly isAffected: (request: SentRequest) => boolean;
	readonly apiKey: string;
}

const { isDeepStrictEqual } = jest.requireActual<{
	isDeepStrictEqual: (one: unknown, other: unknown) => boolean;
}>('node:util');

/** Faults that truncate a response. */
const TRUNCATING = ['dropAfterWork', 'dropMidway', 'cutJson'];

const keyOf = ({ part, values }: SentRequest): string => `${part}: ${values.join(', ')}`;

export function assertCell(cellRun: CellRun, cell: Cell): void {
	const { scenario, plan, fault, mode, faulty } = cell;
	const { run, attempts, items, marks } = cellRun;
	const outcome = fault.outcome(scenario);
	const stops = mode === 'stopWorkflow';
	const results = resultsOf(cellRun, cell);
	const leavesValuesOut = [...results.values()].some((ofPart) =>
		[...ofPart.values()].some(({ problem }) => problem !== undefined),
	);

	expect(cellRun.isChanged).toBe(fault.changesResponse?.(scenario) ?? false);
	expect(leavesValuesOut).toBe(fault.leavesValuesOut?.(scenario) ?? false);

	const expectation = expectBothSteps(scenario, plan, outcome, results, {
		faulty,
		wasSentAlone: (part, value) =>
			attempts.some((one) => keyOf(one) === keyOf({ part, values: [value] })),
		endsPaging: fault.replacement !== undefined,
		stops,
	});
	const refetched = (fault.refetches?.(scenario) ?? []).map((part) => ({
		part,
		values: [scenario.target],
	}));
	// Values that a response leaves out stop the run. Incomplete pages do so only after the last page.
	const isStopped = stops && leavesValuesOut && refetched.length === 0;
	const { part = '', values = [] } = plan.requests[plan.affected] ?? {};
	const alone = fault.requestsEachAlone?.(scenario) ? values : [];
	assertRequests(cellRun, {
		...expectation,
		requests: [
			...(isStopped
				? plan.requests.slice(0, plan.affected + 1)
				: [...expectation.requests, ...refetched]),
			...alone.map((value) => ({ part, values: [value] })),
		],
	});
	assertWaits(attempts, outcome);
	expect(JSON.stringify([run, run.failureText, run.failure?.stack])).not.toContain(cell.apiKey);

	const expected = items.map(({ mark, row, done }) => {
		if (done !== undefined) {
			return { row, rows: [skippedRow(cell)] };
		}
		const item = { row, value: marks.indexOf(mark), mark };
		return expectItem(scenario, plan, item, results, expectation, outcome);
	});
	if (stops && (outcome.failure !== undefined || leavesValuesOut)) {
		assertStopped(cellRun, cell, expected);
	} else {
		assertOutput(cellRun, cell, expected);
		assertNoRowsLost(cellRun, cell, results);
	}
}

/** The row of an item that Skip Rows leaves out: it has no data and no ID. */
function skippedRow({ scenario: { response }, plan }: Cell): IDataObject {
	const parts = plan.requests.map(({ part }) => [part, part === 'postsBulk' ? [] : null] as const);
	const [row = {}] = response.rows('', new Map(parts));
	const empty = Object.entries(row).map(([name, value]) => [name, value === '' ? null : value]);
	return { ...Object.fromEntries(empty), skipped: true } as IDataObject;
}

/** Each item has all its rows, unless an error or a hint about missing or duplicate rows says otherwise. */
function assertNoRowsLost(
	{ run, items, marks }: CellRun,
	{ scenario: { response }, plan, fault }: Cell,
	results: PartResults,
): void {
	if (response.hints === undefined) return;
	const dataOf = (value: number) =>
		new Map(
			resultsOfValue(results, value, plan).flatMap(
				([part, result]): Array<[string, unknown]> =>
					'data' in result ? [[part, result.data]] : [],
			),
		);
	const expected = response.hints([...marks.keys()].map(dataOf));
	const messages = run.hints
		.flatMap(({ message }) => message.split('\n'))
		.filter((message) => / fewer rows? | returned more than once/.test(message));
	expect(messages).toEqual(expected.map((hint) => expect.stringMatching(hint) as string));

	const isError = (_: unknown, index: number) => run.main[index]?.json.error !== undefined;
	const failed = [...run.linked.filter(isError), ...run.linkedErrors];
	const rows = run.linked.filter((item, index) => !isError(item, index));
	const incomplete = items.filter(({ mark, row }) => {
		const count = rows.filter((item) => item === row).length;
		return count < (response.minRows?.(mark) ?? 0) && !failed.includes(row);
	});
	// A replacement may report that nobody matches.
	if (expected.length === 0 && fault.replacement === undefined) expect(incomplete).toEqual([]);
}

/** What the received responses say of each value, by part. */
function resultsOf(cellRun: CellRun, cell: Cell): Map<string, Map<number, PartResult>> {
	const { entries, marks, parse } = cellRun;
	const { response } = cell.scenario;
	const results = new Map<string, Map<number, PartResult>>();
	const withoutResponse = new Set<string>();
	for (const entry of entries) {
		const received = receivedResponse(entry, cellRun, cell);
		const request = parse(entry);
		if (received === undefined) {
			withoutResponse.add(keyOf(request));
			continue;
		}
		const { part, values } = request;
		const ofPart = results.get(part) ?? new Map<number, PartResult>();
		results.set(part, ofPart);
		const requested = values.map((value) => marks[value] ?? '');
		const isRetry = withoutResponse.has(keyOf(request));
		for (const [mark, result] of response.read(received.body, requested, entry, isRetry)) {
			ofPart.set(marks.indexOf(mark), result);
		}
	}
	for (const value of marks.keys()) {
		const ofValue = new Map(resultsOfValue(results, value, cell.plan));
		for (const [part, result] of response.combine?.(ofValue) ?? []) {
			results.get(part)?.set(value, result);
		}
	}
	return results;
}

const resultsOfValue = (results: PartResults, value: number, { requests }: Plan) =>
	requests.flatMap(({ part, values }): Array<[string, PartResult]> => {
		const result = values.includes(value) ? results.get(part)?.get(value) : undefined;
		return result === undefined ? [] : [[part, result]];
	});

/** The response to a request, if the node received it and it is not a failure. */
function receivedResponse(
	entry: LogEntry,
	{ responses, parse }: CellRun,
	{ scenario, fault, isAffected }: Cell,
): { body: unknown } | undefined {
	const { number, status, faults, endpoint } = entry;
	if (![200, 204].includes(status ?? 0) || faults.some((kind) => TRUNCATING.includes(kind)))
		return undefined;
	const isFailure = fault.outcome(scenario).failure !== undefined;
	if (isFailure && isAffected(parse(entry))) return undefined;
	if (responses.has(number)) return { body: responses.get(number) };
	const known = ENDPOINTS.find(({ name }) => name === endpoint);
	return known && fault.replacement && { body: fault.replacement(known) };
}

/** Exactly the expected requests were sent, and all of them reached the service unless it refused the connection. */
function assertRequests(
	{ attempts, entries, parse, hits, isRefused }: CellRun,
	{ requests, optional, bisection }: Expectation,
): void {
	const optionalKeys = optional.map(keyOf);
	const planned = [...requests.map(keyOf), ...optionalKeys];
	const isBisection = (one: Attempt) =>
		!planned.includes(keyOf(one)) && one.part === bisection?.part;
	if (bisection !== undefined) assertBisection(attempts.filter(isBisection), bisection);
	const sent = attempts.filter((one) => !isBisection(one)).map(keyOf);
	const isOptional = (key: string) => optionalKeys.includes(key);
	expect(sent.filter((key) => !isOptional(key)).sort()).toEqual(requests.map(keyOf).sort());
	expect(sent.filter(isOptional)).toEqual([...new Set(sent.filter(isOptional))]);

	expect(attempts.filter(({ timeout }) => timeout !== TIMEOUT * 1000)).toEqual([]);

	const reached = attempts.filter(({ isHit }) => !(isHit && isRefused));
	expect(entries.map((entry) => keyOf(parse(entry)))).toEqual(reached.map(keyOf));
	expect(entries.filter(({ key }) => key !== 'right')).toEqual([]);
	expect(hits).toBe(reached.filter(({ isHit }) => isHit).length);
}

/** Few requests; each valid value has one response; no values of other requests. */
function assertBisection(
	attempts: readonly Attempt[],
	{ values, invalid, maxRequests }: Bisection,
): void {
	const isInvalid = (value: number) => invalid.includes(value);
	const successful = attempts.filter((one) => !one.values.some(isInvalid));
	const valid = values.filter((value) => !isInvalid(value));
	expect(successful.flatMap((one) => one.values).sort()).toEqual([...valid].sort());
	expect(attempts.length).toBeLessThanOrEqual(maxRequests);
	expect(attempts.flatMap((one) => one.values).filter((one) => !values.includes(one))).toEqual([]);
}

function assertWaits(
	allAttempts: readonly Attempt[],
	{ attempts, minWait = 0 }: ExpectedOutcome,
): void {
	const times = allAttempts
		.flatMap(({ isTarget, time }) => (isTarget ? [time] : []))
		.slice(0, attempts);
	const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
	expect(waits.filter((wait) => wait < minWait)).toEqual([]);
}

/** The message is the expected one, matches no other, and says what may have been charged. */
function assertMessage(message: string, name: Message, paid: boolean): void {
	const { problem, solution, charge }: ExpectedMessage = MESSAGES[name];
	expect(message).toMatch(problem);
	expect(message).toMatch(paid && charge === 'notRetried' ? CHARGE_MESSAGES[charge] : solution);
	if (paid && charge !== undefined) expect(message).toMatch(CHARGE_MESSAGES[charge]);
	else expect(message).not.toMatch(/charged/);
	const others = Object.entries(MESSAGES).filter(([other]) => other !== name);
	expect(others.filter(([, other]) => other.problem.test(message))).toEqual([]);
}

const SUCCEEDED_BEFORE =
	/Before that, (\d+) requests? had succeeded\. To keep the other rows, set On Error to "Continue \(/;

/** The run fails with the first failure, its item, and the number of earlier responses. */
function assertStopped(cellRun: CellRun, cell: Cell, expected: readonly ExpectedItem[]): void {
	const { run, entries } = cellRun;
	const failed = expected.find(({ error }) => error !== undefined);
	const message = run.failureText;
	expect(failed).toBeDefined();
	if (failed?.error) assertMessage(message, failed.error.message, cell.scenario.paid);
	expect(run.status).toBe('error');
	expect([run.main, run.error, run.linked]).toEqual([[], [], []]);
	// A wrong key is no row's fault, and the only row needs no name.
	const isNamed = failed?.error?.message !== 'unauthorized' && cellRun.items.length > 1;
	const row = /^Row (\d+) of \d+: /.exec(message)?.[1];
	expect(row).toBe(isNamed ? String(Number(failed?.row) + 1) : undefined);
	const received = entries.filter((entry) => receivedResponse(entry, cellRun, cell) !== undefined);
	expect(Number(SUCCEEDED_BEFORE.exec(message)?.[1] ?? 0)).toBe(received.length);
}

/** Failures after which the service may have charged for a response that was lost. */
const LOST: readonly Message[] = ['lost', 'timeout', 'gateway', 'unfinished'];

/** An expected output item; `message` if it is an error. */
interface OutputItem {
	readonly json: IDataObject;
	readonly pairedItem: { readonly item: number };
	readonly message?: Message;
}

/** Nothing is thrown. Every row and error is on its output, linked to its item, in the order of the items. */
function assertOutput(
	{ run, items, entries }: CellRun,
	{ mode, scenario }: Cell,
	expected: readonly ExpectedItem[],
): void {
	expect([run.status, run.failure, run.task?.error]).toEqual(['success', undefined, undefined]);

	const hasErrorOutput = mode === 'continueErrorOutput';
	const errorsOf = ({ row, error }: ExpectedItem): OutputItem[] =>
		error === undefined ? [] : [errorItem(row, error, hasErrorOutput ? items[row] : {})];
	const errors = expected.flatMap(errorsOf);
	const outputs = {
		main: expected.flatMap((item) => [
			...item.rows.map((json): OutputItem => ({ json, pairedItem: { item: item.row } })),
			...(hasErrorOutput ? [] : errorsOf(item)),
		]),
		error: hasErrorOutput ? errors : [],
	};
	for (const output of ['main', 'error'] as const) {
		const actualItems = run[output].map(({ json, pairedItem, error }) => {
			return { json: withoutOptional(json), pairedItem, error };
		});
		const expectedItems = outputs[output].map(({ json, pairedItem }) => {
			return { json, pairedItem, error: undefined };
		});
		// Jest compares hundreds of equal rows much more slowly.
		const differing = [
			...(actualItems.length > expectedItems.length ? actualItems : expectedItems).keys(),
		].filter((index) => !isDeepStrictEqual(actualItems[index], expectedItems[index]));
		const differingOf = (list: readonly unknown[]) => differing.map((index) => list[index]);
		expect(differingOf(actualItems)).toEqual(differingOf(expectedItems));
		const known = [undefined, ...entries.map(({ correlationId }) => correlationId)];
		const messages = new Map<unknown, Message>();
		outputs[output].forEach(({ message }, index) => {
			if (message === undefined) return;
			const actual = errorOf(run[output][index]);
			messages.set(actual.message, message);
			expect(known).toContain(actual.correlation_id);
		});
		for (const [actual, name] of messages) assertMessage(String(actual), name, scenario.paid);
	}
	const links = (list: readonly OutputItem[]) => list.map(({ pairedItem }) => pairedItem.item);
	expect([run.linked, run.linkedErrors]).toEqual([links(outputs.main), links(outputs.error)]);
	const isLost = errors.some(({ message }) => message !== undefined && LOST.includes(message));
	const lost =
		isLost && scenario.paid
			? '.* 1 request got no usable response and may have been charged\\.'
			: '';
	expect(run.hints[0]?.message).toMatch(
		errors.length === 0
			? /^(?!.*(failed|no response))/
			: RegExp(`\\b${errors.length} (rows? )?failed\\.${lost}`),
	);
}

/** Without the fields that a row has, as null, only because another row of the run fills them. */
const withoutOptional = (json: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(json).filter(
			([name, value]) => value !== null || !/^(input|candidate)_/.test(name),
		),
	);

/** On the error output, the item also has the fields of its input. */
const errorItem = (
	row: number,
	{ message, hasCorrelationId, facts }: ExpectedError,
	input: IDataObject = {},
): OutputItem => ({
	message,
	pairedItem: { item: row },
	json: {
		...input,
		error: {
			message: expect.any(String) as string,
			...facts,
			...(hasCorrelationId && { correlation_id: expect.any(String) as string }),
		},
	},
});
