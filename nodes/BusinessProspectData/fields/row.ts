import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { EntityFields } from '../catalog/service';
import { isEmpty, isObject, type JsonValue } from '../core/json';
import { didYouMean, removeLoneSurrogates, trimInvisible } from '../core/text';
import type { Failure } from '../core/outcome';
import type { FillColumn } from '../parameters/fillColumns';
import { idFromCell } from '../parameters/lists';
import { fieldsError } from '../parameters/options';
import { ENTITIES, isAbout, misspelledDataSet } from './about';
import { type Layout, OPEN_SET, type Records } from './columns';
import { eventsOf, isEventColumn, isEventSet } from './events';

/**
 * - `found`: the service has data, or found the ID.
 * - `empty`: the service has no data for the ID.
 * - `unmatched`: the details have no match, or several.
 * - `blank`: the row doesn't say whom it is about. Nothing was requested.
 */
type DataState = 'found' | 'empty' | 'unmatched' | 'blank';

export type RowState = DataState | 'failed' | 'overLimit';

/** Words for rows that don't say whom they are about. */
export interface BlankWording {
	/** Follows the number of these rows, such as `without an ID`. */
	readonly rows: string;
	readonly advice: string;
}

/** An output row: what was received for it, or a failure with any data that was received anyway. */
export type Row = DataRow | { readonly failure: Failure; readonly received?: IDataObject };

export interface DataRow {
	/** By default `found`. */
	readonly state?: DataState;
	/** A source without a record had no data: the input row's values stay. */
	readonly records: Records;
	/** Files, which are added to those of the input row. */
	readonly binary?: IBinaryKeyData;
	/** Identifies the row's record for Only New Events and Only New Prospects. */
	readonly dedupeKey?: string;
	readonly failure?: undefined;
}

/** A row of an operation whose columns the contract doesn't list. */
export const openRow = (json: IDataObject, more?: Omit<DataRow, 'records'>): DataRow => ({
	...more,
	records: { [OPEN_SET.source]: json },
});

export function stateOf(row: Row): RowState {
	if (row.failure === undefined) return row.state ?? 'found';
	return row.failure.kind === 'overLimit' ? 'overLimit' : 'failed';
}

export const isWithoutData = (row: Row): boolean =>
	['empty', 'unmatched', 'blank'].includes(stateOf(row));

/** Semicolons separate names, too, unless a column has one in its name. */
export const splitNames = (names: readonly string[], columns?: () => ReadonlySet<string>) =>
	!names.join().includes(';') || [...(columns?.() ?? [])].join().includes(';')
		? names
		: names.flatMap((name) => name.split(';').map(trimInvisible).filter(Boolean));

/**
 * @param inputColumns absent without Include Input Fields
 * @throws UserError for a column that no row can have: the output would lack data that is paid for
 */
export function checkFields(
	fields: readonly string[],
	{ sets, owners }: Layout,
	fillColumns: readonly FillColumn[],
	inputColumns: (() => ReadonlySet<string>) | undefined,
): void {
	if (sets.includes(OPEN_SET)) return;
	for (const name of fields) {
		if (owners.has(name) || inputColumns?.().has(name)) continue;
		if (sets.some(({ readOther }) => readOther?.(name) !== undefined)) continue;
		if (fillColumns.some(({ yourColumn }) => yourColumn === name)) continue;
		const dataSet = misspelledDataSet(name);
		if (dataSet !== undefined) {
			const near = didYouMean(name, dataSet.columns);
			const rule = `is not a column of ${dataSet.name}${near}. It has: ${dataSet.columns.join(', ')}.`;
			throw fieldsError(rule, name);
		}
		if (inputColumns !== undefined) continue;
		const names = [...owners.keys()];
		const near = didYouMean(name, names);
		throw fieldsError(
			`is not a column of these rows${near}. They have: ${names.join(', ')}.`,
			name,
		);
	}
}

/** Google Sheets refuses rows with a cell of more than 50,000 characters, and Excel of more than 32,767. */
export const MAX_CELL_LENGTH = 32_000;

export const cutCell = (value: JsonValue): JsonValue =>
	typeof value === 'string' && value.length > MAX_CELL_LENGTH
		? `${removeLoneSurrogates(value.slice(0, MAX_CELL_LENGTH))}…`
		: value;

export const isCut = (value: unknown): boolean =>
	typeof value === 'string' && value.length >= MAX_CELL_LENGTH && value.endsWith('…');

/** The member for a row's files with the workflow setting `binaryMode: combined`. Kept, as files elsewhere are. */
const FILES = '_files';

/** n8n's Google Sheets node adds it to the rows that it reads. */
const SHEET_ROW = 'row_number';

interface RowColumns {
	/** If empty, a row has all. */
	readonly fields?: readonly string[];
	readonly firstColumns?: readonly string[];
}

/**
 * The row's columns, then those of the input row, if it is included. A set is written whole or not at all. If the row's ID is
 * another than the input row's, or its event is another, what the input row has about the former one is emptied.
 */
export function rowJson(
	{ records }: Pick<DataRow, 'records'>,
	layout: Layout,
	{ fields = [], firstColumns = [] }: RowColumns = {},
	input?: IDataObject,
): IDataObject {
	const isFormer = input && formerColumns(records, layout, input);
	const ofInput = (name: string): JsonValue => {
		const value = input !== undefined && Object.hasOwn(input, name) ? input[name] : null;
		return isFormer?.(name, value) ? null : value;
	};
	const readValue = (name: string): JsonValue => {
		const owner = layout.owners.get(name);
		if (owner === undefined) return ofInput(name);
		const { set, read } = owner;
		const record = records[set.source];
		return set.isOfRun || record !== undefined ? cutCell(read(record)) : ofInput(name);
	};
	const valueOf = (name: string): JsonValue => {
		const value = readValue(name);
		// What the row was looked up by stays: without it, the next run could not look it up.
		return isEmpty(value) && firstColumns.includes(name) ? input?.[name] : value;
	};
	const row: IDataObject = {};
	const add = (name: string, value: JsonValue) => put(row, name, value ?? emptyCell(name, input));
	if (fields.length > 0) {
		for (const field of fields) {
			const open = openValue(field, layout, records);
			const isOwn = open !== undefined || layout.owners.has(field);
			const name = isOwn ? field : (inputName(field, input) ?? field);
			add(name, open ?? valueOf(name));
		}
		const files = input?.[FILES];
		if (isObject(files)) add(FILES, files);
		return row;
	}
	for (const name of firstColumns) {
		const isShown = Object.hasOwn(input ?? {}, name) || layout.shown.includes(name);
		if (isShown) add(name, valueOf(name));
	}
	for (const name of layout.shown) add(name, valueOf(name));
	for (const set of layout.sets) {
		const record = set.isOpen ? records[set.source] : undefined;
		if (!isObject(record)) continue;
		for (const name of Object.keys(record)) {
			if (!layout.owners.has(name)) add(name, record[name]);
		}
	}
	for (const name of Object.keys(input ?? {})) {
		if (Object.hasOwn(row, name)) continue;
		const isOwn = layout.owners.get(name)?.set.hasCommonNames === true;
		add(name, isOwn ? ofInput(name) : valueOf(name));
	}
	return row;
}

/** The header of a spreadsheet may have spaces around it, which the field Fields loses. Undefined if there is no such column. */
export const inputName = (field: string, input: IDataObject = {}): string | undefined =>
	Object.hasOwn(input, field) ? field : Object.keys(input).find((name) => name.trim() === field);

/** Databases may have them in columns that take no empty text. */
const NUMBER_OR_DATE = /^(-?\d+(\.\d+)?|\d{4}-\d{2}-\d{2}.*)$/;

/** n8n's nodes for spreadsheets skip null, which would keep the former person's value there, but they write empty text. */
function emptyCell(name: string, input: IDataObject = {}): '' | null {
	if (!Object.hasOwn(input, name)) return null;
	const former = input[name];
	const isText = typeof former === 'string' && !NUMBER_OR_DATE.test(former);
	return isText || Object.hasOwn(input, SHEET_ROW) ? '' : null;
}

function openValue(name: string, { sets, owners }: Layout, records: Records): JsonValue {
	if (owners.has(name)) return undefined;
	for (const { source, isOpen, readOther } of sets) {
		const record = records[source];
		if (isOpen && isObject(record) && Object.hasOwn(record, name)) return record[name];
		const value = readOther?.(name)?.(record);
		if (!isEmpty(value)) return value;
	}
	return undefined;
}

/** Tells which columns of the input row are about another ID or event than the row's. */
function formerColumns(records: Records, layout: Layout, input: IDataObject) {
	const entities = formerEntities(records, layout, input);
	const events = eventsOf(input);
	const isFormerEvent =
		events !== undefined && (entities.includes(events.entity) || layout.sets.some(isEventSet));
	if (entities.length === 0 && !isFormerEvent) return undefined;
	return (name: string, value: JsonValue): boolean =>
		entities.some((entity) => isAbout(entity, name, value)) ||
		(isFormerEvent && isEventColumn(events, name, value));
}

/** The entities whose columns in the input row are about another ID than the row's. */
export const formerEntities = (
	records: Records,
	{ owners }: Layout,
	input: IDataObject,
): EntityFields[] =>
	ENTITIES.filter(({ idField, idFormat }) => {
		const owner = owners.get(idField);
		if (owner === undefined || !Object.hasOwn(input, idField)) return false;
		const found = owner.read(records[owner.set.source]);
		if (found === input[idField]) return false;
		const [known, id] = [input[idField], found].map((cell) => idFromCell(cell, idFormat));
		return known !== undefined && id !== undefined && id !== known;
	});

/** Assigning `__proto__` would change the object instead of adding a field. */
export function put(target: IDataObject, name: string, value: JsonValue): void {
	if (name !== '__proto__') target[name] = value;
	else
		Object.defineProperty(target, name, {
			value,
			enumerable: true,
			writable: true,
			configurable: true,
		});
}
