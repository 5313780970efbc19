/** The pages of the documentation, and where their links and pictures lead. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsers } from 'prettier/plugins/markdown';

const CREDENTIAL = 'credentials/BusinessProspectDataApi.credentials.ts';
/** Sites of n8n and of tools, to which a page may link, and hosts that nobody can register. */
const SITES =
	/^(.+\.n8n\.io|nodejs\.org|keepachangelog\.com|semver\.org|www\.contributor-covenant\.org|(.+\.)?example(\.com)?)$/;

/** The paths in a folder and its subfolders, as links have them. */
function filesIn(root, folder) {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
		.sort();
}

export const picturesIn = (root) =>
	filesIn(root, '.github/images').filter((path) => /\.(png|gif)$/.test(path));

/** What people read: the Markdown files, the notes in the examples, and the links that n8n shows. */
export const pagesIn = (root) => [
	'CHANGELOG.md',
	'CODE_OF_CONDUCT.md',
	'CONTRIBUTING.md',
	'README.md',
	'SECURITY.md',
	...filesIn(root, 'docs').filter((path) => path.endsWith('.md')),
	...filesIn(root, 'test').filter((path) => path.endsWith('/README.md')),
	...filesIn(root, 'examples'),
	...filesIn(root, 'nodes').filter((path) => path.endsWith('.node.json')),
	CREDENTIAL,
];

const nodesIn = (node) => [node, ...(node.children ?? []).flatMap(nodesIn)];

const textOf = (node) =>
	nodesIn(node)
		.map(({ value = '' }) => value)
		.join('');

/** The fragment of a heading on GitHub. */
const anchorOf = (heading) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
		.replaceAll(' ', '-');

/** Repeated headings get a number. */
const numbered = (anchors) =>
	anchors.map((anchor, index) => {
		const before = anchors.slice(0, index).filter((other) => other === anchor).length;
		return before === 0 ? anchor : `${anchor}-${before}`;
	});

const matchesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, match]) => match);

/** Of a file that is not Markdown: the links in its texts, and the addresses that n8n shows. */
const parseOther = (text) => ({
	targets: matchesIn(text, /(?:\]\(|"url": "|documentationUrl =\s*')([^"')]+)/g),
	anchors: [],
	code: [],
});

/** What links and pictures point to, the fragments of the headings, and the code. */
async function parseMarkdown(text) {
	const nodes = nodesIn(await parsers.markdown.parse(text, /** @type {any} */ ({})));
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
const parsed = new Map();

export async function readPage(root, path) {
	const text = readFileSync(join(root, path), 'utf8');
	const page =
		parsed.get(text) ?? (path.endsWith('.md') ? await parseMarkdown(text) : parseOther(text));
	parsed.set(text, page);
	return page;
}

/** The addresses that `npm run home` has filled in. */
function homeOf(root) {
	const path = join(root, 'test/setup/home.json');
	if (!existsSync(path)) return { repository: '', sites: [] };
	const values = JSON.parse(readFileSync(path, 'utf8'));
	return {
		repository: `https://github.com/${values.repository}`,
		sites: [values['service-url'], values['api-docs']],
	};
}

/** The path and fragment in the repository that a link leads to; undefined for another site. */
export function destinationOf(page, target, repository = '') {
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
export async function brokenLinks(root) {
	const { repository, sites } = homeOf(root);
	const isKnown = (target) =>
		SITES.test(new URL(target).hostname) ||
		sites.includes(target) ||
		(repository !== '' && target.startsWith(repository));
	const broken = [];
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
