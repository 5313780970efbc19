/**
 * The diffs of docs/contributing/recipes.md fit the files that they change.
 *
 * Seen to fail: a context line reworded, in a diff and in a file; a line of Delete reworded.
 */
import { sys } from 'typescript';

const RECIPES = sys.readFile('docs/contributing/recipes.md') ?? '';

interface Change {
	file: string;
	lines: string[];
}

const blocks = [...RECIPES.matchAll(/^ *```diff\n([^]*?)\n *```$/gm)].map(([, text = '']) => text);

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
		expect.arrayContaining(['businessDataSets.ts', 'filters.ts', 'registry.ts', 'delete.ts']),
	);
});

test.each(changes)('the diff of $file applies, or is applied', ({ file, lines }) => {
	const source = sys.readFile(file) ?? '';
	const context = textOf(lines.filter((line) => !line.startsWith('+')));

	const fits = (context !== '' && source.includes(context)) || source.includes(textOf(lines));

	expect([lines.join('\n'), fits]).toEqual([lines.join('\n'), true]);
});
