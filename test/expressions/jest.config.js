// Runs the workflows whose expressions give more than text with an engine such as n8n's default: `npm run test:expressions`.
process.env.TZ ??= 'America/New_York';
const usual = require('../../jest.config.js');

module.exports = {
	...usual,
	rootDir: '../..',
	// An expression takes thirty times as long as in the older engine.
	testTimeout: 3 * usual.testTimeout,
	testMatch: [
		'<rootDir>/test/faults/prototypePollution.test.ts',
		'<rootDir>/test/workflows/{customApiCall,filters,rows,statistics,tool}.test.ts',
	],
	setupFilesAfterEnv: [...usual.setupFilesAfterEnv, '<rootDir>/test/harness/expressions.cjs'],
};
