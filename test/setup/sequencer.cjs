// Starts the test files that take longest first, so that no core waits for one of them at the end. By itself Jest knows
// durations from earlier runs only; a fresh clone would go by file size.
const { join } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const root = join(__dirname, '..', '..');
const LONGEST = [
	'test/faults/prospect.test.ts',
	'test/faults/input.test.ts',
	'test/faults/others.test.ts',
	'test/faults/volume.test.ts',
	'test/workflows/trigger.test.ts',
	'test/workflows/contract.test.ts',
	'test/faults/business.test.ts',
	'test/workflows/getAll.test.ts',
	'test/unit/trigger/mutants.test.ts',
	'test/workflows/limits.test.ts',
	'test/workflows/schemas.test.ts',
	'test/workflows/events.test.ts',
	'test/unit/trigger/simulation.test.ts',
	'test/unit/run/run.anything.test.ts',
	'test/workflows/credits.test.ts',
];

const placeOf = ({ path }) => {
	const place = LONGEST.findIndex((longest) => path === join(root, longest));
	return place < 0 ? LONGEST.length : place;
};

module.exports = class extends Sequencer {
	static LONGEST = LONGEST;

	async sort(tests) {
		return (await super.sort(tests)).sort((a, b) => placeOf(a) - placeOf(b));
	}
};
