// In UTC, code that uses the machine's time zone by mistake looks right. Any other zone in TZ is left as it is.
if (['', 'UTC', 'Etc/UTC'].includes(process.env.TZ ?? '')) process.env.TZ = 'Pacific/Apia';

const { SIZE = 'sample' } = process.env;

module.exports = {
	// n8n's engine is loaded once per worker.
	testEnvironment: '<rootDir>/test/harness/jest/environment.cjs',
	runtime: '<rootDir>/test/harness/jest/runtime.cjs',
	// n8n's HTTP stack keeps globals that jest would otherwise warn about between test files.
	testEnvironmentOptions: { globalsCleanup: 'off' },
	// Machines are shared and slow at times; no test may depend on being fast.
	testTimeout: 300_000,
	// By default Jest leaves one core idle, which is half of a small machine.
	maxWorkers: '100%',
	// What n8n's engine leaves behind adds up from file to file, until a worker is slow and does not exit.
	workerIdleMemoryLimit: '700MB',
	// With the sources, so that Jest finds the tests that a changed file concerns.
	roots: ['<rootDir>/credentials', '<rootDir>/nodes', '<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: [
		'/node_modules/',
		'<rootDir>/test/e2e/',
		'<rootDir>/test/compatibility/',
		// What takes as long as all other tests together: CI runs it.
		...(SIZE === 'sample' ? ['<rootDir>/test/(faults|workflows/exampleRuns)'] : []),
	],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.n8n/'],
	setupFilesAfterEnv: ['<rootDir>/test/harness/environment.cjs'],
	// How much the largest tests try; see test/size.ts.
	globals: { SIZE },
	transform: { '^.+\\.ts$': '@swc/jest' },
};
