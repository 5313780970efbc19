// How to start npm's own commands without a shell: a shell would split paths at their blanks.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const SCRIPTS = { npm: 'npm-cli.js', npx: 'npx-cli.js' };

/** Folders that may hold npm's scripts: those of the npm that runs this, then where installers put them. */
const candidates = () =>
	[
		process.env.npm_execpath && dirname(process.env.npm_execpath),
		join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin'),
		...[dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)].map((folder) =>
			join(folder, 'node_modules', 'npm', 'bin'),
		),
	].filter((folder) => typeof folder === 'string');

/**
 * The program and its arguments that run `npm` or `npx`. On Windows these are batch files, which only a shell can start;
 * Node.js can run the scripts behind them on every system.
 *
 * @param {keyof typeof SCRIPTS} name
 * @param {string[]} args
 * @param {string} [node] the Node.js that runs it
 * @returns {[string, string[]]}
 */
export function npmCommand(name, args, node = process.execPath) {
	const folder = candidates().find((candidate) => existsSync(join(candidate, SCRIPTS[name])));
	return folder ? [node, [join(folder, SCRIPTS[name]), ...args]] : [name, args];
}
