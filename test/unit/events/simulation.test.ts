/**
 * Many histories: what surfaced within the look-back is put out, once, and nothing from before. The only
 * deviations are those of n8n's own gaps, and they are counted.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { createTurns } from '../../../nodes/BusinessProspectData/events/turn';
import { anyHistory, type History } from './history';
import { Simulation } from './simulation';

/** Mutation tests, which run this hundreds of times, ask for fewer; `npm run test:exhaustive` for more. */
declare const HISTORIES: number;
const { SIMULATION_SEED } = process.env;
const seed = SIMULATION_SEED === undefined ? randomInt(2 ** 31) : Number(SIMULATION_SEED);

/** Every failure names the seed of its histories. */
async function withSeed(check: () => Promise<void>): Promise<void> {
	try {
		await check();
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const again = `${HISTORIES} histories with SIMULATION_SEED=${seed} in the environment.`;
		throw new Error(`${message}\n\nTo run the same again: ${again}`, { cause: error });
	}
}

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

test('every event comes, once, and none from before', async () =>
	await withSeed(async () => {
		const all = { due: 0, once: 0, repeated: 0, lost: 0 };
		await fc.assert(
			fc.asyncProperty(anyHistory, async (history) => {
				const simulation = new Simulation(history, createTurns);
				expect(await simulation.run()).toEqual([]);

				const counts = simulation.ledger.counts();
				if (!hasGap(history))
					expect(counts).toMatchObject({ repeated: 0, lost: 0, once: counts.due });
				for (const name of ['due', 'once', 'repeated', 'lost'] as const) all[name] += counts[name];
			}),
			{ numRuns: HISTORIES, seed },
		);

		expect(all.due).toBeGreaterThan(HISTORIES);
		expect(all.repeated + all.lost).toBeGreaterThan(0);
		expect(all.repeated + all.lost).toBeLessThan(all.due / 10);
	}));
