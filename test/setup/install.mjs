// Installs from a lock file what is not there already: run by itself, the development dependencies.
// Needs only Node.js and npm: pnpm is run through npx.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PNPM = 'pnpm@10.34.9';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`Node.js 20.19 or newer is needed; this is ${process.version}.`);
	process.exit(1);
}

/** Installs what the lock file of a folder names, unless it is there. Ends the process when that fails. */
export function installLocked(folder, what) {
	const stamp = join(folder, 'node_modules', '.installed-from');
	const lockHash = createHash('sha256')
		.update(readFileSync(join(folder, 'pnpm-lock.yaml')))
		.update(readFileSync(join(folder, 'package.json')))
		.digest('hex');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) return;

	console.log(`Installing ${what} (once, about a minute) ...`);
	const { status } = spawnSync(
		'npx',
		[
			'--yes',
			PNPM,
			'install',
			'--frozen-lockfile',
			'--reporter=append-only',
			'--config.confirmModulesPurge=false',
		],
		{ cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' },
	);
	if (status !== 0) process.exit(status ?? 1);
	writeFileSync(stamp, lockHash);
}

installLocked(root, 'development dependencies');
