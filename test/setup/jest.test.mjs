// How Jest is set up.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sequencer from './sequencer.cjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);

/** The test files that Jest would run for a source. */
function testsOf(source) {
	const jest = require.resolve('jest/bin/jest');
	const options = ['--listTests', '--json', '--findRelatedTests', source];
	const listed = execFileSync(process.execPath, [jest, ...options], {
		cwd: root,
		encoding: 'utf8',
	});
	return JSON.parse(listed).map((path) => relative(root, path).replaceAll('\\', '/'));
}

describe('Jest', () => {
	for (const [source, test] of [
		['nodes/BusinessProspectData/parameters/lists.ts', 'test/unit/parameters/lists.test.ts'],
		['credentials/BusinessProspectDataApi.credentials.ts', 'test/unit/credential.test.ts'],
	])
		it(`finds the tests that a change of ${source} concerns`, () => {
			assert.ok(testsOf(source).includes(test));
		});

	it('begins with tests that exist', () => {
		assert.ok(Sequencer.LONGEST.length > 0);
		assert.deepEqual(
			Sequencer.LONGEST.filter((path) => !existsSync(join(root, path))),
			[],
		);
	});
});
