import { choice } from '../runtime/parameters';

/** Whether an operation puts out `rows` or, as one row, the whole answer. */
export const outputParameter = (
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
