// Installs from a lock file what is not there already: run by itself, the development dependencies.
// Needs only Node.js and npm: pnpm is run through npx.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from './npm.mjs';

export const PNPM = 'pnpm@10.34.9';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const system = `${process.platform}-${process.arch}`;
/** The native packages that the tools cannot do without, each with a line that uses its binary. */
const NATIVES = {
	'@swc/core': "require('@swc/core').transformSync('')",
	esbuild: "require('esbuild').transformSync('')",
	'unrs-resolver': "require('unrs-resolver')",
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`Node.js 20.19 or newer is needed; this is ${process.version}.`);
	process.exit(1);
}

/** Runs pnpm in a folder and returns its exit code. */
function runPnpm(folder, args) {
	const [command, all] = npmCommand('npx', ['--yes', PNPM, ...args]);
	return spawnSync(command, all, { cwd: folder, stdio: 'inherit' }).status;
}

/** The native packages whose binary for this system does not load. */
const brokenIn = (folder, natives) =>
	Object.keys(natives).filter((name) => {
		const { status } = spawnSync(process.execPath, ['-e', natives[name]], { cwd: folder });
		return status !== 0;
	});

/**
 * Installs what the lock file of a folder names, unless it is there. Ends the process when that fails.
 *
 * A lock file that was made with an incomplete registry may lack a binary for this system. Then the folder is installed
 * once more without the lock file; the versions that package.json and the workspace file pin still hold.
 *
 * @param {string} folder
 * @param {string} what names the packages to the person at the terminal
 * @param {Record<string, string>} [natives] native packages, each with a line of code that fails without its binary
 * @param {(folder: string, args: string[]) => number | null} [pnpm] another way to run pnpm, for tests
 */
export function installLocked(folder, what, natives = {}, pnpm = runPnpm) {
	const modules = join(folder, 'node_modules');
	const stamp = join(modules, '.installed-from');
	const source = createHash('sha256')
		.update(readFileSync(join(folder, 'pnpm-lock.yaml')))
		.update(readFileSync(join(folder, 'package.json')))
		.update(system)
		.digest('hex');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === source) return;

	const install = (...flags) => {
		const quiet = ['--reporter=append-only', '--config.confirmModulesPurge=false'];
		const status = pnpm(folder, ['install', ...flags, ...quiet]);
		if (status !== 0) process.exit(status ?? 1);
		return brokenIn(folder, natives);
	};
	console.log(`Installing ${what} (once, about a minute) ...`);
	const broken = install('--frozen-lockfile');
	if (broken.length > 0) {
		console.log(
			`The lock file has no ${broken.join(', ')} that works on ${system}. Installing without it ...`,
		);
		// What is installed counts as locked, too.
		rmSync(modules, { recursive: true, force: true });
		const stillBroken = install('--no-lockfile');
		if (stillBroken.length > 0) {
			console.error(
				`${stillBroken.join(', ')} does not load on ${system}, with or without the lock file. Delete node_modules and try again with another version of Node.js. See docs/contributing/lock-files.md.`,
			);
			process.exit(1);
		}
		console.log(
			'Installed without the lock file, so versions that nothing pins may be newer than the tested ones. To fix the lock file, see docs/contributing/lock-files.md.',
		);
	}
	writeFileSync(stamp, source);
}

const started = process.argv[1] && realpathSync(process.argv[1]);
if (started === fileURLToPath(import.meta.url))
	installLocked(root, 'development dependencies', NATIVES);
