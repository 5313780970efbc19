import type { IExecuteFunctions } from 'n8n-workflow';
import { getOrCreate } from '../core/collections';
import { pluralize, truncate } from '../core/text';
import type { ColumnValue, Parameter } from '../parameters/parameter';
import { isMapped } from '../parameters/read';

interface Column {
	isMapped: boolean;
	filled: number;
	ignored: number;
	/** The first ignored cell. */
	example?: Required<ColumnValue>['ignored'];
}

export interface ColumnMessages {
	readonly hints: readonly string[];
	readonly warnings: readonly string[];
}

const MAX_SHOWN = 80;

/** Counts the empty cells of each input column, and those that the node couldn't use. */
export function createColumnCounter(
	context: IExecuteFunctions,
	parameters: readonly Parameter[],
): {
	/** @param hasFailed a failed row's error says what is wrong with its cells */
	readonly add: (values: Readonly<Record<string, unknown>>, hasFailed: boolean) => void;
	readonly messages: () => ColumnMessages;
} {
	const readable = parameters.flatMap((parameter) =>
		parameter.columns === undefined ? [] : [{ parameter, isMapped: isMapped(context, parameter) }],
	);
	const columns = new Map<string, Column>();
	let rows = 0;
	return {
		add: (values, hasFailed) => {
			rows++;
			for (const { parameter, isMapped } of readable) {
				for (const cell of parameter.columns?.(values[parameter.name]) ?? []) {
					const newColumn = () => ({ isMapped, filled: 0, ignored: 0 });
					const column: Column = getOrCreate(columns, cell.displayName, newColumn);
					if (!cell.isEmpty) column.filled++;
					if (cell.ignored === undefined || hasFailed) continue;
					column.ignored++;
					column.example ??= cell.ignored;
				}
			}
		},
		messages: () => ({
			hints: [...columns].flatMap(([name, { ignored, example }]) =>
				example === undefined
					? []
					: [
							`${name} was ignored in ${pluralize(ignored, 'row')}: ${example.rule}, for example "${truncate(example.text, MAX_SHOWN)}".`,
						],
			),
			warnings: [...columns].flatMap(([name, column]) =>
				column.isMapped && column.filled === 0 && rows > 1
					? [
							`${name} ${name.endsWith('IDs') ? 'were' : 'was'} empty in all ${pluralize(rows, 'row')}. Check the column's name.`,
						]
					: [],
			),
		}),
	};
}
