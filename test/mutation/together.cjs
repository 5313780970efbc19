// Runs the test files of `globals.TEST_FILES` as if they were one, so that what they load is loaded once: n8n's engine
// takes seconds. Each has its hooks to itself, and finds clocks and network as if it were alone.
const nock = require('nock');

for (const path of globalThis.TEST_FILES)
	describe(path, () => {
		beforeAll(() => {
			if (!nock.isActive()) nock.activate();
			nock.enableNetConnect();
		});
		afterEach(() => jest.useRealTimers());
		require(`../../${path}`);
	});
