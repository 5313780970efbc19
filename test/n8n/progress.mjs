// Tells a person what is being done and for how long: one line per step, with the time since the start.
// In a terminal the line below it is rewritten every second; elsewhere (a log, CI) a line is added every 10 seconds.

/** Milliseconds as minutes and seconds, such as `1:07`. */
const clock = (ms) => {
	const seconds = Math.floor(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/**
 * Starts a progress display; its clock starts now.
 *
 * - `step(title)` ends the step before it and starts a new one.
 * - `note(text)` says how far the current step is; shown at the next beat.
 * - `end()` ends the last step. Nothing else may be printed before that, or between two steps of a terminal.
 */
export function startProgress() {
	const stream = process.stdout;
	const began = Date.now();
	let noted = '';
	let timer;
	const stamp = () => `[${clock(Date.now() - began)}]`.padStart(7);
	const wipe = () => stream.isTTY && stream.write('\r\x1b[K');

	function beat() {
		const line = `${stamp()}   ${noted || '...'}`;
		if (stream.isTTY) {
			wipe();
			stream.write(line.slice(0, (stream.columns || 80) - 1));
		} else stream.write(`${line}\n`);
	}

	function end() {
		clearInterval(timer);
		wipe();
		noted = '';
	}

	return {
		step(title) {
			end();
			stream.write(`${stamp()} ${title}\n`);
			timer = setInterval(beat, stream.isTTY ? 1000 : 10_000);
			timer.unref();
		},
		note(text) {
			noted = text;
		},
		end,
	};
}
