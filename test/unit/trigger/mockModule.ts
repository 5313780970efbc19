/** Functions of the mutant that is being tested, by name. */
export const replacements: Record<string, unknown> = {};

/**
 * A module with the mutant's functions in place of its own. In a file of its own, because `jest.mock` needs it before the
 * test's own code runs.
 */
export function mockModule(path: string) {
	return new Proxy<Record<string, unknown>>(jest.requireActual(path), {
		get: (module, name: string) => replacements[name] ?? module[name],
	});
}
