import type { INodeExecutionData } from 'n8n-workflow';
import type { Advice, Failure } from '../core/outcome';
import { didYouMean, formatNumber, joinWords, pluralize } from '../core/text';
import { ENTITIES, isData } from '../fields/about';
import type { FilledField } from '../parameters/read';
import { provisionalIdOf } from './lookupStep';
import type { Items, SpecTypes } from './spec';
import type { EntityFields } from '../catalog/service';
import { isEmpty, isObject } from '../core/json';
import { formerEntities, inputName, isCut, MAX_CELL_LENGTH } from '../fields/row';
import { idFromCell } from '../parameters/lists';
import type { OutputOptions } from '../parameters/options';
import type { ItemRow } from './output';
import { countInSlices, forEachInSlices } from './slices';

/** Names in Fields and Fill Columns that no row has. */
export async function missingColumnsAdvice(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
	output: readonly INodeExecutionData[],
): Promise<Advice[]> {
	const filled = new Set<string>();
	const fields = new Set<string>();
	await forEachInSlices(rows, ({ options, layout }) => {
		for (const { yourColumn } of options?.fillColumns ?? []) filled.add(yourColumn);
		for (const name of options?.fields ?? []) if (!layout?.owners.has(name)) fields.add(name);
	});
	if (filled.size + fields.size === 0) return [];
	const shown = output.filter(({ json }) => !isObject(json.error));
	const isEmptyColumn = (name: string) => shown.every(({ json }) => isEmpty(json[name]));
	const missing = [...new Set([...[...fields].filter(isEmptyColumn), ...filled])].filter((name) =>
		input.every(({ json }) => inputName(name, json) === undefined),
	);
	if (missing.length === 0) return [];
	const ofInput = new Set(input.flatMap(({ json }) => Object.keys(json)));
	const layouts = [...new Set(rows.map(({ layout }) => layout))];
	const known = layouts.flatMap((layout) => [...(layout?.owners.keys() ?? [])]);
	const quoted = missing.map(
		(name) => `"${name}"${didYouMean(name, ofInput) || didYouMean(name, known)}`,
	);
	return [
		{
			rows: shown.length,
			message: `No row has ${joinWords(quoted)}. Check Fields, Fill Columns and the data sets.`,
		},
	];
}

export async function cutCellsAdvice(output: readonly INodeExecutionData[]): Promise<Advice> {
	const rows = await countInSlices(output, ({ json }) => {
		// `Object.values` would copy every row.
		for (const name in json) if (isCut(json[name])) return true;
		return false;
	});
	return {
		rows,
		message: `${pluralize(rows, 'row has', 'rows have')} a cell that was cut at ${formatNumber(MAX_CELL_LENGTH)} characters, because spreadsheets refuse more. To get all of it, turn off Simplify.`,
	};
}

/** Rows that have data of an earlier run, but no ID: the data may be about another person or company. */
export async function lostIdAdvice(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
): Promise<Advice[]> {
	// One for each input row, which several events may come from.
	const included = rows
		.filter(({ options }) => options?.includeInputFields)
		.filter(({ itemIndex }, at, all) => itemIndex !== all[at - 1]?.itemIndex);
	const adviceAbout = async (entity: EntityFields): Promise<Advice> => {
		const { idField, idFormat } = entity;
		const columns = new Set<string>();
		const count = await countInSlices(included, ({ layout, itemIndex }) => {
			const json = input[itemIndex]?.json ?? {};
			if (!layout?.owners.has(idField) || idFromCell(json[idField], idFormat)) return false;
			const isOwn = (name: string) =>
				ENTITIES.every((each) => isData(each, name, json[name]) === (each === entity));
			const own = Object.keys(json).filter((name) => isOwn(name) && !isEmpty(json[name]));
			for (const name of own) columns.add(name);
			return own.length > 0;
		});
		const [example] = columns;
		return {
			rows: count,
			message: `${pluralize(count, 'row has', 'rows have')} values of an earlier run, such as ${example}, but no ${idField}. They are taken to be about the same one. Keep ${idField} in your table.`,
		};
	};
	return await Promise.all(ENTITIES.map(adviceAbout));
}

/** Rows whose ID changed. If Fields leaves the ID out, a table would keep the former one beside the new data. */
export async function formerIdAdvice(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
): Promise<Advice[]> {
	const counts = new Map<EntityFields, number>();
	const leftOut = new Set<EntityFields>();
	await forEachInSlices(rows, ({ row, layout, options, itemIndex }) => {
		const { fields = [], fillColumns = [], includeInputFields = false } = options ?? {};
		const hasInput = includeInputFields || fields.length > 0;
		if (row.failure !== undefined || layout === undefined || !hasInput) return;
		for (const entity of formerEntities(row.records, layout, input[itemIndex]?.json ?? {})) {
			counts.set(entity, (counts.get(entity) ?? 0) + 1);
			const named = [...fields, ...fillColumns.map(({ value }) => value)];
			if (fields.length > 0 && !named.includes(entity.idField)) leftOut.add(entity);
		}
	});
	return ENTITIES.map((entity) => {
		const { idField, noun } = entity;
		const count = counts.get(entity) ?? 0;
		const advice = leftOut.has(entity)
			? `Add ${idField} to Fields, so that your table gets the new one.`
			: 'What these nodes wrote about the former one is now empty there.';
		return {
			rows: count,
			message: `${pluralize(count, 'row is', 'rows are')} about another ${noun} than ${count === 1 ? 'its' : 'their'} ${idField} says. ${advice}`,
		};
	});
}

/** All rows would be the same person or company, and each would get its data. */
export function fixedDetailsFailure(
	fields: readonly FilledField[],
	rowCount: number,
	idField: string,
): Failure | undefined {
	const [first] = fields;
	if (rowCount < 2 || first === undefined || fields.some(({ isFixed }) => !isFixed))
		return undefined;
	const noun = ENTITIES.find((entity) => entity.idField === idField)?.noun ?? 'record';
	const names = joinWords(fields.map(({ displayName }) => displayName));
	const [are, columns] = fields.length === 1 ? ['is', 'column'] : ['are', 'columns'];
	return {
		kind: 'input',
		field: first.name,
		message: `${names} ${are} the same text for all ${pluralize(rowCount, 'row')}. Drag in the ${columns}. To look up one ${noun}, turn on Execute Once in the node's settings.`,
	};
}

/** Expressions may lead to one row of another node instead of each row. */
export function sameDetailsAdvice<Types extends SpecTypes>(
	items: Items<Types>,
	input: readonly INodeExecutionData[],
	fields: readonly FilledField[],
): Advice[] {
	const keys = new Set<string | undefined>();
	// Most rows have details of their own.
	for (const item of items) {
		keys.add(item.state === 'unidentified' ? provisionalIdOf(item.lookup) : undefined);
		if (keys.size > 1) return [];
	}
	if (items.length < 3 || keys.has(undefined)) return [];
	const row = JSON.stringify(input[0]?.json);
	if (input.every(({ json }) => JSON.stringify(json) === row)) return [];
	const names = joinWords(fields.map(({ displayName }) => displayName));
	return [
		{
			rows: items.length,
			message: `${names} gave the same for all ${pluralize(items.length, 'row')}, although the rows differ. Drag in the ${fields.length === 1 ? 'column' : 'columns'} from the input panel again.`,
		},
	];
}
