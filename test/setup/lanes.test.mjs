// The lanes that `npm test` runs in.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runLanes } from './lanes.mjs';

const cwd = mkdtempSync(join(tmpdir(), 'business prospect data '));
after(() => rmSync(cwd, { recursive: true }));

const step = (name, code, more = {}) => ({
	name,
	command: [process.execPath, ['-e', code]],
	...more,
});

async function run(lanes, signal) {
	const printed = [];
	const print = (text) => printed.push(text);
	const ok = await runLanes(lanes, { cwd, logFile: join(cwd, 'log'), print, signal });
	return { ok, printed };
}

describe('lanes', () => {
	it('run beside each other, their steps one after the other', async () => {
		const waits = "const { existsSync } = require('fs'); while (!existsSync('made'));";
		const { ok, printed } = await run([
			[step('waits', waits)],
			[step('first', ''), step('makes', "require('fs').writeFileSync('made', '')")],
		]);
		assert.equal(ok, true);
		/** @type {string[]} */
		const ended = printed.join('\n').match(/(?<=^ok {6})\w+/gm) ?? [];
		assert.deepEqual([...ended].sort(), ['first', 'makes', 'waits']);
		assert.ok(ended.indexOf('first') < ended.indexOf('makes'));
	});

	it('show what fails as one piece, go on, and fail', async () => {
		const { ok, printed } = await run([
			[
				step('breaks', "console.log('one'); console.error('two'); process.exit(3)"),
				step('goes on', "console.log('silent')"),
			],
		]);
		assert.equal(ok, false);
		const [shown] = printed;
		assert.match(shown, /^\nbreaks failed:\n/);
		assert.ok(shown.includes('one') && shown.includes('two'));
		assert.match(printed.at(-2), /^FAILED {2}breaks/);
		assert.match(printed.at(-1), /^ok {6}goes on/);
		assert.ok(!printed.join().includes('silent'));
	});

	it('show the lines of a live step as they come, and the counts of tests', async () => {
		const { printed } = await run([
			[step('live', "console.log('Tests: 1 passed')", { live: true })],
			[step('counted', "console.log('# pass 2\\n# fail 0\\n# duration_ms 3')")],
		]);
		assert.ok(printed.includes('Tests: 1 passed'));
		const text = printed.join('\n');
		assert.match(text, /^# pass 2$/m);
		assert.doesNotMatch(text, /duration/);
	});

	it('end with what they started when they are interrupted', async () => {
		const interruption = new AbortController();
		const running = run(
			[[step('stays', 'setInterval(() => {}, 1000)'), step('next', '')]],
			interruption.signal,
		);
		setTimeout(() => interruption.abort(), 300);
		const { ok, printed } = await running;
		assert.equal(ok, false);
		assert.ok(!printed.join().includes('next'));
	});
});
