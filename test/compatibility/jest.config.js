// Runs whole workflows, faults and the units that touch n8n in another engine: `npm run test:compatibility`.
const newest = require('../../jest.config.js');
const { skipped } = require('./engines.json');

const { ENGINE = 'newest' } = process.env;
const skips = skipped.filter(({ engines }) => engines.includes(ENGINE));

module.exports = {
	...newest,
	rootDir: '../..',
	roots: [
		'harness',
		'workflows',
		'faults',
		'compatibility',
		...['api', 'events', 'methods', 'operations', 'parameters', 'run'].map(
			(folder) => `unit/${folder}`,
		),
	].map((folder) => `<rootDir>/test/${folder}`),
	testPathIgnorePatterns: ['/node_modules/'],
	...(skips.length > 0 && {
		testNamePattern: `^(?!.*(${skips.map(({ tests }) => tests).join('|')}))`,
	}),
	globals: { ...newest.globals, ENGINE },
	// The built package and the other engine are loaded here.
	modulePathIgnorePatterns: [],
	...(ENGINE !== 'newest' && {
		moduleNameMapper: {
			'^(n8n-core|n8n-workflow)(/.*)?$': `<rootDir>/.n8n/engines/${ENGINE}/node_modules/$1$2`,
		},
	}),
};
