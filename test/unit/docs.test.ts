/**
 * The documentation's links, commands and file names lead somewhere, its pictures are used, and what repeats the code is up to
 * date.
 */
import { existsSync } from 'node:fs';
import { sys } from 'typescript';
import { scripts } from '../../package.json';
import { generatedFiles } from '../docs/generated';
import { brokenLinks, destinationOf, pagesIn, picturesIn, readPage } from '../docs/pages';

const PAGES = pagesIn('.').filter((path) => path.endsWith('.md'));

describe('links', () => {
	test('each leads somewhere', async () => {
		expect(await brokenLinks('.')).toEqual([]);
	});

	test('links are found', async () => {
		expect((await readPage('.', 'README.md')).targets.length).toBeGreaterThan(20);
		expect((await readPage('.', 'docs/operations.md')).targets.length).toBeGreaterThan(30);
	});

	test('a page shows each picture', async () => {
		const shown = new Set<string | undefined>();
		for (const path of PAGES) {
			const { targets } = await readPage('.', path);
			for (const target of targets) shown.add(destinationOf(path, target)?.path);
		}
		const pictures = picturesIn('.');

		expect(pictures.length).toBeGreaterThan(3);
		expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
	});
});

describe('code', () => {
	test.each(PAGES)('%s: each npm script that it names exists', async (path) => {
		const { code } = await readPage('.', path);
		const named = code.flatMap((text) =>
			[...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script = '']) => script),
		);

		expect(named.filter((script) => !(script in scripts))).toEqual([]);
	});

	/** Where paths begin: here, or in the folder that the page is about. */
	const FOLDERS = ['', 'nodes/BusinessProspectData/', 'test/sandbox/'];

	test.each(PAGES)('%s: each file that it names exists', async (path) => {
		const { code } = await readPage('.', path);
		const named = code.filter((text) =>
			/^(?!\.n8n\/)(test\/[\w./-]+|[\w./-]+\/[\w.-]+\.\w+)$/.test(text),
		);

		const missing = named.filter(
			(name) =>
				!FOLDERS.some(
					(folder) => existsSync(folder + name) || existsSync(`${folder}${name}.test.ts`),
				),
		);
		expect(missing).toEqual([]);
	});
});

test('the parts that repeat the code are up to date (npm run docs)', () => {
	for (const [path, text] of generatedFiles())
		expect([path, sys.readFile(path)]).toEqual([path, text]);
});
