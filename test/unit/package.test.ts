/** What n8n requires of a community package, in package.json. */
import ts from 'typescript';
import packageJson from '../../package.json';
import { engines } from '../compatibility/engines.json';
import lab from '../n8n/package.json';

const sourceOf = (built: string) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');
const classNameOf = (path: string) => path.split('/').at(-1)?.split('.')[0] ?? '';
const sourcesIn = (folder: string, ending: string) =>
	ts.sys
		.readDirectory(folder, [ending])
		.map((path) => path.slice(path.indexOf(`${folder}/`)))
		.sort();

test('n8n finds it among community packages', () => {
	expect(packageJson.name).toBe('n8n-nodes-business-prospect-data');
	expect(packageJson.keywords).toContain('n8n-community-node-package');
	expect(packageJson.n8n.n8nNodesApiVersion).toBe(1);
	expect(packageJson.license).toBe('MIT');
});

test('every node and credential is listed, and every listed one has its source', () => {
	const listed = (paths: string[]) => paths.map(sourceOf).sort();

	expect(listed(packageJson.n8n.nodes)).toEqual(sourcesIn('nodes', '.node.ts'));
	expect(listed(packageJson.n8n.credentials)).toEqual(sourcesIn('credentials', '.credentials.ts'));
});

test.each([...packageJson.n8n.nodes, ...packageJson.n8n.credentials])(
	'%s is built from a class of its name',
	(built) => {
		expect(built.startsWith('dist/')).toBe(true);
		expect(ts.sys.readFile(sourceOf(built))).toContain(`export class ${classNameOf(built)} `);
	},
);

test.each(packageJson.n8n.nodes)('%s has its codex file', (built) => {
	expect(ts.sys.fileExists(sourceOf(built).replace(/\.ts$/, '.json'))).toBe(true);
});

test('docs/compatibility.md says what it is tested with, and README.md what it needs', () => {
	const text = ts.sys.readFile('docs/compatibility.md') ?? '';
	const versions = Object.values(engines).map(({ n8n }) => n8n);
	const [oldest] = versions;

	expect(ts.sys.readFile('README.md')).toContain(`n8n, version ${oldest} or newer`);
	expect(text).toContain(`n8n ${oldest} or newer`);
	expect(text).toContain(`Tested with n8n ${oldest} to ${versions.at(-1)}.`);
	expect(lab.dependencies.n8n.startsWith(`${versions.at(-1)}.`)).toBe(true);
});

test("GitHub's CI tests in every engine", () => {
	const ci = ts.sys.readFile('.github/workflows/ci.yml') ?? '';
	const [, listed = ''] = /\n +engine: \[(.*)\]\n/.exec(ci) ?? [];

	expect([...listed.matchAll(/'(\S+?)[' ]/g)].map(([, engine]) => engine)).toEqual(
		Object.keys(engines),
	);
});
