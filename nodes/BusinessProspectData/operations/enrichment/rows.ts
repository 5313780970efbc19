import { deepCopy, type IDataObject } from 'n8n-workflow';
import type { DataSet } from '../../catalog/dataSets';
import type { EntityFields } from '../../catalog/service';
import { groupBy } from '../../core/collections';
import { isEmpty, isObject, type JsonValue } from '../../core/json';
import type { Failure } from '../../core/outcome';
import { simplifyRecord } from '../../core/simplify';
import type { InputResult } from '../../runtime/batches';
import type { Row } from '../../runtime/output';
import { type EnrichmentInput, type EnrichmentResult, hasNoData } from './request';

type EnrichmentResults = ReadonlyArray<InputResult<EnrichmentInput, EnrichmentResult>>;

/**
 * The rows of an item: one per ID, with all data sets; without IDs, one empty row. If a data set failed, the ID's row is an
 * error row that keeps what was received.
 */
export function enrichmentRows(
	entity: EntityFields,
	dataSets: readonly DataSet[],
	results: EnrichmentResults,
	simplify: boolean,
): Row[] {
	const byId = groupBy(results, ({ input }) => input.id);
	if (byId.size === 0) return [{ json: emptyRow(entity, dataSets, simplify), empty: true }];
	return [...byId].map(([id, parts]) => {
		const received = parts.flatMap(({ input: { dataSet }, outcome: { value } }) =>
			value === undefined
				? []
				: [{ dataSet, ...value, simplified: simplifyData(dataSet, value.data) }],
		);
		const rowWith = (valueOf: (part: (typeof received)[number]) => JsonValue): IDataObject => {
			const row: IDataObject = { [entity.idField]: id };
			for (const part of received) row[part.dataSet.outputField] = valueOf(part);
			return row;
		};
		const allFields = () =>
			rowWith(({ simplified, data, unassignedRows }) =>
				unassignedRows === undefined
					? withFieldsOf(data, simplified)
					: { ...(!isEmpty(data) && { rows: data }), unassigned_rows: [...unassignedRows] },
			);
		const failure = combinedFailure(parts);
		// What was received may have cost credits, so an error item keeps all of it.
		if (failure !== undefined) {
			return { failure, ...(received.length > 0 && { received: allFields() }) };
		}
		const withContext = (row: IDataObject): IDataObject => {
			const contexts = received.map(({ dataSet, responseContext }) => [
				dataSet.outputField,
				deepCopy(responseContext),
			]);
			return { ...row, response_context: Object.fromEntries(contexts) };
		};
		return {
			json: simplify
				? rowWith(({ simplified }) => simplified)
				: withContext(rowWith(({ data }) => data)),
			allFields: () => withContext(allFields()),
			empty: received.every(({ dataSet, data }) => hasNoData(data, entity, dataSet)),
		};
	});
}

/**
 * The data of a data set, reduced to the catalog's fields. A list is reduced entry by entry; a plain value stays as it is.
 * Missing data becomes an object without values, because an expression such as `$json.profile.job_title || $json.title` would
 * fail if the profile were null.
 */
function simplifyData(dataSet: DataSet, data: JsonValue): JsonValue {
	if (Array.isArray(data)) return data.map((entry) => simplifyData(dataSet, entry));
	if (!isObject(data) && !isEmpty(data)) return data;
	return simplifyRecord(isObject(data) ? data : {}, dataSet.fields, dataSet.onlyWithValue);
}

/** Data, plus the fields that only its simplified form has. Lists and plain values stay as they are. */
function withFieldsOf(data: JsonValue, simplified: JsonValue): JsonValue {
	if (!isObject(simplified)) return data;
	if (isObject(data)) return { ...simplified, ...data };
	return isEmpty(data) ? simplified : data;
}

/** The row of an item without an ID or a match: no field has a value. */
export function emptyRow(
	entity: EntityFields,
	dataSets: readonly DataSet[],
	simplify: boolean,
): IDataObject {
	const json: IDataObject = { [entity.idField]: null };
	for (const dataSet of dataSets) {
		const data = dataSet.multipleRows ? [] : null;
		json[dataSet.outputField] = simplify ? simplifyData(dataSet, data) : data;
	}
	return json;
}

/**
 * One failure for all failed data sets of an ID; undefined if none failed. The message has each cause once, with the data sets
 * affected.
 */
function combinedFailure(parts: EnrichmentResults): Failure | undefined {
	const failed = parts.flatMap(({ input: { dataSet }, outcome: { failure } }) =>
		failure === undefined ? [] : [{ dataSet, failure }],
	);
	const rootCauses = failed.filter(({ failure }) => failure.kind !== 'stopped');
	const reported = rootCauses.length > 0 ? rootCauses : failed;
	const [first] = reported;
	if (first === undefined) return undefined;
	const byMessage = groupBy(reported, ({ failure }) => failure.message);
	const message =
		reported.length === parts.length && byMessage.size === 1
			? first.failure.message
			: [...byMessage]
					.map(([cause, own]) => `${own.map(({ dataSet }) => dataSet.name).join(', ')}: ${cause}`)
					.join(' ');
	return {
		...first.failure,
		message,
		details: { ...first.failure.details, failed: failed.map(({ dataSet }) => dataSet.outputField) },
	};
}
