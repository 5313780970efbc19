import type { IExecuteFunctions } from 'n8n-workflow';
import { toFailure } from '../api/errors';
import { typedValues } from '../core/casts';
import { getOrCreate } from '../core/collections';
import { isObject } from '../core/json';
import type { Advice, Outcome } from '../core/outcome';
import { joinWords, pluralize, truncate } from '../core/text';
import { type IgnoredCell, isBlankCell, type Parameter, type ValuesOf } from './parameter';

export interface FilledField {
	/** The parameter. */
	readonly name: string;
	readonly displayName: string;
	/** False for an expression, whose value may differ from row to row. */
	readonly isFixed: boolean;
}

interface ValuesReader<Parameters extends readonly Parameter[]> {
	/** The values of an item, or the failure of the first parameter that can't be read. */
	readonly read: (itemIndex: number) => Outcome<ValuesOf<Parameters>>;
	/** The input columns dragged into a parameter. None if it also holds something else. */
	readonly columnsIn: (name: string) => readonly string[];
	/** What is filled in of these parameters; of a collection, its members. */
	readonly filledIn: (names: readonly string[]) => readonly FilledField[];
	/**
	 * What is odd about the input columns that the items were read from.
	 *
	 * @param filled columns that Fill Columns fills: before, they may be empty in every row
	 */
	readonly advice: (rowCount: number, filled: ReadonlySet<string>) => readonly Advice[];
}

/** A parameter without an expression is read once, because its value is the same for all items. */
export function createValuesReader<const Parameters extends readonly Parameter[]>(
	context: IExecuteFunctions,
	parameters: Parameters,
): ValuesReader<Parameters> {
	const readers = parameters.map((parameter) => createReader(context, parameter));
	const readValues = (itemIndex: number): Outcome<ValuesOf<Parameters>> => {
		const values: Record<string, unknown> = {};
		for (const { name, read } of readers) {
			const { value, failure } = read(itemIndex);
			if (failure !== undefined) return { failure };
			values[name] = value;
		}
		return { value: typedValues(values) };
	};
	return {
		read: readers.some(({ varies }) => varies) ? readValues : once(readValues),
		columnsIn: (name) => draggedColumns(readers.find((reader) => reader.name === name)?.saved),
		filledIn: (names) =>
			readers.flatMap((reader) => (names.includes(reader.name) ? reader.filledFields : [])),
		advice: (rowCount, filled) => [
			...emptyColumnsAdvice(
				readers.flatMap(({ emptyColumns }) => emptyColumns(rowCount, filled)),
				rowCount,
			),
			...readers.flatMap(({ ignoredCells }) => ignoredCells(rowCount)),
		],
	};
}

function once<Value>(read: (itemIndex: number) => Value): (itemIndex: number) => Value {
	let first: { readonly value: Value } | undefined;
	return () => (first ??= { value: read(0) }).value;
}

const MAX_SHOWN = 80;

function createReader(context: IExecuteFunctions, parameter: Parameter) {
	const { name, property, read, isSpaced } = parameter;
	const saved = context.getNodeParameter(name, 0, property.default, { rawExpressions: true });
	const varies = hasExpression(saved);
	const spaced =
		isSpaced && varies && typeof saved === 'string' && saved.includes('}}{{')
			? saved.slice(1).replaceAll('}}{{', '}} {{')
			: undefined;
	const columns = varies ? mappedColumns(saved, parameter) : [];
	const ignored = new Map<string, { count: number; readonly example: IgnoredCell }>();

	const readAt = (itemIndex: number): Outcome<unknown> => {
		try {
			const raw: unknown =
				spaced === undefined
					? context.getNodeParameter(name, itemIndex, property.default)
					: context.evaluateExpression(spaced, itemIndex);
			for (const column of columns) column.isEmpty &&= isBlankCell(column.cellOf(raw));
			const value = read(raw, varies);
			for (const example of parameter.ignoredCells?.(value) ?? []) {
				const { displayName, rule } = example;
				getOrCreate(ignored, `${displayName} ${rule}`, () => ({ count: 0, example })).count++;
			}
			return { value };
		} catch (error) {
			const { field, message, ...failure } = toFailure(error);
			// n8n's message about a failing expression doesn't name the parameter.
			return field === undefined
				? { failure: { ...failure, message: `${property.displayName}: ${message}`, field: name } }
				: { failure: { ...failure, message, field } };
		}
	};
	return {
		name,
		saved,
		filledFields: filledFieldsIn(saved, parameter),
		varies,
		read: varies ? readAt : once(readAt),
		ignoredCells: (rowCount: number): Advice[] =>
			[...ignored.values()].map(({ count, example: { displayName, rule, text } }) => {
				// A fixed parameter is read only once.
				const rows = varies ? count : rowCount;
				const message = `${displayName} was ignored in ${pluralize(rows, 'row')}: ${rule}, for example "${truncate(text, MAX_SHOWN)}".`;
				return { rows, message };
			}),
		/** A single row may do without a cell, but not without an option that was added, such as people to exclude. */
		emptyColumns: (rowCount: number, filled: ReadonlySet<string>) =>
			rowCount > 1 || name === 'options'
				? columns.flatMap(({ isEmpty, displayName, inputColumns }) =>
						isEmpty && !inputColumns.some((column) => filled.has(column)) ? [displayName] : [],
					)
				: [],
	};
}

function emptyColumnsAdvice(names: readonly string[], rowCount: number): Advice[] {
	const [first, ...others] = names;
	if (first === undefined) return [];
	const isOne = others.length === 0 && !first.endsWith('IDs');
	const where = rowCount > 1 ? ` in all ${pluralize(rowCount, 'row')}` : '';
	return [
		{
			rows: rowCount,
			message: `${joinWords(names)} ${isOne ? 'was' : 'were'} empty${where}. Check the ${others.length === 0 ? "column's name" : "columns' names"}.`,
		},
	];
}

interface MappedColumn {
	readonly displayName: string;
	readonly inputColumns: readonly string[];
	readonly cellOf: (raw: unknown) => unknown;
	/** True until a row has a value. */
	isEmpty: boolean;
}

/** The parameter itself or, of a collection, each member that is an expression. */
function mappedColumns(saved: unknown, { property }: Parameter): MappedColumn[] {
	if (!isObject(saved)) {
		const inputColumns = draggedColumns(saved);
		return [
			{ displayName: property.displayName, inputColumns, cellOf: (raw) => raw, isEmpty: true },
		];
	}
	return (property.options ?? []).flatMap((option) =>
		'displayName' in option && isExpression(saved[option.name])
			? {
					displayName: option.displayName,
					inputColumns: draggedColumns(saved[option.name]),
					cellOf: (raw: unknown) => (isObject(raw) ? raw[option.name] : undefined),
					isEmpty: true,
				}
			: [],
	);
}

/** The parameter itself or, of a collection, its members. */
const filledFieldsIn = (saved: unknown, { name, property }: Parameter): FilledField[] =>
	(isObject(saved) ? (property.options ?? []) : [property]).flatMap((field) => {
		const own = isObject(saved) ? saved[field.name] : saved;
		return isBlankCell(own) || !('displayName' in field)
			? []
			: [{ name, displayName: field.displayName, isFixed: !isExpression(own) }];
	});

/** For example, `{{ $json.email }}` or `{{ $json['Full name'] }}`. */
const DRAGGED = /\{\{\s*\$json(?:\.([\p{L}_$][\p{L}\p{N}_$]*)|\[(["'])(.+?)(?<!\\)\2\])\s*\}\}/gu;

function draggedColumns(saved: unknown): string[] {
	if (typeof saved !== 'string' || !isExpression(saved)) return [];
	if (saved.slice(1).replace(DRAGGED, '').trim() !== '') return [];
	return [...saved.matchAll(DRAGGED)].map(
		([, plain, , quoted = '']) => plain ?? quoted.replace(/\\(.)/g, '$1'),
	);
}

const isExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && saved.startsWith('=');

/** Whether the parameter, or something in it, is an expression. */
const hasExpression = (saved: unknown): boolean =>
	isExpression(saved) ||
	(typeof saved === 'object' && Object.values(saved ?? {}).some(hasExpression));
