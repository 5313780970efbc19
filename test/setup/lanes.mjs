// Runs programs in lanes: those of a lane one after the other, the lanes beside each other.
import { start } from '../n8n/processes.mjs';

/** A line of the summary of Node's test runner, in either of its styles. */
const COUNT = /^(#|ℹ) (tests|pass|fail|cancelled|skipped) \d+$/;

/**
 * Runs all steps, also after one has failed. What a step prints is shown when it fails, as one piece, so that the lanes
 * do not mix; of a step that is `live` each line is shown at once. The last lines say how each step ended.
 *
 * @param {{ name: string, command: [string, string[]], live?: boolean }[][]} lanes
 * @param {{ cwd: string, logFile: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal,
 *   print?: (text: string) => void }} options
 * @returns {Promise<boolean>} whether all steps ended well
 */
export async function runLanes(lanes, { signal, print = console.log, ...options }) {
	const outcomes = [];

	async function runStep({ name, command: [program, args], live }) {
		const began = Date.now();
		const lines = [];
		const onLine = (line) => (live ? print(line) : lines.push(line));
		const child = start(program, args, { ...options, onLine });
		const stop = () => void child.stop();
		signal?.addEventListener('abort', stop, { once: true });
		const { code } = await child.ended;
		signal?.removeEventListener('abort', stop);
		if (signal?.aborted) return;

		const failed = code !== 0;
		if (failed) print(`\n${name} failed:\n${lines.join('\n')}\n`);
		const counts = failed ? [] : lines.filter((line) => COUNT.test(line));
		outcomes.push({ name, failed, counts, seconds: Math.round((Date.now() - began) / 1000) });
	}
	async function runLane(steps) {
		for (const step of steps) if (!signal?.aborted) await runStep(step);
	}
	await Promise.all(lanes.map(runLane));

	print('');
	for (const { name, failed, counts, seconds } of outcomes)
		print([`${failed ? 'FAILED' : 'ok    '}  ${name}, ${seconds} s`, ...counts].join('\n'));
	return !signal?.aborted && outcomes.every(({ failed }) => !failed);
}
