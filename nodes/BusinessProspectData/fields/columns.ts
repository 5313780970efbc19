import type { IDataObject } from 'n8n-workflow';
import { type DataSet } from '../catalog/dataSets';
import {
	type EntityFields,
	PROSPECT_RECORD_FIELDS,
	PROSPECT_RECORD_MEMBERS,
} from '../catalog/service';
import {
	isEmpty,
	asText,
	isObject,
	type JsonValue,
	nameOf,
	readField,
	type RowField,
	textOf,
} from '../core/json';
import { jsonOf } from '../core/casts';
import { getOrCreate } from '../core/collections';

/** The records of a row by source: that of each data set, of the lookup, of an event. */
export type Records = Readonly<Record<string, unknown>>;

type Read = (record: unknown) => JsonValue;

/** Columns that are filled from one record of the service, all of them or none. */
export interface ColumnSet {
	/** The key of the record in `Records`. */
	readonly source: string;
	readonly shown: readonly string[];
	/** Every column that the record has a value for, by name. Fields may name any of them. */
	readonly reads: ReadonlyMap<string, Read>;
	/** Reads columns that `reads` lacks. Fields may name them. */
	readonly readOther?: (name: string) => Read | undefined;
	/** True if they say what this run found: without a record, they are empty instead of what the input row has. */
	readonly isOfRun?: boolean;
	/** True if names such as `company_name` may be the input row's own, so that only columns that are shown are replaced. */
	readonly hasCommonNames?: boolean;
	/** True if rows also show every other member of the record, whatever its name. */
	readonly isOpen?: boolean;
}

/** The columns of an operation's rows. Follows from the parameters alone. */
export interface Layout {
	readonly sets: readonly ColumnSet[];
	readonly shown: readonly string[];
	readonly owners: ReadonlyMap<string, { readonly set: ColumnSet; readonly read: Read }>;
}

/** @param hidden sets that rows write only into columns that the input row already has */
export const layoutOf = (
	sets: readonly ColumnSet[],
	hidden: readonly ColumnSet[] = [],
): Layout => ({
	sets,
	shown: [...new Set(sets.flatMap(({ shown }) => shown))],
	owners: new Map(
		[...sets, ...hidden].flatMap((set) =>
			[...set.reads].map(([name, read]) => [name, { set, read }] as const),
		),
	),
});

/** Layouts of one operation. Made once for equal parameters, because every row needs one. */
export function layoutCache<Key extends readonly unknown[]>(
	setsOf: (...key: Key) => {
		readonly sets: readonly ColumnSet[];
		readonly hidden?: readonly ColumnSet[];
	},
): (...key: Key) => Layout {
	const layouts = new Map<string, Layout>();
	return (...key) =>
		getOrCreate(layouts, JSON.stringify(key), () => {
			const { sets, hidden } = setsOf(...key);
			return layoutOf(sets, hidden);
		});
}

/** The columns of an operation for which the contract lists none. */
export const OPEN_SET: ColumnSet = { source: 'json', shown: [], reads: new Map(), isOpen: true };
export const OPEN_LAYOUT: Layout = layoutOf([OPEN_SET]);

export const memberOf =
	(name: string): Read =>
	(record) =>
		(isObject(record) ? record[name] : null) ?? null;

/** Columns with the names of the record's members. */
export const plainSet = (
	source: string,
	names: readonly string[],
	more?: Pick<ColumnSet, 'isOfRun' | 'hasCommonNames' | 'isOpen'>,
): ColumnSet => ({
	source,
	shown: names,
	reads: new Map(names.map((name) => [name, memberOf(name)])),
	...more,
});

export const idSet = ({ idField }: EntityFields): ColumnSet => ({
	source: idField,
	shown: [idField],
	reads: new Map([[idField, (id) => asText(id) ?? null]]),
});

/** No cell of a simplified row is a list or an object. */
export function flat(value: JsonValue): JsonValue {
	if (typeof value !== 'object' || value === null) return value ?? null;
	if (!Array.isArray(value)) return JSON.stringify(value);
	const texts = value.flatMap((entry: JsonValue) =>
		isEmpty(entry) ? [] : [asText(entry) ?? JSON.stringify(entry)],
	);
	return texts.join('; ') || null;
}

interface RecordFields {
	readonly fields: readonly RowField[];
	readonly members: readonly RowField[];
}

/** Columns of a record: those that Simplify keeps, and all others that the contract shows. */
export function recordSet(
	source: string,
	{ fields, members }: RecordFields,
	simplify: boolean,
	columnOf: (name: string) => string,
	recordOf: (record: unknown) => unknown = (record) => record,
): ColumnSet {
	const columns = [...fields, ...members].map((field): [string, Read] => [
		columnOf(nameOf(field)),
		(record) => {
			const from = recordOf(record);
			const value = isObject(from) ? readField(from, field) : null;
			return simplify ? flat(value) : value;
		},
	]);
	return {
		source,
		shown: fields.map((field) => columnOf(nameOf(field))),
		reads: new Map(columns),
	};
}

/** The newest of several records, with their number. */
function summaryOf(list: unknown): unknown {
	if (!Array.isArray(list)) return list;
	const records = list.filter(isObject);
	const timeOf = ({ created_at: time }: IDataObject) => textOf(time);
	const [first, ...others] = records;
	const newest = others.reduce(
		(latest, record) => (latest && timeOf(latest) >= timeOf(record) ? latest : record),
		first,
	);
	return { ...newest, count: records.length };
}

/** `last_funding_round_type` of the data set `funding` is in the column `funding_last_round_type`. */
const columnName = ({ outputField, repeatedWord = outputField }: DataSet, member: string): string =>
	[outputField, ...member.split('_').filter((word) => word !== repeatedWord)].join('_');

export function dataSetColumns(dataSet: DataSet, simplify: boolean): ColumnSet {
	const { value, outputField, multipleRows = false } = dataSet;
	const set = recordSet(
		value,
		dataSet,
		simplify,
		(name) => columnName(dataSet, name),
		multipleRows ? summaryOf : undefined,
	);
	return simplify
		? set
		: { ...set, shown: [outputField], reads: new Map([[outputField, jsonOf], ...set.reads]) };
}

const OF_RUN = { isOfRun: true };

/** True if the lookup found an ID. */
const hasId = (resolved: unknown): boolean => memberOf('id')(resolved) !== null;

const foundSet = (name: string): ColumnSet => ({
	source: 'resolved',
	shown: [name],
	reads: new Map([[name, hasId]]),
	...OF_RUN,
});

export const MATCHED = foundSet('matched');
export const FOUND = foundSet('found');
export const MATCH_CHECK = plainSet('matchCheck', ['match_check'], OF_RUN);
export const CANDIDATES = plainSet('candidates', ['candidate_names', 'candidate_ids'], OF_RUN);
export const CANDIDATE_LIST = plainSet('candidates', ['candidates'], OF_RUN);
export const FOUND_COMPANY: ColumnSet = {
	source: 'company',
	shown: ['found_name', 'found_website'],
	reads: new Map([
		['found_name', memberOf('company_name')],
		['found_website', memberOf('company_website')],
	]),
};

/** All rows of a response share it. */
export const RESPONSE_CONTEXT: ColumnSet = {
	source: 'responseContext',
	shown: ['response_context'],
	reads: new Map([['response_context', (context) => jsonOf(structuredClone(context))]]),
	...OF_RUN,
};

const RECORD = { fields: PROSPECT_RECORD_FIELDS, members: PROSPECT_RECORD_MEMBERS };
const PERSON: ColumnSet = {
	...recordSet('person', RECORD, true, (name) => name),
	hasCommonNames: true,
};
const RAW_PERSON = plainSet(
	'person',
	[...PROSPECT_RECORD_FIELDS.map(nameOf), ...PROSPECT_RECORD_MEMBERS],
	{
		hasCommonNames: true,
		isOpen: true,
	},
);
const SIMPLE_LAYOUT = layoutOf([PERSON]);
const RAW_LAYOUT = layoutOf([RAW_PERSON, RESPONSE_CONTEXT]);

export const prospectLayout = (simplify: boolean): Layout =>
	simplify ? SIMPLE_LAYOUT : RAW_LAYOUT;

export const prospectRecords = (person: IDataObject, responseContext: JsonValue): Records => ({
	person,
	responseContext,
});
