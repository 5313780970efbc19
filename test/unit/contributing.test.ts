/**
 * CONTRIBUTING.md leads to files that there are, and its diffs fit them.
 *
 * Seen to fail: a line around an added one reworded, in a diff and in a file; a line of Delete reworded; a file renamed.
 */
import { sys } from 'typescript';

const GUIDE = sys.readFile('CONTRIBUTING.md') ?? '';

interface Change {
	file: string;
	lines: string[];
}

const blocks = [...GUIDE.matchAll(/^ *```diff\n([^]*?)\n *```$/gm)].map(([, text = '']) => text);

/** In a list of steps the blocks are indented by three. */
const changes: Change[] = blocks.flatMap((block) =>
	block
		.replace(/^ {3}/gm, '')
		.split(/^\+\+\+ /m)
		.slice(1)
		.flatMap((part) => {
			const [file = '', ...hunks] = part.split(/\n@@\n/);
			return hunks.map((hunk) => ({ file, lines: hunk.trimEnd().split('\n') }));
		}),
);

const textOf = (lines: string[]) => lines.map((line) => line.slice(1)).join('\n');

test('there are diffs for a data set, a filter and an operation', () => {
	const files = new Set(changes.map(({ file }) => file.replace(/.*\//, '')));

	expect([...files]).toEqual(
		expect.arrayContaining(['enrichments.ts', 'filters.ts', 'registry.ts', 'delete.ts']),
	);
});

test.each(changes)('a change to $file can be made, or is there', ({ file, lines }) => {
	const now = sys.readFile(file) ?? '';
	const around = textOf(lines.filter((line) => !line.startsWith('+')));

	const fits = (around !== '' && now.includes(around)) || now.includes(textOf(lines));

	expect([lines.join('\n'), fits]).toEqual([lines.join('\n'), true]);
});

test('links lead somewhere', () => {
	const links = [...GUIDE.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
	const inside = links.filter((to) => !to.startsWith('https://'));

	expect(inside.length).toBeGreaterThan(5);
	expect(inside.filter((to) => !sys.fileExists(to) && !sys.directoryExists(to))).toEqual([]);
});
