// `npm test`: the fast tests, and beside them formatting, types, lint, build and the package. Each is a script of
// package.json and can be run by its name.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runLanes } from './lanes.mjs';
import { npmCommand } from './npm.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const logFile = join(root, '.n8n', 'test.log'); // ignored by git

const script = (name, more = {}) => ({
	name,
	command: npmCommand('npm', ['run', '--silent', name]),
	...more,
});
// The quickest first: what fails is shown at once.
const BESIDE = ['format:check', 'typecheck', 'lint', 'build', 'test:package', 'test:setup'];

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => interruption.abort());

mkdirSync(dirname(logFile), { recursive: true });
writeFileSync(logFile, '');
const ok = await runLanes(
	[[script('test:fast', { live: true })], BESIDE.map((name) => script(name))],
	{
		cwd: root,
		logFile,
		// In pipes, colours have to be asked for.
		env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
		signal: interruption.signal,
	},
);
process.exitCode = interruption.signal.aborted ? 130 : ok ? 0 : 1;
