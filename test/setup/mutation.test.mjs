// `npm run test:mutation` knows the tests of every file that it breaks.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TESTS } from '../mutation/tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

for (const [folder, tests] of Object.entries(TESTS)) {
	it(`the mutation tests list the files of ${folder}`, () => {
		const files = readdirSync(join(root, 'nodes/BusinessProspectData', folder))
			.filter((name) => name.endsWith('.ts'))
			.map((name) => name.replace('.ts', ''));

		assert.deepEqual(Object.keys(tests).sort(), files.sort());
		assert.deepEqual(
			Object.values(tests)
				.flat()
				.filter((path) => !existsSync(join(root, path))),
			[],
		);
		// A second load of a test file finds no tests, and fails.
		assert.deepEqual(
			Object.keys(tests).filter((file) => new Set(tests[file]).size < tests[file].length),
			[],
		);
	});
}
