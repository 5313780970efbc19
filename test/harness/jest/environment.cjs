// The test files of a worker share their globals, so that the packages in `runtime.cjs` have the same ones in each file.
const { TestEnvironment } = require('jest-environment-node');

/** What Jest keeps about a test file in symbols that don't change. */
const JEST = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES'].map((name) =>
	Symbol.for(name),
);
const isOfJest = (key) => key.description === 'JEST_STATE_SYMBOL' || JEST.includes(key);

let shared;

module.exports = class extends TestEnvironment {
	constructor(...options) {
		// What a constructor returns is what Jest gets.
		if (shared) return shared;
		super(...options);
		shared = this;
		// Older engines have one that would keep a worker from exiting.
		this.global.setInterval = (...interval) => setInterval(...interval).unref();
		this.exit = this.global.process.exit;
	}

	async teardown() {
		this.fakeTimersModern.useRealTimers();
		this.global.process.exit = this.exit;
		for (const key of Object.getOwnPropertySymbols(this.global).filter(isOfJest))
			delete this.global[key];
	}
};
