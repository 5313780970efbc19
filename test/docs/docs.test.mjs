// The documentation's links, commands and file names lead somewhere, and its pictures are used.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brokenLinks, destinationOf, pagesIn, picturesIn, readPage } from './pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pages = await Promise.all(
	pagesIn(root).map(async (path) => ({ path, ...(await readPage(root, path)) })),
);

describe('the documentation', () => {
	it('has links, and each leads somewhere', async () => {
		const { targets } = await readPage(root, 'README.md');
		assert.ok(targets.length > 20);
		assert.deepEqual(await brokenLinks(root), []);
	});

	it('begins with a page of at most 150 lines', () => {
		const lines = readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n');
		assert.ok(lines.length <= 150);
	});

	it('shows each picture', () => {
		const shown = pages.flatMap(({ path, targets }) =>
			targets.map((target) => destinationOf(path, target)?.path),
		);
		assert.deepEqual(
			picturesIn(root).filter((path) => !shown.includes(path)),
			[],
		);
	});

	it('names npm scripts that exist', () => {
		const named = pages.flatMap(({ path, code }) =>
			code
				.flatMap((text) => [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script]) => script))
				.map((script) => ({ path, script })),
		);
		assert.ok(named.length > 20);
		assert.deepEqual(
			named.filter(({ script }) => !(script in scripts)),
			[],
		);
	});

	it('names files that exist', () => {
		// Where paths begin: here, or in the folder that the page is about.
		const folders = ['', 'nodes/BusinessProspectData/', 'test/sandbox/'];
		const exists = (path) =>
			existsSync(join(root, path)) || existsSync(join(root, `${path}.test.ts`));
		const named = pages.flatMap(({ path, code }) =>
			code
				.filter((text) => /^(?!\.n8n\/)(test\/[\w./-]+|[\w./-]+\/[\w.-]+\.\w+)$/.test(text))
				.map((name) => ({ path, name })),
		);
		assert.ok(named.length > 20);
		assert.deepEqual(
			named.filter(({ name }) => !folders.some((folder) => exists(folder + name))),
			[],
		);
	});
});
