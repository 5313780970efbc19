import type { INodeExecutionData } from 'n8n-workflow';
import type { Advice, Failure } from '../core/outcome';
import { joinWords, pluralize } from '../core/text';
import { ENTITIES } from '../fields/about';
import type { FilledField } from '../parameters/read';
import { provisionalIdOf } from './lookupStep';
import type { FailedItem, PreparedItem, SpecTypes } from './spec';

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
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
	input: readonly INodeExecutionData[],
	fields: readonly FilledField[],
): Advice[] {
	const keys = new Set<string | undefined>();
	// Most rows have details of their own.
	for (const item of items) {
		const details = item.failure === undefined ? item.details : undefined;
		keys.add(details && provisionalIdOf(details));
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
