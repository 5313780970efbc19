/** `npm run home`, on a copy of the repository as it is before. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { brokenLinks } from '../docs/pages';

const LEFT_OUT = ['.git', '.n8n', 'coverage', 'dist', 'home.json', 'node_modules'];
const VALUES = {
	repository: 'some-owner/prospects',
	author: 'Ada Example',
	email: 'ada@company.example',
	'service-name': "Ada's $& Data",
	'service-url': 'https://service.test',
	'api-docs': 'https://docs.service.test/api',
};

let copy = '';
beforeAll(() => {
	copy = mkdtempSync(join(tmpdir(), 'business-prospect-data-home-'));
	cpSync('.', copy, {
		recursive: true,
		filter: (path) => !LEFT_OUT.includes(basename(path)),
	});
	symlinkSync(resolve('node_modules'), join(copy, 'node_modules'), 'junction');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function home(...args: string[]) {
	const script = join(copy, 'test/setup/home.mjs');
	const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
		encoding: 'utf8',
	});
	return { status, printed: stdout + stderr };
}

const textOf = (path: string) => readFileSync(join(copy, path), 'utf8');
const options = Object.entries(VALUES).map(([name, value]) => `--${name}=${value}`);

test('before: the check fails with the list, and nothing is filled in without all values', () => {
	const check = home('--check');
	const some = home('--repository=some-owner/prospects', '--email=nobody');

	expect(check.status).toBe(1);
	for (const file of ['package.json', 'README.md', 'LICENSE', 'SECURITY.md', 'publish.yml'])
		expect(check.printed).toContain(file);
	expect(some.status).toBe(1);
	expect(some.printed).toMatch(/--author is missing[^]*--email is missing/);
	expect(textOf('package.json')).toBe(readFileSync('package.json', 'utf8'));
});

test('after: all of it is there, once, and every link leads somewhere', async () => {
	expect(home(...options)).toMatchObject({ status: 0 });
	expect(home('--check')).toEqual({ status: 0, printed: '' });
	expect(home(...options).printed).toBe('All of it is there already.\n');

	expect(await brokenLinks(copy)).toEqual([]);
	const { author, homepage } = JSON.parse(textOf('package.json'));
	expect([author.name, homepage]).toEqual([
		VALUES.author,
		`https://github.com/${VALUES.repository}#readme`,
	]);
	const readme = textOf('README.md');
	expect(readme).toContain(`[${VALUES['service-name']}](${VALUES['service-url']})`);
	expect(readme).not.toContain('Not published yet');
	expect(readme.split('\n').length).toBeLessThanOrEqual(151);
});

test('a later run changes what it names', () => {
	const { printed } = home('--email=other@company.example');

	expect(printed.match(/^ {2}\S+:/gm)).toEqual(['  package.json:']);
	expect(textOf('package.json')).toContain('other@company.example');
	expect(textOf('package.json')).toContain(VALUES.author);
});
