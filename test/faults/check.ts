/** Holds what came of a cell against what must come of it. */
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { ENDPOINTS } from '../sandbox/contract/contract';
import type { LogEntry } from '../sandbox/log';
import { type Course, courseOf, type Plan, type Search } from './course';
import type { Ending, Fault } from './endings';
import { type AllSaid, type ExpectedError, type ExpectedItem, expectedItem } from './outcome';
import type { Attempt, CellRun } from './run';
import type { Said } from './shapes';
import { type Asked, askedIn, TIMEOUT, type Way } from './ways';
import { CHARGES, type Failing, WORDS, type Words } from './words';

export interface Given {
	readonly way: Way;
	readonly plan: Plan;
	readonly fault: Fault;
	readonly mode: OnError;
	/** The values that the service has something against. */
	readonly against: readonly number[];
	readonly isHit: (asked: Asked) => boolean;
	readonly apiKey: string;
}

const { isDeepStrictEqual } = jest.requireActual<{
	isDeepStrictEqual: (one: unknown, other: unknown) => boolean;
}>('node:util');

/** Faults by which an answer does not arrive whole. */
const CUT = ['dropAfterWork', 'dropMidway', 'cutJson'];

export function checkCell(done: CellRun, given: Given): void {
	const { way, plan, fault, mode, against } = given;
	const ending = fault.ends(way);
	const stops = mode === 'stopWorkflow';
	const closes = fault.instead !== undefined;
	const said = saidIn(done, given);
	const silent = [...said.values()].some((of) => [...of.values()].some((one) => 'silent' in one));

	// The fault did what the table says that it does.
	expect(done.changed).toBe(fault.changes?.(way) ?? false);
	expect(silent).toBe(fault.silences?.(way) ?? false);

	const sentAlone = (part: string, value: number) =>
		done.attempts.some((one) => shown(one) === shown({ part, values: [value] }));
	const whole = courseOf(way, plan, against, sentAlone, ending, closes, stops);
	const again = (fault.again?.(way) ?? []).map((part) => ({ part, values: [way.hit] }));
	// A failure of single values in a whole answer stops the run as well; that of a page comes when all pages have come.
	const stopped = stops && silent && again.length === 0;
	const sent = stopped ? plan.requests.slice(0, plan.hit + 1) : [...whole.sent, ...again];
	const { part = '', values = [] } = plan.requests[plan.hit] ?? {};
	const alone = fault.separates?.(way) ? values.map((value) => ({ part, values: [value] })) : [];
	checkRequests(done, { ...whole, sent: [...sent, ...alone] });
	checkWaits(done.attempts, ending);
	const { run } = done;
	const told = JSON.stringify([run, run.failure?.message, run.failure?.stack]);
	expect(told).not.toContain(given.apiKey);

	const expected = done.items.map(({ mark, row }) =>
		expectedItem(way, plan, { row, value: done.marks.indexOf(mark), mark }, said, whole, ending),
	);
	if (stops && (ending.fails !== undefined || silent)) {
		checkStopped(done, given, expected);
	} else {
		checkOutput(done, given, expected);
		checkNothingLost(done, given, said);
	}
}

/** The hints about rows that are missing or came again; without an error or such a hint, an item has all its rows. */
function checkNothingLost(
	{ run, items, marks }: CellRun,
	{ way: { shape }, plan, fault }: Given,
	said: AllSaid,
): void {
	if (shape.hints === undefined) return;
	const dataOf = (value: number) =>
		new Map(
			plan.requests.flatMap(({ part, values }): Array<[string, unknown]> => {
				const one = values.includes(value) ? said.get(part)?.get(value) : undefined;
				return one !== undefined && 'data' in one ? [[part, one.data]] : [];
			}),
		);
	const wanted = shape.hints([...marks.keys()].map(dataOf));
	const messages = run.hints
		.map(({ message }) => message)
		.filter((message) => / fewer rows? | returned more than once/.test(message));
	expect(messages).toEqual(wanted.map((hint) => expect.stringMatching(hint) as string));

	const failed = (at: number) => run.main[at]?.json.error !== undefined;
	const failing = [...run.linked.filter((_, at) => failed(at)), ...run.linkedErrors];
	const rows = run.linked.filter((_, at) => !failed(at));
	const lost = items.filter(({ mark, row }) => {
		const count = rows.filter((item) => item === row).length;
		return count < (shape.owed?.(mark) ?? 0) && !failing.includes(row);
	});
	// An answer in place of the endpoint's may say that nobody matches.
	if (wanted.length === 0 && fault.instead === undefined) expect(lost).toEqual([]);
}

/** What the answers that arrived say of each value, by part. */
function saidIn(done: CellRun, given: Given): Map<string, Map<number, Said>> {
	const said = new Map<string, Map<number, Said>>();
	const unanswered = new Set<string>();
	for (const entry of done.entries) {
		const answer = arrived(entry, done, given);
		const asked = askedIn(entry, done.marks);
		if (answer === undefined) {
			unanswered.add(shown(asked));
			continue;
		}
		const { part, values } = asked;
		const own = said.get(part) ?? new Map<number, Said>();
		said.set(part, own);
		const marks = values.map((value) => done.marks[value] ?? '');
		const again = unanswered.has(shown(asked));
		for (const [mark, one] of given.way.shape.read(answer.body, marks, entry, again)) {
			own.set(done.marks.indexOf(mark), one);
		}
	}
	for (const value of done.marks.keys()) seeTogether(said, value, given);
	return said;
}

/** What the answers say of a value is seen together, where one says something about another. */
function seeTogether(
	said: Map<string, Map<number, Said>>,
	value: number,
	{ way, plan }: Given,
): void {
	const parts = plan.requests.flatMap(({ part, values }): Array<[string, Said]> => {
		const one = values.includes(value) ? said.get(part)?.get(value) : undefined;
		return one === undefined ? [] : [[part, one]];
	});
	for (const [part, one] of way.shape.together?.(new Map(parts)) ?? []) {
		said.get(part)?.set(value, one);
	}
}

/** The answer to a request, if it arrived and is no failure. */
function arrived(
	entry: LogEntry,
	{ answers, marks }: CellRun,
	{ way, fault, isHit }: Given,
): { body: unknown } | undefined {
	const { number, status, faults, endpoint } = entry;
	if ((status !== 200 && status !== 204) || faults.some((kind) => CUT.includes(kind)))
		return undefined;
	const hit = isHit(askedIn(entry, marks));
	if (hit && fault.ends(way).fails !== undefined) return undefined;
	if (answers.has(number)) return { body: answers.get(number) };
	const known = ENDPOINTS.find(({ name }) => name === endpoint);
	return known && fault.instead && { body: fault.instead(known) };
}

const shown = ({ part, values }: Asked): string => `${part}: ${values.join(', ')}`;

/** No request more and none less than must be sent; all that was sent reached the service, unless it was refused there. */
function checkRequests(
	{ attempts, entries, marks, hits, refused }: CellRun,
	{ sent, mayBeSent, search }: Pick<Course, 'sent' | 'mayBeSent' | 'search'>,
): void {
	const may = new Set(mayBeSent.map(shown));
	const planned = new Set([...sent, ...mayBeSent].map(shown));
	const isSearch = (one: Attempt) => !planned.has(shown(one)) && one.part === search?.part;
	if (search !== undefined) checkSearch(attempts.filter(isSearch), search);
	const others = attempts.filter((one) => !isSearch(one)).map(shown);
	const [besides, own] = [true, false].map((is) => others.filter((one) => may.has(one) === is));
	expect(own?.sort()).toEqual(sent.map(shown).sort());
	expect(besides).toEqual([...new Set(besides)]);

	const timeouts = attempts.filter(({ timeout }) => timeout !== TIMEOUT * 1000);
	expect(timeouts).toEqual([]);

	const reached = attempts.filter(({ hit }) => !(hit && refused));
	expect(entries.map((entry) => shown(askedIn(entry, marks)))).toEqual(reached.map(shown));
	expect(entries.filter(({ key }) => key !== 'right')).toEqual([]);
	expect(hits).toBe(reached.filter(({ hit }) => hit).length);
}

/** Every value that is right is answered once; few requests; nothing that another request asks for. */
function checkSearch(searching: readonly Attempt[], { values, invalid, most }: Search): void {
	const answered = searching.filter((one) => !one.values.some((value) => invalid.includes(value)));
	const right = values.filter((value) => !invalid.includes(value));
	expect(answered.flatMap((one) => one.values).sort()).toEqual([...right].sort());
	expect(searching.length).toBeLessThanOrEqual(most);
	const foreign = searching.filter((one) => !one.values.every((value) => values.includes(value)));
	expect(foreign).toEqual([]);
}

/** Between two tries at least as long as the service asked for. */
function checkWaits(attempts: readonly Attempt[], { tries, apart = 0 }: Ending): void {
	const times = attempts.flatMap(({ aimed, time }) => (aimed ? [time] : [])).slice(0, tries);
	const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0));
	expect(waits.filter((wait) => wait < apart)).toEqual([]);
}

/** What an error says: its own words and no others', and what may have been charged. */
function checkWords(message: string, words: Failing, paid: boolean): void {
	const { what, toDo, charge }: Words = WORDS[words];
	expect(message).toMatch(what);
	const isUnsent = paid && charge === 'unsent';
	expect(message).toMatch(isUnsent ? CHARGES.unsent : toDo);
	if (paid && charge !== undefined) expect(message).toMatch(CHARGES[charge]);
	else expect(message).not.toMatch(/charged/);
	const others = Object.entries(WORDS).filter(([name]) => name !== words);
	expect(others.filter(([, other]) => other.what.test(message))).toEqual([]);
}

const BEFORE =
	/Before that, (\d+) requests? had succeeded\. To keep the other rows, set On Error to "Continue \(/;

/** The first failure, with its item, and how many requests had been answered. */
function checkStopped(done: CellRun, given: Given, expected: readonly ExpectedItem[]): void {
	const { run, entries } = done;
	const failing = expected.find(({ error }) => error !== undefined);
	const message = run.failure?.message ?? '';
	expect(failing).toBeDefined();
	if (failing?.error) checkWords(message, failing.error.words, given.way.paid);
	expect(run.status).toBe('error');
	expect([run.main, run.error, run.linked]).toEqual([[], [], []]);
	// A wrong key is no row's fault, and the only row needs no name.
	const isNamed = failing?.error?.words !== 'key' && done.items.length > 1;
	const row = /Row (\d+) of \d+ failed first\./.exec(message)?.[1];
	expect(row).toBe(isNamed ? String(Number(failing?.row) + 1) : undefined);
	const answered = entries.filter((entry) => arrived(entry, done, given) !== undefined).length;
	expect(Number(BEFORE.exec(message)?.[1] ?? 0)).toBe(answered);
}

/** An output item, as far as it follows from the answers: of an error, all but the words. */
interface Out {
	readonly json: IDataObject;
	readonly pairedItem: { readonly item: number };
	readonly words?: Failing;
}

/** Nothing is thrown; every row and every error is there, in the order of the items, on its output, at its item. */
function checkOutput(done: CellRun, { mode, way }: Given, expected: readonly ExpectedItem[]): void {
	const { run, items, entries } = done;
	expect([run.status, run.failure, run.task?.error]).toEqual(['success', undefined, undefined]);

	const apart = mode === 'continueErrorOutput';
	const errorsOf = ({ row, error }: ExpectedItem): Out[] =>
		error === undefined ? [] : [errorOut(row, error, apart ? items[row] : {})];
	const errors = expected.flatMap(errorsOf);
	const main = expected.flatMap((item) => [
		...item.rows.map((json): Out => ({ json, pairedItem: { item: item.row } })),
		...(apart ? [] : errorsOf(item)),
	]);
	const wanted = { main, error: apart ? errors : [] };
	for (const output of ['main', 'error'] as const) {
		const shownOf = ({ json, pairedItem, error }: INodeExecutionData) => ({
			json,
			pairedItem,
			error,
		});
		const shownItems = run[output].map(shownOf);
		const wantedItems = wanted[output].map(({ json, pairedItem }) => {
			return { json, pairedItem, error: undefined };
		});
		// Jest takes much longer to see that hundreds of rows are equal.
		if (!isDeepStrictEqual(shownItems, wantedItems)) expect(shownItems).toEqual(wantedItems);
		const failing = wanted[output].flatMap(({ words }, at) => (words ? [{ words, at }] : []));
		const told = new Map(failing.map(({ words, at }) => [errorOf(run[output][at]).message, words]));
		for (const [message, words] of told) checkWords(String(message), words, way.paid);
		const ids = failing.map(({ at }) => errorOf(run[output][at]).correlation_id);
		const known = [undefined, ...entries.map(({ correlationId }) => correlationId)];
		expect(ids.filter((id) => !known.includes(id as string))).toEqual([]);
	}
	const links = (out: readonly Out[]) => out.map(({ pairedItem }) => pairedItem.item);
	expect([run.linked, run.linkedErrors]).toEqual([links(wanted.main), links(wanted.error)]);
	const told = errors.length === 0 ? /^(?!.*failed)/ : RegExp(`; ${errors.length} rows? failed\\.`);
	expect(run.hints[0]?.message).toMatch(told);
}

/** The input row is under the error on the error output. */
const errorOut = (
	row: number,
	{ words, correlated, facts }: ExpectedError,
	input: IDataObject = {},
): Out => ({
	words,
	pairedItem: { item: row },
	json: {
		...input,
		error: {
			message: expect.any(String) as string,
			...facts,
			...(correlated && { correlation_id: expect.any(String) as string }),
		},
	},
});
