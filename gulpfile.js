const { cp, mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { join, posix } = require('node:path');
const { build } = require('esbuild');

const BUNDLE = 'bundle.js';
const ASSET = /\.(json|png|svg)$/;

/** A folder with an earlier build to update, by default `dist`, which is made anew: no file of an earlier build is packed. */
const { BUILD_FOLDER } = process.env;
const target = BUILD_FOLDER ?? 'dist';

const clean = async () => {
	if (BUILD_FOLDER === undefined) await rm(target, { recursive: true, force: true });
};

/** All code in one file, because both nodes share one rate limiter, and the files by which n8n finds the classes in it. */
async function bundle() {
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
}

/** Icons, codex files and output schemas. */
async function assets() {
	for (const folder of ['credentials', 'nodes']) {
		const paths = (await readdir(folder, { recursive: true })).filter((path) => ASSET.test(path));
		for (const path of paths) await cp(join(folder, path), join(target, folder, path));
	}
}

exports.default = require('gulp').series(clean, bundle, assets);
