/** The parts of the documentation that repeat the code, each between the markers `<name>:start` and `<name>:end`. */
import { sys } from 'typescript';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import { OPERATIONS, RESOURCES } from '../../nodes/BusinessProspectData/operations/registry';
import type { Operation } from '../../nodes/BusinessProspectData/run/operation';

const OPERATIONS_PAGE = sys.readFile('docs/operations.md') ?? '';

export const titleOf = ({ resource, name }: Pick<Operation, 'resource' | 'name'>): string =>
	`${RESOURCES.find(({ value }) => value === resource)?.name}: ${name}`;

/** A table as Prettier formats it. */
function table(rows: ReadonlyArray<readonly string[]>): string {
	const [head = []] = rows;
	const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
	const [names = '', ...lines] = rows.map((row) =>
		line(row.map((cell, at) => cell.padEnd(widths[at] ?? 0))),
	);
	return `\n${names}${line(widths.map((width) => '-'.repeat(width)))}${lines.join('')}\n`;
}

/** In the order of their sections in docs/operations.md, whose first "1 request per ..." it repeats. */
function operationsTable(): string {
	const rows = OPERATIONS.map((operation) => {
		const title = titleOf(operation);
		const [before = '', after] = OPERATIONS_PAGE.split(`\n### ${title}\n`);
		const [section = ''] = after?.split(/^#{2,3} /m) ?? [];
		const [, requests] = /\b1 request (per [^.,;]+)/.exec(section) ?? [];
		if (requests === undefined) {
			throw new Error(`docs/operations.md: "1 request per ..." is missing under "### ${title}".`);
		}
		const [description = ''] = operation.description.split('. ');
		const name = `[${title}](docs/operations.md#${anchorOf(title)})`;
		const cells = [name, description, `1 ${requests.replaceAll('**', '')}`];
		return { position: before.length, cells };
	});
	rows.sort((a, b) => a.position - b.position);
	return table([['Operation', 'What it does', 'Requests'], ...rows.map(({ cells }) => cells)]);
}

const anchorOf = (title: string) => title.toLowerCase().replace(':', '').replaceAll(' ', '-');

/** The way to each section of a page this long. */
const operationsList = () =>
	`\n${OPERATIONS_PAGE.match(/(?<=^### )\w[\w ]+: .+$/gm)
		?.map((title) => `[${title}](#${anchorOf(title)})`)
		.join(' · ')}\n\n`;

const dataSetsTable = (dataSets: typeof PROSPECT_DATA_SETS | typeof BUSINESS_DATA_SETS) =>
	table([
		['Data set', 'Columns', 'What it contains'],
		...dataSets.map(({ name, outputField, description }) => [
			name,
			`\`${outputField}_…\``,
			description,
		]),
	]);

const PARTS: ReadonlyArray<{ path: string; name: string; text: () => string }> = [
	{ path: 'README.md', name: 'operations', text: operationsTable },
	{ path: 'docs/operations.md', name: 'operations', text: operationsList },
	{
		path: 'docs/operations.md',
		name: 'prospect data sets',
		text: () => dataSetsTable(PROSPECT_DATA_SETS),
	},
	{
		path: 'docs/operations.md',
		name: 'business data sets',
		text: () => dataSetsTable(BUSINESS_DATA_SETS),
	},
	{
		path: '.github/ISSUE_TEMPLATE/bug.yml',
		name: 'operations',
		text: () => OPERATIONS.map((operation) => `        - '${titleOf(operation)}'\n`).join(''),
	},
];

/** The files that have such parts, with these as they should be. */
export function generatedFiles(): Map<string, string> {
	const files = new Map<string, string>();
	for (const { path, name, text } of PARTS) {
		const current = files.get(path) ?? sys.readFile(path) ?? '';
		const part = new RegExp(`(^.*\\b${name}:start\\b.*\\n)[^]*?(^.*\\b${name}:end\\b)`, 'm');
		if (!part.test(current)) throw new Error(`${path} has no markers "${name}".`);
		files.set(
			path,
			current.replace(part, (_, start: string, end: string) => start + text() + end),
		);
	}
	return files;
}
