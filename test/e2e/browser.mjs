// A person at n8n's editor: a headless Chromium, and what a hand does there.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, selectors } from 'playwright-core';
import { localFolder } from '../n8n/lab.mjs';
import { PlainError } from '../n8n/processes.mjs';
import { atEnd, interrupted, PATIENCE_MS } from './stage.mjs';

const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Tall enough for all parameters of a node. */
export const VIEWPORT = { width: 1280, height: 1100 };
/** Where pictures go; git ignores it. */
export const shotsFolder = join(localFolder, 'screenshots');

/**
 * The path of a Chromium: what CHROMIUM_PATH names, else the one that Playwright has downloaded, else the system's.
 *
 * @throws {PlainError} that says how to get one
 */
function findChromium() {
	const { CHROMIUM_PATH: named } = process.env;
	if (named && !existsSync(named))
		throw new PlainError(`CHROMIUM_PATH names ${named}, which does not exist.`);
	const places = [named, chromium.executablePath(), '/usr/bin/chromium'];
	const found = places.find((path) => path && existsSync(path));
	if (found) return found;
	throw new PlainError(
		'The editor is tested in Chromium, and there is none. Run "npx playwright-core install chromium", install your system\'s, or set CHROMIUM_PATH to one.',
	);
}

selectors.setTestIdAttribute('data-test-id');

/** Opens a browser that ends with the test, and signs in to n8n. Its page waits two minutes for what is not there yet. */
export async function openBrowser(t, { url, owner }) {
	await mkdir(shotsFolder, { recursive: true });
	const folder = await mkdtemp(join(tmpdir(), 'business-prospect-data-chromium-'));
	let context;
	atEnd(t, async () => {
		await context?.close();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	context = await chromium.launchPersistentContext(folder, {
		executablePath: findChromium(),
		headless: true,
		baseURL: url,
		viewport: VIEWPORT,
		args: FLAGS,
		// What an interrupt ends, and in which order, is the stage's affair.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
	context.setDefaultTimeout(PATIENCE_MS);
	const [page] = context.pages();
	await page.goto('/signin');
	await page.locator('input[name=emailOrLdapLoginId]').fill(owner.email);
	await page.locator('input[name=password]').fill(owner.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(({ pathname }) => !pathname.includes('signin'));
	return page;
}

/** Repeats a check until it holds; after two minutes throws what the last one threw. */
export async function eventually(check) {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > deadline) throw error;
		}
		await sleep(200, undefined, { signal: interrupted });
	}
}

/** A subtest that keeps a picture of the whole page when it fails. */
export async function step(t, page, name, act) {
	await t.test(name, async (t) => {
		try {
			await act(t);
		} catch (error) {
			const path = join(shotsFolder, `failed: ${name}.png`.replaceAll(/[^\w.]+/g, '-'));
			await page.screenshot({ path }).catch(() => {});
			t.diagnostic(`the page when it failed: ${path}`);
			throw error;
		}
	});
}

/** A node of the canvas. */
export const onCanvas = (page, name) =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

/**
 * Opens a workflow, and waits until its nodes are there, and until the page has told n8n's server that it is open: what is
 * run before the two are connected doesn't run, and is shown as running for ever.
 */
export async function openWorkflow(page, id) {
	await Promise.all([
		page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framesent')),
		page.goto(`/workflow/${id}`),
	]);
	await page.getByTestId('canvas-node').first().waitFor();
}

/** Opens the details of a node. */
export async function openNode(page, name) {
	await onCanvas(page, name).click();
	await page.keyboard.press('Enter');
	await page.getByTestId('ndv').waitFor();
}

/** Goes back to the canvas. */
export async function closeNode(page) {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Opens a drop-down and chooses from it. */
export async function choose(page, dropDown, text) {
	await dropDown.click();
	await page.getByRole('option').filter({ visible: true }).getByText(text, { exact: true }).click();
}

/** The value of a parameter, its input element. */
export const input = (place, name) =>
	place.getByTestId(`parameter-input-${name}`).locator('input, textarea').first();

/** Types into the list of a resource locator, and waits for what it then offers. */
export async function searchList(page, text, offered) {
	await page.getByTestId('rlc-search').fill(text);
	const items = page.getByTestId('rlc-item').filter({ visible: true });
	await eventually(async () => {
		const texts = await items.allInnerTexts();
		if (JSON.stringify(texts) !== JSON.stringify(offered))
			throw new Error(`The list for "${text}" offers: ${texts.join(', ')}`);
	});
	return items;
}

/** Drags one thing onto another, as a mouse does. */
export async function drag(page, from, to) {
	const middle = async (thing) => {
		const { x, y, width, height } = await thing.boundingBox();
		return [x + width / 2, y + height / 2];
	};
	await from.scrollIntoViewIfNeeded();
	await page.mouse.move(...(await middle(from)));
	await page.mouse.down();
	await page.mouse.move(...(await middle(to)), { steps: 20 });
	await page.mouse.up();
}

/** Closes the notes that n8n shows in a corner, which may hide something. */
export async function closeNotes(page) {
	const notes = page.locator('.el-notification');
	await eventually(async () => {
		for (const close of await notes.locator('.el-notification__closeBtn').all())
			await close.click({ timeout: 1_000 });
		if ((await notes.count()) > 0) throw new Error('n8n goes on showing notes');
	});
}
