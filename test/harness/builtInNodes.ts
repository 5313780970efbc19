/** n8n's own nodes as far as the examples use them, so that whole workflows run in the engine. */
import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	UnexpectedError,
} from 'n8n-workflow';
import { COMPARISONS, type Condition as RowCondition, type DataTables } from './dataTables';
import { described } from './engine';

export interface Surroundings {
	/** What triggers output. */
	triggered: IDataObject[];
	/** Shared with the nodes that remember in them. */
	readonly dataTables: DataTables;
	/** Whether a row that a node writes to a data table is refused. */
	refuses: (row: IDataObject) => boolean;
	/** The texts of messages that were sent. */
	readonly sent: string[];
}

/** Reads a parameter for an item. */
type Read = <Value>(name: string, item: number) => Value;

interface BuiltIn {
	readonly parameters: readonly string[];
	readonly inputs?: number;
	/** By default 1. */
	readonly outputs?: number;
	/** The rows of each output. */
	readonly run: (
		context: IExecuteFunctions,
		read: Read,
		surroundings: Surroundings,
	) => INodeExecutionData[][];
}

interface Named {
	readonly name: string;
	readonly value: unknown;
}
interface Assignment extends Named {
	readonly type: string;
}
interface Condition {
	readonly leftValue: unknown;
	readonly rightValue?: unknown;
	readonly operator: { readonly operation: string };
}
interface Conditions {
	readonly conditions: Condition[];
}

function cast({ name, value, type }: Assignment): unknown {
	if (value === undefined || value === null) return null;
	if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
	const number = Number(value);
	if (Number.isNaN(number)) throw new UnexpectedError(`${name} expects a number`);
	return number;
}

const HOLDS: Record<string, (value: unknown, other: unknown) => boolean> = {
	true: (value) => value === true,
	false: (value) => value === false || value === undefined,
	notEmpty: (value) => value !== '' && value !== undefined && value !== null,
	equals: (value, other) => value === other,
	notEquals: (value, other) => value !== other,
};
const hold = ({ conditions }: Conditions): boolean =>
	conditions.every(({ leftValue, rightValue, operator }) =>
		HOLDS[operator.operation]?.(leftValue, rightValue),
	);

const each = (
	context: IExecuteFunctions,
	rowsOf: (json: IDataObject, index: number) => IDataObject[],
): INodeExecutionData[] =>
	context
		.getInputData()
		.flatMap(({ json }, index) =>
			rowsOf(json, index).map((row) => ({ json: row, pairedItem: { item: index } })),
		);

/** A value that a path such as `error.message` leads to. */
const at = (row: IDataObject, path: string): unknown =>
	path.split('.').reduce<unknown>((value, name) => (value as IDataObject | null)?.[name], row);

const rowKey =
	(fields: string) =>
	(json: IDataObject): string =>
		JSON.stringify(fields.split(', ').map((field) => json[field]));

const trigger: BuiltIn = {
	parameters: [],
	inputs: 0,
	run: (_context, _read, { triggered }) => [triggered.map((json) => ({ json }))],
};

const NODES: Record<string, BuiltIn> = {
	manualTrigger: trigger,
	scheduleTrigger: trigger,
	formTrigger: trigger,
	noOp: { parameters: [], run: (context) => [each(context, (json) => [json])] },
	set: {
		parameters: ['assignments', 'includeOtherFields'],
		run: (context, read) => [
			each(context, (json, index) => {
				const { assignments } = read<{ assignments: Assignment[] }>('assignments', index);
				const own = assignments.map((assignment) => [assignment.name, cast(assignment)] as const);
				const others = read<boolean | ''>('includeOtherFields', index) === true ? json : {};
				return [{ ...others, ...(Object.fromEntries(own) as IDataObject) }];
			}),
		],
	},
	switch: {
		parameters: ['rules'],
		outputs: 4,
		run(context, read) {
			const routed: INodeExecutionData[][] = [[], [], [], []];
			context.getInputData().forEach((item, index) => {
				const { values } = read<{ values: Array<{ conditions: Conditions }> }>('rules', index);
				const fits = values.findIndex(({ conditions }) => hold(conditions));
				const pairedItem = { item: index };
				routed[fits < 0 ? values.length : fits]?.push({ json: item.json, pairedItem });
			});
			return routed;
		},
	},
	/** Keep Non-Matches, with the rows of input 1. */
	merge: {
		parameters: ['fieldsToMatchString'],
		inputs: 2,
		run(context, read) {
			const keyOf = rowKey(read<string>('fieldsToMatchString', 0));
			const known = new Set(context.getInputData(1).map(({ json }) => keyOf(json)));
			return [each(context, (json) => (known.has(keyOf(json)) ? [] : [json]))];
		},
	},
	filter: {
		parameters: ['conditions'],
		run: (context, read) => [
			each(context, (json, index) => (hold(read<Conditions>('conditions', index)) ? [json] : [])),
		],
	},
	if: {
		parameters: ['conditions'],
		outputs: 2,
		run: (context, read) =>
			[true, false].map((holds) =>
				each(context, (json, index) =>
					hold(read<Conditions>('conditions', index)) === holds ? [json] : [],
				),
			),
	},
	removeDuplicates: {
		parameters: ['fieldsToCompare'],
		run(context, read) {
			const seen = new Set<string>();
			const keyOf = rowKey(read<string>('fieldsToCompare', 0));
			const isNew = (json: IDataObject) => !seen.has(keyOf(json)) && seen.add(keyOf(json));
			return [each(context, (json) => (isNew(json) ? [json] : []))];
		},
	},
	splitOut: {
		parameters: ['fieldToSplitOut'],
		run: (context, read) => [
			each(context, (json, index) => json[read<string>('fieldToSplitOut', index)] as IDataObject[]),
		],
	},
	summarize: {
		parameters: ['fieldsToSummarize', 'fieldsToSplitBy'],
		run(context, read) {
			const { values } = read<{ values: Array<{ aggregation: string; field: string }> }>(
				'fieldsToSummarize',
				0,
			);
			const [{ aggregation, field } = { aggregation: '', field: '' }] = values;
			const split = read<string>('fieldsToSplitBy', 0);
			const groups = new Map<unknown, unknown[]>();
			for (const { json } of context.getInputData()) {
				const group = split === '' ? '' : at(json, split);
				groups.set(group, [...(groups.get(group) ?? []), at(json, field)]);
			}
			const column = (name: string) => name.replaceAll('.', '_');
			return [
				[...groups].map(([group, found]) => ({
					json: {
						...(split !== '' && { [column(split)]: group }),
						...(aggregation === 'count'
							? { [`count_${column(field)}`]: found.length }
							: { [`concatenated_${column(field)}`]: found.join('\n') }),
					} as IDataObject,
				})),
			];
		},
	},
	httpRequest: {
		parameters: ['bodyParameters'],
		run: (context, read, { sent }) => [
			each(context, (_json, index) => {
				const { parameters } = read<{ parameters: Named[] }>('bodyParameters', index);
				sent.push(...parameters.map(({ value }) => String(value)));
				return [{}];
			}),
		],
	},
	dataTable: {
		parameters: [
			...['resource', 'operation', 'tableName', 'columns', 'dataTableId', 'filters'],
			...['orderByColumn', 'orderByDirection'],
		],
		run: (context, read, surroundings) => [
			each(context, (json, index) => tableRows(context, read, surroundings, json, index)),
		],
	},
};

function tableRows(
	context: IExecuteFunctions,
	read: Read,
	{ dataTables: { tables }, refuses }: Surroundings,
	json: IDataObject,
	index: number,
): IDataObject[] {
	const operation = read<string>('operation', index);
	if (operation === 'create') {
		const name = read<string>('tableName', index);
		const { column } = read<{ column: Array<{ name: string; type: string }> }>('columns', index);
		if (!tables.some((table) => table.name === name)) {
			tables.push({ id: name, name, columns: column, rows: [] });
		}
		return [{ name }];
	}
	const { value: name } = read<{ value: string }>('dataTableId', index);
	const table = tables.find((one) => one.name === name);
	if (table === undefined) throw new UnexpectedError(`There is no data table ${name}`);
	const { conditions = [] } = read<{ conditions?: RowCondition[] } | ''>('filters', index) || {};
	const found = table.rows.filter((row) =>
		conditions.every(({ keyName, condition, keyValue }) =>
			COMPARISONS[condition]?.(row[keyName], keyValue),
		),
	);
	if (operation === 'get') {
		const column = read<string>('orderByColumn', index);
		const sign = read<string>('orderByDirection', index) === 'ASC' ? 1 : -1;
		const textOf = (row: IDataObject) => String(row[column] ?? '');
		return structuredClone(found.sort((a, b) => sign * textOf(a).localeCompare(textOf(b))));
	}
	if (operation === 'rowExists') return found.length > 0 ? [json] : [];
	if (operation === 'rowNotExists') return found.length > 0 ? [] : [json];
	const { mappingMode, value } = read<{ mappingMode: string; value: IDataObject }>(
		'columns',
		index,
	);
	const written = structuredClone(mappingMode === 'autoMapInputData' ? json : value);
	// n8n leaves out its own columns, and reads numbers in text.
	for (const column of ['id', 'createdAt', 'updatedAt']) delete written[column];
	for (const { name: column, type } of table.columns) {
		const cell = written[column];
		if (type === 'number' && typeof cell === 'string') written[column] = Number(cell);
	}
	const problem = refuses(written)
		? 'The CRM refuses this row'
		: Object.entries(written).flatMap(([column, cell]) => {
				const type = table.columns.find((one) => one.name === column)?.type;
				const isRight = type !== undefined && (cell === null || typeof cell === type);
				return isRight ? [] : [`${name}: ${column} is ${typeof cell}`];
			})[0];
	if (problem !== undefined) {
		if (!context.continueOnFail()) throw new UnexpectedError(problem);
		return [{ error: { message: problem } }];
	}
	if (operation === 'insert' || (operation === 'upsert' && found.length === 0)) {
		const empty = Object.fromEntries(table.columns.map((column) => [column.name, null]));
		const id = Math.max(0, ...table.rows.map((row) => row.id)) + 1;
		table.rows.push({ ...empty, ...written, id });
		return [written];
	}
	for (const row of found) Object.assign(row, structuredClone(written));
	return structuredClone(found);
}

/** @param type such as `n8n-nodes-base.set` */
export function builtInNode(type: string, surroundings: Surroundings): INodeType {
	const builtIn = NODES[type.replace('n8n-nodes-base.', '')];
	if (builtIn === undefined) throw new UnexpectedError(`Not part of the harness: ${type}`);
	const { parameters, inputs = 1, outputs = 1, run } = builtIn;
	const main = (count: number) => Array.from({ length: count }, () => NodeConnectionTypes.Main);
	return {
		description: {
			...described(type, main(inputs)),
			outputs: main(outputs),
			properties: parameters.map((name) => ({
				displayName: name,
				name,
				type: 'string',
				default: '',
			})),
		},
		async execute() {
			const read: Read = <Value>(name: string, item: number) =>
				this.getNodeParameter(name, item) as Value;
			return run(this, read, surroundings);
		},
	};
}
