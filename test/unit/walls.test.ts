/** Which folder may import which, and other rules that a parser can check. */
import ts from 'typescript';

const HOME = 'nodes/BusinessProspectData/';

const N8N = 'n8n-workflow';
const CRYPTO = 'node:crypto';

/** Folders, single modules (`api/credential`) and packages that each folder may import, besides its own modules. */
const WALLS: Record<string, readonly string[]> = {
	core: [],
	api: [N8N, 'core'],
	catalog: ['core'],
	parameters: [N8N, 'core', 'api', 'catalog'],
	fields: [N8N, 'core', 'catalog', 'parameters'],
	memory: [N8N, 'core', 'api', 'parameters'],
	run: [N8N, CRYPTO, 'core', 'api', 'catalog', 'parameters', 'fields', 'memory'],
	filters: [N8N, 'core', 'api', 'catalog', 'parameters'],
	search: [N8N, 'core', 'api', 'catalog', 'parameters', 'fields', 'run'],
	events: [N8N, 'core', 'api', 'catalog', 'parameters', 'fields', 'run'],
	identify: [N8N, 'core', 'api', 'catalog', 'parameters', 'fields', 'run', 'filters', 'search'],
	methods: [N8N, 'core', 'api', 'catalog', 'parameters', 'filters'],
	'*.node.ts': [N8N, 'methods', 'operations', 'trigger'],
	credentials: [N8N, 'api/credential'],
};
const SHARED = [N8N, 'core', 'api', 'catalog', 'parameters', 'fields', 'run', 'filters', 'search'];
WALLS.operations = [...SHARED, 'events', 'identify'];
WALLS.trigger = [...SHARED, CRYPTO, 'events'];

/** The core may import n8n's types, but none of its code. */
const withoutTypes = (folder: string, text: string): string =>
	folder === 'core' ? text.replace(/^import type .* from 'n8n-workflow';$/gm, '') : text;

/** Parts of a folder that never import each other. */
const APART = ['operations/business', 'operations/prospect'];

/** The modules that a text imports, also with import() and require(), and also if it imports only types. */
const importsOf = (text: string): string[] =>
	ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

/** The path below the package's nodes (`api/client`), `credentials/...`, or a package's name. */
function targetOf(file: string, specifier: string): string {
	if (!specifier.startsWith('.')) return specifier;
	const path = new URL(specifier, `file:///${file}`).pathname.slice(1);
	return path.startsWith(HOME) ? path.slice(HOME.length) : path;
}

function folderOf(file: string): string {
	const path = file.startsWith(HOME) ? file.slice(HOME.length) : file;
	if (path.includes('/')) return path.slice(0, path.indexOf('/'));
	return path.endsWith('.node.ts') ? '*.node.ts' : path;
}

function violationsIn(file: string, text: string): string[] {
	const folder = folderOf(file);
	const wall = WALLS[folder];
	if (wall === undefined) return [`${file}: not a folder of the layout`];
	const own = APART.find((part) => file.startsWith(`${HOME}${part}/`));
	return importsOf(withoutTypes(folder, text)).flatMap((specifier) => {
		const target = targetOf(file, specifier);
		const from = specifier.startsWith('.') ? folderOf(HOME + target) : target;
		const isApart = APART.some((part) => own && own !== part && target.startsWith(`${part}/`));
		if (from === folder && !isApart) return [];
		if (wall.includes(from) || wall.includes(target)) return [];
		return [`${file}: ${own ?? folder} may not import ${target}`];
	});
}

const sources = ['nodes', 'credentials'].flatMap((folder) =>
	ts.sys
		.readDirectory(folder, ['.ts'])
		.map((path) => ({ file: path.slice(path.indexOf(folder)), text: ts.sys.readFile(path) ?? '' })),
);

test.each([
	['core/json.ts', "import n8n, { type INode } from 'n8n-workflow';", 'n8n-workflow'],
	['api/client.ts', "const { x } = await import('../run/execute');", 'run/execute'],
	['api/client.ts', "import { get } from 'node:http';", 'node:http'],
	['BusinessProspectData.node.ts', "import { c } from './api/client';", 'api/client'],
])('%s may not: %s', (path, text, target) => {
	expect(violationsIn(HOME + path, text)).toEqual([
		`${HOME}${path}: ${folderOf(HOME + path)} may not import ${target}`,
	]);
});

test('no folder imports what it may not', () => {
	expect(sources.flatMap(({ file, text }) => violationsIn(file, text))).toEqual([]);
});

/** A chain of modules each of which imports the next, and the last the first; types count. */
function findCycle(files: typeof sources): string[] | undefined {
	const imports = new Map(
		files.map(({ file, text }) => [
			file,
			importsOf(text)
				.filter((specifier) => specifier.startsWith('.'))
				.map((specifier) => `${new URL(specifier, `file:///${file}`).pathname.slice(1)}.ts`),
		]),
	);
	const finished = new Set<string>();
	const visit = (file: string, chain: string[]): string[] | undefined => {
		if (chain.includes(file)) return [...chain.slice(chain.indexOf(file)), file];
		if (finished.has(file)) return undefined;
		for (const target of imports.get(file) ?? []) {
			const cycle = visit(target, [...chain, file]);
			if (cycle !== undefined) return cycle;
		}
		finished.add(file);
		return undefined;
	};
	for (const file of imports.keys()) {
		const cycle = visit(file, []);
		if (cycle !== undefined) return cycle;
	}
	return undefined;
}

test('no module imports itself through others, not even its types', () => {
	expect(findCycle(sources)).toBeUndefined();
});

// The catalog is data: a further row must not need a new file.
test('no file is over 400 lines', () => {
	const long = sources.filter(
		({ file, text }) => folderOf(file) !== 'catalog' && text.trimEnd().split('\n').length > 400,
	);

	expect(long.map(({ file }) => file)).toEqual([]);
});

function* nodesOf(node: ts.Node): Generator<ts.Node> {
	yield node;
	for (const child of node.getChildren()) yield* nodesOf(child);
}

/** The kind of an unchecked type assertion, if a node is one. */
function assertionIn(node: ts.Node): string | undefined {
	if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) {
		return ts.isConstTypeReference(node.type) ? undefined : 'a cast';
	}
	if (ts.isNonNullExpression(node)) return 'a non-null assertion';
	if (ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) {
		return node.exclamationToken && 'a non-null assertion';
	}
	if (ts.isTypePredicateNode(node)) return 'a type predicate';
	return node.kind === ts.SyntaxKind.AnyKeyword ? 'any' : undefined;
}

function assertionsIn({ file, text }: { file: string; text: string }) {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	return [...nodesOf(source)].flatMap((node) => {
		const assertion = assertionIn(node);
		const { line } = source.getLineAndCharacterOfPosition(node.getStart());
		return assertion === undefined ? [] : [{ file, line: line + 1, assertion }];
	});
}

/** Files that may assert types: casts in one file, and type predicates that check the value first. */
const ALLOWED_ASSERTIONS: Record<string, string> = {
	[`${HOME}core/casts.ts`]: 'a cast',
	[`${HOME}core/json.ts`]: 'a type predicate',
	[`${HOME}trigger/events/state.ts`]: 'a type predicate',
	[`${HOME}trigger/search/state.ts`]: 'a type predicate',
};

test('casts are in one file, and nothing is any', () => {
	const found = sources.flatMap(assertionsIn);

	expect(found.filter(({ file, assertion }) => ALLOWED_ASSERTIONS[file] !== assertion)).toEqual([]);
	expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(
		Object.keys(ALLOWED_ASSERTIONS).sort(),
	);
});

test('no rule of the linter or the compiler is switched off', () => {
	const switches = ['eslint-disable', '@ts-ignore', '@ts-nocheck', '@ts-expect-error'];
	const found = sources.flatMap(({ file, text }) =>
		switches.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`),
	);

	expect(found).toEqual([]);
});
