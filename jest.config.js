module.exports = {
	testEnvironment: 'node',
	// n8n's HTTP stack keeps globals that jest would otherwise warn about between test files.
	testEnvironmentOptions: { globalsCleanup: 'off' },
	// Machines are shared and slow at times; no test may depend on being fast.
	testTimeout: 60_000,
	// By default Jest leaves one core idle, which is half of a small machine.
	maxWorkers: '100%',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: [
		'/node_modules/',
		'<rootDir>/test/e2e/',
		'<rootDir>/test/compatibility/',
	],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.n8n/'],
	setupFilesAfterEnv: ['<rootDir>/test/harness/environment.cjs'],
	reporters: ['default', '<rootDir>/test/faults/size.cjs'],
	// test/exhaustive asks for more.
	globals: { HISTORIES: 1_500 },
	transform: { '^.+\\.ts$': '@swc/jest' },
};
