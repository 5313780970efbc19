// Keeps the package in a running n8n like its sources: for `npm run dev`.
import { existsSync, watch } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startServer } from '../n8n/processes.mjs';

const FOLDERS = ['credentials', 'nodes'];
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/**
 * Compiles or copies whatever changes in the sources, until it is stopped.
 *
 * @param {string} sources the folder with `nodes`, `credentials` and tsconfig.json
 * @param {string} target where the built package is
 * @param {{ logFile: string, signal?: AbortSignal, onLine?: (line: string) => void }} options `onLine` hears the compiler
 * @returns {Promise<{ stop: () => Promise<void> }>} once all is compiled
 */
export async function followSources(sources, target, options) {
	const compiler = startServer(
		process.execPath,
		[tsc, '--watch', '--preserveWatchOutput', '--outDir', target],
		{ ...options, cwd: sources, title: 'The compiler', readyLine: 'Watching for file changes' },
	);
	async function copy(path) {
		const [from, to] = [sources, target].map((root) => join(root, path));
		try {
			await cp(from, to, { recursive: true });
		} catch {
			// An editor's own file, for example. One that changes again is copied again.
			if (!existsSync(from)) await rm(to, { recursive: true, force: true });
		}
	}
	// One after the other: a file's changes come in quick succession, and its copies would disturb each other.
	let copied = Promise.resolve();
	const watchers = FOLDERS.map((folder) =>
		watch(join(sources, folder), { recursive: true }, (_, name) => {
			if (name === null || name.endsWith('.ts')) return;
			copied = copied.then(() => copy(join(folder, name)));
		}),
	);
	async function stop() {
		for (const watcher of watchers) watcher.close();
		await compiler.stop();
	}
	try {
		await compiler.ready;
	} catch (error) {
		await stop();
		throw error;
	}
	return { stop };
}
