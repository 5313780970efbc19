// The documentation's pictures: retaken in each run, so that they stay true. One whose words are no longer those of the
// committed picture fails the run; `npm run screenshots` replaces the committed ones.
import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';
import { closeNotes, eventually, shotsFolder } from './browser.mjs';
import { replacePictures } from './stage.mjs';

const committed = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '.github', 'images');
const wordsFile = join(committed, 'words.json');
const MOST_BYTES = { '.png': 120_000, '.gif': 400_000 };
const MOST_WIDTH = 1_200;
const COMMAND = '`npm run screenshots` retakes it; look at it before you commit it.';

/** The box around several things, with a margin, in whole pixels. */
async function around({ things, margin, marginRight = margin }) {
	const boxes = await Promise.all(things.map((thing) => thing.boundingBox()));
	const x = Math.floor(Math.min(...boxes.map((box) => box.x)) - margin);
	const y = Math.floor(Math.min(...boxes.map((box) => box.y)) - margin);
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + marginRight;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + margin;
	return { x, y, width: Math.ceil(right - x), height: Math.ceil(bottom - y) };
}

/** The words of an element that can be seen in a part of the page, sorted; those in fields too, but for passwords. */
const wordsIn = async (element, clip) =>
	await element.evaluate((root, { x, y, width, height }) => {
		const seen = ({ left, right, top, bottom }) => {
			const [across, down] = [(left + right) / 2, (top + bottom) / 2];
			return across > x && across < x + width && down > y && down < y + height;
		};
		const visible = (element) =>
			element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
		const texts = [];
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		const range = document.createRange();
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			range.selectNodeContents(node);
			if (visible(node.parentElement) && seen(range.getBoundingClientRect()))
				texts.push(node.nodeValue);
		}
		for (const field of root.querySelectorAll('input:not([type=password]), textarea'))
			if (visible(field) && seen(field.getBoundingClientRect()))
				texts.push(field.value || field.placeholder);
		return texts.join(' ').split(/\s+/).filter(Boolean).sort().join(' ');
	}, clip);

const readWords = async () => JSON.parse(await readFile(wordsFile, 'utf8').catch(() => '{}'));

const otherWords = (name) =>
	`The picture ${name} shows other words than the committed one. ${COMMAND}`;

/**
 * Takes a picture when the page has come to rest, with the words of the committed picture unless that is replaced; returns
 * its file and its words.
 */
async function shoot(name, element, frame, expected) {
	const page = element.page();
	await closeNotes(page);
	// What n8n shows under the mouse alone is not part of the picture.
	await page.mouse.move(0, 0);
	const boxOf = async () => (frame.things ? await around(frame) : frame);
	const file = join(shotsFolder, `${name}.png`);
	let words;
	await eventually(async () => {
		const clip = await boxOf();
		words = await wordsIn(element, clip);
		await sleep(300);
		assert.deepEqual(await boxOf(), clip, 'the page goes on moving');
		assert.equal(await wordsIn(element, clip), words, 'the page goes on changing');
		await page.screenshot({ path: file, clip, animations: 'disabled' });
		assert.ok(clip.width <= MOST_WIDTH, `${name} is ${clip.width} pixels wide`);
		// A slow page also rests while it waits for n8n.
		if (!replacePictures) assert.equal(words, expected, otherWords(name));
	});
	return { file, words };
}

/** Compares the words of a picture with those of the committed one, or replaces that one. */
async function commit(name, ending, file, words) {
	const { size } = await stat(file);
	assert.ok(size < MOST_BYTES[ending], `${name} has ${size} bytes`);

	const shown = await readWords();
	const picture = join(committed, basename(file));
	if (replacePictures) {
		await mkdir(committed, { recursive: true });
		await copyFile(file, picture);
		const sorted = Object.entries({ ...shown, [name]: words }).sort(([a], [b]) => (a < b ? -1 : 1));
		await writeFile(wordsFile, `${JSON.stringify(Object.fromEntries(sorted), null, '\t')}\n`);
		return;
	}
	await assert.doesNotReject(stat(picture), `There is no picture ${name}. ${COMMAND}`);
	assert.deepEqual(words, shown[name], otherWords(name));
}

/**
 * Takes a picture of a part of the page, and compares its words with those of the committed one of this name. The words of
 * the element count; what lies behind or around it does not. `frame` is what is to be in the picture, and how many pixels
 * around it.
 */
export async function takePicture(name, element, frame) {
	const { [name]: expected } = await readWords();
	const { file, words } = await shoot(name, element, frame, expected);
	await commit(name, '.png', file, words);
}

/** Begins an animation, which is compared as a picture is, frame by frame. */
export function startAnimation(name, { width, height }) {
	const encoder = gifenc.GIFEncoder();
	const words = [];
	return {
		/** The frame begins at this corner in the window, and is shown for so many milliseconds. */
		async addFrame(element, corner, delay) {
			const frame = { ...corner, width, height };
			const expected = (await readWords())[name]?.[words.length];
			const shot = await shoot(`${name}-${words.length + 1}`, element, frame, expected);
			words.push(shot.words);
			const { data } = PNG.sync.read(await readFile(shot.file));
			const palette = gifenc.quantize(data, 256);
			encoder.writeFrame(gifenc.applyPalette(data, palette), width, height, { palette, delay });
		},
		async end() {
			encoder.finish();
			const file = join(shotsFolder, `${name}.gif`);
			await writeFile(file, encoder.bytesView());
			await commit(name, '.gif', file, words);
		},
	};
}
