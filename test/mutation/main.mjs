// `npm run test:mutation`: breaks the code in one place at a time, and lists the breaks that no test catches.
// `npm run test:mutation -- api run/batches` does so for a folder or a file only. All of it takes several hours.
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { TESTS } from './tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const sources = 'nodes/BusinessProspectData';
const jestConfig = createRequire(import.meta.url)('../../jest.config.js');
/** The percentage of the breaks in a folder that the tests must catch. */
const LEAST = 85;
/** A break that makes the code hang should be caught soon; thousands of histories of the trigger take longer. */
const hangsMs = (folder) => (folder.startsWith('trigger') ? 60_000 : 8_000);

/** @typedef {[folder: string, file: string]} Source */

/** The files that are asked for; by default all. Throws for one that has no tests. */
async function filesOf(chosen) {
	const folders = await Promise.all(
		Object.keys(TESTS).map(async (folder) =>
			(await readdir(join(root, sources, folder)))
				.filter((name) => name.endsWith('.ts'))
				.map(
					/** @returns {Source} */
					(name) => [folder, name.replace('.ts', '')],
				),
		),
	);
	const all = folders.flat();
	const untested = all.filter(([folder, file]) => !(file in TESTS[folder]));
	if (untested.length > 0) throw new Error(`tests.mjs says no tests for ${untested.join(', ')}`);
	const unknown = chosen.find((part) => !all.some((path) => isIn(part, path)));
	if (unknown) throw new Error(`There is no ${unknown}`);
	return chosen.length === 0 ? all : all.filter((path) => chosen.some((part) => isIn(part, path)));
}

/** @type {(part: string, path: Source) => boolean} */
const isIn = (part, [folder, file]) => `${folder}/${file}/`.startsWith(`${part}/`);

/** @param {Source} source */
async function mutate([folder, file]) {
	const results = await new Stryker({
		mutate: [`${sources}/${folder}/${file}.ts`],
		testRunner: 'jest',
		plugins: ['@stryker-mutator/jest-runner'],
		jest: {
			enableFindRelatedTests: false,
			config: {
				...jestConfig,
				testTimeout: hangsMs(folder),
				testMatch: ['<rootDir>/test/mutation/together.cjs'],
				globals: { TEST_FILES: TESTS[folder][file], SIZE: 'sample' },
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
		jsonReporter: { fileName: `.n8n/mutation/${folder.replace('/', '-')}-${file}.json` },
		clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
		logLevel: /** @type {import('@stryker-mutator/api/core').LogLevel} */ ('warn'),
		disableTypeChecks: false,
	}).runMutationTest();
	const count = (...states) => results.filter(({ status }) => states.includes(status)).length;
	const caught = count('Killed', 'Timeout');
	const missed = count('Survived', 'NoCoverage');
	console.log(`${folder}/${file}: ${caught} of ${caught + missed} caught`);
	return { folder: folder.split('/')[0], caught, missed };
}

process.chdir(root);
const counts = [];
for (const path of await filesOf(process.argv.slice(2))) counts.push(await mutate(path));
for (const folder of new Set(counts.map((count) => count.folder))) {
	const own = counts.filter((count) => count.folder === folder);
	const sum = (key) => own.reduce((all, count) => all + count[key], 0);
	const score = (100 * sum('caught')) / (sum('caught') + sum('missed'));
	console.log(`${folder}: ${score.toFixed(1)}% of ${sum('caught') + sum('missed')} breaks caught`);
	if (score < LEAST) process.exitCode = 1;
}
