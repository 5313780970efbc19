/**
 * Tests the package in n8n's engines from the oldest that is supported to the newest.
 *
 *     npm run test:compatibility                      every engine, all tests
 *     npm run test:compatibility -- 1.100 newest      these engines
 *     npm run test:compatibility -- --short           the oldest and the newest whole, one test file per mechanism in the others
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { installLocked } from '../setup/install.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const engines = JSON.parse(readFileSync(join(here, 'engines.json'), 'utf8'));
const names = Object.keys(engines);

/** One test file for each thing that n8n's versions do differently. */
const MECHANISMS = [
	'compatibility/loader', // loading the package
	'unit/api/connection', // errors of n8n's request helper
	'unit/api/stopping', // waits that end early
	'workflows/enrich', // items, linking, error branch
	'workflows/tool', // contexts of a tool
	'workflows/trigger', // polls
];

const given = process.argv.slice(2);
const short = given.includes('--short');
const wanted = given.filter((argument) => argument !== '--short');
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
	console.error(`There is no engine "${unknown}". There are: ${names.join(', ')}.`);
	process.exit(1);
}

let failed = false;
for (const name of wanted.length > 0 ? wanted : names) {
	const { n8n, skipped } = engines[name];
	if (name !== 'newest') install(name);
	console.log(`\nEngine ${name} (n8n ${n8n})`);
	for (const [tests, reason] of Object.entries(skipped)) console.log(`  skips "${tests}": ${reason}`);

	const whole = !short || name === names[0] || name === 'newest';
	const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
	const { status } = spawnSync(
		process.execPath,
		[jest, '--config', join(here, 'jest.config.js'), ...(whole ? [] : MECHANISMS)],
		{ cwd: root, stdio: 'inherit', env: { ...process.env, ENGINE: name } },
	);
	if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);

/** Installs an engine apart from the clone's own modules, which have the newest. */
function install(name) {
	const folder = join(root, '.n8n', 'engines', name);
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'])
		cpSync(join(here, 'engines', name, file), join(folder, file));
	installLocked(folder, `n8n-core ${name}`);
}
