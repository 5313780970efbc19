/**
 * Random histories of a trigger in a simulated n8n: everything new is output, once, and nothing from before. The service has
 * small pages and batches, so that a few people or IDs take several requests.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { bySize } from '../../size';
import { anyEventsHistory, EventsWorld } from './eventsWorld';
import { type History, Simulation, type World } from './n8n';
import { storyOf } from './story';
import { anySearchHistory, SearchWorld } from './searchWorld';

jest.mock('../../../nodes/BusinessProspectData/catalog/service', () => {
	const actual: typeof import('../../../nodes/BusinessProspectData/catalog/service') =
		jest.requireActual('../../../nodes/BusinessProspectData/catalog/service');
	return { ...actual, LIMITS: { ...actual.LIMITS, eventsBatch: 2, pageSize: 2 } };
});

// The limiter's short waits would take most of the time.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<typeof import('n8n-workflow')>('n8n-workflow'),
	sleep: async () => undefined,
}));

const HISTORIES = bySize(50, 400, 3_000);
/** Set it in the environment to repeat a failed run, whose message has the seed, or to run other histories. */
declare const SIMULATION_SEED: string | undefined;

beforeEach(() => {
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
});
afterEach(() => {
	jest.restoreAllMocks();
});

async function assertHistories<Settings, Change, Ledger extends { output: readonly string[] }>(
	anyHistory: fc.Arbitrary<History<Settings, Change>>,
	createWorld: (history: never) => World<Settings, Change, Ledger>,
	duePerHistory: number,
) {
	const seed = SIMULATION_SEED === undefined ? randomInt(2 ** 31) : Number(SIMULATION_SEED);
	let due = 0;
	await fc.assert(
		fc.asyncProperty(anyHistory, async (history) => {
			const simulation = new Simulation(history, createWorld(history as never));
			due += await simulation.run();
			if (simulation.errors.length > 0) throw new Error(simulation.errors.join('; '));
		}),
		{
			...{ numRuns: HISTORIES, seed },
			reporter: ({ failed, counterexample, errorInstance }) => {
				if (failed) throw new Error(storyOf(counterexample?.[0], errorInstance, seed));
			},
		},
	);
	// Otherwise the histories would test little.
	expect(due).toBeGreaterThan(HISTORIES * duePerHistory);
}

test('outputs every event of watched IDs once, and none from before', async () => {
	await assertHistories(anyEventsHistory, (history) => new EventsWorld(history), 1);
}, 1_200_000);

test('outputs everyone who begins to match a search once, and no one from before', async () => {
	await assertHistories(anySearchHistory, (history) => new SearchWorld(history), 1 / 4);
}, 1_200_000);
