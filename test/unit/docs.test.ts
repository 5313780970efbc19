/**
 * The documentation's links, commands and file names lead somewhere, its pictures are used, and what repeats the code is up to
 * date.
 */
import { type ParserOptions } from 'prettier';
import { parsers } from 'prettier/plugins/markdown';
import { sys } from 'typescript';
import { scripts } from '../../package.json';
import { generatedFiles } from '../docs/generated';

const REPOSITORY = 'https://github.com/business-prospect-data/n8n-nodes-business-prospect-data';
const RAW = REPOSITORY.replace('github.com', 'raw.githubusercontent.com');

const filesIn = (folder: string, ending: string) =>
	sys
		.readDirectory(folder, [ending])
		.map((path) => path.slice(path.indexOf(`${folder}/`)))
		.sort();

const PAGES = [
	'CHANGELOG.md',
	'CONTRIBUTING.md',
	'README.md',
	'SECURITY.md',
	...filesIn('docs', '.md'),
	...filesIn('examples', '.md'),
	...filesIn('test', 'README.md'),
];

interface MarkdownNode {
	readonly type: string;
	readonly value?: string;
	readonly url?: string;
	/** Of a reference; resolved against the definitions of the page. */
	readonly label?: string;
	readonly children?: readonly MarkdownNode[];
}

interface Page {
	/** What links and pictures point to. A reference without a definition is in brackets. */
	readonly targets: readonly string[];
	/** The fragments of its headings. */
	readonly anchors: readonly string[];
	/** Its code. */
	readonly code: readonly string[];
}

const nodesIn = (node: MarkdownNode): MarkdownNode[] => [
	node,
	...(node.children ?? []).flatMap(nodesIn),
];

const textOf = (node: MarkdownNode): string =>
	nodesIn(node)
		.map(({ value = '' }) => value)
		.join('');

/** The fragment of a heading on GitHub. */
const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
		.replaceAll(' ', '-');

/** Repeated headings get a number. */
const numbered = (anchors: readonly string[]): string[] =>
	anchors.map((anchor, index) => {
		const before = anchors.slice(0, index).filter((other) => other === anchor).length;
		return before === 0 ? anchor : `${anchor}-${before}`;
	});

function targetsOf(node: MarkdownNode, definitions: ReadonlyMap<string, string>): string[] {
	const { type, url, label = '', value = '' } = node;
	if (type === 'link' || type === 'image') return url === undefined ? [] : [url];
	if (type === 'linkReference' || type === 'imageReference') {
		return [definitions.get(label.toLowerCase()) ?? `[${label}]`];
	}
	if (type !== 'html') return [];
	return [...value.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target = '']) => target);
}

async function readPage(path: string): Promise<Page> {
	const tree: MarkdownNode = await parsers.markdown.parse(
		sys.readFile(path) ?? '',
		{} as ParserOptions,
	);
	const nodes = nodesIn(tree);
	const definitions = new Map(
		nodes.flatMap(({ type, label = '', url = '' }) =>
			type === 'definition' ? [[label.toLowerCase(), url] as const] : [],
		),
	);
	const headings = nodes.filter(({ type }) => type === 'heading');
	return {
		targets: nodes.flatMap((node) => targetsOf(node, definitions)),
		anchors: numbered(headings.map((heading) => anchorOf(textOf(heading)))),
		code: nodes.flatMap(({ type, value = '' }) =>
			type === 'inlineCode' || type === 'code' ? [value] : [],
		),
	};
}

/** Resolves a relative link against the folder of its page. */
function resolve(page: string, target: string): string {
	const { pathname } = new URL(target, `file:///${page}`);
	return decodeURIComponent(pathname.slice(1));
}

/**
 * The path and fragment in this repository that a link points to; undefined for one that leads elsewhere, such as to another
 * site or to this repository's issues.
 */
function insideTarget(
	page: string,
	target: string,
): { path: string; fragment: string } | undefined {
	const [address = '', fragment = ''] = target.split('#');
	if (address === '') return { path: page, fragment };
	if (!/^[a-z]+:/i.test(address)) return { path: resolve(page, address), fragment };
	for (const start of [`${REPOSITORY}/blob/`, `${REPOSITORY}/tree/`, `${RAW}/`]) {
		if (!address.startsWith(start)) continue;
		const [branch = '', ...parts] = address.slice(start.length).split('/');
		return { path: branch === 'main' ? parts.join('/') : `${branch}: not main`, fragment };
	}
	const [, workflow] = address.split(`${REPOSITORY}/actions/workflows/`);
	if (workflow === undefined) return undefined;
	return { path: `.github/workflows/${workflow.split('/')[0]}`, fragment };
}

const pages = new Map<string, Promise<Page>>();
async function pageOf(path: string): Promise<Page> {
	const page = pages.get(path) ?? readPage(path);
	pages.set(path, page);
	return await page;
}

const exists = (path: string) =>
	sys.fileExists(path) || sys.directoryExists(path === '' ? '.' : path);

describe('links', () => {
	test.each(PAGES)(
		'%s: every link into this repository leads to a file, and to a heading',
		async (path) => {
			const { targets } = await pageOf(path);
			const broken: string[] = [];
			for (const target of targets) {
				const inside = target.startsWith('[')
					? { path: `${target}: not defined`, fragment: '' }
					: insideTarget(path, target);
				if (inside === undefined) continue;
				const { fragment } = inside;
				const isFound =
					exists(inside.path) &&
					(fragment === '' || (await pageOf(inside.path)).anchors.includes(fragment));
				if (!isFound) broken.push(target);
			}

			expect(broken).toEqual([]);
		},
	);

	test('links are found', async () => {
		const { targets } = await pageOf('README.md');

		expect(targets.length).toBeGreaterThan(20);
		expect((await pageOf('docs/operations.md')).targets.length).toBeGreaterThan(30);
	});

	// npm shows the README alone.
	test('README.md has no relative links', async () => {
		const { targets } = await pageOf('README.md');

		expect(targets.filter((target) => !/^(https:\/\/|#)/.test(target))).toEqual([]);
	});

	test('a page shows each picture', async () => {
		const shown = new Set<string | undefined>();
		for (const path of PAGES) {
			const { targets } = await pageOf(path);
			for (const target of targets) shown.add(insideTarget(path, target)?.path);
		}
		const pictures = ['.png', '.gif'].flatMap((ending) => filesIn('.github/images', ending));

		expect(pictures.length).toBeGreaterThan(3);
		expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
	});
});

describe('code', () => {
	test.each(PAGES)('%s: each npm script that it names exists', async (path) => {
		const { code } = await pageOf(path);
		const named = code.flatMap((text) =>
			[...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script = '']) => script),
		);

		expect(named.filter((script) => !(script in scripts))).toEqual([]);
	});

	/** Where paths begin: here, or in the folder that the page is about. */
	const FOLDERS = ['', 'nodes/BusinessProspectData/', 'test/sandbox/'];

	test.each(PAGES)('%s: each file that it names exists', async (path) => {
		const { code } = await pageOf(path);
		const named = code.filter((text) =>
			/^(?!\.n8n\/)(test\/[\w./-]+|[\w./-]+\/[\w.-]+\.\w+)$/.test(text),
		);

		const missing = named.filter(
			(name) =>
				!FOLDERS.some((folder) => exists(folder + name) || exists(`${folder}${name}.test.ts`)),
		);
		expect(missing).toEqual([]);
	});
});

test('the parts that repeat the code are up to date (npm run docs)', () => {
	for (const [path, text] of generatedFiles())
		expect([path, sys.readFile(path)]).toEqual([path, text]);
});
