// Runs whole workflows in the oldest engine of n8n that the package supports: `npm run test:oldest`.
const newest = require('../../jest.config.js');

// What this n8n does not have: durable cursors, and a poll that is told how long it may take.
const MISSING = [
	'durable cursors: true',
	'with durable cursors',
	'activation, budget and poll times',
	'does not outlast the poll',
];

module.exports = {
	...newest,
	rootDir: '../..',
	roots: ['harness', 'workflows', 'compatibility'].map((folder) => `<rootDir>/test/${folder}`),
	testPathIgnorePatterns: ['/node_modules/'],
	testNamePattern: `^(?!.*(${MISSING.join('|')}))`,
	// The built package and the older engine are loaded here.
	modulePathIgnorePatterns: [],
	moduleNameMapper: {
		'^(n8n-core|n8n-workflow)(/.*)?$': '<rootDir>/.n8n/oldest/node_modules/$1$2',
	},
};
