// `npm run test:exhaustive`: only the tests that try a part in `npm test`, in full.
process.env.SIZE = 'exhaustive';

module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	testMatch: [
		'<rootDir>/test/faults/{business,others,prospect,values,volume}.test.ts',
		'<rootDir>/test/unit/trigger/simulation.test.ts',
	],
};
