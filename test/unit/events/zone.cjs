// TypeScript files may not start processes.
const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

const root = join(__dirname, '..', '..', '..');

/** Runs a program at the root of the clone, with its TypeScript files to require, and gives what it prints as JSON. */
exports.runIn = (zone, program) =>
	JSON.parse(
		execFileSync(process.execPath, ['--require', 'tsx/cjs', '--eval', program], {
			cwd: root,
			env: { ...process.env, TZ: zone },
			encoding: 'utf8',
		}),
	);
