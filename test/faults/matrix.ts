/**
 * Every operation of the node, in each of its ways, under every fault: through n8n's own engine against the sandbox. One
 * test is one cell. `npm test` runs each fault of a way in one of the three error modes, by turns;
 * `npm run test:exhaustive` in all three.
 *
 * In a cell some items ask for something, and one of their requests is hit, with others before and after it. `faults.ts`
 * says what comes of that request (the classes are in `endings.ts`), `course.ts` which requests must follow from it,
 * `shapes.ts` which rows the answers hold, `words.ts` how failures read; `check.ts` holds that against what the sandbox
 * was asked and what came out. So each cell shows: no request more and none less than must be; nothing that was answered
 * is lost; each row and each error at its item and on its output; the words right; the key nowhere. A fault that finds
 * nothing to act on (another order of one record) runs all the same: everything must come out as without it.
 *
 * Requests go out one after the other, so that it is known what came before the fault. Waits take no time (`clock.ts`).
 *
 * Seen to fail, each alone in the package: sent again though it was paid and maybe done (timeout, lost connection, 504);
 * free reads not sent again; 401 tried again; further requests after 401, 402, 404; redirects followed; no splitting, no
 * end to it, an end at the second unnamed culprit, none where the words differ, the unnamed not sent again, answered inputs
 * sent again; rows by place, under a foreign ID, of nobody dropped,
 * twice; a failure about one record that blocks its path, and a wrong path that does not; a person left out is "no
 * match", or gets somebody else's row; error items on the success branch, all linked to the first, without what was
 * received; a miss after a lost deletion; pages lost with the one that failed; pages that lack rows or repeat others taken
 * as they are, not requested again, or only the later of two equal ones; only whole repeats seen, or a page with a tenth of
 * them failed; a last page that lacks rows taken as it is, or failed; totals that grow or shrink not followed; a healthy
 * value failed since the service named it; Retry-After, Max Tries, Max Wait, Timeout not
 * heeded; a throw in the Continue modes, requests after Stop, their number wrong; 402 in the words of 403, nothing about
 * charges, no correlation ID, the key in a message; `failure` taken for success; totals as text not read.
 */
import type { OnError } from 'n8n-workflow';
import type { Operation } from '../../nodes/BusinessProspectData/runtime/operation';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { startClock } from './clock';
import { checkCell } from './check';
import type { Plan } from './course';
import type { Fault } from './endings';
import { FAULTS } from './faults';
import { runCell } from './run';
import { EVERYONE } from './searchPages';
import { askedIn, nameOf, PARTS, type Way, waysOf } from './ways';

export const MODES: readonly OnError[] = [
	'stopWorkflow',
	'continueRegularOutput',
	'continueErrorOutput',
];

/** Set by `npm run test:exhaustive`. */
declare const EXHAUSTIVE: boolean | undefined;

/** The modes that a fault of a way is run in: one of them, by turns, unless the run is exhaustive. */
export function modesOf(way: number, fault: number): readonly OnError[] {
	const turn = (way + fault) % MODES.length;
	return typeof EXHAUSTIVE === 'boolean' ? MODES : MODES.slice(turn, turn + 1);
}

/** A part of the matrix: one test for each cell. */
export function faultMatrix(part: keyof typeof PARTS): void {
	let sandbox: Sandbox;
	let elsewhere: Sandbox;
	const plans = new Map<Way, Promise<Plan['requests']>>();
	const planOf = async (operation: Operation, way: Way): Promise<Plan['requests']> => {
		const known = plans.get(way) ?? planned(sandbox, operation, way);
		plans.set(way, known);
		return await known;
	};

	beforeAll(async () => {
		startClock('2026-11-18T12:00:00Z');
		const now = () => new Date(Date.now());
		const small = { rateLimit: null, people: EVERYONE, companies: 30, eventsPerDay: 0, now };
		sandbox = await startSandbox({ ...small, enrollments: 5_000 });
		elsewhere = await startSandbox(small);
		for (const n of [1, 2, 2, 14, 15, 17, 17, 20]) {
			sandbox.world.addEvent({ prospect: n + 12, time: new Date('2026-11-01T00:00:00Z') });
			sandbox.world.addEvent({ business: n, time: new Date('2026-11-02T00:00:00Z') });
		}
	});
	afterAll(async () => {
		await sandbox.close();
		await elsewhere.close();
		jest.restoreAllMocks();
	});
	afterEach(() => {
		expect(sandbox.log.defects()).toEqual([]);
		expect(elsewhere.log.entries).toEqual([]);
	});

	const operations = waysOf(PARTS[part]);
	const order = operations.flatMap(({ ways }) => ways);
	describe.each(
		operations.map(({ operation, ways }) => ({
			name: nameOf(operation),
			operation,
			ways,
		})),
	)('fault matrix: $name', ({ operation, ways }) => {
		describe.each(ways.map((way) => ({ name: way.name, way })))('$name', ({ way }) => {
			const faults = FAULTS.map((fault, at) => ({ name: fault.name, fault, at }));
			describe.each(faults)('$name', ({ fault, at }) => {
				test.each(modesOf(order.indexOf(way), at))('%s', async (mode) => {
					const requests = await planOf(operation, way);
					await cell(sandbox, elsewhere.url, operation, way, requests, fault, mode);
				});
			});
		});
	});
}

async function cell(
	sandbox: Sandbox,
	elsewhere: string,
	operation: Operation,
	way: Way,
	requests: Plan['requests'],
	fault: Fault,
	mode: OnError,
): Promise<void> {
	const against = againstIn(way, requests, fault);
	const plan = { requests, hit: hitIn(requests, way, fault, against) };
	const hitPart = requests[plan.hit]?.part;
	const isHit = ({ part, values }: { part: string; values: readonly number[] }) =>
		part === hitPart && values.some((value) => against.includes(value));
	const done = await runCell(sandbox, elsewhere, operation, way, mode, { fault, isHit, against });
	checkCell(done, { way, plan, fault, mode, against, isHit, apiKey: sandbox.apiKey });
}

/** The values that the service has something against. */
function againstIn(
	{ hit, also, apart }: Way,
	requests: Plan['requests'],
	{ against }: Fault,
): number[] {
	if (against === 'first') return [0];
	const { values = [] } = requests.find((one) => one.values.includes(hit)) ?? {};
	// Where each value is a request of its own, others are another matter.
	if (against === undefined || values.length === 1) return [hit];
	const all = new Set(requests.flatMap((one) => one.values));
	const named = {
		apart: [apart],
		two: [hit, also],
		'two apart': [apart, hit],
		all: values,
		everything: [...all],
	};
	return [...named[against]];
}

/** What is asked for when nothing goes wrong. */
async function planned(
	sandbox: Sandbox,
	operation: Operation,
	way: Way,
): Promise<Plan['requests']> {
	const { run, entries, marks } = await runCell(sandbox, '', operation, way, 'stopWorkflow');
	expect(run.failure).toBeUndefined();
	return entries.map((entry) => askedIn(entry, marks));
}

/** Which of the requests is hit first. */
function hitIn(
	requests: Plan['requests'],
	way: Way,
	{ against }: Fault,
	values: readonly number[],
): number {
	if (against === 'first') return 0;
	const own = requests.filter((one) => one.values.includes(way.hit))[way.nth];
	const hit = requests.findIndex(
		(one) => one.part === own?.part && one.values.some((value) => values.includes(value)),
	);
	expect(hit).toBeGreaterThanOrEqual(0);
	return hit;
}
