/** n8n's data tables in memory, and its Data Table node in a sub-workflow, as far as this package uses them. */
import type {
	ExecuteWorkflowData,
	IDataObject,
	IExecuteWorkflowInfo,
	INodeExecutionData,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

export interface DataTable {
	readonly id: string;
	readonly name: string;
	readonly columns: Array<{ name: string; type: string }>;
	rows: Array<IDataObject & { id: number }>;
}

export interface DataTables {
	readonly tables: DataTable[];
	/** How often each operation ran, such as `row get`. */
	readonly calls: Map<string, number>;
	/** Called before each operation; what it throws, n8n's node throws. */
	before?: (operation: string) => void | Promise<void>;
	readonly execute: IWorkflowExecuteAdditionalData['executeWorkflow'];
}

export type Condition = { keyName: string; condition: string; keyValue: unknown };

/** `%` stands for any text; n8n looks for a text without it anywhere. */
const isLike = (value: unknown, text: string) =>
	new RegExp(`^${(text.includes('%') ? text : `%${text}%`).replaceAll('%', '.*')}$`, 'is').test(
		String(value ?? ''),
	);

const ordinal = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : Number(value));

export const COMPARISONS: Record<string, (a: unknown, b: unknown) => boolean> = {
	eq: (a, b) => a === b,
	lt: (a, b) => ordinal(a) < ordinal(b),
	lte: (a, b) => Number(a) <= Number(b),
	ilike: (a, b) => isLike(a, String(b)),
	gt: (a, b) => Number(a) > Number(b),
	isEmpty: (a) => a === null || a === '',
};

/** n8n evaluates an expression in a parameter for each item. */
const evaluated = (value: unknown, item: IDataObject): unknown => {
	const [, name] = /^=\{\{ \$json\.(\w+) \}\}$/.exec(String(value)) ?? [];
	return name === undefined ? value : item[name];
};

export function createDataTables(): DataTables {
	let lastId = 0;
	const self: DataTables = {
		tables: [],
		calls: new Map(),
		async execute({ code }: IExecuteWorkflowInfo, _additionalData, options) {
			const parameters = code?.nodes.find(({ name }) => name === 'Store')?.parameters ?? {};
			const operation = `${String(parameters.resource)} ${String(parameters.operation)}`;
			self.calls.set(operation, (self.calls.get(operation) ?? 0) + 1);
			await self.before?.(operation);
			const items = (options.inputData ?? []).map(({ json }) => structuredClone(json));
			const rows = operate(operation, parameters, items);
			const json = (row: object): INodeExecutionData => ({
				json: structuredClone(row) as IDataObject,
			});
			return { executionId: '1', data: [rows.map(json)] } satisfies ExecuteWorkflowData;
		},
	};

	function operate(operation: string, parameters: INodeParameters, items: IDataObject[]): object[] {
		if (operation === 'table list') return self.tables;
		if (operation === 'table create') {
			const { column } = parameters.columns as { column: DataTable['columns'] };
			const name = String(evaluated(parameters.tableName, items[0] ?? {}));
			if (self.tables.some((table) => table.name === name)) throw new Error(`${name} exists.`);
			const table = { id: `table-${self.tables.length + 1}`, name, columns: column, rows: [] };
			self.tables.push(table);
			return [table];
		}
		const { value } = parameters.dataTableId as { value: string };
		const table = self.tables.find(({ id }) => id === value);
		if (table === undefined) throw new Error('There is no such data table.');
		if (operation === 'row insert') {
			lastId = Math.max(lastId, ...table.rows.slice(-1).map(({ id }) => id));
			for (const item of items) table.rows.push({ id: ++lastId, ...item });
			return items;
		}
		const { conditions } = parameters.filters as { conditions: Condition[] };
		const fits = (row: IDataObject, item: IDataObject) => {
			const tests = conditions.map(({ keyName, condition, keyValue }) =>
				COMPARISONS[condition]?.(row[keyName], evaluated(keyValue, item)),
			);
			return parameters.matchType === 'anyCondition' ? tests.some(Boolean) : tests.every(Boolean);
		};
		const found = items.flatMap((item) => table.rows.filter((row) => fits(row, item)));
		if (operation === 'row deleteRows') {
			table.rows = table.rows.filter((row) => !found.includes(row));
		}
		if (parameters.orderByDirection === 'DESC') found.sort((a, b) => b.id - a.id);
		return parameters.returnAll === false ? found.slice(0, Number(parameters.limit)) : found;
	}

	return self;
}
