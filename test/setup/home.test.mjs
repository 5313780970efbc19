// `npm run home`, on a copy of the repository as it is before.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brokenLinks } from '../docs/pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const LEFT_OUT = ['.git', '.n8n', 'coverage', 'dist', 'home.json', 'node_modules'];
const VALUES = {
	repository: 'some-owner/prospects',
	author: 'Ada Example',
	email: 'ada@company.example',
	'service-name': "Ada's $& Data",
	'service-url': 'https://service.test',
	'api-docs': 'https://docs.service.test/api',
};
const options = Object.entries(VALUES).map(([name, value]) => `--${name}=${value}`);

let copy;
before(() => {
	copy = mkdtempSync(join(tmpdir(), 'business-prospect-data-home-'));
	const filter = (path) => !LEFT_OUT.includes(basename(path));
	cpSync(root, copy, { recursive: true, filter });
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
});
after(() => rmSync(copy, { recursive: true, force: true }));

const textOf = (path) => readFileSync(join(copy, path), 'utf8');

function home(...args) {
	const script = join(copy, 'test', 'setup', 'home.mjs');
	const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
		encoding: 'utf8',
	});
	return { status, printed: stdout + stderr };
}

describe('npm run home', () => {
	it('with --check fails, and lists what is left', () => {
		const { status, printed } = home('--check');
		assert.equal(status, 1);
		for (const place of [
			...['package.json', 'README.md', 'LICENSE', 'SECURITY.md', 'publish.yml'],
			...['package.json: A Service\n', 'examples/inbound-lead.json', 'examples/mcp-server.json'],
		])
			assert.ok(printed.includes(place), printed);
	});

	it('changes nothing until all values are given', () => {
		const before = textOf('package.json');
		const { status, printed } = home('--repository=some-owner/prospects', '--email=nobody');
		assert.equal(status, 1);
		assert.match(printed, /--author is missing[^]*--email is missing/);
		assert.equal(textOf('package.json'), before);
	});

	it('fills in all places, once, and every link leads somewhere', async () => {
		assert.equal(home(...options).status, 0);
		assert.deepEqual(home('--check'), { status: 0, printed: '' });
		assert.equal(home(...options).printed, 'All of it is there already.\n');

		assert.deepEqual(await brokenLinks(copy), []);
		const { author, homepage } = JSON.parse(textOf('package.json'));
		assert.equal(author.name, VALUES.author);
		assert.equal(homepage, `https://github.com/${VALUES.repository}#readme`);
		const readme = textOf('README.md');
		assert.ok(readme.includes(`[${VALUES['service-name']}](${VALUES['service-url']})`));
		assert.ok(!readme.includes('Not published yet'));
		assert.match(textOf('.github/CODEOWNERS'), /^\* @some-owner$/m);
		for (const name of readdirSync(join(copy, 'examples')))
			assert.doesNotMatch(textOf(`examples/${name}`), /the page \*/, name);
	});

	const CREDENTIAL = 'credentials/BusinessProspectDataApi.credentials.ts';
	/** @type {Array<[option: string, files: string[], text: string]>} */
	const later = [
		['--email=other@company.example', ['package.json'], '"email": "other@company.example"'],
		['--base-url=https://api.test', [CREDENTIAL, 'README.md'], "default: 'https://api.test'"],
		['--verified', ['README.md', 'docs/compatibility.md', 'README.md'], 'either n8n Cloud or a'],
	];
	for (const [option, files, text] of later)
		it(`changes later only what it names: ${option}`, () => {
			const [file = ''] = files;
			const before = textOf(file);
			assert.deepEqual(home(option).printed.match(/(?<=^ {2})\S+(?=:)/gm), files);
			assert.ok(textOf(file).includes(text) && !before.includes(text));
			assert.deepEqual(home('--check'), { status: 0, printed: '' });
			writeFileSync(join(copy, file), before);
			assert.equal(home('--check').status, 1);
			home(option);
		});
});
