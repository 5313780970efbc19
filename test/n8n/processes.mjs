// Starts other programs so that none of them, nor what they start, outlives this process.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const windows = process.platform === 'win32';
// A slow or busy machine is no failure.
const START_TIMEOUT_MS = 300_000;
const END_TIMEOUT_MS = 30_000;
const running = new Set();

/** Signals a child and all that it started. Returns false when none of them is left. */
function signalGroup(pid, signal) {
	if (windows) return spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']).status === 0;
	try {
		process.kill(-pid, signal);
		return true;
	} catch {
		return false;
	}
}

// The last resort: whatever ends this process, an error that nobody caught included, its children go first.
process.on('exit', () => running.forEach((pid) => signalGroup(pid, 'SIGKILL')));

/** An error whose message is meant for the person at the terminal. */
export class PlainError extends Error {}

/** A program's end as an error: what it was for, such as "Building the package failed", and the last it said. */
function failure(what, { code, tail }, logFile) {
	const lines = tail.map((line) => `    ${line}`).join('\n');
	return new PlainError(
		`${what} (exit code ${code}). The end of the output:\n${lines}\nAll of it is in ${logFile}`,
	);
}

/**
 * Starts a program in a process group of its own, its output going to `logFile`.
 *
 * @typedef {{ cwd: string, logFile: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} Options
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Options} options
 * @returns `ended` never rejects unless the program could not be started; `code` is the signal's name if one ended it,
 *   `tail` holds the last 20 lines. `stop` asks all of the group to end (SIGTERM unless told otherwise), waits up to 30
 *   seconds, then kills it.
 */
function start(command, args, { cwd, logFile, env = process.env, onLine = () => {} }) {
	appendFileSync(logFile, `\n$ ${command} ${args.join(' ')}\n`);
	const child = spawn(command, args, {
		cwd,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: !windows,
	});
	const { pid } = child;
	if (pid !== undefined) running.add(pid);

	const tail = [];
	for (const stream of [child.stdout, child.stderr]) {
		createInterface({ input: stream }).on('line', (line) => {
			appendFileSync(logFile, `${line}\n`);
			if (tail.push(line) > 20) tail.shift();
			onLine(line);
		});
	}

	/** @type {Promise<{ code: number | string, tail: string[] }>} */
	const ended = new Promise((resolve, reject) => {
		child.on('error', reject);
		// Descendants that hold the output open would keep "close" from coming.
		child.on('exit', () => pid !== undefined && signalGroup(pid, 'SIGKILL'));
		child.on('close', (code, signal) => {
			running.delete(pid);
			resolve({ code: code ?? String(signal), tail });
		});
	});
	ended.catch(() => {});

	async function stop(/** @type {NodeJS.Signals} */ signal = 'SIGTERM') {
		if (!running.has(pid)) return;
		signalGroup(pid, signal);
		await Promise.race([ended, sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
		if (running.has(pid)) signalGroup(pid, 'SIGKILL');
		await ended;
	}
	return { ended, stop };
}

/**
 * Runs a program to its end.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Options & { title: string, signal?: AbortSignal }} options `title` names the work in an error, for example
 *   "Building the package"
 * @throws {PlainError} when the program fails: with the end of its output and the log's name
 * @throws the signal's reason when it is aborted; the program has ended by then
 */
export async function run(command, args, { title, signal, ...options }) {
	signal?.throwIfAborted();
	const child = start(command, args, options);
	const onAbort = () => void child.stop();
	signal?.addEventListener('abort', onAbort, { once: true });
	try {
		const end = await child.ended;
		signal?.throwIfAborted();
		if (end.code !== 0) throw failure(`${title} failed`, end, options.logFile);
	} finally {
		signal?.removeEventListener('abort', onAbort);
	}
}

/**
 * Starts a program that stays.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Options & { title: string, readyLine: string, signal?: AbortSignal }} options `title` names it in an error, for
 *   example "n8n"; with `readyLine` in a line of its output it is ready
 * @returns `ready` fails when the program ends before that, takes too long, or the signal is aborted; the program may be
 *   running then
 */
export function startServer(command, args, options) {
	const { title, readyLine, signal, onLine = () => {} } = options;
	signal?.throwIfAborted();
	let markReady;
	const heard = new Promise((resolve) => (markReady = resolve));
	const child = start(command, args, {
		...options,
		onLine(line) {
			if (line.includes(readyLine)) markReady();
			onLine(line);
		},
	});
	const ended = child.ended.then((end) => {
		throw failure(`${title} ended while it started`, end, options.logFile);
	});
	const late = sleep(START_TIMEOUT_MS, undefined, { ref: false }).then(() => {
		const seconds = START_TIMEOUT_MS / 1000;
		throw new PlainError(`${title} was not ready after ${seconds} seconds; see ${options.logFile}`);
	});
	const aborted = new Promise((_, reject) => {
		signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
	});
	const ready = Promise.race([heard, ended, late, aborted]);
	for (const promise of [ended, late, aborted, ready]) promise.catch(() => {});
	return { ...child, ready };
}
