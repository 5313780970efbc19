import type { INodeExecutionData } from 'n8n-workflow';
import type { EntityFields } from '../catalog/service';
import { isEmpty } from '../core/json';
import { pluralize } from '../core/text';
import { ENTITIES, isData } from '../fields/about';
import { formerEntities } from '../fields/row';
import { idFromCell } from '../parameters/lists';
import type { OutputOptions } from '../parameters/options';
import type { Advice } from '../core/outcome';
import type { ItemRow } from './output';
import { countInSlices } from './slices';

/** Without an ID, nothing shows that what the row has is about another person or company. */
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

/** Without the ID, a table would keep the former one beside what was found. */
export async function formerIdAdvice(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	input: readonly INodeExecutionData[],
): Promise<Advice[]> {
	const adviceAbout = async (entity: EntityFields): Promise<Advice> => {
		const { idField, noun } = entity;
		const count = await countInSlices(rows, ({ row, layout, options, itemIndex }) => {
			const { fields = [], fillColumns = [] } = options ?? {};
			if (row.failure !== undefined || layout === undefined || fields.length === 0) return false;
			const named = [...fields, ...fillColumns.map(({ value }) => value)];
			const json = input[itemIndex]?.json ?? {};
			return !named.includes(idField) && formerEntities(row.records, layout, json).includes(entity);
		});
		return {
			rows: count,
			message: `${pluralize(count, 'row is', 'rows are')} about another ${noun} than ${count === 1 ? 'its' : 'their'} ${idField} says. Add ${idField} to Fields, so that your table gets the new one.`,
		};
	};
	return await Promise.all(ENTITIES.map(adviceAbout));
}
