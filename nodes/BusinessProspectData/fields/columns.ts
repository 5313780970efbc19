import type { IDataObject } from 'n8n-workflow';
import { type DataSet } from '../catalog/dataSets';
import type { EntityFields } from '../catalog/service';
import { asText, isObject, type JsonValue, nameOf, readField, type RowField } from '../core/json';
import { getOrCreate } from '../core/collections';

/** What was received for a row, by source: the record of each data set, what a lookup found, an event. */
export type Records = Readonly<Record<string, unknown>>;

type Read = (record: unknown) => JsonValue;

/** Columns that are filled from one record of the service, all of them or none. */
export interface ColumnSet {
	/** The key of the record in `Records`. */
	readonly source: string;
	/** The columns of rows, in their order. */
	readonly shown: readonly string[];
	/** Every column that the record has a value for, by name. Fields may name any of them. */
	readonly reads: ReadonlyMap<string, Read>;
	/** True if they say what this run found: without a record, they are empty instead of what the input row has. */
	readonly isOfRun?: boolean;
	/** True if names such as `company_name` may be the input row's own, so that only columns that are shown are replaced. */
	readonly hasCommonNames?: boolean;
	/** True if rows also show every other member of the record, whatever its name. */
	readonly isOpen?: boolean;
}

/** What an operation's rows hold. Follows from the parameters alone. */
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

/** For an operation whose columns the contract doesn't list. */
export const OPEN_SET: ColumnSet = { source: 'json', shown: [], reads: new Map(), isOpen: true };
export const OPEN_LAYOUT: Layout = layoutOf([OPEN_SET]);

export const memberOf =
	(name: string): Read =>
	(record) =>
		(isObject(record) ? record[name] : null) ?? null;

export const jsonOf = (record: unknown): JsonValue => (record ?? null) as JsonValue;

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

const ID_SETS = new Map<EntityFields, ColumnSet>();

export const idSet = (entity: EntityFields): ColumnSet =>
	getOrCreate(ID_SETS, entity, ({ idField } = entity) => ({
		source: idField,
		shown: [idField],
		reads: new Map([[idField, (id: unknown) => asText(id) ?? null]]),
	}));

/** No cell of a simplified row is a list or an object. */
function flat(value: JsonValue): JsonValue {
	if (typeof value !== 'object' || value === null) return value ?? null;
	if (!Array.isArray(value)) return JSON.stringify(value);
	if (value.length === 0) return null;
	const texts = value.map((entry: JsonValue) => asText(entry) ?? JSON.stringify(entry));
	return texts.join('; ');
}

/** Columns of a record: those that Simplify keeps, and all others that the contract shows. */
export function recordSet(
	source: string,
	{
		prefix = '',
		fields,
		members,
	}: {
		readonly prefix?: string;
		readonly fields: readonly RowField[];
		readonly members: readonly string[];
	},
	simplify: boolean,
	recordOf: (record: unknown) => unknown = (record) => record,
): ColumnSet {
	const columns = [...fields, ...members].map((field): [string, Read] => [
		prefix + nameOf(field),
		(record) => {
			const from = recordOf(record);
			const value = isObject(from) ? readField(from, field) : null;
			return simplify ? flat(value) : value;
		},
	]);
	return {
		source,
		shown: fields.map((field) => prefix + nameOf(field)),
		reads: new Map(columns),
	};
}

const newest = (list: unknown): unknown =>
	Array.isArray(list)
		? list
				.filter(isObject)
				.reduce<IDataObject | null>(
					(latest, post) =>
						isObject(latest) && String(latest.created_at) >= String(post.created_at)
							? latest
							: post,
					null,
				)
		: list;

const DATA_SETS = new Map<string, ColumnSet>();

/** @param part the part that was requested, if it isn't the whole data set */
export const dataSetColumns = (dataSet: DataSet, simplify: boolean, part?: string): ColumnSet =>
	getOrCreate(DATA_SETS, `${dataSet.value} ${simplify} ${part}`, () => {
		const { value, outputField, multipleRows } = dataSet;
		const names = dataSet.parts?.[part ?? ''];
		const isIncluded = (field: RowField) => names === undefined || names.includes(nameOf(field));
		const prefix = `${outputField}_`;
		const fields = dataSet.fields.filter(isIncluded);
		const members = dataSet.members.filter(isIncluded);
		const set = recordSet(
			value,
			{ prefix, fields, members },
			simplify,
			multipleRows ? newest : undefined,
		);
		const count: Read = (list) => (Array.isArray(list) ? list.length : null);
		const counted: Array<[string, Read]> = multipleRows ? [[`${prefix}count`, count]] : [];
		if (simplify) {
			return {
				source: value,
				shown: [...counted.map(([name]) => name), ...set.shown],
				reads: new Map([...counted, ...set.reads]),
			};
		}
		return {
			source: value,
			shown: [outputField],
			reads: new Map([[outputField, jsonOf], ...counted, ...set.reads]),
		};
	});
