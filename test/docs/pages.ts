/** The pages of the documentation, and where their links and pictures lead. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParserOptions } from 'prettier';
import { parsers } from 'prettier/plugins/markdown';

const CREDENTIAL = 'credentials/BusinessProspectDataApi.credentials.ts';
/** Sites of n8n and of tools, to which a page may link, and hosts that nobody can register. */
const SITES =
	/^(.+\.n8n\.io|nodejs\.org|keepachangelog\.com|semver\.org|stryker-mutator\.io|(.+\.)?example(\.com)?)$/;

interface MarkdownNode {
	readonly type: string;
	readonly value?: string;
	readonly url?: string;
	readonly children?: readonly MarkdownNode[];
}

export interface Page {
	/** What links and pictures point to. */
	readonly targets: readonly string[];
	/** The fragments of its headings. */
	readonly anchors: readonly string[];
	/** Its code. */
	readonly code: readonly string[];
}

/** The paths in a folder and its subfolders, as links have them. */
function filesIn(root: string, folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
		.sort();
}

export const picturesIn = (root: string): string[] =>
	filesIn(root, '.github/images').filter((path) => /\.(png|gif)$/.test(path));

/** What people read: the Markdown files, the notes in the examples, and the links that n8n shows. */
export const pagesIn = (root: string): string[] => [
	'CHANGELOG.md',
	'CONTRIBUTING.md',
	'README.md',
	'SECURITY.md',
	...filesIn(root, 'docs').filter((path) => path.endsWith('.md')),
	...filesIn(root, 'test').filter((path) => path.endsWith('/README.md')),
	...filesIn(root, 'examples'),
	...filesIn(root, 'nodes').filter((path) => path.endsWith('.node.json')),
	CREDENTIAL,
];

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

const matchesIn = (text: string, pattern: RegExp): string[] =>
	[...text.matchAll(pattern)].map(([, match = '']) => match);

/** Of a file that is not Markdown: the links in its texts, and the addresses that n8n shows. */
const parseOther = (text: string): Page => ({
	targets: matchesIn(text, /(?:\]\(|"url": "|documentationUrl =\s*')([^"')]+)/g),
	anchors: [],
	code: [],
});

async function parseMarkdown(text: string): Promise<Page> {
	const tree: MarkdownNode = await parsers.markdown.parse(text, {} as ParserOptions);
	const nodes = nodesIn(tree);
	return {
		targets: nodes.flatMap(({ type, url, value = '' }) =>
			type === 'html' ? matchesIn(value, /(?:src|href)="([^"]+)"/g) : (url ?? []),
		),
		anchors: numbered(
			nodes.filter(({ type }) => type === 'heading').map((heading) => anchorOf(textOf(heading))),
		),
		code: nodes.flatMap(({ type, value = '' }) =>
			type === 'inlineCode' || type === 'code' ? [value] : [],
		),
	};
}

/** Parsed pages, by their text. */
const parsed = new Map<string, Page>();

export async function readPage(root: string, path: string): Promise<Page> {
	const text = readFileSync(join(root, path), 'utf8');
	const page =
		parsed.get(text) ?? (path.endsWith('.md') ? await parseMarkdown(text) : parseOther(text));
	parsed.set(text, page);
	return page;
}

/** The addresses that `npm run home` has filled in. */
function homeOf(root: string): { repository: string; sites: readonly string[] } {
	const path = join(root, 'test/setup/home.json');
	if (!existsSync(path)) return { repository: '', sites: [] };
	const values: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, 'utf8'));
	const { 'service-url': service = '', 'api-docs': apiDocs = '' } = values;
	return { repository: `https://github.com/${values.repository}`, sites: [service, apiDocs] };
}

/** The path and fragment in the repository that a link leads to; undefined for another site. */
export function destinationOf(page: string, target: string, repository = '') {
	const local =
		repository === ''
			? target
			: target.replace(`${repository}/blob/main/`, '/').replace(`${repository}#`, '/README.md#');
	const { protocol, pathname, hash } = new URL(local, `file:///${page}`);
	if (protocol !== 'file:') return undefined;
	return { path: decodeURIComponent(pathname.slice(1)), fragment: hash.slice(1) };
}

/**
 * The links that lead to no file, to no heading, or to a site that is neither n8n's, a tool's, nor named with `npm run home`.
 * README.md is packed as it is, and npm resolves its relative links against the repository.
 */
export async function brokenLinks(root: string): Promise<string[]> {
	const { repository, sites } = homeOf(root);
	const isKnown = (target: string) =>
		SITES.test(new URL(target).hostname) ||
		sites.includes(target) ||
		(repository !== '' && target.startsWith(repository));
	const broken: string[] = [];
	for (const page of pagesIn(root)) {
		for (const target of (await readPage(root, page)).targets) {
			const inside = destinationOf(page, target, repository);
			const leads =
				inside === undefined
					? isKnown(target)
					: existsSync(join(root, inside.path)) &&
						(inside.fragment === '' ||
							(await readPage(root, inside.path)).anchors.includes(inside.fragment));
			if (!leads) broken.push(`${page}: ${target}`);
		}
	}
	return broken;
}
