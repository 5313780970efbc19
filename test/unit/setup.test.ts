/** `npm run setup`, with a pnpm that only makes the files that the test needs. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const setup = pathToFileURL(join(__dirname, '..', 'setup', 'install.mjs')).href;

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'business prospect data '));
	writeFileSync(join(folder, 'package.json'), '{}');
	writeFileSync(join(folder, 'pnpm-lock.yaml'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Sets a folder up; `works` says after which installs the native package loads. */
function setUp(works: { locked: boolean; unlocked: boolean }) {
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
	const installs = stdout.split('\n').filter((line) => line.startsWith('pnpm install'));
	return { status, installs, said: stdout + stderr };
}

const LOCKED = expect.stringContaining('--frozen-lockfile') as string;
const UNLOCKED = expect.stringContaining('--no-lockfile') as string;

test('it installs from the lock file, once', () => {
	expect(setUp({ locked: true, unlocked: true })).toMatchObject({ status: 0, installs: [LOCKED] });
	expect(setUp({ locked: true, unlocked: true })).toMatchObject({ status: 0, installs: [] });
});

test('where a native package does not load, it installs once without the lock file and explains', () => {
	const first = setUp({ locked: false, unlocked: true });

	expect(first).toMatchObject({ status: 0, installs: [LOCKED, UNLOCKED] });
	expect(first.said).toContain(
		`The lock file has no native that works on ${process.platform}-${process.arch}`,
	);
	expect(first.said).toContain('CONTRIBUTING.md');
	expect(setUp({ locked: false, unlocked: true }).installs).toEqual([]);
});

test('where that does not help, it fails and names the package', () => {
	const { status, installs, said } = setUp({ locked: false, unlocked: false });

	expect({ status, installs }).toEqual({ status: 1, installs: [LOCKED, UNLOCKED] });
	expect(said).toContain('native does not load on');
	expect(existsSync(join(folder, 'node_modules', '.installed-from'))).toBe(false);
});
