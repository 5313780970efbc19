/** The matrix is complete. */
import './clock';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { FAULTS } from './faults';
import { MODES, modesOf } from './matrix';
import { bySize } from '../size';
import { nameOf, PARTS, SCENARIOS, scenariosOf } from './scenarios';

const parts = Object.values(PARTS).map(scenariosOf);
const names = OPERATIONS.map(nameOf).sort();

test('has every operation in exactly one part', () => {
	expect(Object.keys(SCENARIOS).sort()).toEqual(names);
	expect(
		parts
			.flat()
			.map(({ operation }) => nameOf(operation))
			.sort(),
	).toEqual(names);
	expect(parts.flat().filter(({ scenarios }) => scenarios.length === 0)).toEqual([]);
});

test('has at least 30 faults, with unique names, for each operation and error mode', () => {
	expect(MODES).toEqual(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']);
	expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
	expect(FAULTS.length).toBeGreaterThanOrEqual(30);
});

test('tries every fault in each part, and in a thorough run in every error mode', () => {
	const incomplete = parts.flatMap((operations) => {
		const scenarios = operations.flatMap((operation) => operation.scenarios);
		return FAULTS.filter(({ isSlow }, fault) => {
			const modes = new Set(
				scenarios.flatMap((_, index) => modesOf(index, fault, scenarios.length)),
			);
			return modes.size < (isSlow ? 1 : bySize(1, MODES.length));
		}).map(({ name }) => name);
	});

	expect(incomplete).toEqual([]);
});
