module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.n8n/'],
	setupFilesAfterEnv: ['<rootDir>/test/harness/environment.cjs'],
	transform: { '^.+\\.ts$': '@swc/jest' },
};
