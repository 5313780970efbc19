/** Runs a simulation with many histories. */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { bySize } from '../../size';

const HISTORIES = bySize(300, 1_500, 5_000);
/** Set it in the environment to repeat a failed run, whose message has the seed, or to run other histories. */
declare const SIMULATION_SEED: string | undefined;

interface AnyStep {
	readonly kind: string;
	readonly plan?: { readonly dies?: unknown; readonly during: readonly AnyStep[] };
}

interface AnySimulation {
	run(): Promise<string[]>;
	readonly ledger: { counts(): { due: number; once: number; repeated: number; lost: number } };
}

/** Whether something happened in which n8n's state and its executions may part. */
const hasGap = (steps: readonly AnyStep[]): boolean =>
	steps.some(
		({ kind, plan }) =>
			kind === 'stale' ||
			kind === 'rename' ||
			(plan !== undefined && (plan.dies !== undefined || hasGap(plan.during))),
	);

/**
 * Asserts that no history has an error, that without a gap everything due is output once, and that the histories test
 * something: enough is due, and little of it is excused.
 *
 * @param duePerHistory how much must be due on average
 */
export async function assertHistories<History extends { readonly steps: readonly AnyStep[] }>(
	anyHistory: fc.Arbitrary<History>,
	simulate: (history: History) => AnySimulation,
	duePerHistory: number,
): Promise<void> {
	const seed = SIMULATION_SEED === undefined ? randomInt(2 ** 31) : Number(SIMULATION_SEED);
	const all = { due: 0, once: 0, repeated: 0, lost: 0 };
	await fc.assert(
		fc.asyncProperty(anyHistory, async (history) => {
			const simulation = simulate(history);
			expect(await simulation.run()).toEqual([]);

			const counts = simulation.ledger.counts();
			if (!hasGap(history.steps))
				expect(counts).toMatchObject({ repeated: 0, lost: 0, once: counts.due });
			for (const name of ['due', 'once', 'repeated', 'lost'] as const) all[name] += counts[name];
		}),
		{ numRuns: HISTORIES, seed },
	);

	const excused = all.repeated + all.lost;
	const found = {
		manyDue: all.due > HISTORIES * duePerHistory,
		// A sample may have no gap, or much behind one.
		fewExcused: HISTORIES < 1_500 || (excused > 0 && excused < all.due / 10),
	};
	expect({ seed, all, ...found }).toEqual({ seed, all, manyDue: true, fewExcused: true });
}
