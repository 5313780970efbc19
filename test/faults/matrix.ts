/**
 * The fault matrix: every operation, in each of its scenarios, under every fault, through n8n's own engine against the
 * sandbox. One test is one cell. CI runs each fault of a scenario in one of the three error modes, in
 * rotation; `npm run test:exhaustive` runs all three; `npm test` runs each fault in one scenario of each part.
 *
 * In a cell, the fault affects one of several requests. `faults.ts` says what happens to that request,
 * `expectedRequests.ts` which requests follow, `responseModels.ts` which rows the responses contain, `messages.ts` what
 * the errors say; `assertCell.ts` compares. So each cell shows that exactly the necessary requests are sent, that no
 * response is lost, that each row and error is linked to its item on the right output, that the message is right, and
 * that the key is nowhere. Where a fault finds nothing to change, the output must be the usual one.
 *
 * Requests are sent one after the other, so that it is known which came before the fault. Waits take no time (`clock.ts`).
 *
 */
import type { OnError } from 'n8n-workflow';
import type { Operation } from '../../nodes/BusinessProspectData/run/operation';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { startClock } from './clock';
import { assertCell } from './assertCell';
import type { Fault } from './expectedOutcomes';
import type { Plan } from './expectedRequests';
import { FAULTS } from './faults';
import { bySize } from '../size';
import { runCell } from './runCell';
import { nameOf, PARTS, type Scenario, scenariosOf, type SentRequest } from './scenarios';
import { MATCHING_PEOPLE } from './searchPages';

export const MODES: readonly OnError[] = [
	'stopWorkflow',
	'continueRegularOutput',
	'continueErrorOutput',
];

/** Slow faults are tried in so many scenarios of a part. */
const SLOW_SCENARIOS = bySize(1, 2, Infinity);

/**
 * The error modes in which a scenario of a part is tried with a fault: usually one, in rotation; all in an exhaustive run.
 *
 * @param scenario the scenario's number in its part, which has so many `scenarios`
 */
export function modesOf(scenario: number, fault: number, scenarios: number): readonly OnError[] {
	const every = bySize(scenarios, 1);
	const turn = scenario + fault;
	if (FAULTS[fault]?.isSlow) {
		if (scenario >= SLOW_SCENARIOS) return [];
	} else if (turn % every > 0) return [];
	const mode = Math.floor(turn / every) % MODES.length;
	return bySize(MODES.slice(mode, mode + 1), MODES.slice(mode, mode + 1), MODES);
}

/** Defines one test for each cell of a part of the matrix. */
export function faultMatrix(part: keyof typeof PARTS): void {
	let sandbox: Sandbox;
	let otherOrigin: Sandbox;
	const plans = new Map<Scenario, Promise<Plan['requests']>>();
	const planOf = async (operation: Operation, scenario: Scenario) => {
		const requests = plans.get(scenario) ?? requestsWithoutFault(sandbox, operation, scenario);
		plans.set(scenario, requests);
		return await requests;
	};

	beforeAll(async () => {
		startClock('2026-11-18T12:00:00Z');
		const now = () => new Date(Date.now());
		const world = { people: MATCHING_PEOPLE, companies: 30, eventsPerDay: 0 };
		sandbox = await startSandbox({ ...world, rateLimit: null, now, enrollments: 5_000 });
		otherOrigin = await startSandbox({ ...world, rateLimit: null, now });
		for (const n of [1, 2, 2, 14, 15, 17, 17, 20]) {
			sandbox.world.addEvent({ prospect: n + 12, time: new Date('2026-11-01T00:00:00Z') });
		}
		for (const n of [1, 2, 2, 7, 8, 9, 9, 14, 15, 17, 17, 20]) {
			sandbox.world.addEvent({ business: n, time: new Date('2026-11-02T00:00:00Z') });
		}
	});
	afterAll(async () => {
		await sandbox.close();
		await otherOrigin.close();
		jest.restoreAllMocks();
	});
	afterEach(() => {
		expect(sandbox.log.defects()).toEqual([]);
		expect(otherOrigin.log.entries).toEqual([]);
	});

	const operations = scenariosOf(PARTS[part]);
	const order = operations.flatMap(({ scenarios }) => scenarios);
	describe.each(
		operations.map(({ operation, scenarios }) => ({
			name: nameOf(operation),
			operation,
			scenarios,
		})),
	)('fault matrix: $name', ({ operation, scenarios }) => {
		describe.each(scenarios.map((scenario) => ({ name: scenario.name, scenario })))(
			'$name',
			({ scenario }) => {
				const faults = FAULTS.map((fault, index) => ({ name: fault.name, fault, index }));
				describe.each(faults)('$name', ({ fault, index }) => {
					const modes = modesOf(order.indexOf(scenario), index, order.length);
					if (modes.length === 0) return;
					test.each(modes)('%s', async (mode) => {
						const requests = await planOf(operation, scenario);
						const faulty = faultyValues(scenario, requests, fault);
						const affected = affectedRequest(requests, scenario, fault, faulty);
						const affectedPart = requests[affected]?.part;
						const isAffected = ({ part: own, values }: SentRequest) =>
							own === affectedPart && values.some((value) => faulty.includes(value));
						const target = { fault, isAffected, faulty };
						const run = await runCell(sandbox, otherOrigin.url, operation, scenario, mode, target);
						const plan = { requests, affected };
						assertCell(run, { scenario, plan, mode, apiKey: sandbox.apiKey, ...target });
					});
				});
			},
		);
	});
}

/** The values that the fault is about. */
function faultyValues(
	{ target, neighbor, earlier, nth }: Scenario,
	requests: Plan['requests'],
	{ about }: Fault,
): number[] {
	if (about === 'first') return [0];
	const { values = [] } = requests.filter((one) => one.values.includes(target))[nth] ?? {};
	// Other values have requests of their own.
	if (about === undefined || values.length === 1) return [target];
	const options = {
		earlier: [earlier],
		two: [target, neighbor],
		'two apart': [earlier, target],
		all: values,
		everything: new Set(requests.flatMap((one) => one.values)),
	};
	return [...options[about]];
}

async function requestsWithoutFault(
	sandbox: Sandbox,
	operation: Operation,
	scenario: Scenario,
): Promise<Plan['requests']> {
	const { run, entries, parse } = await runCell(sandbox, '', operation, scenario, 'stopWorkflow');
	expect(run.failure).toBeUndefined();
	return entries.map(parse);
}

/** The index of the first request that the fault affects. */
function affectedRequest(
	requests: Plan['requests'],
	{ target, nth, step }: Scenario,
	{ about }: Fault,
	faulty: readonly number[],
): number {
	if (about === 'first' && step !== 'data') return 0;
	const targeted = requests.filter(({ values }) => values.includes(target))[nth];
	const index = requests.findIndex(
		({ part, values }) => part === targeted?.part && values.some((value) => faulty.includes(value)),
	);
	expect(index).toBeGreaterThanOrEqual(0);
	return index;
}
