const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Removes `dist`, so that no file of an earlier build is packed. */
const clean = () => rm('dist', { recursive: true, force: true });

/** Copies what tsc leaves out: icons, codex files and output schemas. */
const assets = () =>
	src(
		[
			'credentials/**/*.{svg,png}',
			'nodes/**/*.{svg,png}',
			'nodes/**/*.node.json',
			'nodes/**/__schema__/**/*.json',
		],
		{
			base: '.',
			encoding: false,
		},
	).pipe(dest('dist'));

module.exports = { assets, clean };
