import type { INodeExecutionData } from 'n8n-workflow';
import { isEmpty } from '../core/json';
import { pluralize } from '../core/text';
import { ENTITIES, isData } from '../fields/about';
import { formerEntities } from '../fields/row';
import { idFromCell } from '../parameters/lists';
import type { OutputOptions } from '../parameters/options';
import type { Advice } from '../parameters/read';
import type { ItemRow } from './output';

/** Without an ID, nothing shows that what the row has is about another person or company. */
export function lostIdAdvice(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
): Advice[] {
	// One for each input row, which several events may come from.
	const included = rows
		.filter(({ options }) => options?.includeInputFields)
		.filter(({ itemIndex }, at, all) => itemIndex !== all[at - 1]?.itemIndex);
	return ENTITIES.map((entity) => {
		const { idField, idFormat } = entity;
		const columns = new Set<string>();
		const count = included.filter(({ layout, itemIndex }) => {
			const json = input[itemIndex]?.json ?? {};
			if (!layout?.owners.has(idField) || idFromCell(json[idField], idFormat)) return false;
			const isOwn = (name: string) =>
				ENTITIES.every((each) => isData(each, name, json[name]) === (each === entity));
			const own = Object.keys(json).filter((name) => isOwn(name) && !isEmpty(json[name]));
			for (const name of own) columns.add(name);
			return own.length > 0;
		}).length;
		const [example] = columns;
		return {
			rows: count,
			message: `${pluralize(count, 'row has', 'rows have')} values of an earlier run, such as ${example}, but no ${idField}. They are taken to be about the same one. Keep ${idField} in your table.`,
		};
	});
}

/** Without the ID, a table would keep the former one beside what was found. */
export const formerIdAdvice = (
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
): Advice[] =>
	ENTITIES.map((entity) => {
		const { idField, noun } = entity;
		const count = rows.filter(({ row, layout, options, itemIndex }) => {
			const { fields = [], fillColumns = [] } = options ?? {};
			if (row.failure !== undefined || layout === undefined || fields.length === 0) return false;
			const named = [...fields, ...fillColumns.map(({ value }) => value)];
			const json = input[itemIndex]?.json ?? {};
			return !named.includes(idField) && formerEntities(row.records, layout, json).includes(entity);
		}).length;
		return {
			rows: count,
			message: `${pluralize(count, 'row is', 'rows are')} about another ${noun} than ${count === 1 ? 'its' : 'their'} ${idField} says. Add ${idField} to Fields, so that your table gets the new one.`,
		};
	});
