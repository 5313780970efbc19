/** How Jest is set up. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '..', '..');

test.each([
	['nodes/BusinessProspectData/runtime/lists.ts', 'test/unit/runtime/lists.test.ts'],
	['credentials/BusinessProspectDataApi.credentials.ts', 'test/unit/credential.test.ts'],
])('a change of %s concerns its tests', (source, concerned) => {
	const cli = require.resolve('jest/bin/jest');
	const listed = execFileSync(
		process.execPath,
		[cli, '--listTests', '--json', '--findRelatedTests', source],
		{ cwd: root, encoding: 'utf8' },
	);
	const tests = (JSON.parse(listed) as string[]).map((path) => relative(root, path));

	expect(tests.map((path) => path.replaceAll('\\', '/'))).toContain(concerned);
});

test('the sequencer names tests that exist', () => {
	const { LONGEST } = jest.requireActual<{ LONGEST: string[] }>('../setup/sequencer.cjs');

	expect(LONGEST.length).toBeGreaterThan(0);
	expect(LONGEST.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
