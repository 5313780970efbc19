import { choice } from '../runtime/parameters';

/** Rows or the whole answer, where an operation has both. */
export const outputChoice = (
	rows: { readonly name: string; readonly value: string; readonly description: string },
	summary: string,
) =>
	choice({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'summary',
		options: [rows, { name: 'Summary', value: 'summary', description: summary }],
		description: 'What to return',
	});
