/**
 * Tests the package in n8n's engines, from the oldest supported version to the newest. engines.json names the tests that an
 * engine skips, and why.
 *
 *     npm run test:compatibility                      every engine, all tests
 *     npm run test:compatibility -- 1.100 newest      these engines
 *     npm run test:compatibility -- --short           the oldest n8n 1 and the oldest n8n 2, one test file per mechanism; the
 *                                                     newest, only what `npm test` leaves out
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { installLocked } from '../setup/install.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const { engines, skipped } = JSON.parse(readFileSync(join(here, 'engines.json'), 'utf8'));
const names = Object.keys(engines);

/** What needs the built package, and is no part of `npm test`. */
const BUILT = 'compatibility/loader';
/** For each thing that differs between n8n's versions, the test file that shows it best. */
const MECHANISMS = [
	BUILT,
	'harness/engine', // error items, credentials
	'unit/api/client', // the error of a request without a response, and waits that end early
	'unit/methods/testCredential', // the request helper of a credential's test
	'unit/parameters/dates', // dates in a time zone
	'workflows/enrich', // linked rows, the error branch
	'workflows/failures', // a credential that n8n does not keep to its nodes
	'workflows/tool', // the context of a tool
	'workflows/trigger', // what a poll knows, and what n8n saves of it
];

const missing = MECHANISMS.filter((path) => !existsSync(join(root, 'test', `${path}.test.ts`)));
if (missing.length > 0) throw new Error(`No test file for the mechanisms ${missing.join(', ')}`);

const SHORT = ['1.100', '2.0', 'newest'];

const given = process.argv.slice(2);
const short = given.includes('--short');
const wanted = given.filter((argument) => argument !== '--short');
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
	console.error(`There is no engine "${unknown}". There are: ${names.join(', ')}.`);
	process.exit(1);
}

let failed = false;
for (const name of wanted.length > 0 ? wanted : short ? SHORT : names) {
	if (name !== 'newest') install(name);
	console.log(`\nn8n-core ${name} (n8n ${engines[name].n8n})`);
	for (const { tests, reason, engines: skipping } of skipped)
		if (skipping.includes(name)) console.log(`  skips "${tests}": ${reason}`);

	const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
	const { status } = spawnSync(
		process.execPath,
		[jest, '--config', join(here, 'jest.config.js'), ...(short ? shortOf(name) : [])],
		{ cwd: root, stdio: 'inherit', env: { ...process.env, ENGINE: name } },
	);
	if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);

/** The test files of the short run. */
function shortOf(name) {
	return name === 'newest' ? [BUILT] : MECHANISMS;
}

/** Installs an engine apart from the clone's own modules, which have the newest. */
function install(name) {
	const folder = join(root, '.n8n', 'engines', name);
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'])
		cpSync(join(here, 'engines', name, file), join(folder, file));
	installLocked(folder, `n8n-core ${name}`);
}
