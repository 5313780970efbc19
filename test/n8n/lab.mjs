// Installs a real n8n, with the Node.js that it needs, from a lock file in this folder.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNPM } from '../setup/install.mjs';
import { npmCommand } from '../setup/npm.mjs';
import { leastNode, nodePackage } from './node.mjs';
import { PlainError, run } from './processes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const LOCKED = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'];

/** Where the clone keeps what is installed and logged here; git ignores it. */
export const localFolder = join(root, '.n8n');

/** Where the lock files are. */
const FOLDERS = { newest: here, '1x': join(here, '1x') };

/** Names the install by all that decides what is in it. */
function installName(locked, n8nVersion, node) {
	const hash = createHash('sha256');
	for (const file of LOCKED) hash.update(readFileSync(join(locked, file)));
	hash.update(`${node ?? process.version} ${process.platform} ${process.arch}`);
	return `n8n-${n8nVersion}-${hash.digest('hex').slice(0, 12)}`;
}

function describe(folder, n8nVersion, node) {
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	const packageName = node?.slice(0, node.indexOf('@'));
	return {
		folder,
		version: n8nVersion,
		node: packageName
			? join(folder, 'node', 'node_modules', packageName, 'bin', binary)
			: process.execPath,
		n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

/** Where installs are made: beside the finished ones, unless make, which splits paths at blanks, could not build there. */
const stagingBase = (base) =>
	/\s/.test(base) && process.platform !== 'win32'
		? join(tmpdir(), 'business-prospect-data-installs')
		: base;

/** Gives a folder its final name, also on another disk. It has that name only when all of it is there. */
async function move(from, to) {
	try {
		await rename(from, to);
	} catch (error) {
		if (error.code !== 'EXDEV') throw error;
		const copy = join(dirname(to), basename(from));
		await cp(from, copy, { recursive: true, verbatimSymlinks: true });
		await rename(copy, to);
	}
}

/** Removes what installs that were killed half-way have left. */
async function removeAbandoned(base) {
	for (const name of await readdir(base)) {
		const pid = Number(/^installing-(\d+)$/.exec(name)?.[1]);
		if (!pid) continue;
		try {
			process.kill(pid, 0);
		} catch (error) {
			if (error.code === 'ESRCH') await rm(join(base, name), { recursive: true, force: true });
		}
	}
}

/** pnpm's progress lines as one short note. */
function pnpmNote(total, line) {
	const progress = /^Progress: .*reused (\d+), downloaded (\d+), added (\d+)/.exec(line);
	if (progress) {
		const [reused, downloaded, added] = progress.slice(1).map(Number);
		return `${reused + downloaded} packages downloaded, ${added} of ${total || 'all'} unpacked`;
	}
	return line.includes('sqlite3 install') ? 'building the database driver, about a minute' : null;
}

/**
 * Installs n8n and a Node.js for it, unless they are there from an earlier run with the same lock file.
 *
 * They go into `.n8n/` of the clone, or into the folder that `BPD_N8N_DIR` names (several clones may share it, also at
 * the same time). An install gets its final name only when it is complete and its database driver loads.
 *
 * @param {{ progress: ReturnType<typeof import('./progress.mjs').startProgress>, logFile: string,
 *   version?: keyof typeof FOLDERS, signal?: AbortSignal }} options `1x` is the newest n8n 1
 * @returns paths of the Node.js binary and of n8n's start script, among others
 * @throws {PlainError} when a step fails
 */
export async function installLab({ progress, logFile, version = 'newest', signal }) {
	const base = resolve(process.env.BPD_N8N_DIR || localFolder);
	// Kept, so that an interrupted install goes on with what it has. Linters skip a folder of this name.
	const store = join(base, 'node_modules', '.pnpm-store');
	const locked = FOLDERS[version];
	const { dependencies } = JSON.parse(readFileSync(join(locked, 'package.json'), 'utf8'));
	const { n8n: n8nVersion } = dependencies;
	const node = nodePackage(process, version);
	const folder = join(base, installName(locked, n8nVersion, node));
	if (existsSync(folder)) return describe(folder, n8nVersion, node);

	const workshop = stagingBase(base);
	await mkdir(base, { recursive: true });
	await mkdir(workshop, { recursive: true });
	for (const place of new Set([base, workshop])) await removeAbandoned(place);
	const staging = join(workshop, `installing-${process.pid}`);
	const staged = describe(staging, n8nVersion, node);
	await mkdir(join(staging, 'node'), { recursive: true });
	try {
		progress.step(`Installing n8n ${n8nVersion} (once, about 2 minutes)`);
		const common = { logFile, signal };
		const env = { ...process.env };
		if (node) {
			progress.note(`downloading ${node}, on which n8n runs`);
			const cwd = join(staging, 'node');
			await writeFile(join(cwd, 'package.json'), '{ "private": true }\n');
			await run(...npmCommand('npm', ['install', '--no-package-lock', node]), {
				...common,
				cwd,
				title: 'Downloading Node.js',
			}).catch((error) => {
				if (!(error instanceof PlainError)) throw error;
				throw new PlainError(
					`${error.message}\nOr install Node.js ${leastNode(version)} yourself and run this again with it.`,
				);
			});
		}
		const prefix = dirname(dirname(staged.node));
		env.PATH = `${dirname(staged.node)}${delimiter}${process.env.PATH}`;
		// Where the database driver is built from source, that takes half the time, and nobody needs a fast database here.
		env.CFLAGS ??= '-O1';
		// What is built from source needs them, and would look for them on the internet.
		if (existsSync(join(prefix, 'include', 'node', 'node.h'))) env.npm_config_nodedir = prefix;

		for (const file of LOCKED) await cp(join(locked, file), join(staging, file));
		let total = '';
		const install = ['install', '--frozen-lockfile', '--reporter=append-only'];
		await run(
			...npmCommand('npx', ['--yes', PNPM, ...install, `--store-dir=${store}`], staged.node),
			{
				...common,
				cwd: staging,
				env,
				title: `Installing n8n ${n8nVersion}`,
				onLine(line) {
					total = /^Packages: \+(\d+)/.exec(line)?.[1] ?? total;
					const note = pnpmNote(total, line);
					if (note) progress.note(note);
				},
			},
		);
		// pnpm's register of folders would keep a dead link to this one, which breaks tools that search the clone.
		for (const layout of await readdir(store))
			await rm(join(store, layout, 'projects'), { recursive: true, force: true });
		await run(staged.node, ['-e', "require('sqlite3')"], {
			...common,
			cwd: staging,
			title: 'Loading the database driver',
		});
		await move(staging, folder).catch((error) => {
			// Another run has finished the same install in the meantime.
			if (!existsSync(folder)) throw error;
		});
	} finally {
		await rm(staging, { recursive: true, force: true });
	}
	return describe(folder, n8nVersion, node);
}
