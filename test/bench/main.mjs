// `npm run bench`: how fast the built package is, each figure against a plain baseline of the same run.
//
//   --short      smaller sizes, about a minute; ends with 1 only when a number of requests is wrong or the CPU per row
//                grows to a multiple. Without it, any limit that is missed ends with 1.
//   --markdown   prints the table of docs/performance.md instead; not with --short
//   NAME ...     only these cases
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { inFreshProcess } from './measure.mjs';
import { markdown, table, verdicts } from './report.mjs';

const CASES = ['enrich', 'getMany', 'own', 'rateLimit', 'loading'];
const RESULT = new URL('../../.n8n/bench.json', import.meta.url);
/**
 * Of every process here: the tests' TypeScript, a collector to call, no warning for the simulated clock. The collector works
 * in one thread: on a busy machine several wait for each other, and that counts as CPU.
 */
const OPTIONS = [
	'--import',
	'tsx',
	'--expose-gc',
	'--single-threaded-gc',
	'--disable-warning=ExperimentalWarning',
];

const { values, positionals: chosen } = parseArgs({
	options: {
		short: { type: 'boolean', default: false },
		markdown: { type: 'boolean', default: false },
	},
	allowPositionals: true,
});
const unknown = chosen.find((name) => !CASES.includes(name));
if (unknown) {
	console.error(`There is no case ${unknown}. Cases: ${CASES.join(', ')}`);
	process.exit(1);
}

const { short } = values;
const load = () => Number(loadavg()[0].toFixed(2));
const loads = [load()];
const start = performance.now();
const seconds = (since) => Math.round((performance.now() - since) / 1_000);

const service = fork(new URL('./service.mjs', import.meta.url), { execArgv: OPTIONS });
const [url] = await once(service, 'message');
const rows = [];
try {
	for (const name of chosen.length > 0 ? chosen : CASES) {
		const begun = performance.now();
		const module = new URL(`./cases/${name}.mjs`, import.meta.url).href;
		rows.push(...(await inFreshProcess(module, 'run', { url, short }, OPTIONS)));
		loads.push(load());
		console.error(`${name}: ${seconds(begun)} s`);
	}
} finally {
	service.disconnect();
}

const machine = `Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${Math.min(...loads)} to ${Math.max(...loads)}, ${seconds(start)} s`;
mkdirSync(new URL('.', RESULT), { recursive: true });
writeFileSync(
	RESULT,
	`${JSON.stringify({ at: new Date().toISOString(), short, node: process.version, cpus: cpus().length, loads, seconds: seconds(start), rows }, null, '\t')}\n`,
);
console.log(
	values.markdown ? `${await markdown(rows)}\n\n${machine}` : `${table(rows, short)}\n${machine}`,
);
const looked = verdicts(rows, short);
const failed = looked.filter((sentence) => sentence !== undefined);
for (const sentence of failed) console.error(`Over the limit: ${sentence}`);
console.error(`# pass ${looked.length - failed.length}\n# fail ${failed.length}`);
process.exitCode = failed.length === 0 ? 0 : 1;
