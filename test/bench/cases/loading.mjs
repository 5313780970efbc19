// What n8n's start takes longer with the package: loading both nodes and the credential in a process that has n8n's own
// library already; and how large the package and its descriptions are.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../../setup/npm.mjs';
import { byTurns, cpu, difference, inFreshProcess, size, taken } from '../measure.mjs';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { n8n } = require('../../../package.json');
const PACKAGE = [...n8n.nodes, ...n8n.credentials].map((path) => `${ROOT}/${path}`);

/** One sample, in a process of its own: milliseconds of CPU to load modules and make what they export. */
export async function sample(paths) {
	require('n8n-workflow');
	return await taken(cpu, () => {
		for (const path of paths) {
			for (const Exported of Object.values(require(path))) new Exported();
		}
	});
}

const loading = (paths) => async () => ({
	// Without a transpiler, as in n8n.
	overriddenDuration: await inFreshProcess(import.meta.url, 'sample', paths, []),
});

const kilobytes = (bytes) => bytes / 1_000;

export async function run({ short }) {
	const samples = await byTurns(
		short ? 3 : 9,
		{ package: loading(PACKAGE), empty: loading([`${ROOT}/test/bench/emptyNode.cjs`]) },
		cpu,
	);
	const packed = execFileSync(
		...npmCommand('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']),
		{ cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] },
	);
	const described = n8n.nodes.map((path) => {
		const [Node] = Object.values(require(`${ROOT}/${path}`));
		return JSON.stringify(new Node().description).length;
	});
	return [
		difference(
			{
				what: 'Loading both nodes and the credential',
				against: 'loading an empty node',
				unit: 'ms CPU',
				most: 60,
			},
			samples.package,
			samples.empty,
		),
		size('Package as npm installs it', kilobytes(JSON.parse(String(packed))[0].size), 135),
		size('Descriptions of both nodes', kilobytes(described.reduce((sum, one) => sum + one)), 150),
	];
}
