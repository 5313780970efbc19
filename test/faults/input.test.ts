/**
 * Whatever the rows hold, in every parameter of every operation: nothing is thrown in a Continue mode, no row is lost, no
 * request goes out that the contract forbids, and every row comes out as if it were alone. A promise that nobody waits
 * for would fail the test by itself. A new operation, parameter or option joins by its description.
 *
 * Seen to fail: parameters read outside `attempt` (a throw), regions without their rule (422), an error item left out,
 * rows put out in reverse, requests sent before all rows are checked.
 */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { errorOf, type NodeRun, runNode } from '../harness/engine';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { stopClock } from '../workflows/clock';
import { itemOf } from '../workflows/service';
import { type Slot, slotsOf, together } from './slots';
import { anyValueFor, goodValue, isNeeded, valuesFor } from './values';

const NOW = '2026-11-18T12:00:00Z';
const CONTINUES = ['continueRegularOutput', 'continueErrorOutput'] as const;
/** The same values in every run; a failure prints it with the counterexample. */
const SEED = 20261118;
/** Operations that answer with a list, which may be empty: no row is no loss there. */
const LISTING = ['getAll', 'getEvents', 'search'];
/** Places with which others may do so. */
const LEAVING_OUT = ['output', 'options.dropItemsWithoutData'];

/** A row: the value of each place by its name, and the place whose expression fails. */
interface Row {
	readonly values: Readonly<Record<string, unknown>>;
	readonly fails?: string;
}

let sandbox: Sandbox;
beforeAll(async () => {
	const now = new Date(NOW);
	sandbox = await startSandbox({
		rateLimit: null,
		now: () => now,
		people: 120,
		companies: 20,
		eventsPerDay: 5,
	});
});
beforeEach(() => {
	stopClock(NOW);
	sandbox.clear();
});
afterAll(async () => await sandbox.close());

const run = async (
	parameters: INodeParameters,
	items: readonly Row[],
	onError: OnError,
): Promise<NodeRun> =>
	await runNode({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new BusinessProspectDataApi(),
		parameters,
		items: items.map((row) => ({ ...row })),
		onError,
	});

/** The value of a place out of the row, or an expression that fails. */
const expressionFor = (name: string) => {
	const text = JSON.stringify(name);
	return `={{ $json.fails === ${text} ? $('Nowhere').item.json.x : $json.values[${text}] }}`;
};

const good = ({ property }: Slot) => goodValue(property, sandbox.world);

/** The parameters without which an operation does nothing, with good values. */
const needed = (slots: readonly Slot[]): INodeParameters =>
	together(...slots.filter(isNeeded).map((slot) => slot.filled(good(slot) as string)));

const isError = (item: INodeExecutionData) => typeof errorOf(item).message === 'string';

/** What came of each row: its items of both outputs. Fails for an item of no row, and for one out of order. */
function byRow({ main, error }: NodeRun, rows: number): INodeExecutionData[][] {
	const found: INodeExecutionData[][] = Array.from({ length: rows }, () => []);
	for (const output of [main, error]) {
		const places = output.map((item) => Number(itemOf(item)));
		// As texts, since Jest takes long to compare many numbers.
		expect(places.join()).toBe([...places].sort((a, b) => a - b).join());
		expect(places.filter((row) => !(row < rows))).toEqual([]);
		output.forEach((item, at) => found[places[at] ?? rows]?.push(item));
	}
	return found;
}

/** Nothing thrown, and nothing sent that the contract forbids. */
function expectNoHarm({ failure, task, status }: NodeRun): void {
	expect([failure?.message, task?.error?.message, status]).toEqual([
		undefined,
		undefined,
		'success',
	]);
	expectGoodRequests();
}

function expectGoodRequests(): void {
	expect(sandbox.log.defects()).toEqual([]);
	const refused = sandbox.log.entries.filter(({ status }) => status !== 200);
	expect(refused.map(({ status, query, body }) => ({ status, query, body }))).toEqual([]);
	expect(Object.keys(Object.prototype)).toEqual([]);
}

/** The rows without an item. Where an id is blank, the hint counts them. */
function silentAmong(rows: readonly Row[], outcomes: INodeExecutionData[][], { hints }: NodeRun) {
	const silent = rows.filter((_, at) => outcomes[at]?.length === 0);
	expect(silent.filter(({ fails }) => fails !== undefined)).toEqual([]);
	const blank = silent.filter(({ values }) =>
		Object.entries(values).some(([name, value]) => /^\w+Ids$/.test(name) && isBlank(value)),
	);
	const told = hints.map(({ message }) => message).join(' ');
	if (blank.length > 0) expect(told).toMatch(/ rows? had no ID/);
	return silent;
}

const isBlank = (value: unknown): boolean =>
	value === null || (typeof value === 'string' && value.trim() === '');

describe.each(OPERATIONS.map(({ resource, value }) => ({ resource, operation: value })))(
	'$resource: $operation',
	({ resource, operation }) => {
		const slots = slotsOf(resource, operation);

		test.each(slots.map((slot) => [slot.name, slot] as const))(
			'%s: every kind of value, in one list',
			async (name, slot) => {
				const values = valuesFor(slot.property, good(slot));
				const rows: Row[] = [
					...values.map((value) => ({ values: { [name]: value } })),
					{ values: {}, fails: name },
				];
				const parameters = together(
					needed(slots),
					slot.shownWith,
					slot.filled(expressionFor(name)),
				);

				const whole = await run(parameters, rows, 'continueErrorOutput');

				expectNoHarm(whole);
				const outcomes = byRow(whole, rows.length);
				const silent = silentAmong(rows, outcomes, whole);
				if (!LISTING.includes(operation) && !LEAVING_OUT.includes(name)) {
					expect(silent).toEqual([]);
				}
				expect(outcomes.at(-1)?.map(isError)).toEqual([true]);

				sandbox.log.clear();
				const alone = await run(parameters, rows.slice(0, 1), 'continueErrorOutput');
				expectNoHarm(alone);
				expect(shown(outcomes[0])).toEqual(shown(byRow(alone, 1)[0]));
			},
		);

		test('rows in which anything may be odd: each comes out as if it were alone', async () => {
			// A busy machine may take longer than the least timeout.
			const places = slots.filter(({ name }) => name !== 'options.requests.timeout');
			const parameters = together(
				{ resource, operation },
				...places.map((slot) => slot.filled(expressionFor(slot.name))),
			);

			await fc.assert(
				fc.asyncProperty(
					fc.array(anyRow(places), { minLength: 1, maxLength: 8 }),
					fc.constantFrom(...CONTINUES),
					async (rows, onError) => {
						sandbox.clear();
						const whole = await run(parameters, rows, onError);
						expectNoHarm(whole);
						const outcomes = byRow(whole, rows.length);
						const alone: INodeExecutionData[][] = [];
						for (const row of rows) {
							const own = await run(parameters, [row], onError);
							expectNoHarm(own);
							alone.push(...byRow(own, 1));
						}
						expect(outcomes.map(shown)).toEqual(alone.map(shown));
						silentAmong(rows, outcomes, whole);

						sandbox.clear();
						const stopping = await run(parameters, rows, 'stopWorkflow');
						const first = alone.findIndex((items) => items.some(isError));
						expectGoodRequests();
						expect(stopping.failure === undefined).toBe(first < 0);
						expect(stopping.main.length).toBe(first < 0 ? whole.main.length : 0);
						if (first < 0) return;
						const named = `Row ${first + 1} of ${rows.length} failed first.`;
						if (rows.length > 1) expect(stopping.failure?.message).toContain(named);
						expect(sandbox.log.entries).toEqual([]);
					},
				),
				{ seed: SEED, numRuns: 10 },
			);
		});
	},
);

/** A row with good values where they are needed, of which some, and some others, may be odd. */
const anyRow = (places: readonly Slot[]): fc.Arbitrary<Row> => {
	const usual = {
		...Object.fromEntries(places.filter(isNeeded).map((slot) => [slot.name, good(slot)])),
		...together(...places.map(({ shownWith }) => shownWith)),
	};
	const odd = fc.constantFrom(...places).chain((slot) =>
		fc.record({
			name: fc.constant(slot.name),
			value: anyValueFor(slot.property, good(slot)),
			fails: fc.nat(15).map((chance) => chance === 0),
		}),
	);
	return fc.array(odd, { maxLength: 4 }).map((odds): Row => {
		const failing = odds.find(({ fails }) => fails);
		return {
			values: { ...usual, ...Object.fromEntries(odds.map(({ name, value }) => [name, value])) },
			...(failing && { fails: failing.name }),
		};
	});
};

/** Items as they can be compared between runs: without what is new in every answer. */
const shown = (items: INodeExecutionData[] = []) =>
	items.map(({ json }) =>
		JSON.stringify(json, (key, value: IDataObject[string]) =>
			key === 'response_context' || key === 'correlation_id' ? undefined : value,
		),
	);
