/**
 * The diffs of docs/contributing/recipes.md match the files that they change.
 *
 */
import { sys } from 'typescript';

const RECIPES = sys.readFile('docs/contributing/recipes.md') ?? '';

interface Change {
	file: string;
	lines: string[];
}

/** The hunks of a part of the page. In a list of steps, the blocks are indented by three. */
const changesIn = (part: string): Change[] =>
	[...part.matchAll(/^ *```diff\n([^]*?)\n *```$/gm)].flatMap(([, block = '']) =>
		block
			.replace(/^ {3}/gm, '')
			.split(/^\+\+\+ /m)
			.slice(1)
			.flatMap((diff) => {
				const [file = '', ...hunks] = diff.split(/\n@@\n/);
				return hunks.map((hunk) => ({ file, lines: hunk.trimEnd().split('\n') }));
			}),
	);

/** The first recipes add something made up; the operation is in the code. */
const [madeUp = '', inCode = ''] = RECIPES.split('\n## Add an operation\n');
const toApply = changesIn(madeUp);
const applied = changesIn(inCode);

const textOf = (lines: string[]) => lines.map((line) => line.slice(1)).join('\n');
const countIn = (file: string, text: string) => (sys.readFile(file) ?? '').split(text).length - 1;

test('there are diffs for a data set, a filter and an operation', () => {
	const names = (changes: Change[]) => changes.map(({ file }) => file.replace(/.*\//, ''));

	expect(names(toApply)).toEqual(
		expect.arrayContaining(['businessDataSets.ts', 'filters.ts', 'operations.md']),
	);
	expect(names(applied)).toEqual(
		expect.arrayContaining(['registry.ts', 'delete.ts', 'contract.ts']),
	);
});

test.each(toApply)('the existing lines of the diff of $file occur once', ({ file, lines }) => {
	const context = textOf(lines.filter((line) => !line.startsWith('+')));

	expect([context, context !== '' && countIn(file, context)]).toEqual([context, 1]);
});

test.each(applied)('$file has all lines of the diff, once', ({ file, lines }) => {
	const text = textOf(lines);

	expect([text, countIn(file, text)]).toEqual([text, 1]);
});
