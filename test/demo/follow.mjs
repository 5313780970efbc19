// Keeps the package in a running n8n like its sources: for `npm run dev`.
import { watch } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { run, startServer } from '../n8n/processes.mjs';

const FOLDERS = ['credentials', 'nodes'];
const { resolve } = createRequire(import.meta.url);
const tsc = resolve('typescript/bin/tsc');
const gulp = join(dirname(resolve('gulp')), 'bin', 'gulp.js');

/**
 * Builds again whenever the sources change, until it is stopped.
 *
 * @param sources the folder with `nodes`, `credentials` and what builds them
 * @param target where the built package is
 * @param {{ logFile: string, signal?: AbortSignal, onLine?: (line: string) => void }} options `onLine` hears the compiler
 * @returns once all is built
 */
export async function followSources(sources, target, options) {
	const common = { ...options, cwd: sources };
	const compiler = startServer(process.execPath, [tsc, '--watch', '--preserveWatchOutput'], {
		...common,
		title: 'The compiler',
		readyLine: 'Watching for file changes',
	});
	let waiting = false;
	let built = Promise.resolve();
	// One after the other, and one for all changes meanwhile: a file's changes come in quick succession.
	function build() {
		if (waiting) return;
		waiting = true;
		built = built.then(async () => {
			waiting = false;
			await run(process.execPath, [gulp, '--silent'], {
				...common,
				env: { ...process.env, BUILD_FOLDER: target },
				onLine: undefined,
				title: 'The build',
			}).catch(() => {
				// The compiler says what is wrong.
			});
		});
	}
	const watchers = FOLDERS.map((folder) =>
		watch(join(sources, folder), { recursive: true }, build),
	);
	async function stop() {
		for (const watcher of watchers) watcher.close();
		await built;
		await compiler.stop();
	}
	build();
	try {
		await Promise.all([built, compiler.ready]);
	} catch (error) {
		await stop();
		throw error;
	}
	return { stop };
}
