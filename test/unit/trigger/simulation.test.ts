/**
 * Many histories: what surfaced within the lookback window is output once, and nothing from before. The only
 * deviations are those of n8n's own gaps, and they are counted.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { createEventsRunner } from '../../../nodes/BusinessProspectData/trigger/pollRun';
import { anyHistory, type History } from './history';
import { Simulation } from './simulation';

/** Fewer in mutation tests, which run this hundreds of times; more in `npm run test:exhaustive`. */
declare const HISTORIES: number;
/** Set it in the environment to repeat a failed run, whose message has the seed. */
declare const SIMULATION_SEED: string | undefined;
const seed = SIMULATION_SEED === undefined ? randomInt(2 ** 31) : Number(SIMULATION_SEED);

/** Whether something happened in which n8n's state and its executions may part. */
function hasGap({ steps }: History): boolean {
	return steps.some(
		(step) =>
			step.kind === 'stale' ||
			step.kind === 'rename' ||
			(step.kind === 'poll' &&
				(step.plan.dies !== undefined || hasGap({ steps: step.plan.during } as History))),
	);
}

test('outputs every event once, and none from before', async () => {
	const all = { due: 0, once: 0, repeated: 0, lost: 0 };
	await fc.assert(
		fc.asyncProperty(anyHistory, async (history) => {
			const simulation = new Simulation(history, createEventsRunner);
			expect(await simulation.run()).toEqual([]);

			const counts = simulation.ledger.counts();
			if (!hasGap(history))
				expect(counts).toMatchObject({ repeated: 0, lost: 0, once: counts.due });
			for (const name of ['due', 'once', 'repeated', 'lost'] as const) all[name] += counts[name];
		}),
		{ numRuns: HISTORIES, seed },
	);

	const excused = all.repeated + all.lost;
	const found = { manyDue: all.due > HISTORIES, fewExcused: excused > 0 && excused < all.due / 10 };
	expect({ seed, all, ...found }).toEqual({ seed, all, manyDue: true, fewExcused: true });
});
