/**
 * Many histories: whoever comes after the first check and stays is output once, and nobody from before. The only deviations
 * are those of n8n's own gaps, and they are counted.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { createSearchRunner } from '../../../nodes/BusinessProspectData/trigger/searchRun';
import { anySearchHistory, type SearchHistory } from './searchHistory';
import { SearchSimulation } from './searchSimulation';

/** Mutation tests, which run this hundreds of times, ask for fewer; `npm run test:exhaustive` for more. */
declare const HISTORIES: number;
/** To run the histories of a failure again, give the seed that it names in the environment. */
declare const SIMULATION_SEED: string | undefined;
const seed = SIMULATION_SEED === undefined ? randomInt(2 ** 31) : Number(SIMULATION_SEED);

/** Whether something happened in which n8n's state and its executions may part. */
function hasGap({ steps }: Pick<SearchHistory, 'steps'>): boolean {
	return steps.some(
		(step) =>
			step.kind === 'stale' ||
			step.kind === 'rename' ||
			(step.kind === 'poll' &&
				(step.plan.dies !== undefined || hasGap({ steps: step.plan.during }))),
	);
}

test('everybody who comes and stays is output, once, and nobody from before', async () => {
	const all = { due: 0, once: 0, repeated: 0, lost: 0 };
	await fc.assert(
		fc.asyncProperty(anySearchHistory, async (history) => {
			const simulation = new SearchSimulation(history, createSearchRunner);
			expect(await simulation.run()).toEqual([]);

			const counts = simulation.ledger.counts();
			if (!hasGap(history))
				expect(counts).toMatchObject({ repeated: 0, lost: 0, once: counts.due });
			for (const name of ['due', 'once', 'repeated', 'lost'] as const) all[name] += counts[name];
		}),
		{ numRuns: HISTORIES, seed },
	);

	const excused = all.repeated + all.lost;
	const found = {
		manyDue: all.due > HISTORIES / 4,
		fewExcused: excused > 0 && excused < all.due / 10,
	};
	expect({ seed, all, ...found }).toEqual({ seed, all, manyDue: true, fewExcused: true });
});
