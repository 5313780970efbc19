// Runs the tests in the order in which they are listed: the first that fails ends the run.
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class InOrder extends Sequencer {
	sort(tests) {
		const place = ({ path, context }) => context.config.testMatch.indexOf(path);
		return [...tests].sort((a, b) => place(a) - place(b));
	}
};
