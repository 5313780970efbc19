import { BUSINESS_DATA_SETS } from '../catalog/businessDataSets';
import { type DataSet, PROSPECT_DATA_SETS } from '../catalog/dataSets';
import {
	BUSINESS,
	BUSINESS_EVENTS,
	type EntityFields,
	type EventsSource,
	PROSPECT,
	PROSPECT_EVENTS,
} from '../catalog/service';
import { asObjects, nameOf } from '../core/json';
import { lazy } from '../core/lazy';
import { dataSetColumns, type ColumnSet } from './columns';
import { eventColumns } from './events';
import { CANDIDATE_LIST, CANDIDATES, FOUND, FOUND_COMPANY, MATCH_CHECK, MATCHED } from './ownSets';

export const ENTITIES: readonly EntityFields[] = [PROSPECT, BUSINESS];

const namesOf = (
	dataSets: readonly DataSet[],
	events: EventsSource,
	others: readonly ColumnSet[],
): ReadonlySet<string> => {
	const sets = [...dataSets.map((dataSet) => dataSetColumns(dataSet, true)), ...others];
	return new Set([...sets.flatMap(({ reads }) => [...reads.keys()]), ...eventColumns(events)]);
};

/** The columns that these nodes write about a person or a company, by exact name: a CRM's own `profile_url` isn't one. */
const COLUMNS = lazy(
	() =>
		new Map<EntityFields, ReadonlySet<string>>([
			[PROSPECT, namesOf(PROSPECT_DATA_SETS, PROSPECT_EVENTS, [MATCHED, MATCH_CHECK])],
			[
				BUSINESS,
				namesOf(BUSINESS_DATA_SETS, BUSINESS_EVENTS, [
					FOUND,
					FOUND_COMPANY,
					CANDIDATES,
					CANDIDATE_LIST,
				]),
			],
		]),
);

/** The members of each data set that rows have as an object, or a list of them, with Simplify off. */
const NESTED = lazy(() => {
	const all = [
		...PROSPECT_DATA_SETS.map((dataSet) => [PROSPECT, dataSet] as const),
		...BUSINESS_DATA_SETS.map((dataSet) => [BUSINESS, dataSet] as const),
	];
	return new Map(
		all.map(([entity, { outputField, fields, members }]) => [
			outputField,
			{ entity, members: new Set([...fields.map(nameOf), ...members]) },
		]),
	);
});

export function isAbout(entity: EntityFields, name: string, value: unknown): boolean {
	if (COLUMNS().get(entity)?.has(name) === true) return true;
	const nested = NESTED().get(name);
	// A CRM's own `strategy` is text, and its `contacts` a list with other members.
	return (
		nested?.entity === entity &&
		asObjects(value).some((record) => Object.keys(record).some((key) => nested.members.has(key)))
	);
}
