/**
 * The fault matrix: every operation, in each of its scenarios, under every fault, through n8n's own engine against the
 * sandbox. One test is one cell, and checks what must be true under any fault (`invariants.ts`), against a run without one. CI
 * runs each fault in every second scenario, in one of the three error modes, in rotation; `npm run test:exhaustive` runs all
 * scenarios in all modes; other engines run each fault in one scenario of each part; `npm test` runs none. Faults that must be in every sample are
 * always in all scenarios.
 *
 * Requests are sent one after the other, so that it is known which came before the fault. Waits take no time (`clock.ts`).
 */
import type { INodeParameters, OnError } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { REQUEST_LIMITS } from '../../nodes/BusinessProspectData/api/client';
import type { Operation } from '../../nodes/BusinessProspectData/run/operation';
import { errorOf, rowOfSource, runNode } from '../harness/engine';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { bySize } from '../size';
import { startClock } from './clock';
import { type Fault, FAULTS } from './faults';
import { type Cell, expectInvariants, expectOwnData, isAffected, isFor } from './invariants';
import { mergeParameters } from './parameterPaths';
import { nameOf, type Scenario, scenariosOf } from './scenarios';

const MODES: readonly OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];

/** The error modes in which a fault is tried in a scenario, each by its number. */
function modesOf(scenario: number, fault: number, scenarios: number): readonly OnError[] {
	const { isInEverySample = false, timesOut = false } = FAULTS[fault] ?? {};
	const turn = scenario + fault;
	const every = isInEverySample ? 1 : bySize(scenarios, timesOut ? scenarios : 4, 1);
	if (turn % every > 0) return [];
	const mode = Math.floor(turn / every) % MODES.length;
	return bySize(MODES.slice(mode, mode + 1), MODES.slice(mode, mode + 1), MODES);
}

/** Defines one test for each cell of the operations of some resources. */
export function faultMatrix(includes: (resource: string) => boolean): void {
	beforeAll(() => startClock('2026-11-18T12:00:00Z'));
	afterAll(() => jest.restoreAllMocks());

	const operations = scenariosOf(includes);
	const order = operations.flatMap(({ scenarios }) => scenarios);
	describe.each(
		operations.flatMap(({ operation, scenarios }) =>
			scenarios.map((scenario) => ({
				name: `${nameOf(operation)}, ${scenario.name}`,
				operation,
				scenario,
			})),
		),
	)('$name', ({ operation, scenario }) => {
		let usual: Promise<Cell> | undefined;

		const faults = FAULTS.map((fault, index) => ({ name: fault.name, fault, index }));
		describe.each(faults.filter(({ fault }) => fault.only?.(scenario) ?? true))(
			'$name',
			({ fault, index }) => {
				const modes = modesOf(order.indexOf(scenario), index, order.length);
				if (modes.length === 0) return;
				test.each(modes)('%s', async (mode) => {
					usual ??= runUsual(operation, scenario);
					await expectCell(operation, scenario, fault, mode, await usual);
				});
			},
		);

		const { records } = scenario;
		if (records === undefined) return;
		test('pays for no more than Max Records to Pay allows', async () => {
			const { run, rows } = await runCell(operation, scenario, 'continueErrorOutput', {
				maxRecordsToPay: records - 1,
			});
			const [first, ...others] = run.error;
			expect([errorOf(first).field, others.length]).toEqual(['maxRecordsToPay', 0]);
			expect(run.main).toHaveLength(rows.length - 1);
		});
	});
}

/** Without a fault, nothing fails, and Max Records to Pay changes nothing if it is just high enough. */
async function runUsual(operation: Operation, scenario: Scenario): Promise<Cell> {
	const { records } = scenario;
	const limit = records === undefined ? {} : { maxRecordsToPay: records };
	const cell = await runCell(operation, scenario, 'stopWorkflow', limit);
	expect(cell.run.failure).toBeUndefined();
	expectOwnData(cell);
	return cell;
}

async function expectCell(
	operation: Operation,
	scenario: Scenario,
	fault: Fault,
	mode: OnError,
	usual: Cell,
): Promise<void> {
	const targets = targetsOf(scenario, usual, fault);
	let hits = 0;
	let apiKey = '';
	const shortened = jest.replaceProperty(REQUEST_LIMITS, 'timeout', fault.timesOut ? 1 : 120);
	const cell = await runCell(operation, scenario, mode, {}, (sandbox, rows) => {
		({ apiKey } = sandbox);
		const affected = targets.flatMap((target) => rows[target] ?? []);
		sandbox.fault({
			when: (entry) => {
				const isHit = isAffected(entry, scenario) && affected.some((row) => isFor(entry, row));
				if (isHit) hits++;
				return isHit;
			},
			times: fault.once === true ? 1 : 'always',
			do: fault.action(affected.map(({ mark }) => mark)),
		});
	});
	shortened.restore();
	expect(hits).toBeGreaterThan(0);
	expectInvariants({ ...cell, scenario, fault, mode, targets, usual, apiKey });
}

/** The rows that the fault is about. */
function targetsOf(
	scenario: Scenario,
	{ entries, rows }: Cell,
	{ about = 'one' }: Fault,
): number[] {
	const { target = 1 } = scenario;
	const requested = entries.filter((entry) => isAffected(entry, scenario));
	const rowsOf = (requests: typeof requested) =>
		[...rows.keys()].filter((at) => requests.some((entry) => rows[at] && isFor(entry, rows[at])));
	const request = rowsOf(requested.filter((entry) => rows[target] && isFor(entry, rows[target])));
	const [, second = target] = request;
	switch (about) {
		case 'one':
			return [target];
		case 'two':
			return [target, target + 1].filter((at) => request.includes(at));
		case 'two apart':
			return [second, target];
		case 'a whole request':
			return request;
		case 'every request':
			return rowsOf(requested);
	}
}

/** Runs the operation in a world of its own. */
async function runCell(
	{ resource, value: operation }: Operation,
	{ parameters, rows: rowsIn }: Scenario,
	onError: OnError,
	more: INodeParameters = {},
	prepare: (sandbox: Sandbox, rows: Cell['rows']) => void = () => {},
): Promise<Cell> {
	const sandbox = await startSandbox({
		people: 250,
		companies: 30,
		eventsPerDay: 0,
		rateLimit: null,
		now: () => new Date(Date.now()),
	});
	for (const n of [1, 2, 2, 7, 8, 9, 9, 14, 15, 17, 17, 20]) {
		sandbox.world.addEvent({ prospect: n + 12, time: new Date('2026-11-01T00:00:00Z') });
		sandbox.world.addEvent({ business: n, time: new Date('2026-11-02T00:00:00Z') });
	}
	const rows = rowsIn(sandbox.world);
	prepare(sandbox, rows);
	const run = await runNode({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new BusinessProspectDataApi(),
		parameters: mergeParameters({ resource, operation }, parameters, more),
		items: rows.map((row, at) => ({ ...row, row: at })),
		onError,
		expressionAfter: rowOfSource,
	});
	await sandbox.close();
	expect(sandbox.log.defects()).toEqual([]);
	return { run, entries: [...sandbox.log.entries], rows, world: sandbox.world };
}
