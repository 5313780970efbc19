// `npm run home`, on a copy of the repository as it is before.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
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
		for (const file of ['package.json', 'README.md', 'LICENSE', 'SECURITY.md', 'publish.yml'])
			assert.ok(printed.includes(file), printed);
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
	});

	it('changes later what it names', () => {
		const { printed } = home('--email=other@company.example');
		assert.deepEqual(printed.match(/^ {2}\S+:/gm), ['  package.json:']);
		const { author } = JSON.parse(textOf('package.json'));
		assert.deepEqual(author, { name: VALUES.author, email: 'other@company.example' });
	});
});
