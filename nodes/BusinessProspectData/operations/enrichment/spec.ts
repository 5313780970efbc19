import type { IDataObject } from 'n8n-workflow';
import type { DataSet } from '../../catalog/dataSets';
import { type EntityFields, LIMITS } from '../../catalog/service';
import { groupBy } from '../../core/collections';
import { isEmpty, isObject, type JsonValue, simplifyRecord } from '../../core/json';
import type { Failure } from '../../core/outcome';
import type { InputResult } from '../../runtime/batches';
import { multiOptionsParameter, noChoiceError } from '../../runtime/lists';
import type { Row } from '../../runtime/output';
import type { Parameter } from '../../runtime/parameters';
import type { Price } from '../../runtime/spec';
import {
	type EnrichmentInput,
	enrichmentRequest,
	type EnrichmentResult,
	hasNoData,
} from './request';

type EnrichmentResults = ReadonlyArray<InputResult<EnrichmentInput, EnrichmentResult>>;

/**
 * The rows of an item: one per ID, with all data sets; without IDs, one empty row. If a data set failed, the ID's row is an
 * error row that keeps what was received.
 */
function enrichmentRows(
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
					: // Only error items have this shape, because `unassignedRows` come with a failure.
						{ ...(!isEmpty(data) && { rows: data }), unassigned_rows: [...unassignedRows] },
			);
		const failure = combinedFailure(parts);
		// What was received may have cost credits, so an error item keeps all of it.
		if (failure !== undefined) {
			return { failure, ...(received.length > 0 && { received: allFields() }) };
		}
		const withContext = (row: IDataObject): IDataObject => {
			const contexts = received.map(({ dataSet, responseContext }) => [
				dataSet.outputField,
				structuredClone(responseContext),
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

/**
 * The parameter Data Sets. It requires at least one choice and reads the chosen entries of `dataSets`.
 *
 * @param initial the saved value of the default
 * @param plural the plural noun for the entities
 */
export function dataSetsParameter(
	dataSets: readonly DataSet[],
	initial: string,
	plural: string,
): Parameter<'dataSets', DataSet[]> {
	const { name, property, read } = multiOptionsParameter({
		displayName: 'Data Sets',
		name: 'dataSets',
		type: 'multiOptions',
		default: [initial],
		required: true,
		options: dataSets.map(({ name, value, description }) => ({ name, value, description })),
		description: `What to fetch. Each data set takes one request for every ${LIMITS.enrichBatch} ${plural}.`,
	});
	return {
		name,
		property,
		read: (raw) => {
			const chosen = read(raw);
			if (chosen.length === 0) throw noChoiceError(property);
			return dataSets.filter(({ value }) => chosen.includes(value));
		},
	};
}

/**
 * The inputs of an item: each of its IDs with each of its data sets.
 *
 * @param optionsFor how to request a data set; members of `parameters` without a value are not sent
 */
export function enrichmentInputs(
	ids: readonly string[],
	dataSets: readonly DataSet[],
	requestContext: IDataObject | undefined,
	optionsFor: (dataSet: DataSet) => Partial<Pick<EnrichmentInput, 'single' | 'parameters'>>,
): EnrichmentInput[] {
	const parts = dataSets.map((dataSet) => {
		const { single = false, parameters } = optionsFor(dataSet);
		return { dataSet, single, parameters: parameters && withoutEmpty(parameters), requestContext };
	});
	return ids.flatMap((id) => parts.map((part) => ({ ...part, id })));
}

/** The members that have a value; undefined if none has. */
function withoutEmpty(members: IDataObject): IDataObject | undefined {
	const entries = Object.entries(members).filter(([, value]) => !isEmpty(value));
	return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** How inputs become requests, and results become rows, for one kind of entity. */
export const sharedEnrichmentSpec = (entity: EntityFields) => ({
	requiredFields: [entity.idField],
	rowFields: ({ dataSets }: { readonly dataSets: readonly DataSet[] }) => [
		entity.idField,
		...dataSets.map(({ outputField }) => outputField),
		'response_context',
	],
	groupKey: ({ dataSet, single, parameters, requestContext }: EnrichmentInput) =>
		JSON.stringify([dataSet.value, single, parameters, requestContext]),
	key: ({ id }: EnrichmentInput) => id,
	maxBatchSize: ({ single }: EnrichmentInput) => (single ? 1 : LIMITS.enrichBatch),
	inputMember: ({ dataSet, single }: EnrichmentInput) =>
		single && dataSet.singlePath !== undefined ? entity.idField : entity.idsField,
	price: ({ dataSet }: EnrichmentInput): Price => ({ unpriced: dataSet.name }),
	send: enrichmentRequest(entity),
	rows: (
		results: ReadonlyArray<InputResult<EnrichmentInput, EnrichmentResult>>,
		values: { readonly dataSets: readonly DataSet[]; readonly simplify: boolean },
	) => enrichmentRows(entity, values.dataSets, results, values.simplify),
});
