/** Mutants of a trigger: its code with one bug. */
import type { IDataObject } from 'n8n-workflow';
import type * as memories from '../../../nodes/BusinessProspectData/trigger/memory';

/** Functions of the mutant that is being tested, by name. */
const replacements: Record<string, unknown> = {};

afterEach(() => {
	for (const name of Object.keys(replacements)) delete replacements[name];
});

/** A module of the trigger, without the mutant's functions. */
export const actual = <Module extends object>(name: string): Module =>
	jest.requireActual(`../../../nodes/BusinessProspectData/trigger/${name}`);

/** Puts the mutant's functions in place of a module's own. Works only if this file is imported before the trigger's code. */
for (const name of [
	'memory',
	'events/checkpoint',
	'events/selection',
	'search/checkpoint',
	'search/selection',
]) {
	jest.doMock(
		`../../../nodes/BusinessProspectData/trigger/${name}`,
		() =>
			new Proxy(actual<Record<string, unknown>>(name), {
				get: (module, member: string) => replacements[member] ?? module[member],
			}),
	);
}

type Memory = ReturnType<typeof memories.createMemory>;

/**
 * Makes mutants of a trigger.
 *
 * @param nothing the result of a poll that does nothing
 */
export function mutantsOf<Rules, Run extends { readonly nodeKey: string }, Result>(
	createRunner: () => (run: Run) => Promise<Result>,
	{ createMemory }: Pick<typeof memories, 'createMemory'>,
	nothing: Result,
) {
	type NewProcess = typeof createRunner;

	/** Processes with a mutant of their own. */
	const mutate =
		(mutant: () => Partial<Rules>): NewProcess =>
		() => {
			Object.assign(replacements, mutant());
			return createRunner();
		};

	const withMemory =
		(mutant: (memory: Memory) => Partial<Memory>): NewProcess =>
		() => {
			replacements.createMemory = () => {
				const memory = createMemory();
				return { ...memory, ...mutant(memory) };
			};
			return createRunner();
		};

	/** Bugs that any trigger can have. */
	const common: Record<string, NewProcess> = {
		'lets polls overlap': () => {
			const memory = createMemory();
			replacements.createMemory = () => memory;
			return async (run) => await createRunner()(run);
		},
		'remembers nothing that n8n does not save': withMemory(() => ({
			recall: (_, { checkpoint }) => checkpoint,
		})),
		'remembers as output what n8n may drop': withMemory((memory) => ({
			save: (nodeKey, state, checkpoint, { now }) =>
				memory.save(nodeKey, state, checkpoint, { hasOutput: false, now }),
		})),
		'does not notice what is edited during a check': () => {
			const runPoll = createRunner();
			const running = new Set<string>();
			return async (run) => {
				if (running.has(run.nodeKey)) return nothing;
				running.add(run.nodeKey);
				return await runPoll(run).finally(() => running.delete(run.nodeKey));
			};
		},
		'continues from its memory whatever n8n has': withMemory((memory) => {
			const latest = new Map<string, IDataObject[string]>();
			return {
				recall: (nodeKey, { checkpoint }) => latest.get(nodeKey) ?? checkpoint,
				save(nodeKey, state, checkpoint, options) {
					memory.save(nodeKey, state, checkpoint, options);
					latest.set(nodeKey, state.checkpoint);
				},
			};
		}),
	};
	return { mutate, rules: (mutant: Partial<Rules>) => mutate(() => mutant), withMemory, common };
}
