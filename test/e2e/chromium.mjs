// Which Chromium the tests open n8n's editor in.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { PlainError } from '../n8n/processes.mjs';

/** Where Debian and other distributions put it. */
const SYSTEM = '/usr/bin/chromium';

/**
 * The path of a Chromium: what CHROMIUM_PATH names, else the one that Playwright has downloaded, else the system's.
 *
 * @throws {PlainError} that says how to get one
 */
export function findChromium() {
	const { CHROMIUM_PATH: named } = process.env;
	if (named && !existsSync(named))
		throw new PlainError(`CHROMIUM_PATH names ${named}, which does not exist.`);
	const found = [named, chromium.executablePath(), SYSTEM].find((path) => path && existsSync(path));
	if (found) return found;
	throw new PlainError(
		'The editor is tested in Chromium, and there is none. Run "npx playwright-core install chromium", install your system\'s, or set CHROMIUM_PATH to one.',
	);
}
