import './clock';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { FAULTS } from './faults';
import { MODES, modesOf } from './matrix';
import { nameOf, PARTS, WAYS, waysOf } from './ways';

const files = Object.values(PARTS).map(waysOf);

test('every operation of the node is in the matrix, in one file of it', () => {
	expect(Object.keys(WAYS).sort()).toEqual(OPERATIONS.map(nameOf).sort());
	expect(
		files
			.flat()
			.map(({ operation }) => nameOf(operation))
			.sort(),
	).toEqual(OPERATIONS.map(nameOf).sort());
	expect(files.flat().filter(({ ways }) => ways.length === 0)).toEqual([]);
});

test('there are at least 30 faults for each operation and error mode', () => {
	const cells = files
		.flat()
		.flatMap(({ ways }) => ways.flatMap(() => FAULTS.flatMap(() => MODES))).length;

	expect(MODES).toEqual(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']);
	expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
	expect(FAULTS.length).toBeGreaterThanOrEqual(30);
	expect(cells).toBeGreaterThanOrEqual(30 * OPERATIONS.length * 3);
});

test('the ways of each file try every fault in every error mode', () => {
	const incomplete = files.flatMap((operations) => {
		const ways = operations.flatMap((operation) => operation.ways);
		return FAULTS.filter((_, fault) => {
			return new Set(ways.flatMap((__, way) => modesOf(way, fault))).size < MODES.length;
		});
	});

	expect(incomplete).toEqual([]);
});
