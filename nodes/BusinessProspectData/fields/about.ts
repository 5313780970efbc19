import { BUSINESS_DATA_SETS } from '../catalog/businessDataSets';
import { type DataSet, PROSPECT_RECORDS } from '../catalog/dataSets';
import { BUSINESS, type EntityFields, PROSPECT } from '../catalog/service';
import { asObjects, nameOf, parsedJson } from '../core/json';
import { lazy } from '../core/collections';
import {
	CANDIDATE_LIST,
	CANDIDATES,
	type ColumnSet,
	dataSetColumns,
	FOUND,
	FOUND_COMPANY,
	MATCH_CHECK,
	MATCHED,
} from './columns';

export const ENTITIES: readonly EntityFields[] = [PROSPECT, BUSINESS];

const ALL_DATA_SETS = [
	...PROSPECT_RECORDS.map((dataSet) => ({ entity: PROSPECT, dataSet })),
	...BUSINESS_DATA_SETS.map((dataSet) => ({ entity: BUSINESS, dataSet })),
];

const namesOf = (sets: readonly ColumnSet[]): string[] =>
	sets.flatMap(({ reads }) => [...reads.keys()]);

const dataColumns = (
	dataSets: readonly DataSet[],
	others: readonly ColumnSet[] = [],
): ReadonlySet<string> =>
	new Set(namesOf([...dataSets.map((dataSet) => dataSetColumns(dataSet, true)), ...others]));

/** The columns that these nodes write about a person or a company, by exact name: a CRM's own `profile_url` isn't one. */
const DATA_COLUMNS = lazy(
	() =>
		new Map<EntityFields, ReadonlySet<string>>([
			[PROSPECT, dataColumns(PROSPECT_RECORDS)],
			[BUSINESS, dataColumns(BUSINESS_DATA_SETS, [FOUND_COMPANY])],
		]),
);

const RUN_COLUMNS = lazy(
	() =>
		new Map<EntityFields, ReadonlySet<string>>([
			[PROSPECT, new Set(namesOf([MATCHED, MATCH_CHECK]))],
			[BUSINESS, new Set(namesOf([FOUND, CANDIDATES, CANDIDATE_LIST]))],
		]),
);

/** The members of each data set that rows have as an object, or a list of them, with Simplify off. */
const NESTED = lazy(
	() =>
		new Map(
			ALL_DATA_SETS.map(({ entity, dataSet: { outputField, fields, members } }) => [
				outputField,
				{ entity, members: new Set([...fields, ...members].map(nameOf)) },
			]),
		),
);

export const isAbout = (entity: EntityFields, name: string, value: unknown): boolean =>
	RUN_COLUMNS().get(entity)?.has(name) === true || isData(entity, name, value);

/** Whether an input column holds what the service returned about the person or the company. */
export function isData(entity: EntityFields, name: string, cell: unknown): boolean {
	if (DATA_COLUMNS().get(entity)?.has(name) === true) return true;
	const nested = NESTED().get(name);
	if (nested?.entity !== entity) return false;
	// A spreadsheet holds lists and objects as JSON text.
	const value = typeof cell === 'string' ? parsedJson(cell) : cell;
	// A CRM's own `strategy` is text, and its `contacts` a list with other members.
	return asObjects(value).some((record) =>
		Object.keys(record).some((key) => nested.members.has(key)),
	);
}

/** The data set whose prefix the name has, if it isn't one of its columns. */
export function misspelledDataSet(
	name: string,
): { readonly name: string; readonly columns: readonly string[] } | undefined {
	const prefixed = ALL_DATA_SETS.find(({ dataSet: { outputField } }) =>
		name.startsWith(`${outputField}_`),
	);
	if (prefixed === undefined) return undefined;
	const columns = namesOf([dataSetColumns(prefixed.dataSet, true)]);
	return columns.includes(name) ? undefined : { name: prefixed.dataSet.name, columns };
}
