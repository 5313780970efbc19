// Builds `dist`: all code in one bundle, since both nodes share one rate limiter; the files by which n8n finds the classes in
// it; and icons, codex files and output schemas. `node build.mjs FOLDER` updates the build in another folder.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { build } from 'esbuild';

const BUNDLE = 'bundle.js';
const ASSET = /\.(json|png|svg)$/;

const [folder] = process.argv.slice(2);
// No file of an earlier build is packed. Nothing is taken from under an n8n that runs.
if (folder === undefined) await rm('dist', { recursive: true, force: true });
const target = folder ?? 'dist';

const { n8n } = JSON.parse(await readFile('package.json', 'utf8'));
const entries = [...n8n.nodes, ...n8n.credentials].map((path) =>
	path.replace(/^dist\/|\.js$/g, ''),
);

await build({
	stdin: {
		contents: entries.map((entry) => `export * from './${entry}';`).join('\n'),
		resolveDir: process.cwd(),
	},
	bundle: true,
	platform: 'node',
	target: 'es2022',
	packages: 'external',
	outfile: join(target, BUNDLE),
});
for (const entry of entries) {
	const { dir, base } = posix.parse(entry);
	const [name] = base.split('.');
	await mkdir(join(target, dir), { recursive: true });
	await writeFile(
		join(target, `${entry}.js`),
		`exports.${name} = require('${posix.relative(dir, BUNDLE)}').${name};\n`,
	);
}
for (const sources of ['credentials', 'nodes']) {
	const assets = (await readdir(sources, { recursive: true })).filter((path) => ASSET.test(path));
	for (const path of assets) await cp(join(sources, path), join(target, sources, path));
}
