// Runs the workflows whose expressions give more than text with an engine such as n8n's default: `npm run test:expressions`.
process.env.TZ ??= 'America/New_York';
const usual = require('../../jest.config.js');

module.exports = {
	...usual,
	rootDir: '../..',
	// An expression takes thirty times as long as in the older engine.
	testTimeout: 2 * usual.testTimeout,
	// Where expressions return more than text: dates, lists, objects, nothing, errors, what an AI agent fills in.
	testMatch: [
		'<rootDir>/test/harness/engine.test.ts',
		'<rootDir>/test/workflows/{credits,customApiCall,events,search,tool}.test.ts',
		'<rootDir>/test/faults/prototypePollution.test.ts',
	],
	setupFilesAfterEnv: [...usual.setupFilesAfterEnv, '<rootDir>/test/harness/expressions.cjs'],
};
