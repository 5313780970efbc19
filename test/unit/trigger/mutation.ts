/** Mutants of a trigger: its code with one bug. */
import type { IDataObject } from 'n8n-workflow';
import { createMemory } from '../../../nodes/BusinessProspectData/trigger/memory';

type Memory = ReturnType<typeof createMemory>;

/** Makes mutants of a trigger. `Rules` are the functions of its state machine, some of which a mutant replaces. */
export function mutantsOf<Rules, Run extends { readonly nodeKey: string }, Result>(
	createRunner: (
		rules?: Partial<Rules>,
		memory?: Memory,
	) => (run: Run) => Promise<Result | undefined>,
) {
	type NewProcess = () => ReturnType<typeof createRunner>;

	/** Processes with a mutant of their own. */
	const mutate =
		(mutant: () => Partial<Rules>): NewProcess =>
		() =>
			createRunner(mutant());

	const withMemory =
		(mutant: (memory: Memory) => Partial<Memory>): NewProcess =>
		() => {
			const memory = createMemory();
			return createRunner({}, { ...memory, ...mutant(memory) });
		};

	/** Bugs that any trigger can have. */
	const common: Record<string, NewProcess> = {
		'lets polls overlap': () => {
			const memory = createMemory();
			return async (run) => await createRunner({}, memory)(run);
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
				if (running.has(run.nodeKey)) return undefined;
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
