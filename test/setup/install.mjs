// Installs the development dependencies from the lock file, unless they are there already.
// Needs only Node.js and npm: pnpm is run through npx.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PNPM = 'pnpm@10.34.9';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const stamp = join(root, 'node_modules', '.installed-from');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`Node.js 20.19 or newer is needed; this is ${process.version}.`);
	process.exit(1);
}

const lockHash = createHash('sha256')
	.update(readFileSync(join(root, 'pnpm-lock.yaml')))
	.update(readFileSync(join(root, 'package.json')))
	.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockHash) {
	console.log('Installing development dependencies (once, about a minute) ...');
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
		{ cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
	);
	if (status !== 0) process.exit(status ?? 1);
	writeFileSync(stamp, lockHash);
}
