// What is published: the tarball that npm would upload, its files, and what its code can reach. Needs `npm run build`.
//
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Linter } from 'eslint';
import { npmCommand } from '../setup/npm.mjs';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const manifest = require('../../package.json');
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Everything that may be in the tarball. */
const PUBLISHED = [
	/^(package\.json|README\.md|LICENSE)$/,
	/^dist\/bundle\.js$/,
	/^dist\/credentials\/\w+\.credentials\.js$/,
	/^dist\/nodes\/BusinessProspectData\/\w+\.node\.(js|json)$/,
	/^dist\/nodes\/BusinessProspectData\/\w+(\.dark)?\.svg$/,
	/^dist\/nodes\/BusinessProspectData\/__schema__\/v1\.0\.0\/\w+\/\w+\.json$/,
];

/** All that the code may name and has not made itself: the language, and what reads an address, ends a wait or copies data. */
const GLOBALS =
	'AbortController AbortSignal Array Boolean Date Error Infinity JSON Map Math Number Object Promise Set String URL WeakMap WeakSet encodeURIComponent exports module performance require structuredClone undefined Buffer TextDecoder URLSearchParams Intl RegExp decodeURIComponent';

/** The modules that it may load: n8n's own, Node's hashes (which n8n allows), and its own files. */
const MODULES = String.raw`^(n8n-workflow|node:crypto|\.{1,2}\u002f[\w.\u002f]+)$`;

/** @type {import('eslint').Linter.Config} */
const REACH = {
	languageOptions: {
		sourceType: 'commonjs',
		ecmaVersion: 2022,
		// What the linter knows of the language and of modules is forbidden as well, unless it is listed.
		globals: Object.fromEntries([
			...[...Object.getOwnPropertyNames(globalThis), '__dirname', '__filename'].map((name) => [
				name,
				'off',
			]),
			...GLOBALS.split(' ').map((name) => [name, 'readonly']),
		]),
	},
	linterOptions: { noInlineConfig: true },
	rules: {
		'no-undef': 'error',
		'no-restricted-syntax': [
			'error',
			`CallExpression[callee.name="require"]:not([arguments.0.value=/${MODULES}/])`,
			':not(CallExpression) > Identifier[name="require"]',
			'CallExpression > Identifier.arguments[name="require"]',
			':not(MemberExpression[property.name="exports"]) > Identifier[name="module"]',
			'ImportExpression',
			'MetaProperty',
			'MemberExpression[property.name="constructor"]',
			'MemberExpression[property.value="constructor"]',
		],
	},
};

/** What code of the package could reach beyond what it may. */
const reachOf = (code) =>
	new Linter().verify(code, REACH).map(({ line, message }) => `${line}: ${message}`);

/** Lines that must not be in the package. */
const FORBIDDEN = [
	'const fs = require("fs");',
	'require("child_process").execSync("ls");',
	'const file = require("/etc/passwd.js");',
	'const load = require; load("fs");',
	'import("fs");',
	'fetch("https://elsewhere.example");',
	'console.log(process.env);',
	'eval("1");',
	'new Function("return process")();',
	'(() => {}).constructor("return process")();',
	'(() => {})["constructor"]("return process")();',
	'setTimeout(() => {}, 1);',
	'module.parent;',
	'/* eslint-disable */ process.exit(); // eslint-disable-line',
];

let folder;
let unpacked;
let files;

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'business-prospect-data-package-'));
	const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const { stdout } = await run(...npmCommand('npm', pack), { cwd: root });
	const [{ files: packed, filename }] = JSON.parse(stdout);
	files = packed.map(({ path }) => path);
	await run('tar', ['-xzf', filename], { cwd: folder });
	unpacked = join(folder, 'package');
});

after(async () => {
	if (folder) await rm(folder, { recursive: true, force: true });
});

describe('the tarball', () => {
	it('holds only what is listed here', async () => {
		const odd = files.filter((path) => !PUBLISHED.some((pattern) => pattern.test(path)));
		assert.deepEqual(odd, []);
	});

	it('brings nothing along, and runs nothing when it is installed', () => {
		for (const member of [
			'dependencies',
			'optionalDependencies',
			'bundledDependencies',
			'bundleDependencies',
			'bin',
		])
			assert.equal(manifest[member], undefined, member);
		assert.deepEqual(manifest.peerDependencies, { 'n8n-workflow': '*' });
		const atInstall = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
		assert.deepEqual(
			atInstall.filter((name) => name in manifest.scripts),
			[],
		);
	});

	it('gives n8n each class under the name of its file, all from one bundle', () => {
		const bundle = require(join(root, 'dist', 'bundle.js'));
		for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
			assert.ok(files.includes(path), path);
			const [name] = basename(path).split('.');
			assert.equal(bundle[name].name, name);
			assert.deepEqual(require(`../../${path}`), { [name]: bundle[name] });
		}
	});
});

describe('its code', () => {
	it('reaches no file, no environment, no program and no network but by n8n', async () => {
		for (const path of files.filter((path) => path.endsWith('.js')))
			assert.deepEqual(reachOf(await readFile(join(unpacked, path), 'utf8')), [], path);
	});

	for (const line of FORBIDDEN)
		it(`would be found out: ${line}`, () => assert.notDeepEqual(reachOf(line), []));
});

describe("n8n's own scan of community packages", () => {
	/** What the scanner finds; undefined when nothing. It makes a folder of its own where it is told to. */
	async function scan(path, ...patterns) {
		process.env.TMPDIR = process.env.TEMP = folder;
		const { analyzePackage } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
		const { passed, message, details } = await analyzePackage(path, ...patterns);
		return passed && message === undefined ? undefined : `${message}\n${details}`;
	}
	// As it scans a published package: the code in the tarball, and the sources that it was built from.
	const inTarball = ['**/*.js', 'package.json'];

	it('finds nothing in the tarball', async () => {
		assert.equal(await scan(unpacked, inTarball), undefined);
	});

	it('finds nothing in the sources', async () => {
		const { SOURCE_FILE_PATTERNS } =
			await import('@n8n/scan-community-package/scanner/scanner.mjs');
		assert.equal(await scan(root, SOURCE_FILE_PATTERNS), undefined);
	});

	for (const line of ['console.log(1);', 'require("fs");'])
		it(`would find: ${line}`, async () => {
			const spoilt = join(folder, 'spoilt');
			await cp(unpacked, spoilt, { recursive: true });
			await appendFile(join(spoilt, 'dist', 'bundle.js'), `\n${line}\n`);
			assert.match((await scan(spoilt, inTarball)) ?? '', /bundle\.js/);
		});
});
