// `npm run test:exhaustive`: what `npm test` tries a part of, in full. CI runs both.
module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	testMatch: [
		'<rootDir>/test/faults/{business,others,prospect}.test.ts',
		'<rootDir>/test/unit/events/simulation.test.ts',
	],
	globals: { EXHAUSTIVE: true, HISTORIES: 5_000 },
};
