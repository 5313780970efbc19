import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	UserError,
} from 'n8n-workflow';
import { toOutcomeAsync } from '../api/errors';
import { inlineWorkflow } from '../core/casts';
import { chunks, getOrCreate } from '../core/collections';
import { asCount, asObjects, textOf } from '../core/json';
import { mostSimilar } from '../core/text';

/** Answers of earlier runs, by key. Another store can take the place of the data table. */
export interface Store {
	readonly id: string;
	/** The newest answers that are young enough. Keys without one are left out. */
	read(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/** Another run may have written what wasn't found. */
	readAgain(): void;
	/** Resolves when the answers are stored. If the table is full, deletes answers that are too old. Replaces those that `read` has found. */
	write(answers: readonly Answer[]): Promise<void>;
}

interface Answer {
	readonly key: string;
	readonly data: string;
}

interface StoredAnswer extends Answer {
	readonly id: number;
	readonly receivedAt: number;
}

const COLUMNS = [
	{ name: 'key', type: 'string' },
	{ name: 'data', type: 'string' },
	{ name: 'received_at', type: 'date' },
];

/** Up to this many keys are read with one query, more by reading the table in pages of IDs. */
const MAX_KEYS_PER_QUERY = 100;
const ROWS_PER_PAGE = 1_000;
const PAGES_PER_CALL = 10;
const MAX_ROWS_PER_INSERT = 500;
const MAX_ROWS_PER_DELETE = 100;
const MAX_ID = 2_147_483_647;
/** The clocks of two processes differ by less. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000;

const UNAVAILABLE =
	'This n8n has no data tables here. They need n8n 2.3.0 or newer, with the module for data tables turned on; the command n8n execute has none.';

/**
 * Keeps answers in an n8n data table, which is made if it is missing.
 *
 * @throws UserError if the table can't be used
 */
export async function openTable(
	context: IExecuteFunctions,
	name: string,
	maxAgeMs: number,
): Promise<Store & { readonly made?: MadeTable | undefined }> {
	// Asked first: n8n shows a sub-workflow that can't start as running for ever.
	if (!('getDataTableProxy' in context.helpers)) throw new UserError(UNAVAILABLE);
	const { id, made } = await findOrCreate(context, name);
	const rows = createRows(context, id);
	const { known, read, readAgain } = createReader(rows);
	const insert = createInsert(rows, maxAgeMs);
	return {
		made,
		id,
		readAgain,
		async read(keys) {
			const [since, until] = [Date.now() - maxAgeMs, Date.now() + MAX_CLOCK_DIFFERENCE_MS];
			const answersOf = (key: string) => {
				const [newest] = known.get(key) ?? [];
				return newest !== undefined && newest.receivedAt >= since && newest.receivedAt <= until
					? [[key, newest.data] as const]
					: [];
			};
			await read(keys.filter((key) => answersOf(key).length === 0));
			return new Map(keys.flatMap(answersOf));
		},
		write: inOneCall(async (answers) => {
			for (const part of chunks(answers, MAX_ROWS_PER_INSERT)) await insert(part);
			const older = answers.flatMap(({ key }) => known.get(key) ?? []);
			for (const { key } of answers) known.delete(key);
			for (const part of chunks(older, MAX_ROWS_PER_DELETE)) {
				await rows.remove(
					'anyCondition',
					part.map(({ id: rowId }) => where('id', 'eq', rowId)),
				);
			}
		}),
	};
}

const where = (keyName: string, condition: string, keyValue: string | number) => ({
	keyName,
	condition,
	keyValue,
});

type Rows = ReturnType<typeof createRows>;

/** What n8n's Data Table node does with the rows of a table. */
function createRows(context: IExecuteFunctions, tableId: string) {
	const run = async (
		operation: string,
		parameters: INodeParameters,
		items?: readonly IDataObject[],
	): Promise<IDataObject[]> => {
		const dataTableId = { __rl: true, mode: 'id', value: tableId };
		const own = { resource: 'row', dataTableId, operation, ...parameters };
		return await runDataTable(context, own, items);
	};
	return {
		/** @param ranges the items to which the conditions refer: one query for each */
		async get(
			matchType: string,
			conditions: INodeParameters[],
			{ ranges, ...more }: INodeParameters & { readonly ranges?: IDataObject[] } = {},
		): Promise<StoredAnswer[]> {
			const parameters = { returnAll: true, matchType, filters: { conditions }, ...more };
			return (await run('get', parameters, ranges)).flatMap(toStoredAnswer);
		},
		async insert(answers: readonly Answer[]): Promise<void> {
			const mappingMode = 'autoMapInputData';
			const columns = { mappingMode, value: {}, matchingColumns: [], schema: [] };
			const received_at = new Date().toISOString();
			const items = answers.map(({ key, data }) => ({ key, data, received_at }));
			await run('insert', { columns, options: { optimizeBulk: true } }, items);
		},
		/** Rows that stay although they are replaced or too old do no harm, so a failure is none. */
		async remove(matchType: string, conditions: INodeParameters[]): Promise<void> {
			const parameters = { matchType, filters: { conditions } };
			await toOutcomeAsync(() => run('deleteRows', parameters));
		},
	};
}

function toStoredAnswer({ id, key, data, received_at: receivedAt }: IDataObject): StoredAnswer[] {
	const stored = {
		id: asCount(id) ?? 0,
		key: textOf(key),
		data: textOf(data),
		receivedAt: Date.parse(String(receivedAt)),
	};
	return stored.key === '' || stored.id === 0 ? [] : [stored];
}

/** Reads answers by their keys. Few keys take one query; for many, it reads the table in pages, from the newest row on. */
function createReader({ get }: Rows) {
	/** All answers that were read, the newest of a key first. */
	const known = new Map<string, StoredAnswer[]>();
	/** The table is read from its highest ID downwards, as far as needed; later, first what has been added above that. */
	let readUpTo: number | undefined;
	let unreadUpTo = 0;
	let isReadAgain = true;

	const keep = (answers: readonly StoredAnswer[]) => {
		for (const answer of answers) {
			const sameKey = getOrCreate(known, answer.key, (): StoredAnswer[] => []);
			if (sameKey.some(({ id }) => id === answer.id)) continue;
			sameKey.push(answer);
			sameKey.sort((a, b) => b.id - a.id);
		}
	};

	async function highestIdBelow(limit: number): Promise<number> {
		const order = { orderBy: true, orderByColumn: 'id', orderByDirection: 'DESC' };
		const more = { returnAll: false, limit: 1, ...order };
		const [highest] = await get('allConditions', [where('id', 'lt', limit)], more);
		return highest?.id ?? 0;
	}

	/** Returns the highest ID that is still unread. Reading all at once would fail if another run writes meanwhile. */
	async function readBelow(high: number, low: number): Promise<number> {
		const ranges = Array.from({ length: PAGES_PER_CALL }, (_, page) => ({
			high: high - page * ROWS_PER_PAGE,
			low: Math.max(low, high - (page + 1) * ROWS_PER_PAGE),
		})).filter((range) => range.high > low);
		const conditions = [
			where('id', 'lte', '={{ $json.high }}'),
			where('id', 'gt', '={{ $json.low }}'),
		];
		const answers = await get('allConditions', conditions, { ranges });
		keep(answers);
		const next = high - PAGES_PER_CALL * ROWS_PER_PAGE;
		// Many rows in a row may have been deleted.
		return next > low && answers.length === 0 ? await highestIdBelow(next + 1) : next;
	}

	/** Reads on until all keys are found. */
	async function readPages(keys: readonly string[]): Promise<void> {
		if (isReadAgain) {
			const highest = await highestIdBelow(MAX_ID);
			if (readUpTo === undefined) unreadUpTo = highest;
			else for (let high = highest; high > readUpTo; ) high = await readBelow(high, readUpTo);
			readUpTo = highest;
		}
		const isMissing = (key: string) => !known.has(key);
		let missing = keys.filter(isMissing);
		while (missing.length > 0 && unreadUpTo > 0) {
			unreadUpTo = await readBelow(unreadUpTo, 0);
			missing = missing.filter(isMissing);
		}
		isReadAgain = false;
	}

	return {
		known,
		readAgain: () => {
			isReadAgain = true;
		},
		async read(keys: readonly string[]): Promise<void> {
			if (keys.length > MAX_KEYS_PER_QUERY) await readPages(keys);
			else if (keys.length > 0 && (isReadAgain || unreadUpTo > 0)) {
				keep(
					await get(
						'anyCondition',
						keys.map((key) => where('key', 'eq', key)),
					),
				);
			}
		},
	};
}

/** Inserts answers. If the table is full, first deletes those that are too old, once. */
function createInsert({ insert, remove }: Rows, maxAgeMs: number) {
	let hasMadeRoom = false;
	return async function insertOrMakeRoom(answers: readonly Answer[]): Promise<void> {
		const { failure } = await toOutcomeAsync(() => insert(answers));
		if (failure === undefined) return;
		if (hasMadeRoom) throw new UserError(failure.message);
		hasMadeRoom = true;
		const tooOld = new Date(Date.now() - maxAgeMs).toISOString();
		await remove('allConditions', [where('received_at', 'lt', tooOld)]);
		await insertOrMakeRoom(answers);
	};
}

/** Answers that arrive while a write runs wait for one write together. */
function inOneCall(write: (answers: readonly Answer[]) => Promise<void>): Store['write'] {
	let waiting: Answer[] = [];
	let nextWrite: Promise<void> | undefined;
	let lastWrite: Promise<unknown> = Promise.resolve();
	return async (answers) => {
		waiting.push(...answers);
		nextWrite ??= lastWrite.then(async () => {
			const now = waiting;
			waiting = [];
			nextWrite = undefined;
			await write(now);
		});
		const current = nextWrite;
		lastWrite = current.catch(() => undefined);
		await current;
	};
}

/** A table that was missing. */
export interface MadeTable {
	readonly name: string;
	/** The existing table whose name is most similar, in case this one is mistyped. */
	readonly similar: string | undefined;
}

const sameName = (one: unknown, other: string): boolean =>
	textOf(one).trim().toLowerCase() === other.trim().toLowerCase();

/**
 * By its whole name, in any case: n8n's own search by name, and its creation if missing, may take a table whose name only contains
 * it.
 */
async function findOrCreate(
	context: IExecuteFunctions,
	name: string,
): Promise<{ readonly id: string; readonly made?: MadeTable | undefined }> {
	let names: string[] = [];
	const find = async (): Promise<IDataObject | undefined> => {
		const list = { resource: 'table', operation: 'list', returnAll: true, options: {} };
		const tables = await runDataTable(context, list);
		names = tables.map((table) => textOf(table.name));
		return (
			tables.find((table) => table.name === name) ??
			tables.find((table) => sameName(table.name, name))
		);
	};
	const create = async (): Promise<IDataObject> => {
		const parameters = {
			resource: 'table',
			operation: 'create',
			tableName: '={{ $json.name }}',
			columns: { column: COLUMNS },
			options: { createIfNotExists: false },
		};
		const { value, failure } = await toOutcomeAsync(() =>
			runDataTable(context, parameters, [{ name }]),
		);
		// Another run may have made it meanwhile.
		const table = value?.[0] ?? (await find());
		if (table === undefined) throw new UserError(failure?.message ?? 'It could not be made.');
		return table;
	};
	const existing = await find();
	const made = existing === undefined ? { name, similar: mostSimilar(name, names) } : undefined;
	const table = existing ?? (await create());
	const columns = asObjects(table.columns);
	const missing = COLUMNS.filter((own) =>
		columns.every((column) => column.name !== own.name || column.type !== own.type),
	);
	if (missing.length > 0) {
		const names = missing.map((column) => `${column.name} (${column.type})`).join(', ');
		throw new UserError(
			`The data table "${name}" is used for something else: it has no column ${names}. Enter another name in Remember In; the table is made for you.`,
		);
	}
	return { id: String(table.id), made };
}

/** Community nodes have no tables of their own, so each call runs n8n's Data Table node in a sub-workflow. */
async function runDataTable(
	context: IExecuteFunctions,
	parameters: INodeParameters,
	items: readonly IDataObject[] = [{}],
): Promise<IDataObject[]> {
	const node = (name: string, type: string, own: INodeParameters): INode => ({
		id: name,
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion: 1.1,
		position: [0, 0],
		parameters: own,
	});
	const code = inlineWorkflow({
		// n8n counts executions by it.
		name: context.getWorkflow().name ?? 'Remembered results',
		nodes: [
			node('Start', 'executeWorkflowTrigger', { inputSource: 'passthrough' }),
			node('Store', 'dataTable', parameters),
		],
		connections: { Start: { main: [[{ node: 'Store', type: 'main', index: 0 }]] } },
		settings: {
			executionOrder: 'v1',
			// An instance may forbid it by default.
			callerPolicy: 'workflowsFromSameOwner',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
			saveExecutionProgress: false,
		},
	});
	const { data } = await context.executeWorkflow(
		{ code },
		items.map((json) => ({ json })),
	);
	return (data[0] ?? []).map(({ json }) => json);
}
