// `npm run setup`, with a pnpm that only makes the files that the test needs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';

const setup = new URL('./install.mjs', import.meta.url).href;

let folder;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'business prospect data '));
	writeFileSync(join(folder, 'package.json'), '{}');
	writeFileSync(join(folder, 'pnpm-lock.yaml'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * Sets the folder up.
 *
 * @param {{ locked: boolean, unlocked: boolean }} works after which installs the native package loads
 */
function setUp(works) {
	const program = `
		import { mkdirSync, writeFileSync } from 'node:fs';
		import { installLocked } from ${JSON.stringify(setup)};
		const works = ${JSON.stringify(works)};
		installLocked(process.cwd(), 'a package', { native: "require('native')" }, (folder, args) => {
			console.log('pnpm ' + args.join(' '));
			const loads = args.includes('--no-lockfile') ? works.unlocked : works.locked;
			mkdirSync('node_modules/native', { recursive: true });
			writeFileSync('node_modules/native/index.js', loads ? '' : 'throw new Error()');
			return 0;
		});`;
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		['--input-type=module', '-e', program],
		{ cwd: folder, encoding: 'utf8' },
	);
	const installs = stdout.match(/^pnpm install --[\w-]+/gm) ?? [];
	return { status, installs, printed: stdout + stderr };
}

const LOCKED = 'pnpm install --frozen-lockfile';
const UNLOCKED = 'pnpm install --no-lockfile';

describe('set-up', () => {
	it('installs from the lock file, once', () => {
		const first = setUp({ locked: true, unlocked: true });
		assert.deepEqual([first.status, first.installs], [0, [LOCKED]]);
		const second = setUp({ locked: true, unlocked: true });
		assert.deepEqual([second.status, second.installs], [0, []]);
	});

	it('installs once without the lock file where a native package does not load, and explains', () => {
		const { status, installs, printed } = setUp({ locked: false, unlocked: true });
		assert.deepEqual([status, installs], [0, [LOCKED, UNLOCKED]]);
		const system = `${process.platform}-${process.arch}`;
		assert.ok(printed.includes(`The lock file has no native that works on ${system}`), printed);
		assert.ok(printed.includes('docs/contributing/lock-files.md'), printed);
		assert.deepEqual(setUp({ locked: false, unlocked: true }).installs, []);
	});

	it('fails and names the package where that does not help', () => {
		const { status, installs, printed } = setUp({ locked: false, unlocked: false });
		assert.deepEqual([status, installs], [1, [LOCKED, UNLOCKED]]);
		assert.ok(printed.includes('native does not load on'), printed);
		assert.ok(!existsSync(join(folder, 'node_modules', '.installed-from')));
	});
});
