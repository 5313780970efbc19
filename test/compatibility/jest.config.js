// Runs whole workflows, faults and the units that touch n8n in another engine: `npm run test:compatibility`.
const newest = require('../../jest.config.js');
const engines = require('./engines.json');

const { ENGINE = 'newest' } = process.env;
const skipped = Object.keys(engines[ENGINE].skipped);

module.exports = {
	...newest,
	rootDir: '../..',
	roots: [
		'harness',
		'workflows',
		'faults',
		'compatibility',
		...['api', 'events', 'operations', 'runtime'].map((folder) => `unit/${folder}`),
	].map((folder) => `<rootDir>/test/${folder}`),
	testPathIgnorePatterns: ['/node_modules/'],
	...(skipped.length > 0 && { testNamePattern: `^(?!.*(${skipped.join('|')}))` }),
	// The built package and the other engine are loaded here.
	modulePathIgnorePatterns: [],
	...(ENGINE !== 'newest' && {
		moduleNameMapper: {
			'^(n8n-core|n8n-workflow)(/.*)?$': `<rootDir>/.n8n/engines/${ENGINE}/node_modules/$1$2`,
		},
	}),
};
