// `npm run test:mutation`: breaks the code in one place at a time, and lists the breaks that no unit test catches.
// `npm run test:mutation -- api run/batches` does so for a folder or a file only. All of it takes several hours.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

const require = createRequire(import.meta.url);
const jestConfig = require('../../jest.config.js');
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const sources = 'nodes/BusinessProspectData';
const FOLDERS = ['core', 'api', 'parameters', 'run', 'events', 'filters', 'search', 'trigger'];
/** The percentage of the breaks in a folder that the tests must catch. */
const LEAST = 85;
/** Tests that try so much that they would take longer than all others; only the trigger's own breaks are worth it. */
const SLOW = /simulation/;
const isOfTrigger = (path) => path.includes('trigger/');

/** The unit tests that import the file, also through others. */
function testsOf(file) {
	const options = ['--listTests', '--json', '--findRelatedTests', `${sources}/${file}`];
	const listed = execFileSync(process.execPath, [require.resolve('jest/bin/jest'), ...options]);
	return JSON.parse(String(listed))
		.map((path) => relative(root, path).replaceAll('\\', '/'))
		.filter((path) => /^test\/unit\/(.+\/|credential|texts)/.test(path))
		.filter((path) => !SLOW.test(path) || (isOfTrigger(file) && isOfTrigger(path)));
}

/** @param {string} file */
async function mutate(file) {
	const results = await new Stryker({
		mutate: [`${sources}/${file}`],
		testRunner: 'jest',
		plugins: ['@stryker-mutator/jest-runner'],
		jest: {
			// Stryker would load each of them for each break, and n8n's engine with each.
			enableFindRelatedTests: false,
			config: {
				...jestConfig,
				// Stryker changes the globals of each test file, so files can't share them.
				testEnvironment: 'node',
				runtime: undefined,
				testMatch: ['<rootDir>/test/mutation/together.cjs'],
				globals: { TEST_FILES: testsOf(file), SIZE: 'sample' },
			},
		},
		coverageAnalysis: 'perTest',
		// Texts and tables that are made once when a file is loaded have tests of their own.
		ignoreStatic: true,
		concurrency: 2,
		timeoutMS: 12_000,
		ignorePatterns: ['dist', '.n8n', 'examples'],
		tempDirName: '.n8n/mutation',
		reporters: ['progress-append-only', 'clear-text', 'json'],
		jsonReporter: { fileName: `.n8n/mutation/${file.replaceAll('/', '-')}.json` },
		clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
		logLevel: /** @type {import('@stryker-mutator/api/core').LogLevel} */ ('warn'),
		disableTypeChecks: false,
	}).runMutationTest();
	const count = (...states) => results.filter(({ status }) => states.includes(status)).length;
	const caught = count('Killed', 'Timeout');
	const missed = count('Survived', 'NoCoverage');
	console.log(`${file}: ${caught} of ${caught + missed} caught`);
	return { folder: file.split('/')[0], caught, missed };
}

process.chdir(root);
const all = FOLDERS.flatMap((folder) =>
	readdirSync(join(sources, folder), { recursive: true })
		.map((name) => `${folder}/${String(name).replaceAll('\\', '/')}`)
		.filter((file) => file.endsWith('.ts')),
);
const isIn = (file, part) => `${file.replace('.ts', '')}/`.startsWith(`${part}/`);
const chosen = process.argv.slice(2);
const unknown = chosen.find((part) => !all.some((file) => isIn(file, part)));
if (unknown) throw new Error(`There is no ${unknown}`);
const files = all.filter((file) => chosen.length === 0 || chosen.some((part) => isIn(file, part)));

const counts = [];
for (const file of files) counts.push(await mutate(file));
for (const folder of new Set(counts.map((count) => count.folder))) {
	const own = counts.filter((count) => count.folder === folder);
	const sum = (key) => own.reduce((total, count) => total + count[key], 0);
	const breaks = sum('caught') + sum('missed');
	if (breaks === 0) continue;
	const score = (100 * sum('caught')) / breaks;
	console.log(`${folder}: ${score.toFixed(1)}% of ${breaks} breaks caught`);
	if (score < LEAST) process.exitCode = 1;
}
