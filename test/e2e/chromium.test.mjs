// Which Chromium the end-to-end tests take.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findChromium } from './chromium.mjs';

const ALL = { named: '/named', downloaded: '/downloaded' };
const having = (...paths) => ({ exists: (path) => paths.includes(path) });

describe('the Chromium of the end-to-end tests', () => {
	it('is the one that CHROMIUM_PATH names', () => {
		const all = having('/named', '/downloaded', '/usr/bin/chromium');
		assert.equal(findChromium({ ...ALL, ...all }), '/named');
	});

	it("is Playwright's own, else the system's", () => {
		const own = having('/downloaded', '/usr/bin/chromium');
		assert.equal(findChromium({ ...ALL, named: '', ...own }), '/downloaded');
		const system = having('/usr/bin/chromium');
		assert.equal(findChromium({ ...ALL, named: '', ...system }), '/usr/bin/chromium');
	});

	it('is asked for where there is none, or none where CHROMIUM_PATH says', () => {
		assert.throws(() => findChromium({ ...ALL, named: '', ...having() }), /CHROMIUM_PATH to one/);
		const own = having('/downloaded');
		assert.throws(() => findChromium({ ...ALL, ...own }), /CHROMIUM_PATH names \/named/);
	});
});
