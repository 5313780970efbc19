import type { INodeExecutionData } from 'n8n-workflow';
import { isEmpty, isObject } from '../core/json';
import { didYouMean, formatNumber, pluralize } from '../core/text';
import { inputName, isCut, MAX_CELL_LENGTH } from '../fields/row';
import type { OutputOptions } from '../parameters/options';
import type { Advice } from '../parameters/read';
import type { ItemRow } from './output';
import { countInSlices, forEachInSlices } from './slices';

/** Names in Fields and Fill Columns that no row has. */
export async function missingColumnsAdvice(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
	output: readonly INodeExecutionData[],
): Promise<Advice[]> {
	const shown = output.filter(({ json }) => !isObject(json.error));
	if (shown.length === 0) return [];
	const filled = new Set<string>();
	const named = new Set<string>();
	await forEachInSlices(rows, ({ options, layout }) => {
		for (const { yourColumn } of options?.fillColumns ?? []) filled.add(yourColumn);
		for (const name of options?.fields ?? []) if (!layout?.owners.has(name)) named.add(name);
	});
	const isMissing = (name: string) =>
		input.every(({ json }) => inputName(name, json) === undefined);
	const missing = [...named].filter(
		(name) =>
			!filled.has(name) && isMissing(name) && shown.every(({ json }) => isEmpty(json[name])),
	);
	const added = [...filled].filter(isMissing);
	if (missing.length === 0 && added.length === 0) return [];

	const ofInput = [...new Set(input.flatMap(({ json }) => Object.keys(json)))];
	const layouts = [...new Set(rows.map(({ layout }) => layout))];
	const known = layouts.flatMap((layout) => [...(layout?.owners.keys() ?? [])]);
	const quoted = (names: readonly string[], others: readonly string[] = []) =>
		names
			.map((name) => `"${name}"${didYouMean(name, ofInput) || didYouMean(name, others)}`)
			.join(', ');
	return [
		{
			rows: missing.length === 0 ? 0 : shown.length,
			message: `Fields: no row has ${quoted(missing, known)}. Check the spelling and the data sets.`,
		},
		{
			rows: added.length === 0 ? 0 : shown.length,
			message: `Fill Columns: no row has ${quoted(added)}, so ${added.length === 1 ? 'a new column was' : 'new columns were'} added. If your table has it under another name, correct Your Column.`,
		},
	];
}

export async function cutCellsAdvice(output: readonly INodeExecutionData[]): Promise<Advice> {
	const rows = await countInSlices(output, ({ json }) => Object.values(json).some(isCut));
	return {
		rows,
		message: `${pluralize(rows, 'row has', 'rows have')} a cell that was cut at ${formatNumber(MAX_CELL_LENGTH)} characters, because spreadsheets refuse more. To get all of it, turn off Simplify.`,
	};
}
